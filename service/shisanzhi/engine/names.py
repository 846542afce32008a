"""What things are called, in both languages: one place for every client's words."""

import enum
from collections.abc import Mapping
from typing import Final, NamedTuple

from shisanzhi.engine.categories import Category
from shisanzhi.engine.rows import Row


class Language(enum.Enum):
    """A language that the game speaks, by its tag."""

    ZH_HANT = "zh-Hant"
    EN = "en"


class Text(NamedTuple):
    """A name in both languages."""

    zh_hant: str
    en: str

    def say(self, language: Language) -> str:
        """Give the name in one language.

        >>> GUNSHOT.say(Language.ZH_HANT), GUNSHOT.say(Language.EN)
        ('打槍', 'gunshot')
        """
        return self.zh_hant if language is Language.ZH_HANT else self.en


ROWS: Final = {
    Row.FRONT: Text("頭墩", "front"),
    Row.MIDDLE: Text("中墩", "middle"),
    Row.BACK: Text("尾墩", "back"),
}

CATEGORIES: Final = {
    Category.FIVE_OF_A_KIND: Text("五枚", "five of a kind"),
    Category.STRAIGHT_FLUSH: Text("同花順", "straight flush"),
    Category.BONUS_QUADS: Text("彩金五虎將", "bonus quads"),
    Category.QUADS: Text("鐵支", "quads"),
    Category.BONUS_FULL_HOUSE: Text("彩金葫蘆", "bonus full house"),
    Category.FULL_HOUSE: Text("葫蘆", "full house"),
    Category.PAIR_FLUSH: Text("對子同花", "pair flush"),
    Category.FLUSH: Text("同花", "flush"),
    Category.STRAIGHT: Text("順子", "straight"),
    Category.BONUS_TRIPS: Text("彩金三條", "bonus trips"),
    Category.TRIPS: Text("三條", "trips"),
    Category.TWO_PAIR: Text("兩對", "two pair"),
    Category.PAIR: Text("一對", "pair"),
    Category.HIGH_CARD: Text("烏龍", "high card"),
}
"""Category names as BONUS has them; a ruleset may call some otherwise."""

GUNSHOT: Final = Text("打槍", "gunshot")
DRAGON: Final = Text("一條龍", "dragon")

_FRONT_ROYALTIES: Final = {
    Category.TRIPS: Text("衝三", "trips in front"),
    Category.BONUS_TRIPS: Text("彩金衝三", "bonus trips in front"),
}


def royalty(
    row: Row | None, category: Category | None, categories: Mapping[Category, Text] = CATEGORIES
) -> Text:
    """Name a royalty: by row and category, or the dragon's, which has neither.

    >>> royalty(Row.FRONT, Category.TRIPS).zh_hant, royalty(Row.MIDDLE, Category.QUADS).zh_hant
    ('衝三', '中墩鐵支')
    >>> royalty(Row.BACK, Category.STRAIGHT_FLUSH).en, royalty(None, None).en
    ('straight flush in the back', 'dragon')
    """
    if row is None or category is None:
        return DRAGON
    if row is Row.FRONT and category in _FRONT_ROYALTIES:
        return _FRONT_ROYALTIES[category]
    place, name = ROWS[row], categories[category]
    return Text(f"{place.zh_hant}{name.zh_hant}", f"{name.en} in the {place.en}")
