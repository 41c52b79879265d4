/** Execution of one scenario file, in the main thread or in a worker. */
import { keyedHash } from "../../core/crypto/keyed-hash.ts";
import { type NodeSettings, nodesOf, programsOf, unfitParts } from "../../external/nodes.ts";
import type { Interruptible } from "../../run/interruptible.ts";
import { runInSlices } from "../../run/run.ts";
import { type PlainResult, plainResultOf } from "../../run/verdict.ts";
import { readText, type ScenarioFile } from "../../scenario/files.ts";
import { createParser } from "../../scenario/parse.ts";
import { type Scenario, seedOf } from "../../scenario/scenario.ts";
import type { Problem } from "../../schema/problem.ts";
import { realSchemeOf } from "../options.ts";
import { type NamedText, proofFilesOf } from "./proof-files.ts";

/** One run of a file. */
export interface FileRun extends ScenarioFile {
  /** Default: that of the file. */
  readonly seed: string | undefined;
}

/** Settings of each run. */
export interface RunSettings {
  /** `stand-in`, `real`, or the name of an implementation. */
  readonly crypto: string;
  /** True to write transcripts into their files. */
  readonly writesTranscripts: boolean;
  /** True to return certificates and proofs. */
  readonly writesProofs: boolean;
  /** Validators that others wrote; absent: the real program. */
  readonly nodes?: NodeSettings | undefined;
  /** Tags of which the scenario must have at least one; an empty list selects every scenario. */
  readonly tags: readonly string[];
}

/** Outcome of one file. */
export type FileOutcome =
  | { readonly status: "refused"; readonly problems: readonly Problem[] }
  /** The tags exclude the scenario. */
  | { readonly status: "excluded" }
  /** It needs these things, which the validators of `--node` do not have. */
  | { readonly status: "unfit"; readonly needs: readonly string[] }
  /** `isComplete`: no interrupt ended the run. */
  | {
      readonly status: "ran";
      readonly text: string;
      readonly result: PlainResult;
      /** Certificates and proofs; none unless they were asked for. */
      readonly proofs: readonly NamedText[];
      readonly isComplete: boolean;
      readonly wallMs: number;
    };

/** Returns the signature scheme of `--crypto`. @throws UsageError if its implementation does not load here. */
export function schemeOf(crypto: string): ReturnType<typeof realSchemeOf> {
  return crypto === "stand-in" ? keyedHash : realSchemeOf(crypto);
}

/** Reads and runs a file; an interrupted run ends with its results so far. */
export function* executeFile(
  { path, seed: chosen }: FileRun,
  { crypto, writesTranscripts, writesProofs, tags, nodes: given }: RunSettings,
  now: () => number,
): Interruptible<FileOutcome> {
  const text = readText(path);
  const parser = createParser(given !== undefined);
  const parsed = text.ok ? parser.parse(text.value) : { ok: false as const, error: [text.error] };
  if (!text.ok || !parsed.ok) return { status: "refused", problems: parsed.ok ? [] : parsed.error };
  const { scenario: value, nodes } = nodesOf(parsed.value, given);
  const isSelected = tags.length === 0 || tags.some((tag) => value.tags?.includes(tag) === true);
  if (!isSelected) return { status: "excluded" };
  const needs = unfitParts(value, nodes);
  if (needs.length > 0) return { status: "unfit", needs };
  const start = now();
  const scenario = writesTranscripts ? withoutTranscript(value) : value;
  const scheme = schemeOf(crypto);
  const seed = seedOf(value, chosen);
  const programs = programsOf(nodes);
  const slices = runInSlices(scenario, { seed, scheme, transcript: writesTranscripts, programs });
  let slice = slices.next();
  let isComplete = true;
  while (slice.done !== true) {
    const isInterrupted = yield;
    if (isInterrupted === true) isComplete = false;
    slice = slices.next(isInterrupted);
  }
  const wallMs = now() - start;
  const proofs = writesProofs && isComplete ? proofFilesOf(scenario, slice.value, scheme) : [];
  return { status: "ran", text: text.value, result: plainResultOf(slice.value), proofs, isComplete, wallMs };
}

function withoutTranscript(scenario: Scenario): Scenario {
  const { transcript: _old, ...rest } = scenario;
  return rest;
}
