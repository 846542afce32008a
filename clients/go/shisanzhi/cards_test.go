package shisanzhi

import (
	"testing"

	pb "github.com/shisanzhi/shisanzhi/clients/go/shisanzhi/v1"
)

func TestEveryCardIsReadAsItIsWritten(t *testing.T) {
	for number, name := range pb.Card_name {
		if number == 0 {
			continue
		}
		card := pb.Card(number)
		for _, text := range []string{FormatCard(card), PrettyCard(card)} {
			if read, err := ParseCard(text); err != nil || read != card {
				t.Errorf("expected %s from %q, got %v, %v", name, text, read, err)
			}
		}
	}
}

func TestACardIsReadInAnyOfItsSpellings(t *testing.T) {
	for _, text := range []string{"Td", "td", "10d", "10D", "T♦", "10♦"} {
		if card, err := ParseCard(text); err != nil || card != pb.Card_CARD_DIAMONDS_TEN {
			t.Errorf("expected the ten of diamonds from %q, got %v, %v", text, card, err)
		}
	}
}

func TestWhatIsNoCardIsRefused(t *testing.T) {
	for _, text := range []string{"", "A", "As♠", "1s", "sA", "Ax", "十s"} {
		if card, err := ParseCard(text); err == nil {
			t.Errorf("expected an error from %q, got %v", text, card)
		}
	}
}

func TestACardOfANewerServerIsItsNumber(t *testing.T) {
	for _, card := range []pb.Card{0, 15, 17, 31, 82, 99, -1} {
		if FormatCard(card) != PrettyCard(card) {
			t.Errorf("expected a number for %d, got %s", card, FormatCard(card))
		}
	}
	if text := FormatCards([]pb.Card{pb.Card_CARD_SPADES_ACE, 99}); text != "As 99" {
		t.Errorf("expected As 99, got %s", text)
	}
}
