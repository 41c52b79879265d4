/**
 * Recordings of served networks: one JSON object a line, append-only. The first line holds the setup of the network;
 * each later one is an input, a verification point, a snapshot, or a revert to an earlier input. Every line ends in a checksum over
 * itself and all lines before it, which detects a torn tail and every earlier change.
 */
import { text as textItem } from "../core/base/encoding.ts";
import { type Nonce, toAddress, toSignature } from "../core/base/ids.ts";
import { isRecovery, type SignedOperation, type Submission } from "../core/base/operation.ts";
import { err, ok, type Result } from "../core/base/result.ts";
import { taggedHash } from "../core/crypto/hash.ts";
import type { PrivateKey } from "../core/crypto/scheme.ts";
import { decodeMultisig } from "../core/ledger/multisig.ts";
import { FormFault } from "../external/forms/form.ts";
import { signedOperation } from "../external/forms/operation-forms.ts";
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
  const body = JSON.stringify(content.type === "input" ? { ...content, input: inputJson(content.input) } : content);
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
      const entry = entryOf(read.value.content as EntryJson);
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
    isNatural(startedAt) &&
    typeof scenario === "object" &&
    scenario !== null;
  return isComplete ? undefined : "setup: expected seed, crypto, keys, accounts, startedAt and scenario";
}

function sumOf(sum: string, body: string): string {
  return taggedHash("recording", textItem(sum), textItem(body)).slice(2, 18);
}

/** Submission as plain JSON: amounts as decimal text, member names of the core. */
type SubmissionJson =
  | object
  | {
      readonly recovery: { readonly chainId: number; readonly account: string; readonly nonce: number };
      readonly first: unknown;
      readonly second: unknown;
    };

type InputJson =
  | Exclude<LiveInput, { type: "submit" }>
  | (Omit<Extract<LiveInput, { type: "submit" }>, "submission"> & { readonly submission: SubmissionJson });

type EntryJson =
  | Exclude<RecordingEntry, { type: "input" }>
  | (Omit<RecordedInput, "input"> & { readonly input: InputJson });

function entryOf(json: EntryJson): Result<RecordingEntry, string> {
  const fault = entryFault(json);
  if (fault !== undefined) return err(fault);
  if (json.type !== "input" || json.input.type !== "submit") return ok(json as RecordingEntry);
  const { input } = json;
  try {
    return ok({ ...json, input: { ...input, submission: submissionOf(input.submission) } });
  } catch (error) {
    // A member that is missing, or of another type, is met where it is used.
    if (error instanceof FormFault || error instanceof RangeError || error instanceof TypeError)
      return err(`submission: ${error.message}`);
    throw error;
  }
}

/** Returns why an object is no entry, but for its submission and its step. */
function entryFault(json: EntryJson): string | undefined {
  if (!isNatural(json.at)) return `at: expected virtual milliseconds, got ${JSON.stringify(json.at)}`;
  switch (json.type) {
    case "verification":
      return isNatural(json.steps) && typeof json.hash === "string" ? undefined : "expected steps and a hash";
    case "snapshot":
      return undefined;
    case "revert":
      return isNatural(json.inputs) && isNatural(json.snapshot ?? 0)
        ? undefined
        : "inputs, snapshot: expected their numbers";
    case "input":
      return inputFault(json.input);
    default:
      return "type: expected input, verification, snapshot or revert";
  }
}

function inputFault(input: InputJson): string | undefined {
  switch (input?.type) {
    case "submit":
      return typeof input.node === "string" ? undefined : "node: expected the name of a validator";
    case "clocks":
      return Number.isSafeInteger(input.aheadMs) ? undefined : "aheadMs: expected milliseconds";
    case "step":
      return typeof input.step === "object" && input.step !== null ? undefined : "step: expected an object";
    default:
      return "input: expected one of the type submit, clocks or step";
  }
}

function isNatural(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function inputJson(input: LiveInput): InputJson {
  return input.type === "submit" ? { ...input, submission: submissionJson(input.submission) } : input;
}

function submissionJson(submission: Submission): SubmissionJson {
  if (!isRecovery(submission)) return signedOperation.write(submission) as object;
  const { chainId, account, nonce, evidence } = submission;
  return {
    recovery: { chainId, account, nonce },
    first: signedOperation.write(evidence.first),
    second: signedOperation.write(evidence.second),
  };
}

/** @throws FormFault for a malformed operation, and RangeError for a malformed signature or address of a recovery. */
function submissionOf(json: SubmissionJson): Submission {
  if (!("recovery" in json)) return signedOf(json);
  const { chainId, account, nonce } = json.recovery;
  const evidence = { first: signedOf(json.first), second: signedOf(json.second) };
  return { kind: "recovery", chainId, account: toAddress(account), nonce: nonce as Nonce, evidence };
}

/** Reads an operation whose members keep their order, which enters the hash of a run. */
function signedOf(json: unknown): SignedOperation {
  const signed = signedOperation.read(json);
  if (decodeMultisig(signed.signature) === undefined) toSignature(signed.signature);
  return signed;
}
