/** Epochs go on (protocol 7.8): once a correct validator knows why one is to close, it does within the bound. */
import type { Epoch, Millis } from "../../core/base/ids.ts";
import { digits } from "../../core/base/slot.ts";
import type { Trie } from "../../core/base/trie.ts";
import { bookOf, type Chronicle, currentEpoch } from "../history/chronicle.ts";
import { epochSlot } from "../history/finality.ts";
import { signedSoFar, type Telling, whatWouldFree } from "../history/slot-story.ts";
import type { NodeName, RecordOf } from "../observation.ts";
import { closingName, listed } from "../words.ts";

/** When an honest node first knew why an epoch closes, by epoch and node. Closed epochs are left out. */
export type Causes = Trie<{ readonly node: NodeName; readonly at: Millis }>;

/** With a close that an honest node signed: it does so for a cause that it can show. */
export function causeSigned(causes: Causes, { node, honest, statement, at }: RecordOf<"signed">): Causes {
  return honest && statement.kind === "close" ? withCause(causes, statement.epoch, node, at) : causes;
}

/** With a checkpoint that makes the closing of its epoch due. */
export function causeApplied(causes: Causes, record: RecordOf<"checkpointed">, seen: Chronicle): Causes {
  const { node, honest, value, at } = record;
  const { epoch, opened, parameters } = currentEpoch(seen);
  if (!honest || parameters.epochLength === undefined) return causes;
  return value.header.number === opened + parameters.epochLength ? withCause(causes, epoch, node, at) : causes;
}

/** Without those of an epoch that is over. */
export function withoutCauses(causes: Causes, epoch: Epoch): Causes {
  let rest = causes;
  for (const [key] of causes.within(epochPrefix(epoch))) rest = rest.delete(key);
  return rest;
}

/** When any of these nodes first knew of a cause. */
export function causeKnown(causes: Causes, epoch: Epoch, core: readonly NodeName[]): Millis | undefined {
  const times = causes.within(epochPrefix(epoch)).filter(([, { node }]) => core.includes(node));
  return times.length === 0 ? undefined : (Math.min(...times.map(([, { at }]) => at)) as Millis);
}

/** Who has closed the epoch, how far its closing is, and what is missing. */
export function closingExplained(telling: Telling, epoch: Epoch): string {
  const { seen, who } = telling;
  const slot = epochSlot(epoch);
  const book = bookOf(seen, slot, epoch);
  const closers = [...book.hands.keys()].filter((place) => (book.hands[place]?.closes.length ?? 0) > 0);
  const needed = currentEpoch(seen).committee.bounds.quorum;
  const way =
    closers.length < needed
      ? `more closes: ${needed} are needed`
      : whatWouldFree(telling, book, "the timeout of the slot");
  return (
    `${closingName(epoch)}: ${listed(who.namesAt(closers))} closed it; ${signedSoFar(telling, book)}. ` +
    `What would free it: ${way}.`
  );
}

function withCause(causes: Causes, epoch: Epoch, node: NodeName, at: Millis): Causes {
  const key = epochPrefix(epoch) + node;
  return causes.has(key) ? causes : causes.set(key, { node, at });
}

function epochPrefix(epoch: Epoch): string {
  return `${digits(epoch)}/`;
}
