/** Result types of simulated runs: plain records with the names of the scenario. */

import type { CertificateFile, CommitteeFile } from "../proofs/certificate-file.ts";
import type { NamedViolation, Verdict } from "../run/verdict.ts";
import type { AnyCoveragePoint } from "../scenario/coverage-points.ts";

/** Ledger content on which validators agree at quiescence. Amounts are in the smallest unit of their token. */
export interface Holdings {
  /** By account and token; contains every named account and token. */
  readonly balances: Readonly<Record<string, Readonly<Record<string, bigint>>>>;
  /** Next nonce by account. */
  readonly nonces: Readonly<Record<string, number>>;
  /** Fees not shared yet, by token. */
  readonly pools: Readonly<Record<string, bigint>>;
}

/** State of one honest validator at the end of the run. */
export interface FinalValidatorState extends Holdings {
  readonly validator: string;
  /** The Merkle root of its ledger: 0x and 64 hex digits. */
  readonly root: string;
  readonly epoch: number;
}

/** An operation whose effect is decided, with its certificate. */
export interface FinalEffect {
  /** 0x and 64 hex digits. */
  readonly id: string;
  /** Name in the scenario; `undefined` without one, such as for workload orders. */
  readonly name: string | undefined;
  /** Virtual milliseconds. */
  readonly at: number;
  /** In the file format of `quorumlab verify`. */
  readonly certificate: CertificateFile;
}

/** Result of one run. Equal scenario, seed and rules give an equal result on every machine. */
export interface SimulationResult extends Holdings {
  readonly seed: string;
  readonly verdict: Verdict;
  /** Empty for `pass`. */
  readonly reason: string;
  /** The rolling hash over every event. */
  readonly hash: string;
  readonly events: number;
  /** Duration in virtual milliseconds. */
  readonly virtualMs: number;
  /** Violations that the scenario does not expect. */
  readonly violations: readonly NamedViolation[];
  /** Violations that the scenario expects. */
  readonly expectedViolations: readonly NamedViolation[];
  /** Violations that more than f Byzantine validators excuse. */
  readonly beyondF: readonly NamedViolation[];
  /** Unmet expectations, as sentences. */
  readonly unmet: readonly string[];
  readonly finals: readonly FinalEffect[];
  /** The committee of each epoch that began, for the verification of certificates. */
  readonly committees: readonly CommitteeFile[];
  /** Honest validators running at the end; `balances`, `nonces` and `pools` above are those of the first. */
  readonly validators: readonly FinalValidatorState[];
  /** Lines of signatures, decisions and responses, up to the limit of transcripts. */
  readonly transcript: readonly string[];
  /** Reached coverage points with their numbers of occurrences. */
  readonly coverage: Readonly<Partial<Record<AnyCoveragePoint, number>>>;
}
