package shisanzhi

import (
	"strconv"
	"strings"

	pb "github.com/shisanzhi/shisanzhi/clients/go/shisanzhi/v1"
)

// Language is one of those that the service speaks.
type Language int

// The languages of a LocalizedText.
const (
	ZhHant Language = iota
	English
)

// Text picks the language of a text.
func (l Language) Text(text *pb.LocalizedText) string {
	if l == ZhHant {
		return text.GetZhHant()
	}
	return text.GetEn()
}

// Names says in one language what a ruleset calls things, as GetRuleset answered. What it does not name,
// since only a newer server knows it, is shown as its number.
type Names struct {
	Ruleset  *pb.RulesetInfo
	Language Language
}

// Row names a row: front.
func (n Names) Row(row pb.Row) string {
	for _, line := range n.Ruleset.GetRows() {
		if line.GetRow() == row {
			return n.Language.Text(line.GetName())
		}
	}
	return strconv.Itoa(int(row))
}

// Category names a category: full house.
func (n Names) Category(category pb.Category) string {
	for _, line := range n.Ruleset.GetLadder() {
		if line.GetCategory() == category {
			return n.Language.Text(line.GetName())
		}
	}
	return strconv.Itoa(int(category))
}

// Value names a row's value: full house K 7.
func (n Names) Value(value *pb.RowValue) string {
	words := []string{n.Category(value.GetCategory())}
	for _, rank := range value.GetRanks() {
		words = append(words, FormatRank(rank))
	}
	return strings.Join(words, " ")
}

// Royalty names a royalty: trips in front. The dragon's has no row and no category.
func (n Names) Royalty(royalty *pb.Royalty) string {
	for _, line := range n.Ruleset.GetRoyalties() {
		if line.GetRow() == royalty.GetRow() && line.GetCategory() == royalty.GetCategory() {
			return n.Language.Text(line.GetName())
		}
	}
	return n.Row(royalty.GetRow()) + " " + n.Category(royalty.GetCategory())
}
