/**
 * Snapshot of a network beside its recording: one line of JSON, then the bytes of its graph. It names the verification
 * point of the recording that it belongs to, and is worth nothing without it: the recording is the truth.
 * Its keeper writes one after so many events, beside the work of the network, and one at the end.
 */
import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { crc32 } from "node:zlib";
import type { Millis } from "../../core/base/ids.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import type { NetworkSnapshot, NetworkStart } from "../../live/input-history.ts";
import { byzantineIn } from "../../live/live-run.ts";
import type { ServedNetwork } from "../../live/network.ts";
import { type Recording, readFollowing, readHead, type VerificationPoint } from "../../live/recording.ts";
import { type EffectiveRecording, effectiveOf, entriesFrom } from "../../live/replay.ts";
import { packageVersion } from "../../run/version.ts";
import { SNAPSHOT_EVENTS, SNAPSHOT_REST } from "../limits.ts";
import { AppendedFile, disk, EMPTY, endAt, type FileEnd, onFile, readFile, StateFileError } from "./disk.ts";
import { endOf, type RecordFile, type RecordingEnd, recordsPath, warnOf } from "./state-file.ts";

/** Raised by a change of the file; a change of the state is another build. */
const SNAPSHOT_FORMAT = 4;

interface SnapshotHeader extends Omit<NetworkSnapshot, "graph"> {
  readonly type: "snapshot";
  readonly format: number;
  readonly quorumlab: string;
  readonly build: string;
  readonly recording: RecordingEnd;
  readonly point: VerificationPoint;
  /** End of the old records, to which the graph refers. */
  readonly old: FileEnd;
  readonly graphBytes: number;
}

/** Name of the snapshot of a recording. */
export function snapshotPath(recording: string): string {
  return `${recording}.snapshot`;
}

/**
 * Writes a snapshot in slices, and puts it in the place of the last one when it is complete. `point`: the last line of
 * the recording, at which the snapshot was taken. `old`: the records to which it refers, which must be on the disk first.
 */
export function* writeSnapshot(
  path: string,
  { inputs, byzantine, snapshots, graph }: NetworkSnapshot,
  point: VerificationPoint,
  recording: RecordingEnd,
  old: Pick<RecordFile, "force">,
): Generator<void> {
  const file = new AppendedFile(`${path}.graph`, EMPTY);
  try {
    for (const slice of graph) {
      file.append(slice);
      yield;
    }
    const header: SnapshotHeader = {
      type: "snapshot",
      format: SNAPSHOT_FORMAT,
      quorumlab: packageVersion(),
      build: programBuild(),
      ...{ recording, point, inputs, byzantine, snapshots },
      old: old.force(),
      graphBytes: file.end.bytes,
    };
    // The header comes last, since it holds the length of what precedes it.
    const line = Buffer.from(`${JSON.stringify(header)}\n`);
    file.append(line);
    file.append(numberBytes(line.length));
    file.append(numberBytes(file.end.crc));
    file.force();
  } finally {
    file.close();
  }
  onFile(path, () => disk.rename(file.path, path));
}

function numberBytes(number: number): Buffer {
  const bytes = Buffer.alloc(NUMBER_BYTES);
  bytes.writeUInt32BE(number);
  return bytes;
}

/** The last bytes hold the length of the header before them, and the checksum of all before it. */
const NUMBER_BYTES = 4;

/** Removes a snapshot, and what a killed process left of an unfinished one. */
export function removeSnapshot(recording: string, which: "all" | "unfinished"): void {
  const path = snapshotPath(recording);
  onFile(path, () => {
    disk.remove(`${path}.graph`, { force: true });
    if (which === "all") disk.remove(path, { force: true });
  });
}

/** Beginning of a network that has a snapshot. */
export interface SnapshotStart {
  /** Its entries follow the snapshot. */
  readonly recording: Recording;
  /** Position behind its last whole line. */
  readonly end: RecordingEnd;
  /** End of the old records. */
  readonly old: FileEnd;
  readonly start: NetworkStart;
}

/**
 * Reads the snapshot beside a recording; `undefined` if there is none. The error says why it is of no use: then the whole
 * recording is repeated. The checksums of all bytes of the recording and of the old records are compared. O(bytes).
 */
export function readSnapshot(
  recording: string,
  readEarlier: () => EffectiveRecording["inputs"],
): Result<SnapshotStart | undefined, string> {
  const read = readHeader(recording);
  if (!read.ok || read.value === undefined) return read as Result<undefined, string>;
  const { bytes, header } = read.value;
  const { point, inputs, byzantine, snapshots, graphBytes, old } = header;
  const rest = readRest(recording, header.recording);
  if (!rest.ok) return rest;
  const { recording: following, end } = rest.value;
  const entries = entriesFrom({ inputs, at: point.at as Millis }, following.entries);
  if (entries === undefined) return err("what it shows was undone later");
  const later = byzantineIn(effectiveOf(entries).inputs.map(({ input }) => input));
  if ([...later].some((name) => !byzantine.includes(name))) return err("a validator became Byzantine after it");
  const earlier = { count: inputs, byzantine: new Set(byzantine), read: readEarlier };
  const start = { graph: bytes.subarray(0, graphBytes), steps: point.steps, earlier, snapshots };
  return ok({ recording: { ...following, entries }, end, old, start });
}

/** Reads a snapshot, and compares the old records with what it says of them. What cannot be read is of no use. */
function readHeader(
  recording: string,
): Result<{ readonly bytes: Buffer; readonly header: SnapshotHeader } | undefined, string> {
  try {
    const bytes = readFile(snapshotPath(recording));
    if (bytes === undefined) return ok(undefined);
    const header = headerIn(bytes);
    if (!header.ok) return header;
    const { quorumlab, build, old } = header.value;
    if (quorumlab !== packageVersion() || build !== programBuild()) return err("another build of quorumlab wrote it");
    return endAt(recordsPath(recording), old.bytes)?.crc === old.crc
      ? ok({ bytes, header: header.value })
      : err("old records are missing or damaged");
  } catch (error) {
    if (error instanceof StateFileError) return err(error.message);
    throw error;
  }
}

function headerIn(bytes: Buffer): Result<SnapshotHeader, string> {
  const end = bytes.length - 2 * NUMBER_BYTES;
  if (end < 0) return err("it is cut short");
  const length = bytes.readUInt32BE(end);
  if (crc32(bytes.subarray(0, end + NUMBER_BYTES)) !== bytes.readUInt32BE(end + NUMBER_BYTES) || length > end)
    return err("it is damaged, cut short or of another format");
  const header = JSON.parse(bytes.toString("utf8", end - length, end)) as SnapshotHeader;
  return header.format === SNAPSHOT_FORMAT ? ok(header) : err("it has another format");
}

/** Reads the head of a recording and what follows an end. O(bytes), of which those before the end are compared only. */
function readRest(path: string, before: RecordingEnd): Result<Pick<SnapshotStart, "recording" | "end">, string> {
  const { sum, bytes: start, crc } = before;
  const bytes = readFile(path);
  if (bytes === undefined || bytes.length < start) return err("the recording ends before it");
  if (crc32(bytes.subarray(0, start)) !== crc) return err("the recording before it is damaged, or another one");
  const head = readHead(bytes.toString("utf8", 0, bytes.indexOf("\n")));
  if (!head.ok) return head;
  const following = readFollowing(bytes.toString("utf8", start), head.value, sum);
  // Only a whole reading names the line.
  if (!following.ok) return err("the recording was changed after it");
  const recording = { ...following.value, bytes: start + following.value.bytes };
  return ok({ recording, end: endOf(recording, bytes, before) });
}

/** Build of this process: files may change below it later. */
let knownBuild: string | undefined;

/**
 * Returns a text that differs between builds, since a snapshot is read by the build that wrote it only: the names of a
 * bundle's parts carry the hashes of their content. The files are looked at once.
 */
function programBuild(): string {
  if (knownBuild !== undefined) return knownBuild;
  const folder = new URL(".", import.meta.url);
  const sizes = readdirSync(folder)
    .sort()
    .map((name) => `${name} ${statSync(new URL(encodeURIComponent(name), folder)).size}`);
  knownBuild = createHash("sha256").update(sizes.join("\n")).digest("hex").slice(0, 32);
  return knownBuild;
}

export interface KeeperOptions {
  /** File of the recording. */
  readonly recording: string;
  /** Position behind the last line of the recording. */
  readonly end: () => RecordingEnd;
  /** Old records of the network. */
  readonly old: Pick<RecordFile, "force">;
  /** Told of a snapshot that could not be written. */
  readonly warn: (message: string) => void;
  /** Events between two snapshots; default `SNAPSHOT_EVENTS`. */
  readonly events?: number;
  /** Times the work of a slice that pass before the next one; default `SNAPSHOT_REST`. */
  readonly rest?: number;
}

export class SnapshotKeeper {
  readonly #options: Required<KeeperOptions>;
  #writing: Generator<void> | undefined;
  /** Keeps the next slice from being written; `undefined` if none is due. */
  #cancel: (() => void) | undefined;
  /** Events, and line of time, at the last one that was begun. */
  #steps = 0;
  #line = 0;

  constructor(options: KeeperOptions) {
    this.#options = { events: SNAPSHOT_EVENTS, rest: SNAPSHOT_REST, ...options };
    programBuild();
  }

  /** Notes the network as it starts, with what its snapshot covers. */
  noteStart({ lines }: ServedNetwork, covered: number): void {
    this.#steps = covered;
    this.#line = lines;
  }

  /** Called right after a verification point was recorded: begins a snapshot if one is due. */
  pointWritten(network: ServedNetwork, point: VerificationPoint): void {
    const isDue = network.lines !== this.#line || network.steps - this.#steps >= this.#options.events;
    if (this.#cancel !== undefined || !isDue) return;
    const start = performance.now();
    this.#beginWriting(network, point);
    this.#rest(start);
  }

  /** Ends the one that is being written, and writes a last one at once. */
  finish(network: ServedNetwork, point: VerificationPoint): void {
    this.#cancel?.();
    this.#attempt(() => this.#writing?.return(undefined));
    this.#beginWriting(network, point);
    while (this.#writesSlice());
  }

  #beginWriting(network: ServedNetwork, point: VerificationPoint): void {
    const { recording, end, old } = this.#options;
    this.#writing = writeSnapshot(snapshotPath(recording), network.snapshot(), point, end(), old);
    this.#steps = network.steps;
    this.#line = network.lines;
  }

  /** Writes a slice; returns false after the last one. */
  #writesSlice(): boolean {
    return this.#attempt(() => this.#writing?.next())?.done === false;
  }

  /**
   * Without room on the disk, say, a restart takes longer, and nothing is lost: a warning says so, and the next snapshot
   * is due as usual.
   */
  #attempt<T>(work: () => T): T | undefined {
    const { recording, warn } = this.#options;
    return warnOf(work, (message) => warn(`${snapshotPath(recording)} is not written: ${message}`));
  }

  /**
   * Rests after work that began at `start`, then writes the next slice: all slices in a row would hold up what clients
   * wait for as long as a whole writing takes.
   */
  #rest(start: number): void {
    const milliseconds = this.#options.rest * (performance.now() - start);
    const go = (): void => {
      const begin = performance.now();
      if (this.#writesSlice()) this.#rest(begin);
      else [this.#writing, this.#cancel] = [undefined, undefined];
    };
    if (milliseconds < 1) {
      const next = setImmediate(go);
      this.#cancel = () => clearImmediate(next);
    } else {
      const next = setTimeout(go, milliseconds);
      this.#cancel = () => clearTimeout(next);
    }
  }
}
