import { Ruleset } from "shisanzhi";
import { connect } from "shisanzhi/node";

const shisanzhi = connect(process.argv[2] ?? "127.0.0.1:50051");
const ruleset = Ruleset.BONUS;
const seed = Buffer.from("000102030405060708090a0b0c0d0e0f", "hex");
const { cutCard, dealer, hands } = await shisanzhi.dealRound({ ruleset, seed });
const arranged = await Promise.all(
  hands.map(({ cards }) => shisanzhi.arrange({ ruleset, cutCard, hand: cards })),
);
const arrangements = arranged.map(({ suggestions }) => suggestions[0]?.arrangement ?? {});
const { result } = await shisanzhi.score({ ruleset, cutCard, dealer, arrangements, hands });
for (const { seat, totalUnits } of result?.seats ?? []) {
  console.log(`seat ${seat}: ${totalUnits}`);
}
shisanzhi.close();
