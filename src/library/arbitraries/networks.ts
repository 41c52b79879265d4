/** Arbitrary networks: number of validators, checkpoint policy, epoch length. */
import fc from "fast-check";
import type { CheckpointsSpec } from "../../scenario/scenario.ts";
import { DEFAULT_GENESIS } from "./accounts.ts";
import type { ScenarioFragment } from "./fragment.ts";

/** Constraints on networks; all optional. */
export interface NetworkConstraints {
  /** Committee sizes, the simplest first, each as likely as its number of entries. */
  readonly validators?: readonly number[];
  /** Allows checkpoints; default true. */
  readonly checkpoints?: boolean;
  /** Allows epochs that close after a number of checkpoints; default true. */
  readonly epochs?: boolean;
}

const SIZES: readonly number[] = [4, 4, 4, 1, 3, 5, 6, 7];

/** Policies from one checkpoint per slot to rare ones. `limit` suffices for the traffic of generated workloads. */
const checkpoints: fc.Arbitrary<CheckpointsSpec> = fc.record({
  interval_ms: fc.integer({ min: 20, max: 3_000 }),
  slots: fc.integer({ min: 1, max: 60 }),
  limit: fc.integer({ min: 20, max: 60 }),
  period_s: fc.constantFrom(0, 0, 1),
  empty: fc.boolean(),
});

/** Committees of 1 to 7 with the default genesis (`GENESIS`). */
export function networks(constraints: NetworkConstraints = {}): fc.Arbitrary<ScenarioFragment> {
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
        ...DEFAULT_GENESIS,
        ...(policy === undefined ? {} : { checkpoints: policy }),
        ...(policy === undefined || length === undefined ? {} : { epochs: { checkpoints: length } }),
      },
    }));
}
