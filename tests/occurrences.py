"""What random rounds must bring about, and what a scored round brought about, by name."""

from collections.abc import Iterator
from itertools import pairwise

from tests import oracle
from tests.oracle import OracleRound
from tests.random_rounds import Round

PAIR_RESULTS = {
    (3, 0, 0): "rows 3-0",
    (2, 0, 1): "rows 2-0-1",
    (1, 0, 2): "rows 1-0-2",
    (2, 1, 0): "rows 2-1",
    (1, 1, 1): "rows 1-1-1",
    (0, 0, 3): "rows 0-0-3",
}


def occurrences(dealt: Round, result: OracleRound) -> set[str]:
    """Name everything that occurred in a legal round."""
    found = {"legal", *what_happened(result), *how_rows_met(result)}
    found |= what_dragons_did(result, dealt)
    return found | set(what_royalty_rows_earned(dealt.ruleset, result))


def required_occurrences(ruleset: str) -> list[str]:
    """List what random rounds must contain."""
    royalties = oracle.BONUS_ROYALTIES if ruleset == "bonus" else oracle.CLASSIC_ROYALTIES
    common = ["foul", "legal", "home run", *PAIR_RESULTS.values()]
    common += [f"tied {row}" for row in oracle.ROWS]
    common += [f"royalty {row} {category}" for row, category in royalties]
    common.append("front equals middle as far as it goes")
    if ruleset == "bonus":
        return [
            *common,
            "mutual gunshot",
            "two home runs at once",
            "middle equals back",
            "royalty row WON, pair even, paid",
            "royalty row WON, pair won, paid",
            "royalty row TIED, pair even, unpaid",
            "royalty row TIED, pair won, unpaid",
            "royalty row LOST, pair even, unpaid",
            "royalty row LOST, pair lost, unpaid",
        ]
    return [
        *common,
        "royalty row WON, pair won, paid",
        "royalty row TIED, pair won, paid",
        "royalty row LOST, pair won, paid",
        "royalty row WON, pair even, unpaid",
        "royalty row TIED, pair even, unpaid",
        "royalty row LOST, pair even, unpaid",
        "royalty row WON, pair lost, unpaid",
        "royalty row LOST, pair lost, unpaid",
        "one dragon",
        "two dragons, neither in one suit",
        "two dragons, one in one suit",
        "two dragons, both in one suit",
        "two dragons, gunshot between the others",
        "two dragons, royalty between the others",
        "four dragons",
        "dragon royalty",
        "dragon with its rows out of order",
    ]


def what_happened(result: OracleRound) -> Iterator[str]:
    """Name the gunshots, home runs and royalties of a round."""
    if result.home_runs:
        yield "home run"
    if len(result.home_runs) > 1:
        yield "two home runs at once"
    if any((opponent, seat) in result.gunned for seat, opponent in result.gunned):
        yield "mutual gunshot"
    for pair in result.pairs.values():
        for paid in pair.royalties:
            yield f"royalty {paid.row} {paid.category}" if paid.row else "dragon royalty"


def what_royalty_rows_earned(ruleset: str, result: OracleRound) -> Iterator[str]:
    """Name the fates of rows in the royalty table: the won, the tied and the lost, paid or not."""
    table = oracle.BONUS_ROYALTIES if ruleset == "bonus" else oracle.CLASSIC_ROYALTIES
    for (seat, _), pair in result.pairs.items():
        paid_rows = {paid.row for paid in pair.royalties if paid.payee == seat}
        for row, (category, _), outcome in zip(
            oracle.ROWS, result.values[seat], pair.outcomes, strict=True
        ):
            if outcome and (row, category) in table:
                paid = "paid" if row in paid_rows else "unpaid"
                beaten = {1: "won", 0: "even", -1: "lost"}[sign(pair.pair + pair.gunshot)]
                yield f"royalty row {outcome}, pair {beaten}, {paid}"


def sign(number: int) -> int:
    """Give -1, 0 or 1."""
    return (number > 0) - (number < 0)


def how_rows_met(result: OracleRound) -> set[str]:
    """Name the ties and the pair results, and the close calls within a seat."""
    found = set()
    for pair in result.pairs.values():
        won, lost, tied = (pair.outcomes.count(word) for word in ("WON", "LOST", "TIED"))
        found.add(PAIR_RESULTS.get((won, lost, tied), "any other"))
        for row, outcome in zip(oracle.ROWS, pair.outcomes, strict=True):
            if outcome == "TIED":
                found.add(f"tied {row}")
    for front, middle, back in result.values:
        if middle == back:
            found.add("middle equals back")
        if front[0] == middle[0] and front[1] == middle[1][: len(front[1])]:
            found.add("front equals middle as far as it goes")
    return found


def what_dragons_did(result: OracleRound, dealt: Round) -> set[str]:
    """Name the dragons of a round, and what the other two seats did meanwhile."""
    dragons = [seat for seat in oracle.SEATS if result.dragons[seat]]
    if len(dragons) != 2:
        found = {{0: "no dragon", 1: "one dragon", 4: "four dragons"}[len(dragons)]}
    else:
        suited = [seat for seat in dragons if in_one_suit(dealt.arrangements[seat])]
        found = {f"two dragons, {['neither', 'one', 'both'][len(suited)]} in one suit"}
        one, other = (seat for seat in oracle.SEATS if seat not in dragons)
        if result.pairs[one, other].gunshot:
            found.add("two dragons, gunshot between the others")
        if result.pairs[one, other].royalties:
            found.add("two dragons, royalty between the others")
    for seat in dragons:
        values = result.values[seat]
        if any(oracle.compare_values(low, high) >= 0 for low, high in pairwise(values)):
            found.add("dragon with its rows out of order")
    return found


def in_one_suit(rows: oracle.Arrangement) -> bool:
    """Tell whether all thirteen cards are of one suit."""
    return len({card[1] for row in rows for card in row}) == 1


def assert_units_add_up(result: OracleRound) -> None:
    """No unit is lost: parts make totals, pairs make totals, and all sum to zero."""
    assert sum(result.total) == 0
    assert sorted(result.place) == [1, 2, 3, 4]
    for seat in oracle.SEATS:
        parts = (result.pair, result.gunshot, result.home_run, result.royalty)
        assert result.total[seat] == sum(part[seat] for part in parts)
        opponents = [other for other in oracle.SEATS if other != seat]
        assert result.total[seat] == sum(result.pairs[seat, other].total for other in opponents)
        for other in opponents:
            assert result.pairs[seat, other].total == -result.pairs[other, seat].total
