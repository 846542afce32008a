package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Case is a line of a golden file.
type Case map[string]any

func (c Case) text(field string) string {
	text, _ := c[field].(string) // null is no text
	return text
}

func (c Case) list(field string) []any { return c[field].([]any) }

func (c Case) cases(field string) []Case {
	var cases []Case
	for _, each := range c.list(field) {
		cases = append(cases, each.(map[string]any))
	}
	return cases
}

func (c Case) number(field string) uint32 { return uint32(c[field].(float64)) }

// read reads every golden file. One too many, too few or empty is an error, and so is a field that no kind
// knows.
func read(folder string) (map[string][]Case, error) {
	found, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	if err != nil {
		return nil, err
	}
	for _, path := range found {
		name := strings.TrimSuffix(filepath.Base(path), ".jsonl")
		if !slices.ContainsFunc(kinds, func(k kind) bool { return k.name == name }) {
			return nil, fmt.Errorf("expected golden cases of a known kind, got %s", filepath.Base(path))
		}
	}
	cases := map[string][]Case{}
	for _, kind := range kinds {
		if cases[kind.name], err = kind.read(filepath.Join(folder, kind.name+".jsonl")); err != nil {
			return nil, err
		}
	}
	return cases, nil
}

func (k kind) read(path string) ([]Case, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var cases []Case
	for line := range bytes.Lines(content) {
		var c Case
		if err := json.Unmarshal(line, &c); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		for field := range c {
			if field != "note" && !slices.Contains(k.asks, field) && !slices.Contains(k.answers, field) {
				return nil, fmt.Errorf("expected fields that %s has, got %s", k.name, field)
			}
		}
		cases = append(cases, c)
	}
	if len(cases) == 0 {
		return nil, fmt.Errorf("expected golden cases in %s, got none", path)
	}
	return cases, nil
}
