/** Persistent append-only list: O(1) append, older versions stay valid. */
export interface AppendOnlyList<T> {
  readonly last: T;
  readonly before: AppendOnlyList<T> | undefined;
}

/** Returns all elements, oldest first. */
export function toArray<T>(chain: AppendOnlyList<T> | undefined): readonly T[] {
  const found: T[] = [];
  for (let here = chain; here !== undefined; here = here.before) found.push(here.last);
  return found.reverse();
}
