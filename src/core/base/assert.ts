/** A broken invariant of our own code: stops the run (architecture law 5). */
export class AssertionError extends Error {
  override readonly name = "AssertionError";
}

/** @throws AssertionError when `condition` is false: a programmer's error, never an input's. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}

/** The value, asserted to be there. @throws AssertionError when it is `undefined`. */
export function present<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new AssertionError(`${what} is missing`);
  return value;
}

/** Makes a `switch` exhaustive. @throws AssertionError when reached after all. */
export function unreachable(value: never): never {
  throw new AssertionError(
    `unreachable: ${JSON.stringify(value, (_, part) => (typeof part === "bigint" ? `${part}n` : part))}`,
  );
}
