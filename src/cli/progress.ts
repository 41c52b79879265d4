/** Progress of a command on stderr: a block that is redrawn on a terminal, lines where they are asked for, else nothing. */
import { type Paint, painter } from "../report/paint.ts";
import { type Io, wantsColours } from "./io.ts";

export interface Progress {
  /** `done` of `all` parts of the work. */
  at(done: number, all: number, text: string): void;
  /** Work that ends when it has found its end, at the latest with `most` parts. */
  upTo(done: number, most: number, text: string): void;
  /** Removes what is drawn, for results on the same terminal. */
  clear(): void;
  done(): void;
}

const NOTHING: Progress = {
  at: () => undefined,
  upTo: () => undefined,
  clear: () => undefined,
  done: () => undefined,
};

/** `auto`: redrawn, on a terminal only. `plain`: lines. `none`: nothing. */
export function createProgress(io: Io, mode: string): Progress {
  if (mode === "plain") {
    const line = (done: number, all: number, text: string): void => io.err(`${done}/${all} ${text}\n`);
    return { ...NOTHING, at: line, upTo: line };
  }
  // A terminal without control sequences cannot redraw a line.
  if (mode === "none" || !io.errIsTerminal || io.env["TERM"] === "dumb") return NOTHING;
  return new DrawnProgress(io);
}

/** Milliseconds between two pictures: a reader sees no more, and a terminal is slow. */
const REDRAWN_MS = 100;
/** Milliseconds after which the time that is left is told: earlier ones jump. */
const SETTLED_MS = 2_000;
const BAR = 24;
/** Columns of a terminal that does not say how many it has. */
const COLUMNS = 80;

class DrawnProgress implements Progress {
  readonly #io: Io;
  readonly #paint: Paint;
  readonly #start: number;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #isDrawn = false;

  constructor(io: Io) {
    this.#io = io;
    this.#paint = painter(wantsColours(io, io.errIsTerminal));
    this.#start = io.now();
  }

  at(done: number, all: number, text: string): void {
    const share = all === 0 ? 1 : Math.min(1, done / all);
    const filled = Math.round(share * BAR);
    const bar = `${this.#paint("good", "█".repeat(filled))}${this.#paint("dim", "░".repeat(BAR - filled))}`;
    const elapsed = this.#io.now() - this.#start;
    const isSettled = elapsed >= SETTLED_MS && share > 0 && share < 1;
    const left = isSettled ? `, ${durationText((elapsed * (1 - share)) / share)} left` : "";
    const facts = `${done}/${all}${this.#rate(done)}${left}`;
    this.#draw(`${bar} ${facts}`, BAR + 1 + facts.length, text);
  }

  upTo(done: number, most: number, text: string): void {
    const facts = `${done}, at most ${most}`;
    this.#draw(facts, facts.length, text);
  }

  clear(): void {
    if (this.#isDrawn) this.#io.err("\r\u001b[K");
    this.#isDrawn = false;
    this.#drawnAt = Number.NEGATIVE_INFINITY;
  }

  done(): void {
    this.clear();
  }

  #rate(done: number): string {
    const seconds = (this.#io.now() - this.#start) / 1_000;
    if (seconds <= 0 || done === 0) return "";
    const rate = done / seconds;
    return `, ${rate >= 10 ? rate.toFixed(0) : rate.toFixed(1)} a second`;
  }

  /** Draws one line, cut at the width of the terminal. `width`: columns of `head`, which may have colours. */
  #draw(head: string, width: number, text: string): void {
    const now = this.#io.now();
    if (now - this.#drawnAt < REDRAWN_MS) return;
    this.#drawnAt = now;
    const room = Math.max(0, (this.#io.errColumns ?? COLUMNS) - width - 3);
    this.#io.err(`\r\u001b[K${head}  ${text.slice(0, room)}`);
    this.#isDrawn = true;
  }
}

function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}
