/** "Did you mean": the closest of some words, if any is close. */
import { distance } from "fastest-levenshtein";

/** ` (did you mean "x"?)`, or nothing. */
export function suggestion(got: string, known: readonly string[]): string {
  const best = closest(got, known);
  return best === undefined ? "" : ` (did you mean "${best}"?)`;
}

/** The closest known word, where any is only a slip away. */
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

/** Two letters changed are a slip in a word of four, and another word in one of three. */
function isClose(away: number, length: number): boolean {
  return away < length && away <= (length <= 3 ? 1 : Math.max(2, Math.floor(length / 3)));
}

/** The first words of a long list. */
export function someOf(words: readonly string[], limit = 12): string {
  const shown = words.slice(0, limit).join(", ");
  return words.length > limit ? `${shown} and ${words.length - limit} more` : shown;
}
