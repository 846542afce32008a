"""Mutation: whether the tests notice a small change to what they test."""
