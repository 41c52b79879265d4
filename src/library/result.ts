/** Results of simulated runs and their ledgers: plain records with the names of the scenario. */

import { stateRoot } from "../core/ledger/roots.ts";
import { accountOf, balanceOf, type LedgerState, poolOf } from "../core/ledger/state.ts";
import type { CertificateFile, CommitteeFile } from "../proofs/certificate-file.ts";
import type { RunEvent } from "../run/events/run-event.ts";
import type { NamedViolation, Verdict } from "../run/verdict.ts";
import type { CompiledScenario } from "../scenario/compile/compile.ts";
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
  /** Signatures, effects, responses and crashes, up to the limit of transcripts. */
  readonly transcript: readonly RunEvent[];
  /** Reached coverage points with their numbers of occurrences. */
  readonly coverage: Readonly<Partial<Record<AnyCoveragePoint, number>>>;
}

/** The final state of a validator. Contains all named accounts, those of validators included. */
export function finalLedgerOf(
  validator: string,
  ledger: LedgerState,
  { directory }: CompiledScenario,
): FinalValidatorState {
  const accounts = [...directory.accounts, ...directory.nodes].map((name) => [name, directory.account(name)] as const);
  const tokens = [...directory.tokens].map(([name, { address }]) => [name, address] as const);
  const balances = accounts.map(([name, account]) => {
    const amounts = tokens.map(([token, address]): [string, bigint] => [token, balanceOf(ledger, account, address)]);
    return [name, Object.fromEntries(amounts)] as const;
  });
  return {
    validator,
    root: stateRoot(ledger),
    epoch: ledger.epoch,
    balances: Object.fromEntries(balances),
    nonces: Object.fromEntries(
      accounts.map(([name, account]): [string, number] => [name, accountOf(ledger, account).nonce]),
    ),
    pools: Object.fromEntries(tokens.map(([name, address]): [string, bigint] => [name, poolOf(ledger, address)])),
  };
}

/** The balances, nonces and pools of a validator; empty for `undefined`. */
export function holdingsOf(end: FinalValidatorState | undefined): Holdings {
  const { balances = {}, nonces = {}, pools = {} } = end ?? {};
  return { balances, nonces, pools };
}
