/** Work in slices: between two of them somebody can look at signals, show progress, or stop it. */

/** Work that can be stopped: yields now and then, and ends where it stands when `true` comes back. */
export type Sliced<T> = Generator<undefined, T, boolean | undefined>;

/** All of it at once. */
export function finished<T>(work: Generator<unknown, T, boolean | undefined>): T {
  let slice = work.next();
  while (slice.done !== true) slice = work.next(false);
  return slice.value;
}
