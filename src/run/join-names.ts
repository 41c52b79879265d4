/** Enumerations of names in sentences. */

/** `a`, `a and b`, `a, b and c`; `nobody` for an empty list. */
export function joinNames(names: readonly string[]): string {
  const last = names[names.length - 1] ?? "nobody";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}
