"""Clients for the service, and what a program wants beside: cards as text, names, typed errors.

They take and give the messages of ``shisanzhi.v1``, keep the shipped service config, and raise
:class:`CallError` for a call that fails.
"""

from shisanzhi.client.aio import AsyncClient
from shisanzhi.client.cards import (
    card_symbol,
    card_text,
    cards_text,
    parse_card,
    parse_cards,
    rank_text,
)
from shisanzhi.client.errors import CallError, Fault
from shisanzhi.client.names import Names
from shisanzhi.client.sync import Client

__all__ = [
    "AsyncClient",
    "CallError",
    "Client",
    "Fault",
    "Names",
    "card_symbol",
    "card_text",
    "cards_text",
    "parse_card",
    "parse_cards",
    "rank_text",
]
