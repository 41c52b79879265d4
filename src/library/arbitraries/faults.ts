/** Arbitrary faults of nodes and links: crashes, partitions, cuts, lost messages. */
import fc from "fast-check";
import { unreachable } from "../../core/base/assert.ts";
import type { Step } from "../../scenario/schema/step.ts";
import {
  type ArbitraryValue,
  committeeIn,
  type HasCommittee,
  itemAt,
  NETWORK,
  type ScenarioFragment,
} from "./fragment.ts";
import { KINDS } from "./schedules.ts";

const node: fc.Arbitrary<number> = fc.nat(9);
const forMs: fc.Arbitrary<number> = fc.integer({ min: 50, max: 1_500 });

const fault = fc.oneof(
  fc.record({
    fault: fc.constant("drop" as const),
    kind: fc.constantFrom(...KINDS),
    node,
    count: fc.integer({ min: 1, max: 6 }),
  }),
  fc.record({ fault: fc.constant("crash" as const), node, forMs }),
  fc.record({ fault: fc.constant("cut" as const), from: node, to: node, forMs }),
  fc.record({ fault: fc.constant("partition" as const), place: node, forMs }),
);

/** Faults with their virtual times. */
const draft = fc.array(fc.tuple(fc.nat(3_000), fault), { maxLength: 4 });

type DrawnFault = ArbitraryValue<typeof fault>;
type FaultPlanDraft = ArbitraryValue<typeof draft>;

/**
 * Virtual milliseconds. A crash before the first durable write is a disk loss, after which a validator signs nothing
 * until an epoch begins (protocol 11.3).
 */
const FIRST_CRASH_MS = 50;

/** Up to four faults of a network. Each ends by a restart with durable state or a restored link. */
export function faultPlans(network: HasCommittee = NETWORK): fc.Arbitrary<ScenarioFragment> {
  const names = committeeIn(network);
  return draft.map((one) => faultsOf(one, names));
}

/** The same for a committee that is not known yet. */
export const laterFaults = draft.map((one) => (names: readonly string[]) => faultsOf(one, names));

function faultsOf(drawn: FaultPlanDraft, names: readonly string[]): ScenarioFragment {
  return { steps: drawn.flatMap(([at, one], index) => stepsOf(at, one, `lost${index + 1}`, names)) };
}

function stepsOf(at: number, one: DrawnFault, rule: string, names: readonly string[]): readonly Step[] {
  switch (one.fault) {
    case "drop":
      return [{ at, drop: { rule, kinds: [one.kind], to: [itemAt(names, one.node)], count: one.count } }];
    case "crash":
      return [{ at: at + FIRST_CRASH_MS, crash: { node: itemAt(names, one.node), restart_after_ms: one.forMs } }];
    case "cut": {
      const [from, to] = [itemAt(names, one.from), itemAt(names, one.to)];
      if (from === to) return [];
      return [
        { at, cut: { from: [from], to: [to] } },
        { at: at + one.forMs, heal: true },
      ];
    }
    case "partition": {
      const place = one.place % names.length;
      if (place === 0) return [];
      return [
        { at, partition: [names.slice(0, place), names.slice(place)] },
        { at: at + one.forMs, heal: true },
      ];
    }
    default:
      return unreachable(one);
  }
}
