/**
 * Recordings of served networks: one JSON object a line, append-only. The first line holds the setup of the network;
 * each later one is an input, a verification point, a snapshot, or a revert to an earlier input. Every line ends in a checksum over
 * itself and all lines before it, which detects a torn tail and every earlier change.
 */
import { text as textItem } from "../core/base/encoding.ts";
import { toSignature } from "../core/base/ids.ts";
import { isRecovery, type Submission } from "../core/base/operation.ts";
import { err, ok, type Result } from "../core/base/result.ts";
import { taggedHash } from "../core/crypto/hash.ts";
import type { PrivateKey } from "../core/crypto/scheme.ts";
import { decodeMultisig } from "../core/ledger/multisig.ts";
import { anyText, count, type Form, FormFault, optional, record, signedCount, union } from "../external/forms/form.ts";
import { submission } from "../external/forms/operation-forms.ts";
import { packageVersion } from "../run/version.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { Step } from "../scenario/schema/step.ts";
import type { NodeName } from "../simulator/settings.ts";

/** Raised by a change that makes older recordings impossible to replay. */
export const RECORDING_FORMAT = 8;

/** Largest recording that is read, in bytes: a string of the engine holds no more. */
export const RECORDING_BYTES: number = 400 * 1_024 * 1_024;

/** Returns why a recording of so many bytes cannot be read; `undefined` if it can. */
export function recordingSizeFault(bytes: number): string | undefined {
  return bytes > RECORDING_BYTES ? `expected a recording of at most ${RECORDING_BYTES} bytes, got ${bytes}` : undefined;
}

/** Setup of a served network: plain JSON. */
export interface Setup {
  /** Network, genesis and the steps that are executed at their virtual times. */
  readonly scenario: Scenario;
  readonly seed: string;
  readonly crypto: "real" | "stand-in";
  /** Private keys of named accounts; the key of any other name is derived from the name. */
  readonly keys: Readonly<Record<string, PrivateKey>>;
  /** Names of the ready accounts, in order. */
  readonly accounts: readonly string[];
  /** Unix milliseconds of virtual time 0, the start of all validators' clocks. */
  readonly startedAt: number;
}

export interface RecordingHead {
  readonly type: "recording";
  readonly format: number;
  readonly quorumlab: string;
  readonly node: string;
  readonly setup: Setup;
}

/** First line of a recording by this program. */
export function headOf(setup: Setup): RecordingHead {
  return {
    type: "recording",
    format: RECORDING_FORMAT,
    quorumlab: packageVersion(),
    node: process.versions.node,
    setup,
  };
}

/** External input of a served network. */
export type LiveInput =
  /** A client submits a signed operation or a recovery to a validator. */
  | { readonly type: "submit"; readonly node: string; readonly submission: Submission }
  /** Milliseconds that all validators' clocks are ahead of virtual time: the network was stopped for that long. */
  | { readonly type: "clocks"; readonly aheadMs: number }
  /** A step of the scenario language, executed at once. */
  | { readonly type: "step"; readonly step: Step };

/** Submission that its entry validator admits; worthless after the next event. */
export interface Admission {
  readonly node: NodeName;
  readonly submission: Submission;
  /** Events of the network before it. */
  readonly steps: number;
}

export type RecordingEntry =
  /** Executed after every event due at this virtual time. */
  | { readonly type: "input"; readonly at: number; readonly input: LiveInput }
  /** Verification point: state of the run that a replay must meet. */
  | { readonly type: "verification"; readonly at: number; readonly steps: number; readonly hash: string }
  /** An operator's snapshot after every event due at this virtual time; they are numbered from 1, undone ones included. */
  | { readonly type: "snapshot"; readonly at: number }
  /**
   * The inputs from this one on (counted from 0 over the effective ones) are undone, and the snapshots after this one;
   * all of them where it names none.
   */
  | { readonly type: "revert"; readonly inputs: number; readonly at: number; readonly snapshot?: number | undefined };

export type RecordedInput = Extract<RecordingEntry, { type: "input" }>;

export type VerificationPoint = Extract<RecordingEntry, { type: "verification" }>;

export interface Recording {
  readonly head: RecordingHead;
  readonly entries: readonly RecordingEntry[];
  /** Checksum of the last complete line, on which the next one builds. */
  readonly sum: string;
  /** Length of the complete lines in bytes; the rest is a torn tail. */
  readonly bytes: number;
  /** The torn tail, from this line on; `undefined` if there is none. */
  readonly torn: TornTail | undefined;
}

export interface TornTail {
  readonly line: number;
  readonly bytes: number;
  /** Description of the mistake in its first line. */
  readonly fault: string;
}

/** Returns a line of a recording with its checksum over it and the previous sum, and the new sum. */
export function recordLine(
  sum: string,
  content: RecordingHead | RecordingEntry,
): { readonly line: string; readonly sum: string } {
  const body = JSON.stringify(content.type === "input" ? { ...content, input: INPUT.write(content.input) } : content);
  const next = sumOf(sum, body);
  return { line: `${body.slice(0, -1)},"sum":"${next}"}\n`, sum: next };
}

/** The sum before the first line. */
export const NO_SUM = "";

/**
 * Parses a recording. A last line without its end is dropped, and bytes that a machine without power left empty: their
 * writer was stopped first. Every other error names its line.
 */
export function readRecording(text: string): Result<Recording, string> {
  return readFollowing(text, undefined, NO_SUM);
}

/** Parses the first line of a recording. */
export function readHead(line: string): Result<RecordingHead, string> {
  const read = readLine(line, NO_SUM);
  if (!read.ok) return read;
  const fault = headFault(read.value.content);
  return fault === undefined ? ok(read.value.content as RecordingHead) : err(fault);
}

/** Parses the lines after one with a checksum; `bytes` counts them only. `known`: the head, if it was read before. */
export function readFollowing(
  text: string,
  known: RecordingHead | undefined,
  before: string,
): Result<Recording, string> {
  let head = known;
  const entries: RecordingEntry[] = [];
  let [sum, bytes] = [before, 0];
  let torn: TornTail | undefined;
  const lines = text.split("\n");
  for (const [index, line] of lines.entries()) {
    const isLast = index === lines.length - 1;
    if (line === "" && isLast) break;
    const read = isLast ? err(tornFault(line)) : readLine(line, sum);
    if (!read.ok) {
      if (head !== undefined && (isLast ? !COMPLETE.test(line) : line.includes(EMPTY_BYTES))) {
        const tail = lines.slice(index).join("\n");
        torn = { line: index + 1, bytes: new TextEncoder().encode(tail).length, fault: read.error };
        break;
      }
      return err(`line ${index + 1}: ${read.error}`);
    }
    if (head === undefined) {
      const fault = headFault(read.value.content);
      if (fault !== undefined) return err(`line 1: ${fault}`);
      head = read.value.content as RecordingHead;
    } else {
      const entry = entryOf(read.value.content);
      if (!entry.ok) return err(`line ${index + 1}: ${entry.error}`);
      entries.push(entry.value);
    }
    sum = read.value.sum;
    bytes += new TextEncoder().encode(line).length + 1;
  }
  return head === undefined
    ? err("line 1: expected the head of a recording, got an empty file")
    : ok({ head, entries, sum, bytes, torn });
}

/** A whole line whose end became another character: it was not torn, but changed. */
const COMPLETE = /,"sum":"[0-9a-f]{16}"\}.$/s;

/** Bytes that were never written show as zeros; no text of a recording has two. */
const EMPTY_BYTES = "\0\0";

function tornFault(line: string): string {
  return COMPLETE.test(line) ? "its end is another character: the recording was changed" : "it has no end";
}

function readLine(line: string, sum: string): Result<{ readonly content: unknown; readonly sum: string }, string> {
  const end = /,"sum":"([0-9a-f]{16})"\}$/.exec(line);
  if (end === null) return err("expected a JSON object that ends in a checksum");
  const body = `${line.slice(0, end.index)}}`;
  const next = sumOf(sum, body);
  if (next !== end[1]) return err(`its checksum is ${end[1]}, expected ${next}: the recording was changed`);
  try {
    return ok({ content: JSON.parse(body), sum: next });
  } catch (error) {
    if (error instanceof SyntaxError) return err(`expected a JSON object: ${error.message}`);
    throw error;
  }
}

function headFault(content: unknown): string | undefined {
  const { type, format, setup } = content as Partial<RecordingHead>;
  if (type !== "recording") return 'expected {"type":"recording", …}: this is no recording';
  if (format !== RECORDING_FORMAT)
    return `expected format ${RECORDING_FORMAT}, got ${String(format)}: only the version of quorumlab that wrote it replays it`;
  return setupFault(setup);
}

/** Returns why an object is no setup, but for its scenario. */
function setupFault(setup: Partial<Setup> | null | undefined): string | undefined {
  const { seed, crypto, keys, accounts, startedAt, scenario } = setup ?? {};
  const isComplete =
    typeof seed === "string" &&
    (crypto === "real" || crypto === "stand-in") &&
    typeof keys === "object" &&
    keys !== null &&
    Object.values(keys).every((key) => /^0x[0-9a-f]{64}$/.test(String(key))) &&
    Array.isArray(accounts) &&
    accounts.every((account) => typeof account === "string") &&
    Number.isSafeInteger(startedAt) &&
    Number(startedAt) >= 0 &&
    typeof scenario === "object" &&
    scenario !== null;
  return isComplete ? undefined : "setup: expected seed, crypto, keys, accounts, startedAt and scenario";
}

function sumOf(sum: string, body: string): string {
  return taggedHash("recording", textItem(sum), textItem(body)).slice(2, 18);
}

function entryOf(json: unknown): Result<RecordingEntry, string> {
  try {
    return ok(ENTRY.read(json));
  } catch (error) {
    if (error instanceof FormFault || error instanceof RangeError) return err(error.message);
    throw error;
  }
}

/** A submission as it always stood in recordings: of a recovery, what it proves stands beside it. */
const SUBMISSION: Form<Submission> = {
  schema: submission.schema,
  write: (value) => {
    const json = submission.write(value);
    if (!isRecovery(value)) return json;
    const { chainId, account, nonce, evidence } = json as typeof value;
    return { recovery: { chainId, account, nonce }, ...evidence };
  },
  read: (json) => {
    const { recovery, ...evidence } = (json ?? {}) as { readonly recovery?: object };
    const read = submission.read(recovery === undefined ? json : { kind: "recovery", ...recovery, evidence });
    const signed = isRecovery(read) ? Object.values(read.evidence) : [read];
    for (const { signature } of signed) if (decodeMultisig(signature) === undefined) toSignature(signature);
    return read;
  },
};

/** A step of the scenario language, which is checked where it is executed. */
const STEP: Form<Step> = {
  schema: {},
  write: (value) => value,
  read: (json) => {
    if (typeof json !== "object" || json === null) throw new FormFault("expected an object");
    return json;
  },
};

const INPUT = union<LiveInput, "type">("type", {
  submit: record("A submission.", { node: anyText<string>(), submission: SUBMISSION }),
  clocks: record("Clocks that are set ahead.", { aheadMs: signedCount<number>("milliseconds") }),
  step: record("A step of the scenario language.", { step: STEP }),
});

const AT = { at: count<number>("virtual milliseconds") };

const ENTRY = union<RecordingEntry, "type">("type", {
  input: record("External input.", { ...AT, input: INPUT }),
  verification: record("Verification point.", { ...AT, steps: count<number>(), hash: anyText<string>() }),
  snapshot: record("Snapshot of an operator.", AT),
  revert: record<Omit<Extract<RecordingEntry, { type: "revert" }>, "type">>("Return to an earlier input.", {
    ...AT,
    inputs: count(),
    snapshot: optional(count<number>()),
  }),
});
