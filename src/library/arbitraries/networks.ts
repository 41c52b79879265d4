/** Arbitrary networks (number of validators, checkpoint policy, epoch length) and changes of committees by governance. */

import fc from "fast-check";
import { definedMembers } from "../../core/base/given.ts";
import type { CheckpointsSpec } from "../../scenario/schema/epoch.ts";
import type { Step } from "../../scenario/schema/step.ts";
import {
  type ArbitraryValue,
  committeeIn,
  DEFAULT_GENESIS,
  type HasCommittee,
  itemAt,
  NETWORK,
  type ScenarioFragment,
  SPARES,
} from "./fragment.ts";

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
        ...definedMembers({ checkpoints: policy }),
        ...(policy === undefined || length === undefined ? {} : { epochs: { checkpoints: length } }),
      },
    }));
}

/** Proposals, before the number of validators is known. */
const draft = fc.array(
  fc.record({
    at: fc.nat(4_000),
    to: fc.nat(9),
    /** Members with a new key, as a bit set. */
    keyed: fc.nat(127),
    swaps: fc.boolean(),
    grows: fc.boolean(),
  }),
  { maxLength: 2 },
);

type CommitteeChangeDraft = ArbitraryValue<typeof draft>[number];

const NOBODY: ReadonlySet<string> = new Set();

/** Up to two proposals of the operator. `byzantine`: the Byzantine members, who stay; every committee has at most f. */
export function committeeChanges(
  network: HasCommittee = NETWORK,
  byzantine: ReadonlySet<string> = NOBODY,
): fc.Arbitrary<ScenarioFragment> {
  const names = committeeIn(network);
  return draft.map((one) => changesOf(one, names, byzantine));
}

/** The same for a committee that is not known yet. */
export const laterCommittees = draft.map(
  (one) => (names: readonly string[], byzantine: ReadonlySet<string>) => changesOf(one, names, byzantine),
);

function changesOf(
  drawn: readonly CommitteeChangeDraft[],
  names: readonly string[],
  byzantine: ReadonlySet<string>,
): ScenarioFragment {
  // Proposals name epochs in order of time; one that is early or late for its epoch has no effect.
  const inTime = [...drawn].sort((a, b) => a.at - b.at);
  const steps = inTime.map((one, epoch): Step => {
    const validators = membersOf(names, byzantine, epoch, one);
    return { at: one.at, govern: { to: [itemAt(names, one.to)], epoch, validators } };
  });
  return steps.length === 0 ? {} : { network: { spares: SPARES }, steps };
}

/** Never smaller than the first committee and without further Byzantine members, so that each has at most f. */
function membersOf(
  names: readonly string[],
  byzantine: ReadonlySet<string>,
  epoch: number,
  { keyed, swaps, grows }: CommitteeChangeDraft,
): readonly string[] {
  const [first = "", second = ""] = SPARES;
  const leaving = swaps ? names.findLast((name) => !byzantine.has(name)) : undefined;
  const members = names.map((name, place) => {
    if (name === leaving) return first;
    return (keyed >> (place % 7)) % 2 === 1 ? `${name}/${2 + (epoch % 8)}` : name;
  });
  return grows ? [...members, second] : members;
}
