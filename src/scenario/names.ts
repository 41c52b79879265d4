/** Names in a scenario: which are declared, the forms of names, and submissions by name. */
import type { OperationId, Submission } from "../core/base/operation.ts";
import type { OneOrMoreNames } from "./schema/scalars.ts";
import type { SubmitSpec } from "./schema/submit.ts";

export type DeclaredMultisig = Readonly<{ weights: ReadonlyMap<string, number>; threshold: number }>;

export type DeclaredToken = Readonly<{ decimals: number; master: string }>;

export interface Declarations {
  /** All validators, spares included, without twins. */
  readonly validators: ReadonlySet<string>;
  /** All nodes, twins included. */
  readonly nodes: ReadonlySet<string>;
  readonly accounts: ReadonlySet<string>;
  readonly multisigs: ReadonlyMap<string, DeclaredMultisig>;
  readonly tokens: ReadonlyMap<string, DeclaredToken>;
  /** Index of the step that first submits an operation, by operation id. */
  readonly operations: ReadonlyMap<string, SubmitSpec>;
  readonly rules: ReadonlySet<string>;
  /** Keys in the committee of some epoch, the first key of each validator, and a further one of each. */
  readonly keys: ReadonlySet<string>;
  /** Names of the proposals. */
  readonly proposals: ReadonlySet<string>;
  /** True if some epoch forms checkpoints or closes: a closing is a checkpoint. */
  readonly formsCheckpoints: boolean;
  /** True if an epoch may close. */
  readonly closesEpochs: boolean;
}

export interface NamedSubmission {
  readonly submission: Submission;
  readonly id: OperationId;
  /** The submitting client. */
  readonly client: string;
  /** Name in the file. */
  readonly name: string | undefined;
}

/** True if a name is an address. */
export function isAddress(name: string): boolean {
  return name.startsWith("0x");
}

/** One name or several as a list. */
export function namesOf(names: OneOrMoreNames): readonly string[] {
  return typeof names === "string" ? [names] : names;
}

/** The validator of a key or twin: `v1` for `v1/2` and `v1'`. */
export function nodeOf(key: string): string {
  return key.replace(/\/\d+$|'$/, "");
}
