/** Arbitrary Byzantine validators: at most f of a committee, each with one or more ways to lie. */
import fc from "fast-check";
import { bounds } from "../../invariants/history/quorum.ts";
import { liesOf } from "../../scenario/lies.ts";
import type { ByzantinePart, Step } from "../../scenario/scenario.ts";
import { STRATEGIES } from "../../scenario/schema/step.ts";
import { NETWORK } from "./cast.ts";
import { around, committeeIn, type Part, type Validating } from "./part.ts";

/** What one validator does, before anybody knows how many there are. */
interface Draft {
  readonly node: number;
  readonly strategy: ByzantinePart["strategy"];
  /** Which of the strategy's lies, where it knows several. */
  readonly lie: number;
  /** Whom it is aimed at, a bit for each validator; nobody named: everybody. */
  readonly towards: number;
}

/** Whoever votes for one operation needs it by name, and a piece knows none. */
const DRAWN = STRATEGIES.filter((name) => name !== "vote-for");

const draft: fc.Arbitrary<readonly Draft[]> = fc.array(
  fc.record({
    node: fc.nat(9),
    strategy: fc.constantFrom(...DRAWN),
    lie: fc.nat(99),
    towards: fc.oneof(fc.constant(0), fc.nat(127)),
  }),
  { maxLength: 3 },
);

/** At most f liars of a committee, from its start on; none at all where f is 0. */
export function byzantineStrategies(network: Validating = NETWORK): fc.Arbitrary<Part> {
  const names = committeeIn(network);
  return draft.map((one) => liarsOf(one, names));
}

/** For committees that are not known yet. */
export const laterLiars: fc.Arbitrary<(names: readonly string[]) => Part> = draft.map(
  (one) => (names) => liarsOf(one, names),
);

/** The validators that a piece makes liars of. */
export function liarsIn({ steps = [] }: Part): ReadonlySet<string> {
  return new Set(steps.flatMap(({ byzantine }) => byzantine?.node ?? []));
}

function liarsOf(drawn: readonly Draft[], names: readonly string[]): Part {
  const nodes = [...new Set(drawn.map(({ node }) => around(names, node)))];
  const liars = new Set(nodes.slice(0, bounds(names.length).faults));
  const own = drawn.filter(({ node }) => liars.has(around(names, node)));
  return { steps: own.map((one): Step => ({ at: 0, byzantine: partOf(one, names) })) };
}

function partOf({ node, strategy, lie, towards }: Draft, names: readonly string[]): ByzantinePart {
  const lies = liesOf(strategy);
  const aims = names.filter((_, place) => (towards >> place) % 2 === 1);
  const isAimed = strategy === "selective-silence" || strategy === "withhold-votes" || strategy === "withhold-commits";
  return {
    node: around(names, node),
    strategy,
    ...(lies.length === 0 ? {} : { lie: around(lies, lie) as NonNullable<ByzantinePart["lie"]> }),
    ...(isAimed && aims.length > 0 ? { towards: aims } : {}),
  };
}
