/** Exit codes. Over several files the highest severity wins. */
export const EXIT = { expected: 0, failed: 1, usage: 2, internal: 3, interrupted: 130 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Returns the exit code of higher severity, in the order 130, 3, 2, 1, 0. */
export function higherSeverity(a: ExitCode, b: ExitCode): ExitCode {
  return a > b ? a : b;
}

/** Wrong usage or input; the message is for the user. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
