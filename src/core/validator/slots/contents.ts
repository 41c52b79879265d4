/** Store of contents: accepts only those that prove themselves (protocol 3.1, 3: a commit needs content). */

import { type Slot, slotKey } from "../../base/slot.ts";
import { type Content, isLedgerContent } from "../content.ts";
import type { DecisionInputs } from "../decision-inputs.ts";
import { charge, contentSize } from "../mempool/budget.ts";
import { receiveDisclosed } from "../mempool/pending.ts";
import type { Peer } from "../message.ts";
import { report, type StepContext } from "../step-context.ts";
import { keepContent } from "./slots.ts";

/**
 * Keeps a content that proves itself, and returns the one stored under its value: the first, never the new one, of
 * which only the value is known to be equal. Returns `undefined` for one that proves nothing, or for which the budget of
 * the peer that shows it has no room; one of the chain needs none, since what names it has been proved (protocol 9.2).
 * `slot` is the one that needs it.
 */
export function receiveContent(context: StepContext, from: Peer, slot: Slot, content: Content): Content | undefined {
  const { state } = context;
  const { environment } = state;
  const value = environment.hashes.value(content.value);
  const known = state.slots.contents.get(value);
  if (known !== undefined) return recordDisclosed(context, from, known);
  if (environment.rules.validator.contentFault(state, content) !== undefined) {
    // A sender that has applied less or more is not misbehaving.
    if (!mayProveElsewhere(environment, content)) report(context, from, "malformed content", "");
    return undefined;
  }
  const item = { of: "content", value, slot: slotKey(slot) } as const;
  if (isLedgerContent(content) && !charge(context, item, contentSize(content), from)) return undefined;
  keepContent(state, content);
  context.agenda.push({ do: "content", value });
  return recordDisclosed(context, from, content);
}

/** Operations that others disclose are seen by others: none is ever answered as refused undisclosed (protocol 4.2). */
function recordDisclosed(context: StepContext, from: Peer, content: Content): Content {
  if (from === context.state.environment.self) return content;
  for (const signed of content.value.type === "skip" ? content.operations : []) receiveDisclosed(context, signed);
  return content;
}

/** Returns true if a content may prove itself to its sender, by the sender's epoch or by its state. */
function mayProveElsewhere({ committee }: DecisionInputs, { value, operations, certificates }: Content): boolean {
  if (value.type === "closing") return value.epoch !== committee.epoch;
  if (value.type !== "list" && value.type !== "burn") return false;
  return certificates.length < operations.length || certificates.some(({ epoch }) => epoch !== committee.epoch);
}
