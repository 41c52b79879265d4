/** Arbitrary Byzantine validators: at most f of a committee, each with one or more strategies. */
import fc from "fast-check";
import { bounds } from "../../invariants/history/quorum.ts";
import { liesOf } from "../../scenario/lies.ts";
import type { ByzantinePart, Step } from "../../scenario/scenario.ts";
import { STRATEGIES } from "../../scenario/schema/step.ts";
import { NETWORK } from "./cast.ts";
import { around, committeeIn, type Part, type Validating } from "./part.ts";

/** The strategy of one validator, before the number of validators is known. */
interface Draft {
  readonly node: number;
  readonly strategy: ByzantinePart["strategy"];
  /** Index of the mode, for a strategy with several. */
  readonly lie: number;
  /** Receivers that it affects, as a bit set; 0: all. */
  readonly towards: number;
}

/** `vote-for` needs the name of an operation, which a fragment does not know. */
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

/** At most f Byzantine members of a committee, from time 0 on. */
export function byzantineStrategies(network: Validating = NETWORK): fc.Arbitrary<Part> {
  const names = committeeIn(network);
  return draft.map((one) => liarsOf(one, names));
}

/** The same for a committee that is not known yet. */
export const laterLiars: fc.Arbitrary<(names: readonly string[]) => Part> = draft.map(
  (one) => (names) => liarsOf(one, names),
);

/** The Byzantine validators of a fragment. */
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
