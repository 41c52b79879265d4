/** Choice of sources and target of a state transfer (protocol 6.2). */
import type { OfferedState, Transfer } from "../sub-states.ts";

/** Returns how many sources are asked at a time: an honest one is among them. */
export function sourcesAtOnce({ faulty }: OfferedState): number {
  return faulty + 1;
}

/**
 * Returns the newest state that sources offered in place of pieces, once an honest one is among them: it no longer has
 * the present target. `undefined` while the transfer goes on as it is.
 */
export function nextTarget({ faulty }: OfferedState, sources: Transfer["sources"]): OfferedState | undefined {
  const newer = [...sources.values()].flatMap((source) => source.newer ?? []);
  return newer.length > faulty ? newer.sort((a, b) => numberOf(b) - numberOf(a))[0] : undefined;
}

/** Returns the number of an offered state's chain link. */
export function numberOf({ content }: OfferedState): number {
  return content.value.header.number;
}
