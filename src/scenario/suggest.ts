/** "Did you mean" suggestions. */
import { distance } from "fastest-levenshtein";

/** ` (did you mean "x"?)`, or an empty text without a close word. */
export function suggestion(got: string, known: readonly string[]): string {
  const best = closest(got, known);
  return best === undefined ? "" : ` (did you mean "${best}"?)`;
}

/** The known word with the lowest edit distance, or `undefined` if none is close. */
export function closest(got: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  const wanted = got.slice(0, 64).toLowerCase();
  for (const word of known) {
    const lower = word.toLowerCase();
    const isPart = lower.length > 2 && wanted.length > 2 && (lower.startsWith(wanted) || wanted.startsWith(lower));
    const away = isPart ? 1 : distance(wanted, lower);
    if (away < bestDistance && (isPart || isClose(away, Math.min(lower.length, wanted.length)))) {
      best = word;
      bestDistance = away;
    }
  }
  return best;
}

/** Accepts two edits in a word of four letters, one in a shorter word. */
function isClose(away: number, length: number): boolean {
  return away < length && away <= (length <= 3 ? 1 : Math.max(2, Math.floor(length / 3)));
}

/** The first words of a list, with the number of further ones. */
export function firstFew(words: readonly string[], limit = 12): string {
  const shown = words.slice(0, limit).join(", ");
  return words.length > limit ? `${shown} and ${words.length - limit} more` : shown;
}
