/** Signing key and epoch of a node, from its start and from each closing on (protocol 6.5). */
import { required } from "../../core/base/assert.ts";
import type { LedgerState } from "../../core/ledger/state.ts";
import type { DurableRecord, ValidatorEvent } from "../../core/validator/output.ts";
import type { ActiveKey } from "../plan.ts";
import type { Node } from "./node.ts";

/** Returns the key and epoch by the program's state. */
export function activeKeyNow({ config: fixture, state, activeKey: standing }: Node): ActiveKey {
  return fixture.program.activeKeyOf?.(state) ?? standing;
}

/** At a start: by the program's state, or by the snapshot that it restores in its first step. */
export function activeKeyAtStart(
  node: Node,
  records: readonly (readonly [key: string, record: DurableRecord])[],
): ActiveKey {
  for (const [, record] of records) if (record.of === "snapshot") return activeKeyIn(node, record.state);
  return activeKeyNow(node);
}

/**
 * After an event: one step may end an epoch, and its earlier outputs belong to the ending epoch, even if a slow disk
 * delays their signatures.
 */
export function activeKeyAfter(node: Node, event: ValidatorEvent): ActiveKey {
  return event.type === "closed" || event.type === "joined" ? activeKeyIn(node, event.state) : node.activeKey;
}

function activeKeyIn({ keys }: Node, { epoch, parameters }: LedgerState): ActiveKey {
  const members = new Set(parameters.validators.map(({ key }) => key));
  return { self: keys.find((key) => members.has(key)) ?? required(keys[0], "first key"), epoch };
}
