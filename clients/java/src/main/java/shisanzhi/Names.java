package shisanzhi;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import shisanzhi.v1.CategoryInfo;
import shisanzhi.v1.LocalizedText;
import shisanzhi.v1.Royalty;
import shisanzhi.v1.RoyaltyInfo;
import shisanzhi.v1.RowInfo;
import shisanzhi.v1.RowValue;
import shisanzhi.v1.RulesetInfo;

/**
 * What a ruleset calls things in one language, as GetRuleset answered.
 *
 * <p>Rows and categories are numbers, as {@code getCategoryValue()} gives them. What the ruleset does
 * not name is shown as its number.
 *
 * @param ruleset the answer of GetRuleset
 * @param language the language
 */
public record Names(RulesetInfo ruleset, Language language) {
  /** Names a row: front. */
  public String row(int row) {
    return first(
        ruleset.getRowsList().stream().filter(l -> l.getRowValue() == row).map(RowInfo::getName),
        Integer.toString(row));
  }

  /** Names a category: full house. */
  public String category(int category) {
    return first(
        ruleset.getLadderList().stream()
            .filter(line -> line.getCategoryValue() == category)
            .map(CategoryInfo::getName),
        Integer.toString(category));
  }

  /** Names a row's value: full house K 7. */
  public String value(RowValue value) {
    return Stream.concat(
            Stream.of(category(value.getCategoryValue())),
            value.getRanksValueList().stream().map(Cards::rank))
        .collect(Collectors.joining(" "));
  }

  /** Names a royalty: trips in front. The dragon's has no row and no category. */
  public String royalty(Royalty royalty) {
    return first(
        ruleset.getRoyaltiesList().stream()
            .filter(line -> line.getRowValue() == royalty.getRowValue())
            .filter(line -> line.getCategoryValue() == royalty.getCategoryValue())
            .map(RoyaltyInfo::getName),
        row(royalty.getRowValue()) + " " + category(royalty.getCategoryValue()));
  }

  private String first(Stream<LocalizedText> texts, String otherwise) {
    return texts.findFirst().map(language::of).orElse(otherwise);
  }
}
