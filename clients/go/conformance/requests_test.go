package conformance

import (
	"encoding/hex"

	"github.com/shisanzhi/shisanzhi/clients/go/shisanzhi"
	pb "github.com/shisanzhi/shisanzhi/clients/go/shisanzhi/v1"
)

func evaluateRequest(c Case, rows ...string) *pb.EvaluateRequest {
	request := &pb.EvaluateRequest{Ruleset: rulesetOf(c), CutCard: card(c.text("cut"))}
	for _, row := range rows {
		request.Rows = append(request.Rows, &pb.CardList{Cards: cards(row)})
	}
	return request
}

func scoreRequest(c Case) *pb.ScoreRequest {
	dealer := c.number("dealer")
	request := &pb.ScoreRequest{Ruleset: rulesetOf(c), CutCard: card(c.text("cut")), Dealer: &dealer}
	for _, each := range c.cases("arrangements") {
		request.Arrangements = append(request.Arrangements, arrangement(each))
	}
	return request
}

func dealRequest(c Case) *pb.DealRoundRequest {
	request := &pb.DealRoundRequest{
		Ruleset: rulesetOf(c), Seed: bytesOf(c.text("seed")), PlayerSeeds: playerSeeds(c), Round: c.number("round"),
	}
	if c["dealer_named"] != nil {
		dealer := c.number("dealer_named")
		request.Dealer = &dealer
	}
	for _, cut := range c.list("cuts") {
		request.Cuts = append(request.Cuts, uint32(cut.(float64)))
	}
	return request
}

func arrangeRequest(c Case) *pb.ArrangeRequest {
	return &pb.ArrangeRequest{
		Ruleset:        rulesetOf(c),
		CutCard:        card(c.text("cut")),
		Hand:           cards(c.text("hand")),
		MaxSuggestions: uint32(len(c.list("suggestions"))),
	}
}

func startMatchRequest(c Case) *pb.StartMatchRequest {
	request := &pb.StartMatchRequest{
		Ruleset: rulesetOf(c), Seed: bytesOf(c.text("seed")), PlayerSeeds: playerSeeds(c),
	}
	for _, id := range c.list("player_ids") {
		request.PlayerIds = append(request.PlayerIds, id.(string))
	}
	return request
}

func rulesetOf(c Case) pb.Ruleset {
	return map[string]pb.Ruleset{
		"bonus": pb.Ruleset_RULESET_BONUS, "classic": pb.Ruleset_RULESET_CLASSIC,
	}[c.text("ruleset")]
}

func arrangement(c Case) *pb.Arrangement {
	return &pb.Arrangement{
		Front: cards(c.text("front")), Middle: cards(c.text("middle")), Back: cards(c.text("back")),
	}
}

// card reads a card; no text is no card.
func card(text string) pb.Card {
	if text == "" {
		return pb.Card_CARD_UNSPECIFIED
	}
	return cards(text)[0]
}

func cards(text string) []pb.Card { return must(shisanzhi.ParseCards(text)) }

func playerSeeds(c Case) [][]byte {
	var seeds [][]byte
	for _, seed := range c.list("player_seeds") {
		seeds = append(seeds, bytesOf(seed.(string)))
	}
	return seeds
}

func bytesOf(text string) []byte { return must(hex.DecodeString(text)) }

// must is for what is written in a golden file: it is right, or the file is broken.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
