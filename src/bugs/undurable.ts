/** Parts of a slot's record that are not durable (protocol 3.1: durable before a message leaves). */
import type { Round } from "../core/base/ids.ts";
import type { SlotRecord } from "../core/validator/output.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** The vote is durable, its lock is not. */
export const undurableLock: KnownBadVariant = {
  name: "undurable-lock",
  mistake: "locks and commits are not durable: a restarted validator claims that it holds none",
  source: "protocol 3.1, 3.3; bugs B1",
  caughtBy: ["amnesia", "accountability", "agreement", "irreversibility", "convergence"],
  program: writing((record) => ({ ...record, lock: undefined, carried: undefined, commits: [] })),
};

/** The round is volatile: after a restart the validator is back in an earlier one. */
export const undurableRound: KnownBadVariant = {
  name: "undurable-round",
  mistake: "the round of a slot is not durable: a restarted validator commits in a round that it has left",
  source: "protocol 3.1, 3.2; bugs B1",
  caughtBy: ["amnesia", "accountability", "agreement", "irreversibility", "convergence"],
  program: writing((record) => ({ ...record, round: 0 as Round, carried: undefined })),
};

/** The proposal is volatile: after a restart the validator makes another one. */
export const undurableProposal: KnownBadVariant = {
  name: "undurable-proposal",
  mistake: "a proposal is not durable: a restarted proposer makes another one for the same round",
  source: "protocol 3.1, 3.2; bugs B1",
  caughtBy: ["amnesia", "accountability"],
  program: writing((record) => ({ ...record, proposed: undefined })),
};

/** Writes records in another form than they have in memory. */
function writing(written: (record: SlotRecord) => SlotRecord): NonNullable<KnownBadVariant["program"]> {
  return (real) => ({
    ...real,
    step: (state, input) =>
      real
        .step(state, input)
        .map((output) =>
          output.type === "persist" && output.record.of === "slot"
            ? { ...output, record: written(output.record) }
            : output,
        ),
  });
}
