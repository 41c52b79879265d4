/** Arbitrary changes of the committee by governance: other keys, a spare in the place of a member, one more. */
import fc from "fast-check";
import type { Step } from "../../scenario/scenario.ts";
import { NETWORK, SPARES } from "./cast.ts";
import { around, committeeIn, type Part, type Validating } from "./part.ts";

/** One proposal, before anybody knows how many validators there are. */
interface Draft {
  readonly at: number;
  readonly to: number;
  /** Whose keys change, a bit for each member. */
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

/** Up to two proposals of the operator's. `liars` stay in the committee, and no committee has more of them than it bears. */
export function committeeChanges(
  network: Validating = NETWORK,
  liars: ReadonlySet<string> = NOBODY,
): fc.Arbitrary<Part> {
  const names = committeeIn(network);
  return draft.map((one) => changesOf(one, names, liars));
}

/** For committees that are not known yet. */
export const laterCommittees: fc.Arbitrary<(names: readonly string[], liars: ReadonlySet<string>) => Part> = draft.map(
  (one) => (names, liars) => changesOf(one, names, liars),
);

function changesOf(drawn: readonly Draft[], names: readonly string[], liars: ReadonlySet<string>): Part {
  // The first ones find their epoch; one that comes too late, or too soon, changes nothing.
  const inTime = [...drawn].sort((a, b) => a.at - b.at);
  const steps = inTime.map((one, epoch): Step => {
    const validators = membersOf(names, liars, epoch, one);
    return { at: one.at, govern: { to: [around(names, one.to)], epoch, validators } };
  });
  return steps.length === 0 ? {} : { network: { spares: SPARES }, steps };
}

/** Never smaller than the first committee and with no liar more, so that at most f are Byzantine in each. */
function membersOf(
  names: readonly string[],
  liars: ReadonlySet<string>,
  epoch: number,
  { keyed, swaps, grows }: Draft,
): readonly string[] {
  const [first = "", second = ""] = SPARES;
  const leaving = swaps ? names.findLast((name) => !liars.has(name)) : undefined;
  const members = names.map((name, place) => {
    if (name === leaving) return first;
    return (keyed >> (place % 7)) % 2 === 1 ? `${name}/${2 + (epoch % 8)}` : name;
  });
  return grows ? [...members, second] : members;
}
