"""Names in both languages, as the service gives them for a ruleset."""

from shisanzhi.v1.ruleset_pb2 import LocalizedText, RulesetInfo


class Names:
    """What a ruleset calls things. What it has no name for is called by its number."""

    def __init__(self, ruleset: RulesetInfo) -> None:
        """Take what GetRuleset says."""
        self._categories: dict[int, LocalizedText] = {
            line.category: line.name for line in ruleset.ladder
        }
        self._rows: dict[int, LocalizedText] = {line.row: line.name for line in ruleset.rows}
        self._royalties: dict[tuple[int, int], LocalizedText] = {
            (line.row, line.category): line.name for line in ruleset.royalties
        }

    def category(self, number: int) -> LocalizedText:
        """Name a category.

        >>> Names(RulesetInfo()).category(98).en
        '98'
        """
        return self._categories.get(number) or _called(number)

    def row(self, number: int) -> LocalizedText:
        """Name a row."""
        return self._rows.get(number) or _called(number)

    def royalty(self, row: int, category: int) -> LocalizedText:
        """Name a royalty; the dragon's has neither row nor category."""
        return self._royalties.get((row, category)) or self.category(category)


def _called(number: int) -> LocalizedText:
    return LocalizedText(zh_hant=str(number), en=str(number))
