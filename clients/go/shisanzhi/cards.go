package shisanzhi

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	pb "github.com/shisanzhi/shisanzhi/clients/go/shisanzhi/v1"
)

// In the order of the contract's numbers: a card is 16 times its suit, from 1, plus its rank, from 2.
var (
	rankLetters = []rune("23456789TJQKA")
	suitLetters = []rune("cdhs")
	suitSymbols = []rune("♣♦♥♠")
)

// ParseCard reads a card: As, td, 10d, A♠.
func ParseCard(text string) (pb.Card, error) {
	runes := []rune(strings.Replace(text, "10", "T", 1))
	if len(runes) == 2 {
		rank := slices.Index(rankLetters, unicode.ToUpper(runes[0]))
		suit := max(
			slices.Index(suitLetters, unicode.ToLower(runes[1])),
			slices.Index(suitSymbols, runes[1]),
		)
		if rank >= 0 && suit >= 0 {
			return pb.Card(16*(suit+1) + rank + 2), nil
		}
	}
	return 0, fmt.Errorf("expected a card such as As, Td, 10d or A♠, got %q", text)
}

// ParseCards reads cards with blanks between them.
func ParseCards(text string) ([]pb.Card, error) {
	words := strings.Fields(text)
	cards := make([]pb.Card, len(words))
	for i, word := range words {
		card, err := ParseCard(word)
		if err != nil {
			return nil, err
		}
		cards[i] = card
	}
	return cards, nil
}

// FormatCard writes a card as ParseCard reads it: As. One that only a newer server knows is its number.
func FormatCard(card pb.Card) string {
	if !isCard(card) {
		return strconv.Itoa(int(card))
	}
	return FormatRank(pb.Rank(card%16)) + string(suitLetters[card/16-1])
}

// FormatCards writes cards with blanks between them.
func FormatCards(cards []pb.Card) string {
	words := make([]string, len(cards))
	for i, card := range cards {
		words[i] = FormatCard(card)
	}
	return strings.Join(words, " ")
}

// PrettyCard writes a card for people: A♠, 10♦.
func PrettyCard(card pb.Card) string {
	if !isCard(card) {
		return strconv.Itoa(int(card))
	}
	rank := strings.Replace(FormatRank(pb.Rank(card%16)), "T", "10", 1)
	return rank + string(suitSymbols[card/16-1])
}

// FormatRank writes a rank: 2 to 9, T, J, Q, K, A. One that only a newer server knows is its number.
func FormatRank(rank pb.Rank) string {
	if rank < pb.Rank_RANK_TWO || rank > pb.Rank_RANK_ACE {
		return strconv.Itoa(int(rank))
	}
	return string(rankLetters[rank-pb.Rank_RANK_TWO])
}

func isCard(card pb.Card) bool {
	_, known := pb.Card_name[int32(card)]
	return known && card != pb.Card_CARD_UNSPECIFIED
}
