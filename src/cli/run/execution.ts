/** Execution of one scenario file, in the main thread or in a worker, and its certificates and proofs as files. */
import { type Epoch, nextCount } from "../../core/base/ids.ts";
import type { ClosingValue } from "../../core/base/slot.ts";
import { keyedHash } from "../../core/crypto/keyed-hash.ts";
import type { Scheme } from "../../core/crypto/scheme.ts";
import { type NodeSettings, nodesOf, programsOf, unfitParts } from "../../external/nodes.ts";
import { certificateFile, committeeFile } from "../../proofs/certificate-file.ts";
import { balanceProof, operationProof, receiptProof, receiptsOf } from "../../proofs/inclusion.ts";
import type { Interruptible } from "../../run/interruptible.ts";
import { runInSlices } from "../../run/run.ts";
import { type PlainResult, plainResultOf, type RunResult } from "../../run/verdict.ts";
import { type Directory, directoryOf } from "../../scenario/directory.ts";
import { readText, type ScenarioFile } from "../../scenario/files.ts";
import { CHAIN_ID_DEFAULT } from "../../scenario/parameters.ts";
import { createParser } from "../../scenario/parse.ts";
import { type Scenario, seedOf } from "../../scenario/scenario.ts";
import type { Problem } from "../../schema/problem.ts";
import { realSchemeOf } from "../options.ts";

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
export function schemeOf(crypto: string): Scheme {
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

/** Name of a file, and its text. */
type NamedText = readonly [name: string, text: string];

/** Returns the files of a run (protocol 6.1); those of operations without a name are named by hash. */
function proofFilesOf(scenario: Scenario, result: RunResult, scheme: Scheme): readonly NamedText[] {
  const directory = directoryOf(scenario, scheme);
  const chainId = scenario.genesis?.chain_id ?? CHAIN_ID_DEFAULT;
  const validators = directory.validators.map((name) => directory.validator(name));
  return [
    jsonFile("committee", committeeFile(chainId, 0 as Epoch, validators, scheme)),
    ...closingsOf(result).map(({ epoch, next: opened }) => {
      const members = opened.validators.map(({ key }) => key);
      return jsonFile(`committee-${epoch + 1}`, committeeFile(chainId, nextCount(epoch), members, scheme));
    }),
    ...result.finals.map(({ id, name, certificate }) =>
      jsonFile(
        name === undefined || /^committee(-\d+)?$/.test(name) ? id : name,
        certificateFile(chainId, certificate),
      ),
    ),
    ...checkpointProofs(directory, result),
  ];
}

function closingsOf({ checkpoints }: Pick<RunResult, "checkpoints">): readonly ClosingValue[] {
  return checkpoints.flatMap(({ content: { value } }) => (value.type === "closing" ? [value] : []));
}

/** Proofs of each listed operation's effect and receipt, and of each account's balances. */
function checkpointProofs(directory: Directory, { checkpoints, finals }: RunResult): readonly NamedText[] {
  // A checkpoint finalized by a closing has no certificate of its own for proofs.
  const archive = checkpoints.filter(({ hash, certificate }) => hash === certificate.value);
  const names = new Map(finals.map(({ id, name }) => [id, name ?? id]));
  const effects = archive.flatMap((link) =>
    receiptsOf(link).flatMap(({ id }, index) => {
      const name = names.get(id);
      if (name === undefined) return [];
      return [
        jsonFile(`${name}.inclusion`, operationProof(link, index)),
        jsonFile(`${name}.receipt`, receiptProof(link, index)),
      ];
    }),
  );
  const last = archive.at(-1);
  if (last === undefined) return effects;
  // After an epoch has closed, validators have accounts with shares of the fees.
  const holders = closingsOf({ checkpoints }).length === 0 ? [] : directory.nodes;
  const balances = [...directory.accounts, ...holders].flatMap((account) =>
    [...directory.tokens].map(([token, { address }]) =>
      jsonFile(`${account}.${token}.balance`, balanceProof(last, directory.account(account), address)),
    ),
  );
  return [...effects, ...balances];
}

function jsonFile(name: string, data: object): NamedText {
  return [`${name}.json`, `${JSON.stringify(data, null, 2)}\n`];
}
