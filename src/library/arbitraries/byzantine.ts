/** Arbitrary Byzantine validators: at most f of a committee, each with one or more strategies. */
import fc from "fast-check";
import { bounds } from "../../invariants/history/quorum.ts";
import type { ByzantineSpec } from "../../scenario/faults/byzantine.ts";
import type { Step } from "../../scenario/schema/step.ts";
import { formsAt, mutationsOf } from "../../simulator/byzantine/field-mutations.ts";
import { fieldsOfKind, MESSAGE_KINDS, possibleFields } from "../../simulator/byzantine/message-fields.ts";
import { modesOf, STRATEGIES, STRATEGY_NAMES } from "../../simulator/byzantine/registry.ts";
import { committeeIn, type Drawn, type HasCommittee, NETWORK, near, type ScenarioFragment } from "./fragment.ts";

/** All but those that need the name of an operation, which a fragment does not know of. */
const DRAWN = STRATEGY_NAMES.filter((name) => !STRATEGIES[name].readsOperation);

/** Most members of a drawn path of a field. */
const DEPTH_MAX = 6;

/** The strategies of single validators, before the number of validators is known. */
const draft = fc.array(
  fc.record({
    node: fc.nat(9),
    strategy: fc.constantFrom(...DRAWN),
    /** Index of the mode, for a strategy with several. */
    mode: fc.nat(99),
    /** Receivers that it affects, as a bit set; 0: all. */
    towards: fc.oneof(fc.constant(0), fc.nat(127)),
    /** For a strategy that alters a field: the kind of message, and the member to follow at each level. */
    turns: fc.tuple(fc.nat(99), fc.array(fc.nat(99), { minLength: 1, maxLength: DEPTH_MAX })),
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

/** Returns a field of some kind of message, and one of the mutations that it allows. */
function fieldOf([kind, turns]: Draft["turns"]): Required<Pick<ByzantineSpec, "field" | "mutation">> {
  const path: string[] = [near(MESSAGE_KINDS, kind)];
  let fields = fieldsOfKind(path[0] as string);
  for (const [index, turn] of turns.entries()) {
    const { name, single, isList } = near(fields, turn);
    fields = possibleFields(single);
    const isLast = fields.length === 0 || index === turns.length - 1;
    path.push(isList && (!isLast || turn % 2 === 1) ? `${name}[]` : name);
    if (isLast) break;
  }
  const field = path.join(".");
  return { field, mutation: near([...new Set(formsAt(field).flatMap(mutationsOf))], turns.at(-1) ?? 0) };
}

function partOf({ node, strategy, mode, towards, turns }: Draft, names: readonly string[]): ByzantineSpec {
  const modes = modesOf(strategy);
  const aims = names.filter((_, place) => (towards >> place) % 2 === 1);
  const isAimed = STRATEGIES[strategy].towards !== undefined;
  return {
    node: near(names, node),
    strategy,
    ...(modes.length === 0 ? {} : { mode: near(modes, mode) }),
    ...(isAimed && aims.length > 0 ? { towards: aims } : {}),
    ...(STRATEGIES[strategy].readsField ? fieldOf(turns) : {}),
  };
}
