// Command example deals a round, arranges the four hands and settles it.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/shisanzhi/shisanzhi/clients/go/shisanzhi"
	pb "github.com/shisanzhi/shisanzhi/clients/go/shisanzhi/v1"
)

func main() {
	target := "127.0.0.1:50051"
	if len(os.Args) > 1 {
		target = os.Args[1]
	}
	client, err := shisanzhi.Dial(target, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err == nil {
		defer client.Close()
		err = play(context.Background(), client)
	}
	if err != nil {
		log.Fatal(err)
	}
}

func play(ctx context.Context, client *shisanzhi.Client) error {
	seed := []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	deal, err := client.DealRound(ctx, &pb.DealRoundRequest{Ruleset: pb.Ruleset_RULESET_BONUS, Seed: seed})
	if err != nil {
		return err
	}
	round := &pb.ScoreRequest{Ruleset: pb.Ruleset_RULESET_BONUS, CutCard: deal.CutCard, Dealer: &deal.Dealer, Hands: deal.Hands}
	for _, hand := range deal.Hands {
		best, err := client.Arrange(ctx, &pb.ArrangeRequest{Ruleset: round.Ruleset, CutCard: round.CutCard, Hand: hand.Cards})
		if err != nil {
			return err
		}
		round.Arrangements = append(round.Arrangements, best.Suggestions[0].Arrangement)
	}
	scored, err := client.Score(ctx, round)
	if err != nil {
		return err
	}
	for _, seat := range scored.Result.Seats {
		fmt.Printf("seat %d: %d\n", seat.Seat, seat.TotalUnits)
	}
	return nil
}
