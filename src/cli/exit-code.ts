/** What the shell is told. Over several files the gravest wins. */
export const EXIT = { expected: 0, failed: 1, usage: 2, internal: 3, interrupted: 130 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The graver of two: 130, 3, 2, 1, 0. */
export function graver(a: ExitCode, b: ExitCode): ExitCode {
  return a > b ? a : b;
}

/** Wrong usage: the message is for whoever typed the command. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
