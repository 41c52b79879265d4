/** Names in a row, as a sentence has them. */

/** `a`, `a and b`, `a, b and c`; `nobody` where there is none. All of them, however many. */
export function listed(names: readonly string[]): string {
  const last = names[names.length - 1] ?? "nobody";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}
