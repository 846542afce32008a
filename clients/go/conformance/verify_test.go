package conformance

import (
	"errors"

	"github.com/shisanzhi/shisanzhi/clients/go/shisanzhi"
	pb "github.com/shisanzhi/shisanzhi/clients/go/shisanzhi/v1"
)

// verify repeats every golden deal without the service.
func verify(cases []Case) []error {
	outcomes := make([]error, len(cases))
	for i, c := range cases {
		outcomes[i] = verifyDeal(c)
	}
	return outcomes
}

func verifyDeal(c Case) error {
	request, golden := dealRequest(c), goldenDeal(c)
	if err := shisanzhi.VerifyDeal(golden.Commitment, request, golden); err != nil {
		return err
	}
	changed := &golden.Hands[3].Cards[5]
	*changed = another(*changed)
	if shisanzhi.VerifyDeal(golden.Commitment, request, golden) == nil {
		return errors.New("expected a no when a card is changed, got a yes")
	}
	return nil
}

// goldenDeal writes a case as the answer of DealRound that it describes.
func goldenDeal(c Case) *pb.DealRoundResponse {
	deal := &pb.DealRoundResponse{
		Seed:          bytesOf(c.text("seed")),
		Commitment:    bytesOf(c.text("commitment")),
		Dealer:        c.number("dealer"),
		CutCard:       card(c.text("cut_card")),
		TurnedUpCard:  card(c.text("turned_up_card")),
		FirstReceiver: c.number("first_receiver"),
		Algorithm:     "shisanzhi.v1",
	}
	for _, hand := range c.list("hands") {
		deal.Hands = append(deal.Hands, &pb.CardList{Cards: cards(hand.(string))})
	}
	return deal
}

func another(card pb.Card) pb.Card {
	if card == pb.Card_CARD_SPADES_ACE {
		return pb.Card_CARD_CLUBS_TWO
	}
	return pb.Card_CARD_SPADES_ACE
}
