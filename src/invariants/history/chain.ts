/** Persistent append-only list: O(1) append, older versions stay valid. */
export interface Chain<T> {
  readonly last: T;
  readonly before: Chain<T> | undefined;
}

/** Returns all elements, oldest first. */
export function inOrder<T>(chain: Chain<T> | undefined): readonly T[] {
  const found: T[] = [];
  for (let here = chain; here !== undefined; here = here.before) found.push(here.last);
  return found.reverse();
}
