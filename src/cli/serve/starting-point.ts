/** Starting point of a served network: options, a recording to continue, or one to load. */

import type { NetworkFiles, NetworkStart } from "../../live/past.ts";
import {
  headOf,
  RECORDING_BYTES,
  type Recording,
  type RecordingEntry,
  type RecordingHead,
  readRecording,
  type Setup,
} from "../../live/recording.ts";
import { effectiveOf } from "../../live/replay.ts";
import { readText } from "../../scenario/files.ts";
import { readSnapshot, removeUnfinished, SnapshotKeeper, snapshotPath } from "../../server/host/snapshot-file.ts";
import {
  beginStateFile,
  continueStateFile,
  FSYNC,
  type Fsync,
  lockState,
  MemorySink,
  openRecords,
  recordsPath,
  type Sink,
} from "../../server/host/state-file.ts";
import type { NamedText, RawServeOptions, ServeOptions } from "../../server/setup/options.ts";
import { readServeOptions } from "../../server/setup/read-options.ts";
import { setupOf } from "../../server/setup/setup-of.ts";
import type { SignatureFormat } from "../../server/wire/answer-options.ts";
import { type Args, textOf, texts, UsageError } from "../command.ts";
import { NETWORK_OPTIONS } from "./options.ts";

export interface StartingPoint {
  readonly setup: Setup;
  /** Snapshot that it begins from: `past` follows it. */
  readonly start?: NetworkStart | undefined;
  /** Files that take what leaves the memory; none without `--state`. */
  readonly files?: NetworkFiles;
  /** Keeps a snapshot beside the recording in a file. */
  readonly keeper?: SnapshotKeeper;
  /** Inputs of the recording; empty for a new network. */
  readonly past: readonly RecordingEntry[];
  readonly sink: Sink;
  /** The recording so far. */
  readonly recording: () => string;
  /** Notes for the user. */
  readonly notes: readonly string[];
  /** Defaults of the profile for the interface. */
  readonly requestsPerMinute: number | undefined;
  readonly signatureFormat: SignatureFormat;
}

/** @throws UsageError for invalid options, and for files that are not recordings or are in use. */
export function startingPoint(args: Args, now: number): StartingPoint {
  const options = optionsOf(args);
  const state = textOf(args, "state");
  if (state === undefined) {
    if (args["fsync"] !== undefined) throw new UsageError("--fsync: expected a file of --state to force to the disk");
    return memoryStart(args, options, now);
  }
  const release = claimState(state);
  try {
    return fileStart(state, release, args, options, now);
  } catch (error) {
    release();
    throw error;
  }
}

function memoryStart(args: Args, options: ServeOptions, now: number): StartingPoint {
  const { head, past, ...rest } = sourceOf(args, options, undefined, now);
  const sink = new MemorySink(head, past);
  return { ...rest, past, setup: head.setup, sink, recording: () => sink.text() };
}

function fileStart(state: string, release: () => void, args: Args, options: ServeOptions, now: number): StartingPoint {
  const kept = readState(state);
  removeUnfinished(snapshotPath(state));
  if (kept !== undefined && args["load"] !== undefined)
    throw new UsageError(`--load: ${state} already contains a network; omit --state or --load`);
  const { head, past, ...rest } = sourceOf(args, options, kept?.recording, now);
  const fsync = fsyncOf(args);
  const file =
    kept === undefined ? beginStateFile(state, head, past, fsync) : continueStateFile(state, kept.recording, fsync);
  const old = openRecords(recordsPath(state), kept?.start === undefined ? "empty" : "continued");
  const files = { old, readInputs: () => effectiveOf(readWhole(state).entries).inputs };
  const sink: Sink = {
    write: (entry) => file.write(entry),
    close: () => {
      file.close();
      old.close();
      release();
    },
  };
  const keeper = new SnapshotKeeper({ recording: state, end: () => file.end, old });
  const notes = [...rest.notes, ...(kept?.notes ?? [])];
  const { start } = kept ?? {};
  return { ...rest, notes, start, files, keeper, past, setup: head.setup, sink, recording: () => contentOf(state) };
}

interface Source extends Pick<StartingPoint, "past" | "notes" | "requestsPerMinute" | "signatureFormat"> {
  readonly head: RecordingHead;
}

/** Returns the recording to continue or to load, or the setup of the options. */
function sourceOf(args: Args, options: ServeOptions, kept: Recording | undefined, now: number): Source {
  const [state, load] = [textOf(args, "state"), textOf(args, "load")];
  const { requestsPerMinute, signatureFormat } = options;
  const defaults = { requestsPerMinute, signatureFormat };
  const source = kept ?? (load === undefined ? undefined : readWhole(load));
  if (source === undefined) return { head: headOf(setupOf(options, now)), past: [], notes: [], ...defaults };
  const path = (kept === undefined ? load : state) ?? "";
  const notes = [...notesOn(args, path), ...tornNote(path, source)];
  return { head: source.head, past: source.entries, notes, ...defaults };
}

function claimState(state: string): () => void {
  const lock = lockState(state);
  if (!lock.ok) throw new UsageError(`--state: ${lock.error}`);
  return lock.value;
}

/** @throws UsageError for any other word. */
function fsyncOf(args: Args): Fsync {
  const text = textOf(args, "fsync") ?? "interval";
  const known = FSYNC.find((one) => one === text);
  if (known === undefined) throw new UsageError(`--fsync: expected ${FSYNC.join(", ")}, got ${text}`);
  return known;
}

interface KeptState extends Pick<StartingPoint, "start" | "notes"> {
  /** The part to be repeated: all, or the lines after the snapshot. */
  readonly recording: Recording;
}

/** Returns the recording from its snapshot on, else the whole. */
function readState(path: string): KeptState | undefined {
  const snapshot = readSnapshot(path, () => effectiveOf(readWhole(path).entries).inputs);
  if (snapshot.ok && snapshot.value !== undefined) return { ...snapshot.value, notes: [] };
  const text = readText(path, RECORDING_BYTES);
  if (!text.ok && /ENOENT|no such file/i.test(text.error.message)) return undefined;
  if (text.ok && text.value === "") return undefined;
  const notes = snapshot.ok
    ? []
    : [`${snapshotPath(path)} is of no use, since ${snapshot.error}: repeating the whole recording`];
  return { recording: readWhole(path), start: undefined, notes };
}

function readWhole(path: string): Recording {
  const read = readRecording(contentOf(path));
  if (!read.ok) throw new UsageError(`${path}: ${read.error}`);
  return read.value;
}

function contentOf(path: string): string {
  const text = readText(path, RECORDING_BYTES);
  if (!text.ok) throw new UsageError(`${path}: ${text.error.message}`);
  return text.value;
}

function notesOn(args: Args, path: string): readonly string[] {
  const ignored = NETWORK_OPTIONS.filter((name) => args[name] !== undefined);
  return [
    `continuing the network of ${path}`,
    ...(ignored.length === 0 ? [] : [`it keeps its setup: ignoring --${ignored.join(", --")}`]),
  ];
}

/** No client was answered on the strength of a torn line: an answer is sent after its line is written. */
function tornNote(path: string, { torn }: Recording): readonly string[] {
  if (torn === undefined) return [];
  const { line, bytes, fault } = torn;
  return [`${path}: dropped line ${line}, ${bytes} bytes: ${fault}; no answer was sent that depends on it`];
}

function optionsOf(args: Args): ServeOptions {
  const raw: Record<string, unknown> = {};
  for (const name of NETWORK_OPTIONS) if (args[name] !== undefined) raw[name] = args[name];
  for (const name of ["genesis", "scenario"])
    if (args[name] !== undefined) raw[name] = namedText(textOf(args, name) ?? "");
  if (args["token"] !== undefined) raw["token"] = texts(args, "token");
  const read = readServeOptions(raw as RawServeOptions);
  if (!read.ok) throw new UsageError(read.error);
  return read.value;
}

function namedText(file: string): NamedText {
  const text = readText(file);
  if (!text.ok) throw new UsageError(`${file}: ${text.error.message}`);
  return { file, text: text.value };
}
