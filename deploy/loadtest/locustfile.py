"""The load of real play: tables of four, and spectators.

A table opens a match, and for each round asks DealRound, per seat some Validates (a player who
moves cards about) and an Arrange, then Score and AdvanceMatch. Spectators ask Evaluate.

`Tables` and `Spectators` are closed loops: each waits for its answers, so a slow server gets less
load. `Arrivals` is an open one: rounds begin at a constant rate whatever becomes of those before,
as players come, and the time of a round's first call counts from when it was due. Say which:
`locust Arrivals --arrival-rate 20`.

The host is anything that gRPC can resolve: `127.0.0.1:8081`, `dns:///shisanzhi-pods:50051`,
`ipv4:127.0.0.1:50051,127.0.0.1:50052`. Thresholds are in a file; a run that misses one exits
with 1.
"""

import json
import random
import secrets
import time
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import gevent
import gevent.pool
import grpc
import grpc.experimental.gevent
from locust import User, constant_pacing, events, task
from locust.argument_parser import LocustArgumentParser
from locust.env import Environment
from locust.runners import STATE_RUNNING, STATE_SPAWNING, WorkerRunner
from locust.stats import StatsEntry

from shisanzhi.v1 import game_logic_service_pb2 as messages
from shisanzhi.v1.arrangement_pb2 import Arrangement
from shisanzhi.v1.card_pb2 import CardList
from shisanzhi.v1.game_logic_service_pb2_grpc import GameLogicServiceStub
from shisanzhi.v1.ruleset_pb2 import RULESET_BONUS, RULESET_CLASSIC

grpc.experimental.gevent.init_gevent()

SERVICE_CONFIG = files("shisanzhi").joinpath("service_config.json").read_text(encoding="utf-8")
ROUNDS = 16
DEADLINE = 10.0
MOST_ROUNDS_OPEN = 2000
"""Of an open loop: beyond them the server is lost, and more would only end the load generator."""


@events.init_command_line_parser.add_listener
def _arguments(parser: LocustArgumentParser) -> None:
    parser.add_argument(
        "--pace", type=float, default=1.0, help="seconds from round to round of a table"
    )
    parser.add_argument(
        "--arrival-rate", type=float, default=0.0, help="rounds a second, by each user of Arrivals"
    )
    parser.add_argument(
        "--thresholds", default="", help="TOML file; missed ones make the exit code 1"
    )
    parser.add_argument("--figures", default="", help="JSON file to write, by method")
    parser.add_argument(
        "--no-retries", action="store_true", help="have the client make no call again"
    )


class Failed(Exception):  # noqa: N818 - locust shows its name, and adds failures up by their text
    """A call that failed."""


class Client:
    """The service's methods, each call reported to locust."""

    def __init__(self, environment: Environment, host: str) -> None:
        """Connect."""
        self._environment = environment
        options: list[tuple[str, Any]] = [("grpc.use_local_subchannel_pool", 1)]
        options += [("grpc.service_config", SERVICE_CONFIG)]
        if getattr(environment.parsed_options, "no_retries", False):
            options += [("grpc.enable_retries", 0)]
        self._channel = grpc.insecure_channel(host, options=options)
        self._stub: Any = GameLogicServiceStub(self._channel)

    def call(self, method: str, request: Any, due: float | None = None) -> Any:
        """Ask; the time counts from when it was due."""
        begun = time.time() if due is None else due
        failure, response = None, None
        try:
            response = getattr(self._stub, method)(request, timeout=DEADLINE)
        except grpc.RpcError as error:
            failure = Failed(f"{error.code().name}: {error.details()}")
        self._environment.events.request.fire(
            request_type="grpc",
            name=method,
            response_time=(time.time() - begun) * 1000,
            response_length=response.ByteSize() if response is not None else 0,
            exception=failure,
            context={},
        )
        if failure:
            raise failure
        return response

    def close(self) -> None:
        """Hang up."""
        self._channel.close()


class Table:
    """A table of four and its match."""

    def __init__(self, client: Client) -> None:
        """Sit down."""
        self.client = client
        self.ruleset = random.choice((RULESET_BONUS, RULESET_CLASSIC))  # noqa: S311 - no secret
        self.seed = secrets.token_bytes(32)
        self.match: Any = None

    def play(self, due: float | None = None) -> None:
        """Play a round, after opening a match where none is open."""
        ask = self.client.call
        if self.match is None or self.match.finished or self.match.next_round > ROUNDS:
            ids = [secrets.token_hex(4) for _ in range(4)]
            start = messages.StartMatchRequest(ruleset=self.ruleset, seed=self.seed, player_ids=ids)
            self.match = ask("StartMatch", start, due).match
            due = None
        deal = ask(
            "DealRound",
            messages.DealRoundRequest(
                ruleset=self.ruleset,
                seed=self.seed,
                round=self.match.next_round,
                dealer=self.match.dealer,
            ),
            due,
        )
        rules: Any = {"ruleset": self.ruleset, "cut_card": deal.cut_card}
        arrangements = [self._arrange(rules, list(hand.cards)) for hand in deal.hands]
        result = ask(
            "Score",
            messages.ScoreRequest(
                **rules, arrangements=arrangements, dealer=deal.dealer, hands=deal.hands
            ),
        ).result
        units = [seat.total_units for seat in result.seats]
        self.match = ask(
            "AdvanceMatch", messages.AdvanceMatchRequest(match=self.match, units=units)
        ).match

    def _arrange(self, rules: Any, hand: list[Any]) -> Any:
        """Move cards about, then take what the solver suggests."""
        for tried in self._tries(hand):
            validate = messages.ValidateRequest(**rules, arrangement=tried, hand=hand)
            self.client.call("Validate", validate)
        arrange = messages.ArrangeRequest(**rules, hand=hand)
        return self.client.call("Arrange", arrange).suggestions[0].arrangement

    def _tries(self, hand: list[Any]) -> Iterator[Arrangement]:
        for _ in range(random.randrange(3)):  # noqa: S311 - no secret
            cards: Any = random.sample(hand, 13)
            yield Arrangement(front=cards[:3], middle=cards[3:8], back=cards[8:])


class Player(User):
    """What all have in common."""

    abstract = True

    def wait_time(self) -> float:
        """Keep the pace that was asked for."""
        pace = self.environment.parsed_options.pace
        return float(constant_pacing(pace)(self))

    def on_start(self) -> None:
        """Connect, each by itself, as the platform's servers do."""
        self.client = Client(self.environment, self.host or "127.0.0.1:8081")

    def on_stop(self) -> None:
        """Hang up."""
        self.client.close()


class Tables(Player):
    """Tables of four."""

    weight = 4

    def on_start(self) -> None:
        """Sit down."""
        super().on_start()
        self.table = Table(self.client)

    @task
    def play(self) -> None:
        """Play a round; one that failed is begun anew, which nobody's books notice."""
        try:
            self.table.play()
        except Failed:
            self.table.match = None


class Spectators(Player):
    """Who watches a table asks what rows are worth."""

    weight = 1

    @task
    def look(self) -> None:
        """Judge the rows of four seats."""
        rows = [CardList(cards=_row(size)) for _ in range(4) for size in (3, 5, 5)]
        request = messages.EvaluateRequest(ruleset=RULESET_CLASSIC, rows=rows)
        try:
            self.client.call("Evaluate", request)
        except Failed:
            return


def _row(size: int) -> Any:
    return random.sample([16 * suit + rank for suit in range(1, 5) for rank in range(2, 15)], size)


class Arrivals(Player):
    """Rounds that begin at a constant rate, whatever becomes of them."""

    def wait_time(self) -> float:
        """Begin at once: the loop below keeps the time."""
        return 0.0

    @task
    def arrive(self) -> None:
        """Begin rounds until locust says stop."""
        rate = self.environment.parsed_options.arrival_rate
        if not rate:
            raise SystemExit("expected --arrival-rate above 0")
        opened = gevent.pool.Pool()
        due = time.time()
        try:
            while self.environment.runner.state in {STATE_SPAWNING, STATE_RUNNING}:
                due += random.expovariate(rate)
                gevent.sleep(max(0.0, due - time.time()))
                if len(opened) >= MOST_ROUNDS_OPEN:
                    self._drop()
                else:
                    opened.spawn(self._round, due)
            opened.join(timeout=DEADLINE)
        finally:
            opened.kill()

    def _round(self, due: float) -> None:
        try:
            Table(self.client).play(due)
        except Failed:
            return

    def _drop(self) -> None:
        self.environment.events.request.fire(
            request_type="grpc",
            name="DealRound",
            response_time=0,
            response_length=0,
            exception=Failed("NOT_SENT"),
            context={},
        )


@events.quitting.add_listener
def _judge(environment: Environment, **_: Any) -> None:
    """Hold the figures against the thresholds; the exit code says whether they were met."""
    options = environment.parsed_options
    if isinstance(environment.runner, WorkerRunner) or options is None:
        return
    if options.figures:
        text = json.dumps(_figures(environment), indent=1)
        Path(options.figures).write_text(text + "\n", encoding="utf-8")
    if not options.thresholds:
        return
    wanted = tomllib.loads(Path(options.thresholds).read_text(encoding="utf-8"))
    missed = list(_missed(environment, wanted))
    for line in missed:
        print(f"threshold missed: {line}")  # noqa: T201 - for who reads the run
    environment.process_exit_code = 1 if missed else 0


def _figures(environment: Environment) -> dict[str, dict[str, Any]]:
    """Give what was measured, by method."""
    stats = environment.stats
    return {
        entry.name: {
            "requests": entry.num_requests,
            "per_second": round(entry.total_rps, 1),
            **{f"p{p}_ms": entry.get_response_time_percentile(p / 100) for p in (50, 95, 99)},
            "failures": {
                str(error.error): error.occurrences
                for error in stats.errors.values()
                if error.name == entry.name
            },
        }
        for entry in [*stats.entries.values(), stats.total]
    }


def _missed(environment: Environment, wanted: dict[str, Any]) -> Iterator[str]:
    total = environment.stats.total
    if total.num_requests < wanted["least_requests"]:
        yield f"expected at least {wanted['least_requests']} requests, got {total.num_requests}"
    if total.fail_ratio > wanted["most_failures"]:
        most = wanted["most_failures"]
        yield f"expected failures of at most {most:.4%}, got {total.fail_ratio:.4%}"
    for method, limits in wanted.get("milliseconds", {}).items():
        entry = environment.stats.get(method, "grpc")
        yield from _too_slow(method, limits, entry)


def _too_slow(method: str, limits: dict[str, float], entry: StatsEntry) -> Iterator[str]:
    if not entry.num_requests:
        return
    for name, most in limits.items():
        got = entry.get_response_time_percentile(float(name.removeprefix("p")) / 100)
        if got > most:
            yield f"expected {method} {name} of at most {most:g} ms, got {got:g} ms"
