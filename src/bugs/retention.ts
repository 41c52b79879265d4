/** Variants that keep what is over, so that memory grows with the history (bugs H9). */
import type { ValidatorState } from "../core/validator/state.ts";
import { type KnownBadVariant, replaceStep } from "./known-bad-variant.ts";

interface EntryCollection<K, V> {
  entries(): readonly (readonly [key: K, value: V])[];
  has(key: K): boolean;
  set(key: K, value: V): void;
}

/** Puts back what a step drops of a collection. */
function retainEntries<K, V>(
  collection: (state: ValidatorState) => EntryCollection<K, V>,
): NonNullable<KnownBadVariant["program"]> {
  return replaceStep((real, state, input) => {
    const before = collection(state).entries();
    const outputs = real.step(state, input);
    const after = collection(state);
    for (const [key, value] of before) if (!after.has(key)) after.set(key, value);
    return outputs;
  });
}

/** Checkpoints prune nothing. */
export const keepsListedRecords: KnownBadVariant = {
  name: "keeps-listed-records",
  mistake: "the records of slots that a checkpoint lists stay in memory",
  source: "bugs H9; protocol 7.15",
  caughtBy: ["footprint"],
  program: retainEntries(({ slots }) => slots.records),
};

/** Outcomes as a log. */
export const keepsOldOutcomes: KnownBadVariant = {
  name: "keeps-old-outcomes",
  mistake: "the outcomes of operations stay in memory after the last checkpoint that shows them is dropped",
  source: "bugs H9; protocol 7.15",
  caughtBy: ["footprint"],
  program: retainEntries(({ mempool }) => mempool.outcomes),
};

/** A client that was answered still counts as one that waits. */
export const keepsSubscribers: KnownBadVariant = {
  name: "keeps-subscribers",
  mistake: "the clients of an operation stay subscribed after its last answer",
  source: "bugs H9; protocol 7.15",
  caughtBy: ["footprint"],
  program: retainEntries(({ mempool }) => mempool.subscribers),
};

/** Signatures of refused operations. */
export const keepsRefusedDigests: KnownBadVariant = {
  name: "keeps-refused-digests",
  mistake: "a validator remembers for good under which kind it admitted a signature, even if it refused the operation",
  source: "bugs H9; protocol 9.3, 7.15",
  caughtBy: ["footprint", "validity"],
  program: retainEntries(({ mempool }) => mempool.digests),
};

/** Tables that free keys fill (protocol 9.2). */
export const uncountedShowings: KnownBadVariant = {
  name: "uncounted-showings",
  mistake:
    "what peers show is kept and counted in no budget: free keys fill a validator's memory until its nonces are used",
  source: "bugs H9; protocol 9.2, 7.15",
  caughtBy: ["footprint"],
  program: replaceStep((real, state, input) => {
    const outputs = real.step(state, input);
    state.mempool.chargedItems.clear();
    state.mempool.budgets.clear();
    return outputs;
  }),
};
