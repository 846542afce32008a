package conformance

import (
	"fmt"
	"os/exec"
)

const round = "seat 0: -2\nseat 1: 0\nseat 2: 4\nseat 3: -2\n"

// example runs the program that the README shows.
func example(target string) error {
	printed, err := exec.Command("go", "run", "../example", target).CombinedOutput()
	if err != nil || string(printed) != round {
		return fmt.Errorf("expected %q, got %q, %v", round, printed, err)
	}
	return nil
}
