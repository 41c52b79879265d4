/** Broken invariant of the program itself: stops the run (architecture law 5). */
export class AssertionError extends Error {
  override readonly name = "AssertionError";
}

/** @throws AssertionError if `condition` is false: a bug of the program, never of an input. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}

/** Returns the value. @throws AssertionError if it is `undefined`. */
export function requireDefined<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new AssertionError(`${name} is missing`);
  return value;
}

/** Makes a `switch` exhaustive. @throws AssertionError if it is reached. */
export function unreachable(value: never): never {
  throw new AssertionError(
    `unreachable: ${JSON.stringify(value, (_, part) => (typeof part === "bigint" ? `${part}n` : part))}`,
  );
}
