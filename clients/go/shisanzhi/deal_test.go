package shisanzhi

import (
	"os"
	"testing"

	pb "github.com/shisanzhi/shisanzhi/clients/go/shisanzhi/v1"
)

func TestAnotherSeedThanWasCommittedToIsNoticed(t *testing.T) {
	request := &pb.DealRoundRequest{Ruleset: pb.Ruleset_RULESET_BONUS, Seed: make([]byte, 16)}
	dealt, err := RepeatDeal(request)
	if err != nil {
		t.Fatal(err)
	}
	if err := VerifyDeal(dealt.Commitment, request, dealt); err != nil {
		t.Errorf("expected a yes, got %v", err)
	}
	if VerifyDeal(make([]byte, 32), request, dealt) == nil {
		t.Error("expected a no, got a yes")
	}
}

func TestARulesetOfANewerServerIsNotDealt(t *testing.T) {
	if deal, err := RepeatDeal(&pb.DealRoundRequest{Ruleset: 99}); err == nil {
		t.Errorf("expected an error, got %v", deal)
	}
}

func TestTheServiceConfigIsTheServices(t *testing.T) {
	shared, err := os.ReadFile("../../../service/shisanzhi/service_config.json")
	if err != nil {
		t.Skip("outside the repository")
	}
	if string(shared) != serviceConfig {
		t.Error("expected the service's service_config.json, got another: copy it")
	}
}
