/** Rolling hash over every event, and the event lines of a recorded run (architecture law 8). */
import { type Lanes, lanesHex, Mix } from "./random.ts";
import { RECORD_MAX } from "./settings.ts";

interface Line {
  readonly text: string;
  readonly before: Line | undefined;
  readonly count: number;
}

export class Trace {
  readonly isRecording: boolean;
  readonly #mix: Mix;
  #last: Line | undefined;

  constructor(isRecording: boolean, mix: Mix = new Mix(), last: Line | undefined = undefined) {
    this.isRecording = isRecording;
    this.#mix = mix;
    this.#last = last;
  }

  /** Mixes one event: its kind, virtual time, party, a number (of its link, say), a digest of its content. */
  event(kind: number, at: number, party: number, number: number, content: Lanes): void {
    this.#mix.block(kind | (party << 8), at | 0, content.a, content.b);
    this.#mix.block(number, Math.floor(at / 4_294_967_296), content.c, content.d);
  }

  /** Mixes an event whose content is a short text. */
  note(kind: number, party: number, text: string): void {
    this.#mix.word(kind | (party << 8));
    this.#mix.text(text);
  }

  /** Keeps a line if the run is recorded; only then the text is made. */
  line(text: () => string): void {
    if (!this.isRecording) return;
    const count = (this.#last?.count ?? 0) + 1;
    if (count > RECORD_MAX) throw new RangeError(`trace: more than ${RECORD_MAX} lines`);
    this.#last = { text: text(), before: this.#last, count };
  }

  /** 0x and 32 hex digits. */
  get hash(): string {
    return `0x${lanesHex(this.#mix.finish())}`;
  }

  lines(): string[] {
    const found: string[] = [];
    for (let at = this.#last; at !== undefined; at = at.before) found.push(at.text);
    return found.reverse();
  }

  fork(): Trace {
    return new Trace(this.isRecording, new Mix(this.#mix), this.#last);
  }
}
