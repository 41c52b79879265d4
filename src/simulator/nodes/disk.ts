/** Durable records of one node. Persistent: a fork keeps the references. */
import { UndoMap } from "../../core/base/undo-map.ts";
import type { DurableRecord } from "../../core/validator/output.ts";
import { DEFAULT_DISK, type DiskSettings, LOST_WRITES_MAX } from "../settings.ts";

interface Write {
  readonly key: string;
  readonly before: DurableRecord | undefined;
}

export interface Disk {
  readonly settings: DiskSettings;
  readonly records: UndoMap<DurableRecord>;
  /** Last acknowledged writes that a losing disk may lose, newest last. */
  readonly recent: readonly Write[];
  /** Number of writes begun: numbers the choices of their durations. */
  readonly writes: number;
}

/** Returns an empty disk. @throws RangeError if `losesLast` exceeds its bound. */
export function emptyDisk(settings: Partial<DiskSettings> | undefined): Disk {
  return changeDisk({ settings: DEFAULT_DISK, records: UndoMap.empty(), recent: [], writes: 0 }, settings ?? {});
}

/** Returns the disk with other settings; records stay. @throws RangeError if `losesLast` exceeds its bound. */
export function changeDisk(disk: Disk, settings: Partial<DiskSettings>): Disk {
  const changed = { ...disk.settings, ...settings };
  if (changed.losesLast < 0 || changed.losesLast > LOST_WRITES_MAX) {
    throw new RangeError(`disk: expected losesLast from 0 to ${LOST_WRITES_MAX}, got ${changed.losesLast}`);
  }
  return { ...disk, settings: changed, recent: changed.losesLast === 0 ? [] : disk.recent };
}

/** Counts one more begun write. */
export function begun({ settings, records, recent, writes }: Disk): Disk {
  return { settings, records, recent, writes: writes + 1 };
}

/** Applies an acknowledged write. */
export function write(disk: Disk, key: string, record: DurableRecord): Disk {
  const { settings, writes } = disk;
  return { settings, records: disk.records.set(key, record), recent: withLast(disk, key), writes };
}

/** Applies an acknowledged erasure. */
export function erase(disk: Disk, key: string): Disk {
  return { ...disk, records: disk.records.delete(key), recent: withLast(disk, key) };
}

function withLast({ settings, records, recent }: Disk, key: string): Disk["recent"] {
  const { losesLast } = settings;
  return losesLast === 0 ? recent : [...recent, { key, before: records.get(key) }].slice(-losesLast);
}

/** After a crash an honest disk keeps every acknowledged write; a losing disk loses the last ones. */
export function afterCrash(disk: Disk): Disk {
  let { records } = disk;
  for (const { key, before } of disk.recent.toReversed()) {
    records = before === undefined ? records.delete(key) : records.set(key, before);
  }
  return { ...disk, records, recent: [] };
}

/** Returns the disk without records. */
export function wiped(disk: Disk): Disk {
  return { ...disk, records: UndoMap.empty(), recent: [] };
}
