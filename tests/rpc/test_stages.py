"""What a client can make a call wait for: who has to go where there is no room."""

import time
from typing import NamedTuple

import pytest

from shisanzhi.rpc.limits.refusals import Refusal
from shisanzhi.rpc.limits.stages import Stage

MINE, YOURS, HERS = "ipv4:127.0.0.1:1", "ipv4:127.0.0.1:2", "ipv4:127.0.0.1:3"


class Call(NamedTuple):
    """A call that does nothing."""

    peer: str
    number: int

    def watch(self) -> None: ...
    def give_up(self, refusal: Refusal) -> None: ...
    def cut_off(self, why: str) -> None: ...


class Room:
    """A stage for three calls, of 10 seconds each, and who had to go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        self.crowded: list[Call] = []
        self.late: list[Call] = []
        self.stage = Stage[Call](3, 10, 0.1, self.crowded.append, self.late.append)
        monkeypatch.setattr(time, "monotonic", lambda: self.now)

    def enter(self, *calls: Call) -> None:
        """Let one come every second."""
        for call in calls:
            self.now += 1
            self.stage.enter(call)


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Room:
    return Room(monkeypatch)


def test_of_connections_with_as_many_the_oldest_goes(room: Room) -> None:
    calls = [Call(MINE, 1), Call(YOURS, 2), Call(HERS, 3), Call("", 4)]
    room.enter(*calls)
    assert room.crowded == calls[:1]


def test_a_connection_that_holds_more_gives_way_before_one_that_came_earlier(room: Room) -> None:
    patient, *flood = Call(MINE, 1), Call(YOURS, 2), Call(YOURS, 3), Call(YOURS, 4), Call(YOURS, 5)
    room.enter(patient, *flood)
    assert room.crowded == flood[:2]
    assert list(room.stage) == [patient, *flood[2:]]


def test_of_a_connection_whose_calls_have_just_come_none_goes(room: Room) -> None:
    patient, *flood = Call(MINE, 1), Call(YOURS, 2), Call(YOURS, 3), Call(YOURS, 4)
    room.enter(patient)
    room.now += 1
    for call in flood:
        room.stage.enter(call)
    assert room.crowded == [patient]


def test_calls_that_have_just_come_stay_until_they_are_old(room: Room) -> None:
    calls = [Call(MINE, number) for number in range(5)]
    room.now = 1
    for call in calls:
        room.stage.enter(call)
    assert room.crowded == []
    room.now += 1
    room.stage.sweep()
    assert room.crowded == calls[:2]


def test_time_is_over_for_every_connection_alike(room: Room) -> None:
    calls = [Call(MINE, 1), Call(YOURS, 2), Call(YOURS, 3)]
    room.enter(*calls)
    room.now = 12.5
    room.stage.sweep()
    assert (room.late, room.crowded) == (calls[:2], [])
    room.stage.leave(calls[2])
    assert len(room.stage) == 0


def test_of_two_that_hold_much_each_gives_way_in_turn(room: Room) -> None:
    mine = [Call(MINE, number) for number in range(4)]
    yours = [Call(YOURS, number) for number in range(3)]
    room.now = 1
    for call in (*mine, *yours):
        room.stage.enter(call)
    room.now += 1
    room.stage.sweep()
    assert room.crowded == [mine[0], mine[1], yours[0], mine[2]]


def test_who_has_come_just_a_moment_ago_is_not_old(room: Room) -> None:
    room.now = 1
    calls = [Call(MINE, number) for number in range(4)]
    for call in calls:
        room.stage.enter(call)
    room.now = 1.1
    room.stage.sweep()
    assert room.crowded == []
    room.now = 1.11
    room.stage.sweep()
    assert room.crowded == calls[:1]


def test_who_has_waited_just_as_long_as_may_be_is_not_late(room: Room) -> None:
    call = Call(MINE, 1)
    room.enter(call)
    for now, late in ((11.0, []), (11.1, [call])):
        room.now = now
        room.stage.sweep()
        assert room.late == late


def test_all_calls_are_looked_at_no_more_than_fifty_times_a_second(room: Room) -> None:
    calls = [Call(MINE, number) for number in range(6)]
    for call in calls[:3]:
        room.stage.enter(call)
    for now, which, crowded in ((0.5, 3, 1), (0.51, 4, 1), (0.5 + 0.02, 5, 3)):
        room.now = now
        room.stage.enter(calls[which])
        assert len(room.crowded) == crowded


def test_a_full_stage_is_not_looked_at_in_vain(room: Room) -> None:
    calls = [Call(MINE, number) for number in range(4)]
    room.enter(*calls[:3])
    room.now += 1
    room.stage.sweep()
    room.now += 0.01
    room.stage.enter(calls[3])
    assert room.crowded == calls[:1]


def test_thousands_of_calls_are_looked_at_together(room: Room) -> None:
    """One by one they would keep the event loop for minutes."""
    calls = [Call(f"ipv4:127.0.0.1:{number % 500}", number) for number in range(50_000)]
    room.now = 1
    for call in calls:
        room.stage.enter(call)
    room.now += 1
    began = time.process_time()
    room.stage.sweep()
    assert time.process_time() - began < 2
    assert len(room.stage) == 3
    assert len(room.crowded) == 50_000 - 3
