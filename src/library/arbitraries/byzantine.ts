/** Arbitrary Byzantine validators: at most f of a committee, each with one or more strategies. */
import fc from "fast-check";
import { bounds } from "../../invariants/history/quorum.ts";
import type { ByzantineSpec } from "../../scenario/faults/byzantine.ts";
import type { Step } from "../../scenario/schema/step.ts";
import { modesOf, STRATEGIES, STRATEGY_NAMES } from "../../simulator/byzantine/registry.ts";
import { committeeIn, type Drawn, type HasCommittee, NETWORK, near, type ScenarioFragment } from "./fragment.ts";

/**
 * All but those that need the name of an operation or batches of signatures, which a fragment does not know of, or the
 * path of a field: `altered-parts` alters any.
 */
const DRAWN = STRATEGY_NAMES.filter(
  (name) => !STRATEGIES[name].readsOperation && !STRATEGIES[name].needsBatches && !STRATEGIES[name].readsField,
);

/** The strategies of single validators, before the number of validators is known. */
const draft = fc.array(
  fc.record({
    node: fc.nat(9),
    strategy: fc.constantFrom(...DRAWN),
    /** Index of the mode, for a strategy with several. */
    mode: fc.nat(99),
    /** Receivers that it affects, as a bit set; 0: all. */
    towards: fc.oneof(fc.constant(0), fc.nat(127)),
  }),
  { maxLength: 3 },
);

type Draft = Drawn<typeof draft>[number];

/** At most f Byzantine members of a committee, from time 0 on. */
export function byzantineStrategies(network: HasCommittee = NETWORK): fc.Arbitrary<ScenarioFragment> {
  const names = committeeIn(network);
  return draft.map((one) => byzantineOf(one, names));
}

/** The same for a committee that is not known yet. */
export const laterByzantine = draft.map((one) => (names: readonly string[]) => byzantineOf(one, names));

/** The Byzantine validators of a fragment. */
export function byzantineIn({ steps = [] }: ScenarioFragment): ReadonlySet<string> {
  return new Set(steps.flatMap(({ byzantine }) => byzantine?.node ?? []));
}

function byzantineOf(drawn: readonly Draft[], names: readonly string[]): ScenarioFragment {
  const nodes = [...new Set(drawn.map(({ node }) => near(names, node)))];
  const byzantine = new Set(nodes.slice(0, bounds(names.length).faults));
  const own = drawn.filter(({ node }) => byzantine.has(near(names, node)));
  return { steps: own.map((one): Step => ({ at: 0, byzantine: partOf(one, names) })) };
}

function partOf({ node, strategy, mode, towards }: Draft, names: readonly string[]): ByzantineSpec {
  const modes = modesOf(strategy);
  const aims = names.filter((_, place) => (towards >> place) % 2 === 1);
  const isAimed = STRATEGIES[strategy].towards !== undefined;
  return {
    node: near(names, node),
    strategy,
    ...(modes.length === 0 ? {} : { mode: near(modes, mode) }),
    ...(isAimed && aims.length > 0 ? { towards: aims } : {}),
  };
}
