/** What values stand for: taken from messages only after it has proved itself (protocol 3.1, 3: a commit needs content). */
import type { Turn } from "../agenda.ts";
import { takeSeen } from "../mempool/pending.ts";
import type { Peer } from "../message.ts";
import { report } from "../speak.ts";
import type { Content } from "./content.ts";
import type { Grounds } from "./grounds.ts";

/**
 * Keeps a content that proves itself, and returns what is kept under its value: the content that came first, never the
 * one that came now, of which nothing but the value is known to be the same. `undefined` for one that proves nothing.
 */
export function takeContent(turn: Turn, from: Peer, content: Content): Content | undefined {
  const { state } = turn;
  const { environment } = state;
  const value = environment.hashes.value(content.value);
  const known = state.contents.get(value);
  if (known !== undefined) return seenBy(turn, from, known);
  if (environment.rules.validator.contentFault(environment, content) !== undefined) {
    // Nobody is accused of being in another epoch.
    if (!isOfAnotherEpoch(environment, content)) report(turn, from, "malformed content", "");
    return undefined;
  }
  state.contents = state.contents.set(value, content);
  turn.agenda.push({ do: "content", value });
  return seenBy(turn, from, content);
}

/** What others show is seen by others: nothing of it is ever answered as refused and shown to nobody (protocol 4.2). */
function seenBy(turn: Turn, from: Peer, content: Content): Content {
  if (from === turn.state.environment.self) return content;
  for (const signed of content.value.type === "skip" ? content.operations : []) takeSeen(turn, signed);
  return content;
}

/** Whether a content may be sound in the epoch of whoever sent it: its warrants are of another one than this. */
function isOfAnotherEpoch({ committee }: Grounds, { value, certificates }: Content): boolean {
  if (value.type === "closing") return value.epoch !== committee.epoch;
  return certificates.some(({ epoch, slot }) => epoch !== committee.epoch || slot.kind === "epoch");
}
