/** Arbitrary Byzantine validators: at most f of a committee, each with one or more strategies. */
import fc from "fast-check";
import { bounds } from "../../invariants/history/quorum.ts";
import type { ByzantineSpec } from "../../scenario/faults/byzantine.ts";
import type { Step } from "../../scenario/schema/step.ts";
import { mutationsAt } from "../../simulator/byzantine/field-mutations.ts";
import { drawPath } from "../../simulator/byzantine/field-places.ts";
import { modesOf, STRATEGIES, STRATEGY_NAMES } from "../../simulator/byzantine/registry.ts";
import {
  type ArbitraryValue,
  committeeIn,
  type HasCommittee,
  itemAt,
  NETWORK,
  type ScenarioFragment,
} from "./fragment.ts";

/** All but those that need the name of an operation, which a fragment does not know of. */
const DRAWN = STRATEGY_NAMES.filter((name) => !STRATEGIES[name].readsOperation);

/** The strategies of single validators, before the number of validators is known. */
const draft = fc.array(
  fc.record({
    node: fc.nat(9),
    strategy: fc.constantFrom(...DRAWN),
    /** Index of the mode, for a strategy with several. */
    mode: fc.nat(99),
    /** Receivers that it affects, as a bit set; 0: all. */
    towards: fc.oneof(fc.constant(0), fc.nat(127)),
    /** For mutations: the choices that lead to a field, again from the first one after the last. */
    turns: fc.array(fc.nat(99), { minLength: 1, maxLength: 12 }),
  }),
  { maxLength: 3 },
);

type ByzantineDraft = ArbitraryValue<typeof draft>[number];

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

function byzantineOf(drawn: readonly ByzantineDraft[], names: readonly string[]): ScenarioFragment {
  const nodes = [...new Set(drawn.map(({ node }) => itemAt(names, node)))];
  const byzantine = new Set(nodes.slice(0, bounds(names.length).faults));
  const drafts = drawn.filter(({ node }) => byzantine.has(itemAt(names, node)));
  return { steps: drafts.map((one): Step => ({ at: 0, byzantine: partOf(one, names) })) };
}

/** Returns a field of some kind of message, and one of the mutations that it allows. */
function fieldOf(turns: ByzantineDraft["turns"]): Required<Pick<ByzantineSpec, "field" | "mutation">> {
  let turn = 0;
  const field = drawPath((bound) => (turns[turn++ % turns.length] as number) % bound);
  return { field, mutation: itemAt(mutationsAt(field), turns.at(-1) as number) };
}

function partOf({ node, strategy, mode, towards, turns }: ByzantineDraft, names: readonly string[]): ByzantineSpec {
  const modes = modesOf(strategy);
  const aims = names.filter((_, place) => (towards >> place) % 2 === 1);
  const isAimed = STRATEGIES[strategy].towards !== undefined;
  return {
    node: itemAt(names, node),
    strategy,
    ...(modes.length === 0 ? {} : { mode: itemAt(modes, mode) }),
    ...(isAimed && aims.length > 0 ? { towards: aims } : {}),
    ...(STRATEGIES[strategy].readsField ? fieldOf(turns) : {}),
  };
}
