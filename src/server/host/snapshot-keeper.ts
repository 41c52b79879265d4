/** Keeps the snapshot of a network up to date, beside its work: one is due after so many events, and at the end. */
import type { ServedNetwork } from "../../live/network.ts";
import type { RecordingEntry } from "../../live/recording.ts";
import { SNAPSHOT_EVENTS, SNAPSHOT_REST } from "../limits.ts";
import { type RecordingEnd, snapshotPath, writeSnapshot } from "./snapshot-file.ts";

type Point = Extract<RecordingEntry, { type: "verification" }>;

export interface KeeperOptions {
  /** File of the recording. */
  readonly recording: string;
  /** Position behind the last line of the recording. */
  readonly end: () => RecordingEnd;
  /** Events between two snapshots; default `SNAPSHOT_EVENTS`. */
  readonly events?: number;
  /** Times the duration of the last writing that passes before the next one; default `SNAPSHOT_REST`. */
  readonly rest?: number;
}

export class SnapshotKeeper {
  readonly #options: Required<KeeperOptions>;
  #writing: Generator<void> | undefined;
  #next: NodeJS.Immediate | undefined;
  #begun = 0;
  /** Real time before which no further one is written. */
  #restsUntil = 0;
  /** Events, and line of time, at the last one that was begun. */
  #steps = 0;
  #line = 0;

  constructor(options: KeeperOptions) {
    this.#options = { events: SNAPSHOT_EVENTS, rest: SNAPSHOT_REST, ...options };
  }

  /** Notes the network as it starts, with what its snapshot covers. */
  started({ lines }: ServedNetwork, covered: number): void {
    this.#steps = covered;
    this.#line = lines;
  }

  /** Called right after a verification point was recorded: begins a snapshot if one is due. */
  pointWritten(network: ServedNetwork, point: Point): void {
    if (this.#writing !== undefined || performance.now() < this.#restsUntil || !this.#isDue(network)) return;
    this.#begin(network, point);
    this.#next = setImmediate(() => this.#goOn());
  }

  /** Ends the one that is being written, and writes a last one at once. */
  finish(network: ServedNetwork, point: Point): void {
    clearImmediate(this.#next);
    this.#writing?.return(undefined);
    this.#begin(network, point);
    while (this.#writesSlice());
  }

  #isDue({ steps, lines }: ServedNetwork): boolean {
    return lines !== this.#line || steps - this.#steps >= this.#options.events;
  }

  #begin(network: ServedNetwork, point: Point): void {
    const { recording, end } = this.#options;
    this.#begun = performance.now();
    this.#writing = writeSnapshot(snapshotPath(recording), network.snapshot(), point, end());
    this.#steps = network.steps;
    this.#line = network.lines;
  }

  /**
   * Writes a slice; returns false after the last one. Without room on the disk, say, a restart takes longer, and nothing
   * is lost: a warning says so, and the next snapshot is due as usual.
   */
  #writesSlice(): boolean {
    try {
      return this.#writing?.next().done === false;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      process.emitWarning(`${snapshotPath(this.#options.recording)} is not written: ${message}`);
      return false;
    }
  }

  #goOn(): void {
    if (this.#writesSlice()) {
      this.#next = setImmediate(() => this.#goOn());
      return;
    }
    this.#writing = undefined;
    const now = performance.now();
    this.#restsUntil = now + this.#options.rest * (now - this.#begun);
  }
}
