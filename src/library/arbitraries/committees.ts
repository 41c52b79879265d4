/** Arbitrary committee changes by governance: other keys, a spare in place of a member, one more member. */
import fc from "fast-check";
import type { Step } from "../../scenario/scenario.ts";
import { NETWORK, SPARES } from "./accounts.ts";
import { committeeIn, type HasCommittee, near, type ScenarioFragment } from "./fragment.ts";

/** One proposal, before the number of validators is known. */
interface Draft {
  readonly at: number;
  readonly to: number;
  /** Members with a new key, as a bit set. */
  readonly keyed: number;
  readonly swaps: boolean;
  readonly grows: boolean;
}

const draft: fc.Arbitrary<readonly Draft[]> = fc.array(
  fc.record({
    at: fc.nat(4_000),
    to: fc.nat(9),
    keyed: fc.nat(127),
    swaps: fc.boolean(),
    grows: fc.boolean(),
  }),
  { maxLength: 2 },
);

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
export const laterCommittees: fc.Arbitrary<
  (names: readonly string[], byzantine: ReadonlySet<string>) => ScenarioFragment
> = draft.map((one) => (names, byzantine) => changesOf(one, names, byzantine));

function changesOf(
  drawn: readonly Draft[],
  names: readonly string[],
  byzantine: ReadonlySet<string>,
): ScenarioFragment {
  // Proposals name epochs in order of time; one that is early or late for its epoch has no effect.
  const inTime = [...drawn].sort((a, b) => a.at - b.at);
  const steps = inTime.map((one, epoch): Step => {
    const validators = membersOf(names, byzantine, epoch, one);
    return { at: one.at, govern: { to: [near(names, one.to)], epoch, validators } };
  });
  return steps.length === 0 ? {} : { network: { spares: SPARES }, steps };
}

/** Never smaller than the first committee and without further Byzantine members, so that each has at most f. */
function membersOf(
  names: readonly string[],
  byzantine: ReadonlySet<string>,
  epoch: number,
  { keyed, swaps, grows }: Draft,
): readonly string[] {
  const [first = "", second = ""] = SPARES;
  const leaving = swaps ? names.findLast((name) => !byzantine.has(name)) : undefined;
  const members = names.map((name, place) => {
    if (name === leaving) return first;
    return (keyed >> (place % 7)) % 2 === 1 ? `${name}/${2 + (epoch % 8)}` : name;
  });
  return grows ? [...members, second] : members;
}
