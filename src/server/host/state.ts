/** State of a served network in files: lock, recording, snapshot and old records, opened and verified together. */
import { err, ok, type Result } from "../../core/base/result.ts";
import type { NetworkFiles, NetworkStart } from "../../live/input-history.ts";
import { type RecordingEntry, type RecordingHead, readRecording, recordingSizeFault } from "../../live/recording.ts";
import { effectiveOf } from "../../live/replay.ts";
import { disk, EMPTY, onFile, readFile, StateFileError, sizeOf } from "./disk.ts";
import { readSnapshot, removeSnapshot, SnapshotKeeper, type SnapshotStart, snapshotPath } from "./snapshot-file.ts";
import { draftPath, endOf, type Fsync, openRecords, RecordingFile, recordsPath } from "./state-file.ts";
import type { StateLock } from "./state-lock.ts";

/** Content of the files of a network that ran before: all is to be repeated, or the lines after the snapshot. */
export interface KeptState extends Omit<SnapshotStart, "start"> {
  readonly start: NetworkStart | undefined;
  readonly notes: readonly string[];
}

/**
 * Reads what a network left; `undefined` for a new one. The error names the file, and the line if one is damaged.
 * @throws StateFileError for an error of the disk
 */
export function readState(path: string): Result<KeptState | undefined, string> {
  if (sizeOf(path) === 0) return missingFault(path);
  const snapshot = readSnapshot(path, () => readInputs(path));
  if (snapshot.ok && snapshot.value !== undefined) return ok({ ...snapshot.value, notes: [] });
  const whole = readWhole(path);
  if (!whole.ok) return err(`${path}: ${whole.error}`);
  const reason = snapshot.ok
    ? []
    : [`${snapshotPath(path)} is of no use, since ${snapshot.error}: repeating the whole recording`];
  return ok({ ...whole.value, start: undefined, old: EMPTY, notes: reason });
}

/** Files beside a recording without it belong to a network that is lost, and not to a new one. */
function missingFault(path: string): Result<undefined, string> {
  const left = [snapshotPath(path), recordsPath(path)].filter((other) => sizeOf(other) > 0);
  if (left.length === 0) return ok(undefined);
  return err(`${path} is missing or empty, and ${left.join(", ")} is there: put it back, or remove what is left of it`);
}

function readWhole(path: string): Result<Pick<KeptState, "recording" | "end">, string> {
  const bytes = readFile(path) ?? Buffer.alloc(0);
  const fault = recordingSizeFault(bytes.length);
  if (fault !== undefined) return err(fault);
  const read = readRecording(bytes.toString("utf8"));
  return read.ok ? ok({ recording: read.value, end: endOf(read.value, bytes) }) : read;
}

/** @throws StateFileError for a recording that was damaged since the start */
function readInputs(path: string): ReturnType<NetworkFiles["readInputs"]> {
  const whole = readWhole(path);
  if (!whole.ok) throw new StateFileError(path, whole.error);
  return effectiveOf(whole.value.recording.entries).inputs;
}

/**
 * Opens the files of a network, a new one with its head and past where nothing is kept. Their end releases the lock.
 * `warn` is told what goes on in spite of an error of the disk. @throws StateFileError
 */
export function openState(
  lock: StateLock,
  kept: KeptState | undefined,
  { head, past }: { readonly head: RecordingHead; readonly past: readonly RecordingEntry[] },
  fsync: Fsync,
  warn: (message: string) => void,
) {
  const { path } = lock;
  onFile(path, () => disk.remove(draftPath(path), { force: true }));
  // Old records begin anew without a snapshot, which must not refer to them.
  removeSnapshot(path, kept?.start === undefined ? "all" : "unfinished");
  const file =
    kept === undefined ? RecordingFile.begin(path, head, past, fsync) : RecordingFile.continue(path, kept.end, fsync);
  const old = openRecords(recordsPath(path), kept?.old ?? EMPTY, warn);
  return {
    sink: {
      write: (entry: RecordingEntry) => file.write(entry),
      close: () => {
        try {
          old.close();
          file.close();
        } finally {
          lock.release();
        }
      },
    },
    files: { old, readInputs: () => readInputs(path), sizeFault: () => recordingSizeFault(file.end.bytes) },
    keeper: new SnapshotKeeper({ recording: path, end: () => file.end, old, warn }),
    /**
     * Puts a removed recording back. @throws StateFileError if another file stands in its place, or no lock any more, and
     * after a late error
     */
    putBack: () => {
      if (!lock.isHeld) throw new StateFileError(path, "its lock was removed while it was in use");
      if (file.putBack()) warn(`${path} was removed while it was in use, and is put back`);
    },
    /** The recording so far. O(bytes). */
    recording: () => (readFile(path) ?? Buffer.alloc(0)).toString("utf8"),
  };
}
