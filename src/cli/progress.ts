/** Progress of a command on stderr. */
import type { Io } from "./io.ts";

export interface Progress {
  at(done: number, all: number, what: string): void;
  /** Clears the line for results on the same terminal. */
  clear(): void;
  done(): void;
}

const NOTHING: Progress = { at: () => undefined, clear: () => undefined, done: () => undefined };

/** `auto`: one line that is redrawn, on a terminal only. `plain`: lines. */
export function createProgress(io: Io, how: string): Progress {
  if (how === "plain") return { ...NOTHING, at: (done, all, what) => io.err(`${done}/${all} ${what}\n`) };
  if (how === "none" || !io.errIsTerminal) return NOTHING;
  let shown = false;
  const clear = (): void => {
    if (shown) io.err("\r\u001b[K");
    shown = false;
  };
  return {
    at: (done, all, what) => {
      io.err(`\r\u001b[K${done}/${all} ${what.slice(0, 60)}`);
      shown = true;
    },
    clear,
    done: clear,
  };
}
