package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/shisanzhi/shisanzhi/clients/go/shisanzhi"
)

// answers are what the service says to a case, by the names of the case's fields.
type answers map[string]any

// A kind of golden cases.
type kind struct {
	name    string
	asks    []string // the fields of a case that make the request
	answers []string // the fields that are compared
	ask     func(context.Context, *shisanzhi.Client, Case) (answers, error)
	// Asks all cases in one call; nil where there is no such call.
	askAll func(context.Context, *shisanzhi.Client, []Case) ([]answers, error)
}

var kinds = []kind{
	{"evaluate", fields("ruleset cut row"), fields("category ranks"), evaluate, nil},
	{"order", fields("ruleset cut ascending"), nil, order, nil},
	{"validate", fields("ruleset cut front middle back hand"), fields("legal reasons"), validate, nil},
	{"score", settled, fields("gunshot home_run royalty pair total place"), score, batchScore},
	{"pairs", settled, fields("pairs"), pairs, nil},
	{
		"deal", fields("ruleset round dealer_named player_seeds cuts"),
		fields("seed dealer first_receiver cut_card turned_up_card commitment hands"), deal, nil,
	},
	{"seats", fields("seed"), fields("draws player_in_seat"), seats, nil},
	{"arrange", fields("ruleset cut hand"), fields("dragon suggestions"), arrange, batchArrange},
	{"match", fields("ruleset seed player_seeds player_ids rounds"), fields("draws matches"), match, nil},
	{
		"rulesets", nil, fields(`ruleset name deck hand_size rows middle_may_equal_back ladder royalties unit_name
			gunshot_name home_run_name pair_units gunshot_units home_run_units dragon_units points_per_unit
			starting_points rounds arrange_seconds has_bonus_rank max_cuts`), ruleset, listRulesets,
	},
	{"texts", fields("enum"), fields("texts"), texts, nil},
	{"errors", fields("method request request_bytes"), fields("code reason faults left_out"), refusal, nil},
}

var settled = fields("ruleset cut dealer arrangements")

func fields(names string) []string { return strings.Fields(names) }

// run asks every case by itself, then all at once where that can be, and gives an outcome for each.
func (k kind) run(ctx context.Context, client *shisanzhi.Client, cases []Case) []error {
	outcomes := make([]error, len(cases))
	for i, c := range cases {
		got, err := k.ask(ctx, client, c)
		outcomes[i] = k.compare(c, got, err)
	}
	if k.askAll == nil {
		return outcomes
	}
	together, err := k.askAll(ctx, client, cases)
	if err == nil && len(together) != len(cases) {
		err = fmt.Errorf("expected %d answers in one call, got %d", len(cases), len(together))
	}
	for i, c := range cases {
		var got answers
		if err == nil {
			got = together[i]
		}
		outcomes[i] = errors.Join(outcomes[i], k.compare(c, got, err))
	}
	return outcomes
}

// compare names the first field that is not as expected.
func (k kind) compare(c Case, got answers, err error) error {
	if err != nil {
		return err
	}
	written, err := json.Marshal(got)
	if err != nil {
		return err
	}
	var read Case
	if err := json.Unmarshal(written, &read); err != nil {
		return err
	}
	for _, field := range k.answers {
		expected, got := c[field], read[field]
		if field == "reasons" { // a set
			expected, got = sorted(expected), sorted(got)
		}
		if !reflect.DeepEqual(expected, got) {
			return fmt.Errorf("expected %s %s, got %s", field, asJSON(expected), asJSON(got))
		}
	}
	return nil
}

func sorted(list any) any {
	return slices.SortedFunc(slices.Values(list.([]any)), func(one, other any) int {
		return strings.Compare(one.(string), other.(string))
	})
}

func asJSON(value any) string {
	text, _ := json.Marshal(value)
	return string(text)
}
