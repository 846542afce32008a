package shisanzhi

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	pb "github.com/shisanzhi/shisanzhi/clients/go/shisanzhi/v1"
)

const algorithm = "shisanzhi.v1"

// VerifyDeal checks, without the service, that the request's seed is the one that was committed to before
// the round, and that it deals what was dealt.
func VerifyDeal(commitment []byte, request *pb.DealRoundRequest, dealt *pb.DealRoundResponse) error {
	repeated, err := RepeatDeal(request)
	if err != nil {
		return err
	}
	if !bytes.Equal(repeated.GetCommitment(), commitment) {
		return fmt.Errorf("expected a seed with the commitment %x, got %x", commitment, repeated.GetCommitment())
	}
	got := described(dealt)
	for i, expected := range described(repeated) {
		if expected != got[i] {
			return fmt.Errorf("expected %s, got %s", expected, got[i])
		}
	}
	return nil
}

func described(deal *pb.DealRoundResponse) []string {
	var hands []string
	for _, hand := range deal.GetHands() {
		hands = append(hands, FormatCards(hand.GetCards()))
	}
	return []string{
		fmt.Sprintf("algorithm %s", deal.GetAlgorithm()),
		fmt.Sprintf("commitment %x", deal.GetCommitment()),
		fmt.Sprintf("dealer %d", deal.GetDealer()),
		fmt.Sprintf("cut card %v", deal.GetCutCard()),
		fmt.Sprintf("turned up card %v", deal.GetTurnedUpCard()),
		fmt.Sprintf("first receiver %d", deal.GetFirstReceiver()),
		fmt.Sprintf("hands %q", hands),
	}
}

// RepeatDeal answers as DealRound does, from the request alone: algorithm shisanzhi.v1. It draws no seed and
// checks no ranges.
func RepeatDeal(request *pb.DealRoundRequest) (*pb.DealRoundResponse, error) {
	ruleset := map[pb.Ruleset]string{1: "bonus", 2: "classic"}[request.GetRuleset()]
	if ruleset == "" {
		return nil, fmt.Errorf("expected a ruleset that %s deals, got %v", algorithm, request.GetRuleset())
	}
	seed := request.GetSeed()
	commitment := sha256.Sum256(seed)
	deal := &pb.DealRoundResponse{Seed: seed, Commitment: commitment[:], Algorithm: algorithm}

	key, round := mixed(seed, request.GetPlayerSeeds()), max(request.GetRound(), 1)
	deal.Dealer = request.GetDealer()
	if request.Dealer == nil {
		deal.Dealer = uint32(draws(key, "dealer", ruleset, round)(4))
	}
	draw := draws(key, "deal", ruleset, round)
	deck := canonicalDeck(ruleset)
	for last := len(deck) - 1; last > 0; last-- {
		other := draw(last + 1)
		deck[last], deck[other] = deck[other], deck[last]
	}
	for _, cut := range request.GetCuts() {
		place := int(cut) % len(deck)
		deck = slices.Concat(deck[place:], deck[:place])
	}
	shown := draw(len(deck))
	deal.FirstReceiver = deal.Dealer
	if ruleset == "bonus" {
		deal.CutCard = deck[shown]
		deck = slices.Delete(deck, shown, shown+1)
	} else {
		deal.TurnedUpCard = deck[shown]
		deal.FirstReceiver = (deal.Dealer + number(deck[shown]) - 1) % 4
	}
	deal.Hands = []*pb.CardList{{}, {}, {}, {}}
	for place, card := range deck {
		hand := deal.Hands[(int(deal.FirstReceiver)+place)%4]
		hand.Cards = append(hand.Cards, card)
	}
	return deal, nil
}

// mixed makes the players' seeds part of the key, so that the house alone does not choose the deal.
func mixed(seed []byte, playerSeeds [][]byte) []byte {
	if len(playerSeeds) == 0 {
		return seed
	}
	message := []byte(algorithm + "/mix")
	for _, each := range playerSeeds {
		message = append(append(message, byte(len(each))), each...)
	}
	return authenticated(seed, message)
}

// draws gives a function that draws a number below a limit, each as likely as the others, from the stream of
// one purpose.
func draws(key []byte, purpose, ruleset string, round uint32) func(limit int) int {
	const all = 1 << 32
	var block []byte
	number := 0
	return func(limit int) int {
		for {
			if len(block) == 0 {
				block = authenticated(key, fmt.Appendf(nil, "%s/%s/%s/%d/%d", algorithm, purpose, ruleset, round, number))
				number++
			}
			word := int64(binary.BigEndian.Uint32(block))
			block = block[4:]
			if word < all-all%int64(limit) {
				return int(word % int64(limit))
			}
		}
	}
}

func authenticated(key, message []byte) []byte {
	code := hmac.New(sha256.New, key)
	code.Write(message)
	return code.Sum(nil)
}

// canonicalDeck is clubs, diamonds, hearts, spades, each from 2 to A, and in BONUS spades once more.
func canonicalDeck(ruleset string) []pb.Card {
	suits := []pb.Suit{1, 2, 3, 4}
	if ruleset == "bonus" {
		suits = append(suits, pb.Suit_SUIT_SPADES)
	}
	var deck []pb.Card
	for _, suit := range suits {
		for rank := pb.Rank_RANK_TWO; rank <= pb.Rank_RANK_ACE; rank++ {
			deck = append(deck, pb.Card(16*int32(suit)+int32(rank)))
		}
	}
	return deck
}

// number is what a turned up card counts off: an ace 1.
func number(card pb.Card) uint32 {
	if rank := uint32(card % 16); rank != uint32(pb.Rank_RANK_ACE) {
		return rank
	}
	return 1
}
