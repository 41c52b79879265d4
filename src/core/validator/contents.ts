/** What values stand for: taken from messages only after it has proved itself (design 3.1, 3: a commit needs content). */
import type { Hash } from "../base/ids.ts";
import type { Turn } from "./agenda.ts";
import type { Content } from "./content.ts";
import type { Peer } from "./message.ts";
import { report } from "./speak.ts";

/**
 * Keeps a content that proves itself; its value hash, or `undefined` for one that does not. Its warrants are decisions
 * like any others: their slots are noted for application.
 */
export function takeContent(turn: Turn, from: Peer, content: Content): Hash | undefined {
  const { state } = turn;
  const { environment } = state;
  const hash = environment.hashes.value(content.value);
  if (state.contents.has(hash)) return hash;
  const fault = environment.rules.validator.contentFault(environment, content);
  if (fault !== undefined) {
    if (from !== environment.self) report(turn, from, "malformed content", "");
    return undefined;
  }
  state.contents = state.contents.set(hash, content);
  turn.agenda.push({ do: "content", value: hash });
  return hash;
}
