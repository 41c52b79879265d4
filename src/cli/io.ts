/** Input and output of commands, replaceable in tests. */
export interface Io {
  /** Results. */
  out(text: string): void;
  /** Progress, problems and logs. */
  err(text: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  /** Milliseconds of a steady clock. */
  now(): number;
  /** CPU time of this process so far in milliseconds, user and system, over all its threads. */
  cpu(): number;
  /** Returns true after an interrupt; processes pending signals first. */
  interrupted(): Promise<boolean>;
}

/** Returns true if results may have colours. */
export function wantsColours(io: Io): boolean {
  if (io.env["NO_COLOR"] !== undefined && io.env["NO_COLOR"] !== "") return false;
  if (io.env["FORCE_COLOR"] !== undefined && io.env["FORCE_COLOR"] !== "0") return true;
  return io.outIsTerminal && io.env["TERM"] !== "dumb";
}
