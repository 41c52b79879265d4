/**
 * Snapshot of a network beside its recording: one line of JSON, then the bytes of its graph. It names the verification
 * point of the recording that it belongs to, and is worth nothing without it: the recording is the truth.
 * Its keeper writes one after so many events, beside the work of the network, and one at the end.
 */
import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import type { Millis } from "../../core/base/ids.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import { byzantineIn } from "../../live/live-run.ts";
import type { ServedNetwork } from "../../live/network.ts";
import type { NetworkSnapshot, NetworkStart } from "../../live/past.ts";
import { type Recording, type RecordingEntry, readFollowing, readHead } from "../../live/recording.ts";
import { type EffectiveRecording, effectiveOf, entriesFrom } from "../../live/replay.ts";
import { packageVersion } from "../../run/version.ts";
import { SNAPSHOT_EVENTS, SNAPSHOT_REST } from "../limits.ts";
import { type RecordFile, type RecordingEnd, readBytes, recordsPath } from "./state-file.ts";

/** Raised by a change of the file; a change of the state is another build. */
const SNAPSHOT_FORMAT = 1;

/** Bytes that hold any line with a verification point. */
const POINT_BYTES = 1_024;

/** Bytes that are read at once in search of the end of a line. */
const BLOCK_BYTES = 65_536;

type Point = Extract<RecordingEntry, { type: "verification" }>;

interface SnapshotHeader {
  readonly type: "snapshot";
  readonly format: number;
  readonly quorumlab: string;
  readonly build: string;
  readonly recording: RecordingEnd;
  readonly point: Point;
  readonly inputs: number;
  readonly byzantine: readonly string[];
  /** Bytes of the file of old records, to which the graph refers. */
  readonly oldBytes: number;
  readonly graph: { readonly bytes: number; readonly sha256: string };
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
  { inputs, byzantine, graph }: NetworkSnapshot,
  point: Point,
  recording: RecordingEnd,
  old: Pick<RecordFile, "force">,
): Generator<void> {
  const parts = `${path}.graph`;
  const digest = createHash("sha256");
  const file = openSync(parts, "w+");
  try {
    let bytes = 0;
    for (const slice of graph) {
      writeSync(file, slice);
      digest.update(slice);
      bytes += slice.length;
      yield;
    }
    const header: SnapshotHeader = {
      type: "snapshot",
      format: SNAPSHOT_FORMAT,
      quorumlab: packageVersion(),
      build: programBuild(),
      ...{ recording, point, inputs, byzantine },
      oldBytes: old.force(),
      graph: { bytes, sha256: digest.digest("hex") },
    };
    // The header comes last, since it holds the digest of what precedes it.
    const line = Buffer.from(`${JSON.stringify(header)}\n`);
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(line.length);
    writeSync(file, Buffer.concat([line, length]));
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(parts, path);
}

/** The last bytes hold the length of the header before them. */
const LENGTH_BYTES = 4;

/** Removes what a killed process left of an unfinished snapshot. */
export function removeUnfinished(path: string): void {
  rmSync(`${path}.graph`, { force: true });
}

/** Beginning of a network that has a snapshot. */
export interface SnapshotStart {
  /** The head of the recording, and its entries after the snapshot, with inputs counted from there. */
  readonly recording: Recording;
  readonly start: NetworkStart;
}

/**
 * Returns the start that a snapshot gives; `undefined` if there is none, or why it is of no use. `readEarlier` reads the
 * entries of the whole recording.
 */
export function readSnapshot(
  recording: string,
  readEarlier: () => EffectiveRecording["inputs"],
): Result<SnapshotStart | undefined, string> {
  const path = snapshotPath(recording);
  if (!existsSync(path) || !existsSync(recording)) return ok(undefined);
  const bytes = readFileSync(path);
  const header = headerIn(bytes);
  if (!header.ok) return header;
  const { build, quorumlab, graph, point, inputs, byzantine } = header.value;
  if (quorumlab !== packageVersion() || build !== programBuild()) return err("another build of quorumlab wrote it");
  const graphBytes = bytes.subarray(0, graph.bytes);
  if (createHash("sha256").update(graphBytes).digest("hex") !== graph.sha256) return err("it is damaged");
  const old = recordsPath(recording);
  if ((existsSync(old) ? statSync(old).size : 0) < header.value.oldBytes) return err("old records are missing");
  const rest = readRest(recording, header.value);
  if (!rest.ok) return rest;
  const entries = entriesFrom({ inputs, at: point.at as Millis }, rest.value.entries);
  if (entries === undefined) return err("what it shows was undone later");
  const later = byzantineIn(effectiveOf(entries).inputs.map(({ input }) => input));
  if ([...later].some((name) => !byzantine.includes(name))) return err("a validator became Byzantine after it");
  const earlier = { count: inputs, byzantine: new Set(byzantine), read: readEarlier };
  return ok({ recording: { ...rest.value, entries }, start: { graph: graphBytes, steps: point.steps, earlier } });
}

function headerIn(bytes: Buffer): Result<SnapshotHeader, string> {
  const end = bytes.length - LENGTH_BYTES;
  const length = end < 0 ? Number.MAX_SAFE_INTEGER : bytes.readUInt32BE(end);
  if (length > end) return err("it is cut short");
  try {
    const header = JSON.parse(bytes.toString("utf8", end - length, end)) as SnapshotHeader;
    if (header.type !== "snapshot" || header.format !== SNAPSHOT_FORMAT) return err("it has another format");
    return header.graph.bytes === end - length ? ok(header) : err("it is damaged");
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return err("it is damaged");
    throw error;
  }
}

/** Reads the head of a recording, the line of the point, and what follows it. O(following lines). */
function readRest(path: string, { recording: { bytes, sum }, point }: SnapshotHeader): Result<Recording, string> {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    if (size < bytes) return err("the recording ends before it");
    const start = Math.max(0, bytes - POINT_BYTES);
    const lines = readBytes(file, start, bytes).toString("utf8").split("\n");
    if (lines.at(-2) !== `${JSON.stringify(point).slice(0, -1)},"sum":"${sum}"}`)
      return err("it belongs to another recording");
    const head = readHead(firstLine(file, size));
    if (!head.ok) return head;
    const following = readFollowing(readBytes(file, bytes, size).toString("utf8"), head.value, sum);
    // Only a whole reading names the line.
    if (!following.ok) return err("the recording was changed after it");
    return ok({ ...following.value, bytes: bytes + following.value.bytes });
  } finally {
    closeSync(file);
  }
}

function firstLine(file: number, size: number): string {
  const blocks: Buffer[] = [];
  for (let at = 0; at < size; at += BLOCK_BYTES) {
    const block = readBytes(file, at, Math.min(size, at + BLOCK_BYTES));
    const end = block.indexOf("\n");
    blocks.push(end < 0 ? block : block.subarray(0, end));
    if (end >= 0) break;
  }
  return Buffer.concat(blocks).toString("utf8");
}

/** Build of this process: files may change below it later. */
let knownBuild: string | undefined;

/**
 * Returns a text that differs between builds, since a snapshot is read by the build that wrote it only: the names of a
 * bundle's parts carry the hashes of their content. The files are looked at once.
 */
function programBuild(): string {
  knownBuild ??= buildIn(new URL(".", import.meta.url));
  return knownBuild;
}

function buildIn(folder: URL): string {
  const sizes = readdirSync(folder)
    .sort()
    .map((name) => `${name} ${statSync(new URL(encodeURIComponent(name), folder)).size}`);
  return createHash("sha256").update(sizes.join("\n")).digest("hex").slice(0, 32);
}

export interface KeeperOptions {
  /** File of the recording. */
  readonly recording: string;
  /** Position behind the last line of the recording. */
  readonly end: () => RecordingEnd;
  /** Old records of the network. */
  readonly old: Pick<RecordFile, "force">;
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
    programBuild();
  }

  /** Notes the network as it starts, with what its snapshot covers. */
  noteStart({ lines }: ServedNetwork, covered: number): void {
    this.#steps = covered;
    this.#line = lines;
  }

  /** Called right after a verification point was recorded: begins a snapshot if one is due. */
  pointWritten(network: ServedNetwork, point: Point): void {
    if (this.#writing !== undefined || performance.now() < this.#restsUntil || !this.#isDue(network)) return;
    this.#beginWriting(network, point);
    this.#next = setImmediate(() => this.#continueWriting());
  }

  /** Ends the one that is being written, and writes a last one at once. */
  finish(network: ServedNetwork, point: Point): void {
    clearImmediate(this.#next);
    this.#writing?.return(undefined);
    this.#beginWriting(network, point);
    while (this.#writesSlice());
  }

  #isDue({ steps, lines }: ServedNetwork): boolean {
    return lines !== this.#line || steps - this.#steps >= this.#options.events;
  }

  #beginWriting(network: ServedNetwork, point: Point): void {
    const { recording, end, old } = this.#options;
    this.#begun = performance.now();
    this.#writing = writeSnapshot(snapshotPath(recording), network.snapshot(), point, end(), old);
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

  #continueWriting(): void {
    if (this.#writesSlice()) {
      this.#next = setImmediate(() => this.#continueWriting());
      return;
    }
    this.#writing = undefined;
    const now = performance.now();
    this.#restsUntil = now + this.#options.rest * (now - this.#begun);
  }
}
