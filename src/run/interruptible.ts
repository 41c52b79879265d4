/** Interruptible work: a generator that pauses between slices, for signals and progress output. */

/** Work that yields between slices, and ends early if `next(true)` is called. */
export type Interruptible<T> = Generator<undefined, T, boolean | undefined>;

/** Runs the work to its end, at once. */
export function runToEnd<T>(work: Generator<unknown, T, boolean | undefined>): T {
  let slice = work.next();
  while (slice.done !== true) slice = work.next(false);
  return slice.value;
}

/** Runs the work slice by slice, to an early end once it is over; returns `undefined` after an interrupt. */
export function* unlessStopped<T>(
  work: Interruptible<T>,
  isOver: () => boolean = () => false,
): Interruptible<T | undefined> {
  let slice = work.next();
  while (slice.done !== true) {
    if (yield) return undefined;
    slice = work.next(isOver());
  }
  return slice.value;
}
