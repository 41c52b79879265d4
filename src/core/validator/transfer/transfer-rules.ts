/** Choice of sources and target of a state transfer (protocol 6.2). */
import type { Peer } from "../message.ts";
import type { OfferedState, Transfer } from "../sub-states.ts";

/** Returns how many sources are asked at a time: an honest one is among them. */
export function sourcesAtOnce({ committees }: OfferedState): number {
  return committees.reduce((sum, { faulty }) => sum + faulty, 1);
}

/**
 * Returns the newest state that sources offered in place of pieces, once more than f of one committee did: an honest one
 * among them no longer has the present target, and the other committee may be gone. `undefined` while the transfer goes
 * on as it is.
 */
export function nextTarget({ committees }: OfferedState, sources: Transfer["sources"]): OfferedState | undefined {
  const newerStates = (peers: Iterable<Peer>): readonly OfferedState[] =>
    [...peers].flatMap((peer) => sources.get(peer)?.newer ?? []);
  const isGone = committees.some(({ members, faulty }) => newerStates(members).length > faulty);
  return isGone ? newerStates(sources.keys()).toSorted((a, b) => numberOf(b) - numberOf(a))[0] : undefined;
}

/** Returns the number of an offered state's chain link. */
export function numberOf({ content }: OfferedState): number {
  return content.value.header.number;
}
