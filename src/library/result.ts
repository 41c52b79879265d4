/** What a simulated run gives: plain records with the names of the scenario, nothing of the inside of a validator. */

import type { CertificateFile, CommitteeFile } from "../proofs/certificate-file.ts";
import type { NamedViolation, Verdict } from "../run/verdict.ts";
import type { AnyMark } from "../scenario/coverage-points.ts";

/** What every validator should agree on once nothing is under way. Amounts are in the smallest unit of their token. */
export interface Holdings {
  /** By account and token; zeros are there for every account and token that the scenario names. */
  readonly balances: Readonly<Record<string, Readonly<Record<string, bigint>>>>;
  /** The nonce that the next operation of each account must carry. */
  readonly nonces: Readonly<Record<string, number>>;
  /** Fees that no epoch has shared yet, by token. */
  readonly pools: Readonly<Record<string, bigint>>;
}

/** Where one honest validator stands when the run is over. */
export interface ValidatorEnd extends Holdings {
  readonly validator: string;
  /** The Merkle root of its ledger: 0x and 64 hex digits. */
  readonly root: string;
  readonly epoch: number;
}

/** An operation whose effect is decided, with the proof. */
export interface FinalEffect {
  /** 0x and 64 hex digits. */
  readonly id: string;
  /** As the scenario calls it; `undefined` of what it has no name for, such as orders of a workload. */
  readonly name: string | undefined;
  /** Virtual milliseconds. */
  readonly at: number;
  /** As `quorumlab verify` takes it. */
  readonly certificate: CertificateFile;
}

/** One run. The same scenario, seed and rules give the same result on every machine. */
export interface SimulationResult extends Holdings {
  readonly seed: string;
  readonly verdict: Verdict;
  /** Empty for `pass`. */
  readonly reason: string;
  /** The rolling hash over every event. */
  readonly hash: string;
  readonly events: number;
  /** How long the run took in virtual milliseconds. */
  readonly virtualMs: number;
  /** Invariants that broke and that the scenario does not expect to break. */
  readonly violations: readonly NamedViolation[];
  /** Those that it expects. */
  readonly expected: readonly NamedViolation[];
  /** Those that more than f Byzantine validators excuse. */
  readonly beyondF: readonly NamedViolation[];
  /** Expectations that were not met, in words. */
  readonly unmet: readonly string[];
  readonly finals: readonly FinalEffect[];
  /** Of each epoch that began: what certificates are checked against. */
  readonly committees: readonly CommitteeFile[];
  /** Of all honest validators that run at the end; `balances`, `nonces` and `pools` are those of the first. */
  readonly validators: readonly ValidatorEnd[];
  /** Who signed, decided and was told what, a line each; the first lines of a long run. */
  readonly transcript: readonly string[];
  /** Rare situations that the run came through, and how often. */
  readonly marks: Readonly<Partial<Record<AnyMark, number>>>;
}
