"""The messages and the service of `proto/shisanzhi/v1`, generated: run `make generate`."""
