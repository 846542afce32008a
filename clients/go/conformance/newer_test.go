package conformance

import (
	"context"
	"fmt"
	"reflect"

	"github.com/shisanzhi/shisanzhi/clients/go/shisanzhi"
	pb "github.com/shisanzhi/shisanzhi/clients/go/shisanzhi/v1"
)

const later = 99

// newerChecks ask a server that says what this client does not know.
func newerChecks(ctx context.Context, client *shisanzhi.Client) []error {
	var outcomes []error
	for _, check := range []func(context.Context, *shisanzhi.Client) error{
		laterCategory, laterName, laterViolation, laterReason, laterMatch,
	} {
		outcomes = append(outcomes, check(ctx, client))
	}
	return outcomes
}

func laterCategory(ctx context.Context, client *shisanzhi.Client) error {
	response, err := client.Evaluate(ctx, &pb.EvaluateRequest{})
	if err != nil {
		return err
	}
	first, second := response.Values[0], response.Values[1]
	return same(
		[]any{pb.Category(later), []pb.Rank{14, later, 2}, true, "99"},
		[]any{first.Category, first.Ranks, first.Strength > second.Strength, shisanzhi.FormatRank(first.Ranks[1])},
	)
}

func laterName(ctx context.Context, client *shisanzhi.Client) error {
	response, err := client.GetRuleset(ctx, &pb.GetRulesetRequest{})
	if err != nil {
		return err
	}
	chinese := shisanzhi.Names{Ruleset: response.Ruleset, Language: shisanzhi.ZhHant}
	english := shisanzhi.Names{Ruleset: response.Ruleset, Language: shisanzhi.English}
	return same(
		[]any{"新牌型", "new category", "98"},
		[]any{chinese.Category(later), english.Category(later), english.Category(98)},
	)
}

func laterViolation(ctx context.Context, client *shisanzhi.Client) error {
	response, err := client.Validate(ctx, &pb.ValidateRequest{})
	if err != nil {
		return err
	}
	broken := response.Violations[0]
	return same(
		[]any{false, pb.ViolationReason(later), pb.Row(later), pb.Card(later), "99", "99"},
		[]any{
			response.Legal, broken.Reason, broken.Row, broken.Card,
			shisanzhi.FormatCard(broken.Card), shisanzhi.PrettyCard(broken.Card),
		},
	)
}

func laterReason(ctx context.Context, client *shisanzhi.Client) error {
	_, err := client.Score(ctx, &pb.ScoreRequest{})
	refused := shisanzhi.FromError(err)
	if refused == nil || len(refused.Faults) != 1 {
		return fmt.Errorf("expected a refusal with one fault, got %w", err)
	}
	fault := refused.Faults[0]
	return same(
		[]any{"LATER_REASON", pb.ErrorReason(0), "later[0].field", "LATER_REASON", 3},
		[]any{string(refused.Reason), refused.Reason.Value(), fault.Path, string(fault.Reason), refused.FaultsLeftOut},
	)
}

// laterMatch hands back what the server will look for: a field that this client does not know.
func laterMatch(ctx context.Context, client *shisanzhi.Client) error {
	started, err := client.StartMatch(ctx, &pb.StartMatchRequest{})
	if err != nil {
		return err
	}
	advanced, err := client.AdvanceMatch(ctx, &pb.AdvanceMatchRequest{Match: started.Match})
	if err != nil {
		return err
	}
	return same([]any{uint32(2)}, []any{advanced.Match.NextRound})
}

func same[T any](expected, got []T) error {
	if !reflect.DeepEqual(expected, got) {
		return fmt.Errorf("expected %v, got %v", expected, got)
	}
	return nil
}
