/** Liveness of epochs (protocol 7.8): an epoch closes within the bound once a correct validator knows a cause. */
import type { Epoch, Millis } from "../../../core/base/ids.ts";
import { paddedNumber } from "../../../core/base/slot.ts";
import type { Trie } from "../../../core/base/trie.ts";
import { type Chronicle, currentEpoch, signaturesOf } from "../../history/chronicle.ts";
import { epochSlot } from "../../history/finality.ts";
import { missingSignatures, type SlotContext, signatureSummary } from "../../history/stall-text.ts";
import type { EventOf, NodeName } from "../../observation.ts";
import { closingName, joinNames } from "../../text.ts";

/** First time at which an honest node knew a cause, by epoch and node. Closed epochs are absent. */
export type Causes = Trie<{ readonly node: NodeName; readonly at: Millis }>;

/** A close signed by an honest node implies a known cause. */
export function withSignedCause(causes: Causes, { node, honest, statement, at }: EventOf<"signed">): Causes {
  return honest && statement.kind === "close" ? withCause(causes, statement.epoch, node, at) : causes;
}

/** A checkpoint that makes the closing of its epoch due is a cause. */
export function withAppliedCause(causes: Causes, record: EventOf<"checkpointed">, seen: Chronicle): Causes {
  const { node, honest, value, at } = record;
  const { epoch, opened, parameters } = currentEpoch(seen);
  if (!honest || parameters.epochLength === undefined) return causes;
  return value.header.number === opened + parameters.epochLength ? withCause(causes, epoch, node, at) : causes;
}

/** Removes the causes of an ended epoch. */
export function emptyCauses(causes: Causes, epoch: Epoch): Causes {
  let rest = causes;
  for (const [key] of causes.entriesWithPrefix(epochPrefix(epoch))) rest = rest.delete(key);
  return rest;
}

/** Returns the first time at which any of these nodes knew a cause. */
export function knownCauses(causes: Causes, epoch: Epoch, core: readonly NodeName[]): Millis | undefined {
  const times = causes.entriesWithPrefix(epochPrefix(epoch)).filter(([, { node }]) => core.includes(node));
  return times.length === 0 ? undefined : (Math.min(...times.map(([, { at }]) => at)) as Millis);
}

/** Returns the signers of closes, the progress of the closing and the missing signatures. */
export function closingStallText(context: SlotContext, epoch: Epoch): string {
  const { seen, directory } = context;
  const slot = epochSlot(epoch);
  const signatures = signaturesOf(seen, slot, epoch);
  const closers = [...signatures.bySigner.keys()].filter(
    (index) => (signatures.bySigner[index]?.closes.length ?? 0) > 0,
  );
  const needed = currentEpoch(seen).committee.bounds.quorum;
  const missing =
    closers.length < needed
      ? `more closes (${needed} required)`
      : missingSignatures(context, signatures, "the timeout of the slot");
  return (
    `${closingName(epoch)}: closes of ${joinNames(directory.namesAt(closers))}; ${signatureSummary(context, signatures)}. ` +
    `Needed to proceed: ${missing}.`
  );
}

function withCause(causes: Causes, epoch: Epoch, node: NodeName, at: Millis): Causes {
  const key = epochPrefix(epoch) + node;
  return causes.has(key) ? causes : causes.set(key, { node, at });
}

function epochPrefix(epoch: Epoch): string {
  return `${paddedNumber(epoch)}/`;
}
