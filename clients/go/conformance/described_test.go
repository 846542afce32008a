package conformance

import (
	"encoding/hex"
	"strings"

	"github.com/shisanzhi/shisanzhi/clients/go/shisanzhi"
	pb "github.com/shisanzhi/shisanzhi/clients/go/shisanzhi/v1"
)

// Answers as the golden files write them.

func units(result *pb.RoundResult) answers {
	by := map[string]func(*pb.SeatResult) any{
		"gunshot":  func(seat *pb.SeatResult) any { return seat.GetGunshotUnits() },
		"home_run": func(seat *pb.SeatResult) any { return seat.GetHomeRunUnits() },
		"royalty":  func(seat *pb.SeatResult) any { return seat.GetRoyaltyUnits() },
		"pair":     func(seat *pb.SeatResult) any { return seat.GetPairUnits() },
		"total":    func(seat *pb.SeatResult) any { return seat.GetTotalUnits() },
		"place":    func(seat *pb.SeatResult) any { return seat.GetPlace() },
	}
	said := answers{}
	for part, of := range by {
		seats := []any{}
		for _, seat := range result.GetSeats() {
			seats = append(seats, of(seat))
		}
		said[part] = seats
	}
	return said
}

func settledPair(pair *pb.PairResult) answers {
	royalty := 0
	for _, each := range pair.GetRoyalties() {
		if each.GetPayee() == pair.GetSeat() {
			royalty += int(each.GetUnits())
		} else {
			royalty -= int(each.GetUnits())
		}
	}
	return answers{
		"seat": pair.GetSeat(), "opponent": pair.GetOpponent(),
		"front": outcome(pair.GetFront()), "middle": outcome(pair.GetMiddle()), "back": outcome(pair.GetBack()),
		"pair": pair.GetPairUnits(), "gunshot": pair.GetGunshotUnits(), "home_run": pair.GetHomeRunUnits(),
		"royalty": royalty, "total": pair.GetTotalUnits(),
		"guns": pair.GetGuns(), "gunned": pair.GetGunned(),
	}
}

func dealt(response *pb.DealRoundResponse) answers {
	hands := []string{}
	for _, hand := range response.GetHands() {
		hands = append(hands, shisanzhi.FormatCards(hand.GetCards()))
	}
	return answers{
		"seed":           hex.EncodeToString(response.GetSeed()),
		"commitment":     hex.EncodeToString(response.GetCommitment()),
		"dealer":         response.GetDealer(),
		"first_receiver": response.GetFirstReceiver(),
		"cut_card":       cardOrNull(response.GetCutCard()),
		"turned_up_card": cardOrNull(response.GetTurnedUpCard()),
		"hands":          hands,
	}
}

func arranged(response *pb.ArrangeResponse) answers {
	suggestions := []answers{}
	for _, each := range response.GetSuggestions() {
		suggestions = append(suggestions, answers{
			"front":          shisanzhi.FormatCards(each.GetArrangement().GetFront()),
			"middle":         shisanzhi.FormatCards(each.GetArrangement().GetMiddle()),
			"back":           shisanzhi.FormatCards(each.GetArrangement().GetBack()),
			"discards":       shisanzhi.FormatCards(each.GetDiscards()),
			"expected_units": each.GetExpectedUnits(),
		})
	}
	return answers{"dragon": response.GetDragon(), "suggestions": suggestions}
}

func books(match *pb.Match) answers {
	standings := []answers{}
	for _, line := range match.GetStandings() {
		standings = append(standings, answers{"place": line.GetPlace(), "seat": line.GetSeat()})
	}
	return answers{
		"player_ids": match.GetPlayerIds(), "next_round": match.GetNextRound(), "dealer": match.GetDealer(),
		"units": match.GetUnits(), "points": match.GetPoints(), "finished": match.GetFinished(),
		"finish_reason": nameOrNull(match.GetFinishReason().String(), "FINISH_REASON_"), "standings": standings,
	}
}

func described(info *pb.RulesetInfo) answers {
	var rows, ladder, royalties []answers
	for _, line := range info.GetRows() {
		rows = append(rows, answers{"row": row(line.GetRow()), "name": both(line.GetName()), "size": line.GetSize()})
	}
	for _, line := range info.GetLadder() {
		ladder = append(ladder, answers{
			"category": category(line.GetCategory()), "name": both(line.GetName()), "fits_front": line.GetFitsFront(),
		})
	}
	for _, line := range info.GetRoyalties() {
		royalties = append(royalties, answers{
			"row": row(line.GetRow()), "category": category(line.GetCategory()),
			"units": line.GetUnits(), "name": both(line.GetName()),
		})
	}
	return answers{
		"ruleset":               strings.ToLower(strings.TrimPrefix(info.GetRuleset().String(), "RULESET_")),
		"name":                  both(info.GetName()),
		"deck":                  shisanzhi.FormatCards(info.GetDeck()),
		"hand_size":             info.GetHandSize(),
		"rows":                  rows,
		"middle_may_equal_back": info.GetMiddleMayEqualBack(),
		"ladder":                ladder,
		"royalties":             royalties,
		"unit_name":             both(info.GetUnitName()),
		"gunshot_name":          both(info.GetGunshotName()),
		"home_run_name":         both(info.GetHomeRunName()),
		"pair_units":            info.GetPairUnits(),
		"gunshot_units":         info.GetGunshotUnits(),
		"home_run_units":        info.GetHomeRunUnits(),
		"dragon_units":          info.GetDragonUnits(),
		"points_per_unit":       info.GetPointsPerUnit(),
		"starting_points":       info.GetStartingPoints(),
		"rounds":                info.GetRounds(),
		"arrange_seconds":       info.GetArrangeSeconds(),
		"has_bonus_rank":        info.GetHasBonusRank(),
		"max_cuts":              info.GetMaxCuts(),
	}
}

func both(text *pb.LocalizedText) answers {
	return answers{"zh_hant": text.GetZhHant(), "en": text.GetEn()}
}

func row(row pb.Row) any { return nameOrNull(row.String(), "ROW_") }

func category(category pb.Category) any { return nameOrNull(category.String(), "CATEGORY_") }

func outcome(outcome pb.RowOutcome) any { return nameOrNull(outcome.String(), "ROW_OUTCOME_") }

func cardOrNull(card pb.Card) any {
	if card == pb.Card_CARD_UNSPECIFIED {
		return nil
	}
	return shisanzhi.FormatCard(card)
}

// nameOrNull takes the prefix from an enum value's name; the unspecified value is null.
func nameOrNull(name, prefix string) any {
	if name = strings.TrimPrefix(name, prefix); name != "UNSPECIFIED" {
		return name
	}
	return nil
}
