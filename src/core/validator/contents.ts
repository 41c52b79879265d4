/** What values stand for: taken from messages only after it has proved itself (design 3.1, 3: a commit needs content). */
import type { Turn } from "./agenda.ts";
import type { Content } from "./content.ts";
import type { Peer } from "./message.ts";
import { report } from "./speak.ts";

/**
 * Keeps a content that proves itself, and returns what is kept under its value: the content that came first, never the
 * one that came now, of which nothing but the value is known to be the same. `undefined` for one that proves nothing.
 */
export function takeContent(turn: Turn, from: Peer, content: Content): Content | undefined {
  const { state } = turn;
  const { environment } = state;
  const value = environment.hashes.value(content.value);
  const known = state.contents.get(value);
  if (known !== undefined) return known;
  if (environment.rules.validator.contentFault(environment, content) !== undefined) {
    report(turn, from, "malformed content", "");
    return undefined;
  }
  state.contents = state.contents.set(value, content);
  turn.agenda.push({ do: "content", value });
  return content;
}
