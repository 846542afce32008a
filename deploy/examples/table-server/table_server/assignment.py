"""What a matchmaker hands over, as data: no part of Open Match or Agones is needed for it."""

from typing import Any, NamedTuple


class Assigned(NamedTuple):
    """Four players who are to sit at one table."""

    table: str
    players: tuple[str, ...]


def from_open_match(answer: dict[str, Any]) -> Assigned:
    """Read an AssignTickets request of Open Match: one assignment group.

    The table's name is in the assignment's extensions, where the director put it; the players
    are the tickets.
    """
    group = answer["assignments"][0]
    extensions = group["assignment"]["extensions"]
    return Assigned(extensions["table"]["value"], tuple(group["ticketIds"]))


def from_agones(answer: dict[str, Any]) -> Assigned:
    """Read a GameServerAllocation of Agones, with table and players in its annotations."""
    annotations = answer["spec"]["metadata"]["annotations"]
    players = tuple(annotations["shisanzhi/players"].split(","))
    return Assigned(annotations["shisanzhi/table"], players)


def read(answer: dict[str, Any]) -> Assigned:
    """Read either, and insist on four different players."""
    assigned = from_agones(answer) if "spec" in answer else from_open_match(answer)
    if len(set(assigned.players)) != 4 or len(assigned.players) != 4:
        raise ValueError(f"expected four different players, got {', '.join(assigned.players)}")
    return assigned
