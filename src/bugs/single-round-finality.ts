import type { Output } from "../core/validator/output.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Finality after one round of votes (protocol 2). */
export const singleRoundFinality: KnownBadVariant = {
  name: "single-round-finality",
  mistake: "a quorum of votes is final, and a cancellation needs only round changes without a lock",
  source: "protocol 2; bugs C1, C3",
  caughtBy: ["agreement", "irreversibility", "amnesia", "accountability", "convergence"],
  program: (real) => ({ ...real, step: (state, input) => real.step(state, input).flatMap(commitWithVote) }),
};

function commitWithVote(output: Output): readonly Output[] {
  if (output.type !== "sign" || output.message.body.type !== "vote") return [output];
  const commit = { ...output.message, body: { ...output.message.body, type: "commit" as const } };
  return [output, { ...output, message: commit }];
}
