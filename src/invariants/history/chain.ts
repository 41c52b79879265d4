/** A persistent list that grows at its end: to add costs O(1), and older lists stay as they were. */
export interface Chain<T> {
  readonly last: T;
  readonly before: Chain<T> | undefined;
}

/** All of it, oldest first. */
export function inOrder<T>(chain: Chain<T> | undefined): readonly T[] {
  const found: T[] = [];
  for (let here = chain; here !== undefined; here = here.before) found.push(here.last);
  return found.reverse();
}
