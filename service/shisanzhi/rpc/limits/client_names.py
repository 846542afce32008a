"""Which clients may call, by the names in their certificates."""

from collections.abc import Iterable, Mapping

from shisanzhi.rpc.limits.refusals import ClientNameError


class ClientNames:
    """The subject alternative names that may call."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(name.encode() for name in names)

    def admit(self, identity: Mapping[str, Iterable[bytes]]) -> None:
        """Raise :class:`ClientNameError` for who has none of them; takes grpc's auth context."""
        if self._names.isdisjoint(identity.get("x509_subject_alternative_name", ())):
            raise ClientNameError
