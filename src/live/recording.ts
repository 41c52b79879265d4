/**
 * Recordings of served networks: one JSON object a line, only ever appended to. The first line says what the network
 * began with; each later one is an input, a mark of how far the run had come, or a return to an earlier input. Every line
 * ends in a checksum over itself and all lines before it, so that a torn tail is found, and so is any change before it.
 */
import { text as textItem } from "../core/base/encoding.ts";
import { err, ok, type Result } from "../core/base/result.ts";
import { taggedHash } from "../core/crypto/hash.ts";
import { packageVersion } from "../run/version.ts";
import type { LiveInput } from "./input.ts";
import type { Setup } from "./setup.ts";

/** Raised when older recordings could no longer be replayed. */
export const RECORDING_FORMAT = 1;

export interface Head {
  readonly type: "recording";
  readonly format: number;
  readonly quorumlab: string;
  readonly node: string;
  readonly setup: Setup;
}

/** What a recording by this program begins with. */
export function headOf(setup: Setup): Head {
  return {
    type: "recording",
    format: RECORDING_FORMAT,
    quorumlab: packageVersion(),
    node: process.versions.node,
    setup,
  };
}

export type Entry =
  /** Handed in once everything due at this virtual time had happened. */
  | { readonly type: "input"; readonly at: number; readonly input: LiveInput }
  /** How far the run had come when it was seen to have come there. */
  | { readonly type: "mark"; readonly at: number; readonly steps: number; readonly hash: string }
  /** The inputs from this one on (counted from 0 over what counts) are undone. */
  | { readonly type: "revert"; readonly inputs: number; readonly at: number };

export interface Recording {
  readonly head: Head;
  readonly entries: readonly Entry[];
  /** Of the last line that is whole: what the next one builds on. */
  readonly sum: string;
  /** How many bytes those lines take; what follows is a torn tail. */
  readonly bytes: number;
}

/** A line of a recording, its checksum over it and the sum so far, and the new sum. */
export function recordLine(sum: string, content: Head | Entry): { readonly line: string; readonly sum: string } {
  const body = JSON.stringify(content);
  const next = sumOf(sum, body);
  return { line: `${body.slice(0, -1)},"sum":"${next}"}\n`, sum: next };
}

/** The sum before the first line. */
export const NO_SUM = "";

/**
 * A recording from its text. A last line that was never finished is left out: whoever wrote it died first. Anything else
 * that is wrong is said with its line.
 */
export function readRecording(text: string): Result<Recording, string> {
  let head: Head | undefined;
  const entries: Entry[] = [];
  let [sum, bytes] = [NO_SUM, 0];
  const lines = text.split("\n");
  for (const [index, line] of lines.entries()) {
    const isLast = index >= lines.length - 2;
    if (line === "" && index === lines.length - 1) break;
    const read = index === lines.length - 1 ? err("it has no end") : readLine(line, sum);
    if (!read.ok) {
      if (isLast && head !== undefined) break;
      return err(`line ${index + 1}: ${read.error}`);
    }
    if (index === 0) {
      const fault = headFault(read.value.content);
      if (fault !== undefined) return err(`line 1: ${fault}`);
      head = read.value.content as Head;
    } else entries.push(read.value.content as Entry);
    sum = read.value.sum;
    bytes += new TextEncoder().encode(line).length + 1;
  }
  return head === undefined
    ? err("line 1: expected the head of a recording, got an empty file")
    : ok({ head, entries, sum, bytes });
}

function readLine(line: string, sum: string): Result<{ readonly content: unknown; readonly sum: string }, string> {
  const end = /,"sum":"([0-9a-f]{16})"\}$/.exec(line);
  if (end === null) return err("expected a JSON object that ends in a checksum");
  const body = `${line.slice(0, end.index)}}`;
  const next = sumOf(sum, body);
  if (next !== end[1]) return err(`its checksum is ${end[1]}, expected ${next}: the recording was changed`);
  return ok({ content: JSON.parse(body), sum: next });
}

function headFault(content: unknown): string | undefined {
  const { type, format } = content as Partial<Head>;
  if (type !== "recording") return 'expected {"type":"recording", …}: this is no recording';
  if (format !== RECORDING_FORMAT) return `expected format ${RECORDING_FORMAT}, got ${String(format)}`;
  return undefined;
}

function sumOf(sum: string, body: string): string {
  return taggedHash("recording", textItem(sum), textItem(body)).slice(2, 18);
}
