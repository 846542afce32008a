package shisanzhi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import shisanzhi.v1.DealRoundRequest;
import shisanzhi.v1.DealRoundResponse;
import shisanzhi.v1.Ruleset;

class DealsTest {
  private final DealRoundRequest request =
      DealRoundRequest.newBuilder()
          .setRuleset(Ruleset.RULESET_BONUS)
          .setSeed(ByteString.copyFrom(new byte[16]))
          .build();

  @Test
  void anotherSeedThanWasCommittedToIsNoticed() {
    DealRoundResponse dealt = Deals.repeat(request);
    assertEquals(Optional.empty(), Deals.verify(dealt.getCommitment(), request, dealt));
    assertTrue(Deals.verify(ByteString.copyFrom(new byte[32]), request, dealt).isPresent());
  }

  @Test
  void aRulesetOfANewerServerIsNotDealt() {
    DealRoundRequest later = request.toBuilder().setRulesetValue(99).build();
    assertThrows(IllegalArgumentException.class, () -> Deals.repeat(later));
  }
}
