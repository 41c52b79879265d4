/** Arbitrary networks: how many validators, and whether checkpoints are formed and epochs close. */
import fc from "fast-check";
import type { CheckpointsPart } from "../../scenario/scenario.ts";
import { GENESIS } from "./cast.ts";
import type { Part } from "./part.ts";

/** What networks may be. */
export interface NetworkConstraints {
  /** Sizes of committees, the simplest first; each as likely as it stands here often. */
  readonly validators?: readonly number[];
  /** Whether checkpoints may be formed; default true. */
  readonly checkpoints?: boolean;
  /** Whether epochs may close by themselves; default true, where checkpoints are formed. */
  readonly epochs?: boolean;
}

const SIZES: readonly number[] = [4, 4, 4, 1, 3, 5, 6, 7];

/** From one checkpoint for each slot to seldom; large enough that they keep up with the traffic of drawn workloads. */
const checkpoints: fc.Arbitrary<CheckpointsPart> = fc.record({
  interval_ms: fc.integer({ min: 20, max: 3_000 }),
  slots: fc.integer({ min: 1, max: 60 }),
  limit: fc.integer({ min: 20, max: 60 }),
  period_s: fc.constantFrom(0, 0, 1),
  empty: fc.boolean(),
});

/** Committees of 1 to 7 over a genesis with two tokens and something for everybody (`GENESIS`). */
export function networks(constraints: NetworkConstraints = {}): fc.Arbitrary<Part> {
  const { validators = SIZES, checkpoints: forms = true, epochs = true } = constraints;
  return fc
    .record({
      validators: fc.constantFrom(...validators),
      policy: forms ? fc.option(checkpoints, { nil: undefined, freq: 2 }) : fc.constant(undefined),
      /** In checkpoints. */
      length: epochs ? fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined, freq: 1 }) : fc.constant(undefined),
    })
    .map(({ validators: count, policy, length }) => ({
      network: { validators: count },
      genesis: {
        ...GENESIS,
        ...(policy === undefined ? {} : { checkpoints: policy }),
        ...(policy === undefined || length === undefined ? {} : { epochs: { checkpoints: length } }),
      },
    }));
}
