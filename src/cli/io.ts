/** Input and output of commands, replaceable in tests, and work that an interrupt ends. */
import { type Paint, painter } from "../report/paint.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/** The process as commands see it. */
export interface Io {
  /** Results. */
  out(text: string): void;
  /** Progress, problems and logs. */
  err(text: string): void;
  readonly env: Env;
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  /** Width of the terminal behind `err`; absent where there is none. */
  readonly errColumns?: number | undefined;
  /** Milliseconds of a steady clock. */
  now(): number;
  /** CPU time of this process so far in milliseconds, user and system, over all its threads. */
  cpu(): number;
  /** Returns true after an interrupt; processes pending signals first. */
  interrupted(): Promise<boolean>;
}

/** Returns the colours of results, or none where they are not wanted. */
export function painterFor(io: Io): Paint {
  return painter(wantsColours(io, io.outIsTerminal));
}

/** Returns true if what goes to a stream is to have colours. */
export function wantsColours(io: Io, isTerminal: boolean): boolean {
  if (io.env["NO_COLOR"] !== undefined && io.env["NO_COLOR"] !== "") return false;
  if (io.env["FORCE_COLOR"] !== undefined && io.env["FORCE_COLOR"] !== "0") return true;
  return isTerminal && io.env["TERM"] !== "dumb";
}

export class InterruptibleWork {
  readonly #io: Pick<Io, "interrupted">;
  #isInterrupted = false;

  constructor(io: Pick<Io, "interrupted">) {
    this.#io = io;
  }

  /** True after an interrupt: later work ends at its first slice. */
  get isInterrupted(): boolean {
    return this.#isInterrupted;
  }

  /** Returns true after an interrupt, however often it is asked. */
  async isStopped(): Promise<boolean> {
    this.#isInterrupted ||= await this.#io.interrupted();
    return this.#isInterrupted;
  }

  /** Works to the end or to an interrupt. `seen` is called with every yielded value. */
  async finish<S, T>(work: Generator<S, T, boolean | undefined>, seen?: (slice: S) => void): Promise<T> {
    let slice = work.next();
    while (slice.done !== true) {
      seen?.(slice.value);
      slice = work.next(await this.isStopped());
    }
    return slice.value;
  }
}
