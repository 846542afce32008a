package conformance

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/protobuf/proto"

	"github.com/shisanzhi/shisanzhi/clients/go/shisanzhi"
	pb "github.com/shisanzhi/shisanzhi/clients/go/shisanzhi/v1"
)

func evaluate(ctx context.Context, client *shisanzhi.Client, c Case) (answers, error) {
	response, err := client.Evaluate(ctx, evaluateRequest(c, c.text("row")))
	if err != nil {
		return nil, err
	}
	if len(response.GetValues()) != 1 || response.GetValues()[0].GetStrength() == 0 {
		return nil, fmt.Errorf("expected one value with a strength, got %v", response.GetValues())
	}
	value := response.GetValues()[0]
	return answers{"category": category(value.GetCategory()), "ranks": value.GetRanks()}, nil
}

// order compares every two strengths, and each with itself.
func order(ctx context.Context, client *shisanzhi.Client, c Case) (answers, error) {
	var rows []string
	for _, row := range c.list("ascending") {
		rows = append(rows, row.(string))
	}
	request := evaluateRequest(c, rows...)
	first, err := client.Evaluate(ctx, request)
	if err != nil {
		return nil, err
	}
	again, err := client.Evaluate(ctx, request)
	if err != nil {
		return nil, err
	}
	for i, greater := range rows {
		for j, lower := range rows[:i] {
			if first.GetValues()[j].GetStrength() >= first.GetValues()[i].GetStrength() {
				return nil, fmt.Errorf("expected %s below %s, got another order", lower, greater)
			}
		}
		if first.GetValues()[i].GetStrength() != again.GetValues()[i].GetStrength() {
			return nil, fmt.Errorf("expected %s to equal itself, got another strength", greater)
		}
	}
	return nil, nil
}

func validate(ctx context.Context, client *shisanzhi.Client, c Case) (answers, error) {
	response, err := client.Validate(ctx, &pb.ValidateRequest{
		Ruleset: rulesetOf(c), CutCard: card(c.text("cut")), Arrangement: arrangement(c), Hand: cards(c.text("hand")),
	})
	if err != nil {
		return nil, err
	}
	reasons := []string{}
	for _, broken := range response.GetViolations() {
		reason := strings.TrimPrefix(broken.GetReason().String(), "VIOLATION_REASON_")
		if !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
	}
	return answers{"legal": response.GetLegal(), "reasons": reasons}, nil
}

func score(ctx context.Context, client *shisanzhi.Client, c Case) (answers, error) {
	response, err := client.Score(ctx, scoreRequest(c))
	if err != nil {
		return nil, err
	}
	return units(response.GetResult()), nil
}

func batchScore(ctx context.Context, client *shisanzhi.Client, cases []Case) ([]answers, error) {
	request := &pb.BatchScoreRequest{}
	for _, c := range cases {
		request.Requests = append(request.Requests, scoreRequest(c))
	}
	response, err := client.BatchScore(ctx, request)
	if err != nil {
		return nil, err
	}
	var all []answers
	for _, each := range response.GetResponses() {
		all = append(all, units(each.GetResult()))
	}
	return all, nil
}

func pairs(ctx context.Context, client *shisanzhi.Client, c Case) (answers, error) {
	response, err := client.Score(ctx, scoreRequest(c))
	if err != nil {
		return nil, err
	}
	each := []answers{}
	for _, pair := range response.GetResult().GetPairs() {
		each = append(each, settledPair(pair))
	}
	return answers{"pairs": each}, nil
}

func deal(ctx context.Context, client *shisanzhi.Client, c Case) (answers, error) {
	response, err := client.DealRound(ctx, dealRequest(c))
	if err != nil {
		return nil, err
	}
	if response.GetAlgorithm() != "shisanzhi.v1" {
		return nil, fmt.Errorf("expected the algorithm shisanzhi.v1, got %s", response.GetAlgorithm())
	}
	return dealt(response), nil
}

func seats(ctx context.Context, client *shisanzhi.Client, c Case) (answers, error) {
	players := []string{"ann", "bob", "cho", "dee"}
	response, err := client.StartMatch(ctx, &pb.StartMatchRequest{
		Ruleset: pb.Ruleset_RULESET_CLASSIC, Seed: bytesOf(c.text("seed")), PlayerIds: players,
	})
	if err != nil {
		return nil, err
	}
	playerInSeat := make([]uint32, 4)
	draws := make([]string, len(response.GetDraws()[0].GetCards()))
	for _, draw := range response.GetDraws() {
		playerInSeat[draw.GetSeat()] = draw.GetPlayer()
		for number, drawn := range draw.GetCards() {
			draws[number] = strings.TrimSpace(draws[number] + " " + shisanzhi.FormatCard(drawn))
		}
	}
	for seat, got := range response.GetMatch().GetPlayerIds() {
		if expected := players[playerInSeat[seat]]; expected != got {
			return nil, fmt.Errorf("expected %s in seat %d, got %s", expected, seat, got)
		}
	}
	return answers{"draws": draws, "player_in_seat": playerInSeat}, nil
}

func arrange(ctx context.Context, client *shisanzhi.Client, c Case) (answers, error) {
	response, err := client.Arrange(ctx, arrangeRequest(c))
	if err != nil {
		return nil, err
	}
	return arranged(response), nil
}

func batchArrange(ctx context.Context, client *shisanzhi.Client, cases []Case) ([]answers, error) {
	request := &pb.BatchArrangeRequest{}
	for _, c := range cases {
		request.Requests = append(request.Requests, arrangeRequest(c))
	}
	response, err := client.BatchArrange(ctx, request)
	if err != nil {
		return nil, err
	}
	var all []answers
	for _, each := range response.GetResponses() {
		all = append(all, arranged(each))
	}
	return all, nil
}

// match hands every answer back: the service remembers nothing.
func match(ctx context.Context, client *shisanzhi.Client, c Case) (answers, error) {
	started, err := client.StartMatch(ctx, startMatchRequest(c))
	if err != nil {
		return nil, err
	}
	draws := []answers{}
	for _, draw := range started.GetDraws() {
		draws = append(draws, answers{"cards": shisanzhi.FormatCards(draw.GetCards()), "seat": draw.GetSeat()})
	}
	current := started.GetMatch()
	matches := []answers{books(current)}
	for _, round := range c.list("rounds") {
		request := &pb.AdvanceMatchRequest{Match: current}
		for _, units := range round.([]any) {
			request.Units = append(request.Units, int32(units.(float64)))
		}
		advanced, err := client.AdvanceMatch(ctx, request)
		if err != nil {
			return nil, err
		}
		current = advanced.GetMatch()
		matches = append(matches, books(current))
	}
	return answers{"draws": draws, "matches": matches}, nil
}

func ruleset(ctx context.Context, client *shisanzhi.Client, c Case) (answers, error) {
	response, err := client.GetRuleset(ctx, &pb.GetRulesetRequest{Ruleset: rulesetOf(c)})
	if err != nil {
		return nil, err
	}
	return described(response.GetRuleset()), nil
}

// listRulesets gives to each case what the list says of its ruleset.
func listRulesets(ctx context.Context, client *shisanzhi.Client, cases []Case) ([]answers, error) {
	response, err := client.ListRulesets(ctx, &pb.ListRulesetsRequest{})
	if err != nil {
		return nil, err
	}
	var expected, got []pb.Ruleset
	listed := map[pb.Ruleset]answers{}
	for _, each := range response.GetRulesets() {
		got = append(got, each.GetRuleset())
		listed[each.GetRuleset()] = described(each)
	}
	var all []answers
	for _, c := range cases {
		if !slices.Contains(expected, rulesetOf(c)) {
			expected = append(expected, rulesetOf(c))
		}
		all = append(all, listed[rulesetOf(c)])
	}
	return all, same(expected, got)
}

func texts(ctx context.Context, client *shisanzhi.Client, c Case) (answers, error) {
	response, err := client.GetTexts(ctx, &pb.GetTextsRequest{})
	if err != nil {
		return nil, err
	}
	lines := []answers{}
	add := func(value fmt.Stringer, prefix string, text *pb.LocalizedText) {
		lines = append(lines, answers{"value": strings.TrimPrefix(value.String(), prefix), "text": both(text)})
	}
	switch c.text("enum") {
	case "ViolationReason":
		for _, line := range response.GetViolationReasons() {
			add(line.GetValue(), "VIOLATION_REASON_", line.GetText())
		}
	case "ErrorReason":
		for _, line := range response.GetErrorReasons() {
			add(line.GetValue(), "ERROR_REASON_", line.GetText())
		}
	case "FinishReason":
		for _, line := range response.GetFinishReasons() {
			add(line.GetValue(), "FINISH_REASON_", line.GetText())
		}
	case "RowOutcome":
		for _, line := range response.GetRowOutcomes() {
			add(line.GetValue(), "ROW_OUTCOME_", line.GetText())
		}
	}
	return answers{"texts": lines}, nil
}

// refusal calls the method that the case names.
func refusal(ctx context.Context, client *shisanzhi.Client, c Case) (answers, error) {
	method := reflect.ValueOf(client).MethodByName(c.text("method"))
	request := reflect.New(method.Type().In(1).Elem())
	if err := proto.Unmarshal(bytesOf(c.text("request_bytes")), request.Interface().(proto.Message)); err != nil {
		return nil, err
	}
	called := method.Call([]reflect.Value{reflect.ValueOf(ctx), request})
	err, _ := called[1].Interface().(error)
	refused := shisanzhi.FromError(err)
	if refused == nil {
		return nil, fmt.Errorf("expected a refusal, got %w", err)
	}
	faults := []answers{}
	for _, fault := range refused.Faults {
		faults = append(faults, answers{"path": fault.Path, "reason": fault.Reason})
	}
	return answers{
		"code":     code.Code(refused.Code).String(),
		"reason":   refused.Reason,
		"faults":   faults,
		"left_out": refused.FaultsLeftOut,
	}, nil
}
