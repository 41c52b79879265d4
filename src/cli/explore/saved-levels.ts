/** Files from which an exploration resumes: the exhausted levels, and the search of an unfinished one. */
import { closeSync, existsSync, openSync, readSync, renameSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import type { DoneLevel, Level, SavedLevel } from "../../explore/deepen.ts";
import type { LivenessMode } from "../../explore/liveness.ts";
import type { Bounds } from "../../explore/system.ts";
import { packageVersion } from "../../run/version.ts";
import { readText } from "../../scenario/files.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { UsageError } from "../command.ts";

/**
 * Identity of an exploration: levels are valid only for the same scenario, variant, Byzantine validator, liveness mode
 * and version.
 */
export interface Explored {
  readonly scenario: Scenario;
  readonly bug: string | undefined;
  readonly byzantine: string | undefined;
  readonly liveness: LivenessMode;
}

/** Returns the levels of a file; none if it does not exist. @throws UsageError if they are of another exploration. */
export function readLevels(file: string, explored: Explored): readonly DoneLevel[] {
  if (!existsSync(file)) return [];
  const text = readText(file);
  if (!text.ok) throw new UsageError(`--resume: ${file}: ${text.error.message}`);
  const data = parsed(file, text.value);
  if (data.of !== nameOf(explored))
    throw new UsageError(
      `--resume: ${file} holds levels of another scenario, variant, Byzantine validator, liveness mode or version`,
    );
  return data.levels;
}

/** Adds a level to those of a file. */
export function writeLevels(
  file: string,
  explored: Explored,
  done: readonly DoneLevel[],
  level: Level,
): readonly DoneLevel[] {
  const { states, transitions } = level;
  const levels = [...done, { ...level.bounds, states, transitions }];
  const text = `${JSON.stringify({ type: "explored levels", of: nameOf(explored), levels }, undefined, 1)}\n`;
  replaceFile(file, (unfinished) => writeFileSync(unfinished, text));
  return levels;
}

function parsed(file: string, text: string): { readonly of: string; readonly levels: readonly DoneLevel[] } {
  try {
    const data = JSON.parse(text) as { readonly type?: unknown; readonly of?: unknown; readonly levels?: unknown };
    if (data.type === "explored levels" && typeof data.of === "string" && Array.isArray(data.levels))
      return { of: data.of, levels: data.levels as readonly DoneLevel[] };
  } catch (error) {
    throw new UsageError(
      `--resume: ${file}: expected explored levels: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  throw new UsageError(`--resume: ${file}: expected explored levels, as explore writes them`);
}

/** Returns the identity of an exploration as text. */
function nameOf({ scenario, bug, byzantine, liveness }: Explored): string {
  return JSON.stringify([packageVersion(), scenario, bug ?? null, byzantine ?? null, liveness]);
}

/** Maximum length of a saved search's header, which contains the whole scenario. */
const HEADER_BYTES = 4_194_304;
/** Numbers in a compressed chunk of a saved search: 16 MB. */
const PIECE_INTS: number = 1 << 22;

/** Format version of the rows. */
const FORMAT = 2;

interface Header {
  readonly type: "explored part";
  readonly format: typeof FORMAT;
  readonly of: string;
  readonly bounds: Bounds;
  /** Lengths of the rows. */
  readonly rows: readonly number[];
}

/** Returns the file of the unfinished level, derived from that of the exhausted ones. */
export function savedFile(levels: string): string {
  return `${levels}.part`;
}

/**
 * Writes a level atomically: a JSON header with its identity, then rows of 32-bit numbers, compressed in chunks, since a
 * search of many millions of states does not fit in one buffer.
 */
export function writeSaved(file: string, explored: Explored, { bounds, saved: kept }: SavedLevel): void {
  const rows = kept.map(({ length }) => length);
  const header: Header = { type: "explored part", format: FORMAT, of: nameOf(explored), bounds, rows };
  replaceFile(file, (unfinished) => {
    const to = openSync(unfinished, "w");
    try {
      writeAll(to, Buffer.from(`${JSON.stringify(header)}\n`));
      for (const row of kept) writeRow(to, row);
    } finally {
      closeSync(to);
    }
  });
}

/** Removes the file after its level has ended. */
export function dropSaved(file: string): void {
  rmSync(file, { force: true });
}

/**
 * Returns the level of a file; `undefined` if it does not exist. @throws UsageError if it is of another exploration, or
 * truncated.
 */
export function readSaved(file: string, explored: Explored): SavedLevel | undefined {
  if (!existsSync(file)) return undefined;
  const from = openSync(file, "r");
  try {
    const { text, end } = firstLine(from);
    const { of, bounds, rows } = headerIn(text);
    if (of !== nameOf(explored))
      throw new RangeError(
        "it holds a search of another scenario, variant, Byzantine validator, liveness mode or version",
      );
    let at = end;
    const kept = rows.map((length) => {
      const row = new Int32Array(length);
      for (let start = 0; start < length; start += PIECE_INTS)
        at = readPiece(from, at, row.subarray(start, start + PIECE_INTS));
      return row;
    });
    return { bounds, saved: kept };
  } catch (error) {
    throw new UsageError(`--resume: ${file}: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    closeSync(from);
  }
}

function writeRow(to: number, row: Int32Array): void {
  for (let start = 0; start < row.length; start += PIECE_INTS) {
    const piece = row.subarray(start, start + PIECE_INTS);
    const packed = gzipSync(new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength), { level: 1 });
    const size = Buffer.alloc(4);
    size.writeUInt32LE(packed.length);
    writeAll(to, size);
    writeAll(to, packed);
  }
}

function writeAll(to: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(to, bytes, at);
}

/** Reads one chunk into `ints`; returns the position of the next one. */
function readPiece(from: number, at: number, ints: Int32Array): number {
  const size = readExactly(from, at, 4).readUInt32LE();
  const bytes = gunzipSync(readExactly(from, at + 4, size), { maxOutputLength: ints.byteLength });
  if (bytes.length !== ints.byteLength)
    throw new RangeError(`expected a piece of ${ints.byteLength} bytes, got ${bytes.length}`);
  new Uint8Array(ints.buffer, ints.byteOffset, ints.byteLength).set(bytes);
  return at + 4 + size;
}

function readExactly(from: number, at: number, size: number): Buffer {
  if (size > 8 * PIECE_INTS) throw new RangeError(`expected a piece of at most ${8 * PIECE_INTS} bytes, got ${size}`);
  const bytes = Buffer.alloc(size);
  for (let read = 0; read < size; ) {
    const more = readSync(from, bytes, read, size - read, at + read);
    if (more === 0) throw new RangeError(`it ends after ${at + read} bytes, in the middle of a search`);
    read += more;
  }
  return bytes;
}

function firstLine(from: number): { readonly text: string; readonly end: number } {
  const bytes = Buffer.alloc(HEADER_BYTES);
  const read = readSync(from, bytes, 0, HEADER_BYTES, 0);
  const end = bytes.subarray(0, read).indexOf(0x0a);
  if (end < 0) throw new RangeError("expected a search that was stopped, as explore keeps it");
  return { text: bytes.toString("utf8", 0, end), end: end + 1 };
}

function headerIn(text: string): Header {
  const data = dataIn(text);
  if (data.type !== "explored part") throw new RangeError("expected a search that was stopped, as explore keeps it");
  if (data.format !== FORMAT) throw new RangeError(`expected format ${FORMAT}, got ${JSON.stringify(data.format)}`);
  const { bounds, rows } = data;
  const isCount = (one: unknown): boolean => Number.isInteger(one) && (one as number) >= 0;
  if (!isCount(bounds?.rounds) || !isCount(bounds?.crashes) || !Array.isArray(rows) || !rows.every(isCount))
    throw new RangeError("expected its bounds, and how long each row is");
  return data as Header;
}

function dataIn(text: string): Partial<Header> {
  try {
    return JSON.parse(text) as Partial<Header>;
  } catch (error) {
    throw new RangeError(`its first line is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Lets `write` create a file and then renames it to `file`. */
function replaceFile(file: string, write: (unfinished: string) => void): void {
  const unfinished = `${file}.unfinished`;
  write(unfinished);
  renameSync(unfinished, file);
}
