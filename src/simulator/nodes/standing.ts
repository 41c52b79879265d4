/** Signing key and epoch of a node, from its start and from each closing on (protocol 6.5). */
import { present } from "../../core/base/assert.ts";
import type { LedgerState } from "../../core/ledger/state.ts";
import type { DurableRecord, Event } from "../../core/validator/output.ts";
import type { Standing } from "../plan.ts";
import type { Node } from "./node.ts";

/** Returns the key and epoch by the program's state. */
export function standingNow({ fixture, state, standing }: Node): Standing {
  return fixture.program.standingOf?.(state) ?? standing;
}

/** At a start: by the program's state, or by the snapshot that it restores in its first step. */
export function standingAtStart(
  node: Node,
  records: readonly (readonly [key: string, record: DurableRecord])[],
): Standing {
  for (const [, record] of records) if (record.of === "snapshot") return standingIn(node, record.state);
  return standingNow(node);
}

/**
 * After an event: one step may end an epoch, and its earlier outputs belong to the ending epoch, even if a slow disk
 * delays their signatures.
 */
export function standingAfter(node: Node, event: Event): Standing {
  return event.type === "closed" || event.type === "joined" ? standingIn(node, event.state) : node.standing;
}

function standingIn({ keys }: Node, { epoch, parameters }: LedgerState): Standing {
  const members = new Set(parameters.validators.map(({ key }) => key));
  return { self: keys.find((key) => members.has(key)) ?? present(keys[0], "first key"), epoch };
}
