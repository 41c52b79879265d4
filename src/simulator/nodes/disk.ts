/** Durable records of one node. */
import type { DurableRecord } from "../../core/validator/output.ts";
import { DEFAULT_DISK, type DiskSettings, LOST_WRITES_MAX } from "../settings.ts";

interface Write {
  readonly key: string;
  readonly before: DurableRecord | undefined;
}

/** State of a disk: immutable records in the order of their first writes. */
export interface DiskState {
  readonly settings: DiskSettings;
  readonly records: ReadonlyMap<string, DurableRecord>;
  readonly recent: readonly Write[];
  readonly writes: number;
  readonly backup: ReadonlyMap<string, DurableRecord>;
}

export class Disk {
  settings: DiskSettings = DEFAULT_DISK;
  #records = new Map<string, DurableRecord>();
  /** Last acknowledged writes that a losing disk may lose, newest last. */
  #recent: Write[] = [];
  /** Number of writes begun: numbers the choices of their durations. */
  #writes = 0;
  /** Copy of the records at some time; empty without one. Never changed, so captures share it. */
  #backup: ReadonlyMap<string, DurableRecord> = new Map();

  /** @throws RangeError if `losesLast` exceeds its bound. */
  constructor(settings: Partial<DiskSettings> = {}) {
    this.change(settings);
  }

  /** Changes settings; records stay. @throws RangeError if `losesLast` exceeds its bound. */
  change(settings: Partial<DiskSettings>): void {
    const changed = { ...this.settings, ...settings };
    if (changed.losesLast < 0 || changed.losesLast > LOST_WRITES_MAX) {
      throw new RangeError(`disk: expected losesLast from 0 to ${LOST_WRITES_MAX}, got ${changed.losesLast}`);
    }
    this.settings = changed;
    this.#settle();
  }

  /** Counts one more begun write, and returns its number. */
  begin(): number {
    this.#writes += 1;
    return this.#writes;
  }

  /** Applies an acknowledged write. */
  write(key: string, record: DurableRecord): void {
    this.#remember(key);
    this.#records.set(key, record);
  }

  /** Applies an acknowledged erasure. */
  erase(key: string): void {
    this.#remember(key);
    this.#records.delete(key);
  }

  /** After a crash an honest disk keeps every acknowledged write; a losing disk loses the last ones. */
  crash(): void {
    for (const { key, before } of this.#recent.reverse()) {
      if (before === undefined) this.#records.delete(key);
      else this.#records.set(key, before);
    }
    this.#recent = [];
  }

  wipe(): void {
    this.#records.clear();
    this.#recent = [];
  }

  /** Copies the records, in place of an earlier copy. O(records). */
  backUp(): void {
    this.#backup = new Map(this.#records);
  }

  /** Returns to the records of the last copy. O(records). */
  rollBack(): void {
    this.#records = new Map(this.#backup);
    this.#recent = [];
  }

  /** Returns all records in key order. */
  records(): (readonly [key: string, record: DurableRecord])[] {
    return [...this.#records].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Returns a copy of its state. O(records). */
  capture(): DiskState {
    return {
      settings: this.settings,
      records: new Map(this.#records),
      recent: this.#recent.slice(),
      writes: this.#writes,
      backup: this.#backup,
    };
  }

  /** Returns to a captured state, which stays as it is. O(records). */
  restore({ settings, records, recent, writes, backup }: DiskState): void {
    this.settings = settings;
    this.#records = new Map(records);
    this.#recent = recent.slice();
    this.#writes = writes;
    this.#backup = backup;
  }

  #remember(key: string): void {
    if (this.settings.losesLast === 0) return;
    this.#recent.push({ key, before: this.#records.get(key) });
    this.#settle();
  }

  /** Forgets writes that no crash can undo any more. */
  #settle(): void {
    const settled = this.#recent.length - this.settings.losesLast;
    if (settled > 0) this.#recent.splice(0, settled);
  }
}
