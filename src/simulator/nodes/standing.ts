/** As whom a node speaks: which of its keys it signs with, from its start on and from each closing on (protocol 6.5). */
import { present } from "../../core/base/assert.ts";
import type { LedgerState } from "../../core/ledger/state.ts";
import type { DurableRecord, Event } from "../../core/validator/output.ts";
import type { Standing } from "../plan.ts";
import type { Node } from "./node.ts";

/** What the program says of its state. */
export function standingNow({ fixture, state, standing }: Node): Standing {
  return fixture.program.standingOf?.(state) ?? standing;
}

/** At a start: the program's own word, or that of the snapshot which it takes up in its first step. */
export function standingAtStart(
  node: Node,
  records: readonly (readonly [key: string, record: DurableRecord])[],
): Standing {
  for (const [, record] of records) if (record.of === "snapshot") return standingIn(node, record.state);
  return standingNow(node);
}

/**
 * After an event: one step may end an epoch, and what it wants signed before that is of the epoch that ends, however late
 * a slow disk lets it be signed.
 */
export function standingAfter(node: Node, event: Event): Standing {
  return event.type === "closed" || event.type === "joined" ? standingIn(node, event.state) : node.standing;
}

function standingIn({ keys }: Node, { epoch, parameters }: LedgerState): Standing {
  const members = new Set(parameters.validators.map(({ key }) => key));
  return { self: keys.find((key) => members.has(key)) ?? present(keys[0], "first key"), epoch };
}
