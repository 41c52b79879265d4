/** Arbitrary schedules: delays, loss, duplication, reordering and held messages. */
import fc from "fast-check";
import type { NetworkSpec } from "../../scenario/scenario.ts";
import type { Step } from "../../scenario/schema/step.ts";
import type { MessageKind } from "../../simulator/plan.ts";
import {
  type ArbitraryValue,
  committeeIn,
  type HasCommittee,
  itemAt,
  NETWORK,
  type ScenarioFragment,
} from "./fragment.ts";

/** Message kinds of the agreement. */
export const KINDS: readonly MessageKind[] = ["vote", "lock", "commit", "finality", "roundChange", "proposal", "offer"];

const node: fc.Arbitrary<number> = fc.nat(9);

/** A schedule, before the number of validators is known. */
const draft = fc.record({
  /** Width of the delay range in milliseconds; 0: constant delay. */
  spreadMs: fc.nat(89),
  writeMs: fc.constantFrom(0, 0, 2, 20),
  clientMs: fc.constantFrom(0, 0, 0, 15),
  loss: fc.boolean(),
  duplicate: fc.boolean(),
  reorder: fc.boolean(),
  slow: fc.array(fc.record({ at: fc.nat(2_000), from: node, to: node, ms: fc.integer({ min: 0, max: 300 }) }), {
    maxLength: 2,
  }),
  held: fc.array(
    fc.record({
      at: fc.nat(2_000),
      kind: fc.constantFrom(...KINDS),
      to: node,
      forMs: fc.integer({ min: 1, max: 1_500 }),
    }),
    { maxLength: 2 },
  ),
});

type ScheduleDraft = ArbitraryValue<typeof draft>;

/** Delays, disk times and link faults of a network, with some slow links and some held messages. */
export function schedules(network: HasCommittee = NETWORK): fc.Arbitrary<ScenarioFragment> {
  const names = committeeIn(network);
  return draft.map((one) => scheduleOf(one, names));
}

/** The same for a committee that is not known yet. */
export const laterSchedules = draft.map((one) => (names: readonly string[]) => scheduleOf(one, names));

/** Constant delay in milliseconds. */
const EVEN_MS = 10;

function scheduleOf(
  { spreadMs, writeMs, clientMs, loss, duplicate, reorder, slow, held }: ScheduleDraft,
  names: readonly string[],
): ScenarioFragment {
  const network: NetworkSpec = {
    delay_ms: spreadMs === 0 ? EVEN_MS : `1..${1 + spreadMs}`,
    ...(writeMs === 0 ? {} : { write_ms: `0..${writeMs}` }),
    ...(clientMs === 0 ? {} : { client_delay_ms: `0..${clientMs}` }),
    ...(loss ? { loss: "1/20" } : {}),
    ...(duplicate ? { duplicate: "1/20" } : {}),
    ...(reorder ? { reorder: "1/10" } : {}),
  };
  const steps: Step[] = slow.map(({ at, from, to, ms }) => ({
    at,
    delay: { from: [itemAt(names, from)], to: [itemAt(names, to)], ms },
  }));
  for (const [index, { at, kind, to, forMs }] of held.entries()) {
    const rule = `held${index + 1}`;
    steps.push({ at, hold: { rule, kinds: [kind], to: [itemAt(names, to)] } }, { at: at + forMs, release: rule });
  }
  return { network, steps };
}
