/** Result of a run: verdict with its reason, violations and the operations that they name, final operations, coverage. */
import type { Address } from "../core/base/ids.ts";
import { isRecovery, type OperationId, type Submission } from "../core/base/operation.ts";
import type { FinalityCertificate } from "../core/consensus/message.ts";
import type { Scheme } from "../core/crypto/scheme.ts";
import { NEEDS_BOUND } from "../invariants/catalogue.ts";
import { bounds } from "../invariants/history/quorum.ts";
import type { Finding } from "../invariants/judge.ts";
import type { InvariantName, RunSetting } from "../invariants/observation.ts";
import type { AnyCoveragePoint } from "../scenario/coverage-points.ts";
import type { Directory } from "../scenario/directory.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { ExpectationKind } from "../scenario/schema/expect.ts";
import { formOf } from "../scenario/submission-form.ts";
import type { ChainLink } from "./checkpoint-chain.ts";
import type { IdleStep } from "./effects.ts";
import { membersText } from "./events/reference-text.ts";
import type { RunEvent } from "./events/run-event.ts";
import type { CountsByKind, OperationStatus } from "./run-record.ts";

/** The verdicts of the command-line contract; every one but `pass` has a reason. */
export type Verdict = "pass" | "violation" | "stalled" | "unmet" | "error";

/** A violation with names instead of keys. */
export interface NamedViolation {
  readonly invariant: InvariantName;
  readonly step: number;
  readonly virtualMs: number;
  readonly detail: string;
  readonly faulty: readonly string[];
  /** More than f validators are Byzantine, which excuses it. */
  readonly beyondF: boolean;
}

/** A decided effect and its proof. */
export interface FinalOperation {
  readonly id: string;
  readonly name: string | undefined;
  readonly virtualMs: number;
  readonly certificate: FinalityCertificate;
}

/** One run of one scenario. */
export interface RunResult {
  readonly seed: string;
  readonly verdict: Verdict;
  /** Empty for `pass`. */
  readonly reason: string;
  readonly hash: string;
  /** Implementation of the signatures: the results do not depend on it. */
  readonly crypto: Scheme["backend"];
  readonly steps: number;
  readonly virtualMs: number;
  /** True if faults ended: from then on liveness is demanded. */
  readonly healed: boolean;
  /** Operations decided in the slot of their effect, cancellations and recoveries included. */
  readonly finals: readonly FinalOperation[];
  /** Number of distinct operations that clients submitted. */
  readonly operations: number;
  /** Their outcomes, by kind. */
  readonly operationCounts: CountsByKind;
  /** Number of epochs that closed. */
  readonly epochsClosed: number;
  /** The final checkpoints after the genesis, with what each listed slot did. */
  readonly checkpoints: readonly ChainLink[];
  /** Violations that decide the verdict; neither expected ones nor excused ones. */
  readonly violations: readonly NamedViolation[];
  /** Violations that the file expects; under a known-bad variant, all others of the same run too. */
  readonly expected: readonly NamedViolation[];
  readonly beyondF: readonly NamedViolation[];
  /** Invariants of which more than f Byzantine validators excuse violations, whether or not there are any. */
  readonly excused: readonly InvariantName[];
  /** Invariants of which an oracle compared something. */
  readonly judged: readonly InvariantName[];
  /** Operations that the violations name. */
  readonly named: readonly NamedOperation[];
  /** Unmet expectations, as sentences. */
  readonly unmet: readonly string[];
  /** Places of the unmet expectations in the scenario's list, from 0. */
  readonly unmetAt: readonly number[];
  /** Steps without an effect; none if the run stopped early. */
  readonly idle: readonly IdleStep[];
  /** Why the run stopped early, so that its end was not judged; `undefined` if it became quiescent. */
  readonly cutShort: string | undefined;
  readonly coverage: ReadonlyMap<AnyCoveragePoint, number>;
  /** The schedule and its detection probability, as a sentence; absent if the order follows from the delays. */
  readonly schedule?: string;
  /** Events for a golden transcript; empty unless one was asked for. */
  readonly transcript: readonly RunEvent[];
}

/** Result as plain data, for the transfer between threads: the states of checkpoints are none. */
export type PlainResult = Omit<RunResult, "checkpoints">;

export function plainResultOf({ checkpoints: _checkpoints, ...result }: RunResult): PlainResult {
  return result;
}

/** The inputs of a verdict. */
export interface VerdictInputs {
  readonly scenario: Scenario;
  readonly directory: Directory;
  readonly setting: RunSetting;
  /** Names of operations in the file, to operation ids. */
  readonly operations: ReadonlyMap<string, string>;
  readonly findings: readonly Finding[];
  /** True if an epoch had more than f Byzantine members, which excuses violations of all epochs (protocol 1.1, 7). */
  readonly isBeyond: boolean;
  readonly unmet: readonly string[];
  readonly idle: readonly IdleStep[];
  readonly finals: number;
  /** The committee of each epoch that began, in order. */
  readonly committees: readonly (readonly Address[])[];
  /** Why the run stopped early; `undefined` if it became quiescent. */
  readonly cutShort: string | undefined;
}

/** The members of a result that a verdict has. */
export type RunVerdict = Pick<
  RunResult,
  "verdict" | "reason" | "violations" | "expected" | "beyondF" | "excused" | "cutShort"
>;

/** The highest severity decides: violation, stall, early end, empty run, unmet expectation, in this order. */
export function verdictOf(inputs: VerdictInputs): RunVerdict {
  const { scenario, unmet, finals, cutShort } = inputs;
  const sorted = sortedFindings(inputs);
  const namedViolations = (list: readonly Finding[]): readonly NamedViolation[] =>
    list.map((finding) => namedViolation(finding, inputs.directory, inputs.operations));
  const violations = namedViolations(sortBySeverity(sorted.judged));
  const parts = {
    violations,
    expected: namedViolations(sorted.expected),
    beyondF: namedViolations(sorted.beyondF),
    excused: [...sorted.excused],
    cutShort,
  };
  const [first] = violations;
  const result = (verdict: Verdict, reason: string): RunVerdict => ({ verdict, reason, ...parts });
  if (first?.invariant === "liveness") return result("stalled", `${first.detail}${shortageText(inputs)}`);
  if (first !== undefined) return result("violation", `${first.invariant}: ${first.detail}`);
  if (cutShort !== undefined) return result("unmet", [cutShort, ...unmet].join("; "));
  // A run with an expected violation shows something, even without a final operation.
  if ((scenario.expect ?? []).length === 0) return result("unmet", "the file states no expectation");
  if (sorted.expected.length === 0 && isEmpty(scenario, finals)) return result("unmet", "empty");
  const reasons = [...unmet, ...(scenario.allow_idle === true ? [] : inputs.idle.map(idleText))];
  if (reasons.length > 0) return result("unmet", reasons.join("; "));
  return result("pass", "");
}

/** Returns a sentence: `step 3 has no effect: rule late held no message`. */
export function idleText({ step, reason }: IdleStep): string {
  return `step ${step} has no effect: ${reason}`;
}

interface SortedFindings {
  readonly judged: readonly Finding[];
  readonly expected: readonly Finding[];
  readonly beyondF: readonly Finding[];
  readonly excused: ReadonlySet<InvariantName>;
}

const NO_INVARIANTS: ReadonlySet<InvariantName> = new Set();

/** Findings that decide the verdict, that the file expects, and that more than f Byzantine validators excuse. */
function sortedFindings(inputs: VerdictInputs): SortedFindings {
  const { scenario, findings } = inputs;
  const wanted = new Set((scenario.expect ?? []).map(({ violation }) => violation));
  const wantsStall = (scenario.expect ?? []).some(({ stalled }) => stalled !== undefined);
  const off = scenario.invariants_off ?? {};
  const on = findings.filter(({ invariant }) => off[invariant] === undefined);
  const isWanted = ({ invariant }: Finding): boolean =>
    wanted.has(invariant) || (invariant === "liveness" && wantsStall);
  const seen = on.some(isWanted);
  // One mistake of a known-bad variant violates several invariants: the file names one, and the others are excused.
  const expected = on.filter((finding) => isWanted(finding) || (scenario.bug !== undefined && seen));
  const rest = on.filter((finding) => !expected.includes(finding));
  const excused = inputs.isBeyond ? NEEDS_BOUND : NO_INVARIANTS;
  const isExcused = ({ invariant }: Finding): boolean => excused.has(invariant) && !wanted.has("none");
  return { judged: rest.filter((finding) => !isExcused(finding)), expected, beyondF: rest.filter(isExcused), excused };
}

/** Safety violations before stalls: the verdict comes from the former, and reports show the first few only. */
function sortBySeverity(findings: readonly Finding[]): readonly Finding[] {
  const isStall = ({ invariant }: Finding): boolean => invariant === "liveness";
  return [...findings.filter((finding) => !isStall(finding)), ...findings.filter(isStall)];
}

/** A sentence if the last epoch has fewer correct members than a quorum; else empty. */
function shortageText(inputs: VerdictInputs): string {
  const last = inputs.committees.at(-1) ?? [];
  const { validators, quorum } = bounds(last.length);
  const correct = validators - byzantineIn(last, inputs.setting);
  return correct >= quorum
    ? ""
    : ` Only ${correct} of ${validators} validators are correct, and a quorum is ${quorum}.`;
}

/** The number of Byzantine keys in a committee. Twins and nodes with several keys count by key. */
function byzantineIn(members: readonly Address[], { nodes }: RunSetting): number {
  const byzantine = new Set(nodes.filter(({ honest }) => !honest).flatMap(({ keys }) => keys));
  return members.filter((key) => byzantine.has(key)).length;
}

/** Expectations that say something of a run in which nothing is final; a balance, say, may just be that of the start. */
const SHOWING: readonly ExpectationKind[] = [
  ...(["nothing_final", "refused", "failed", "superseded", "pending", "undecided", "void"] as const),
  ...(["blocked", "stalled", "reported", "coverage"] as const),
];

/** True without a final operation, unless an expectation is of what else happened. */
function isEmpty(scenario: Scenario, finals: number): boolean {
  const expectations = scenario.expect ?? [];
  return finals === 0 && !expectations.some((expected) => SHOWING.some((kind) => expected[kind] !== undefined));
}

/** A finding with the names of a scenario in place of addresses and ids. */
export function namedViolation(
  { invariant, step, at, detail, faulty, beyondF }: Finding,
  directory: Directory,
  operations: VerdictInputs["operations"],
): NamedViolation {
  return {
    invariant,
    step,
    virtualMs: at,
    detail: withNames(detail, directory, operations),
    faulty: faulty.map((key) => directory.nameOf(key)),
    beyondF,
  };
}

/** The detail with the file's names instead of addresses and operation ids. */
function withNames(detail: string, directory: Directory, operations: VerdictInputs["operations"]): string {
  const names = new Map<string, string>([
    ...[...directory.accounts, ...directory.nodes].map((name) => [directory.account(name), name] as const),
    ...[...directory.tokens].map(([name, { address }]) => [address, name] as const),
    ...[...operations].map(([name, id]) => [id, name] as const),
  ]);
  let text = detail;
  for (const [hex, name] of names) text = text.replaceAll(hex, name).replaceAll(`${hex.slice(0, 10)}…`, name);
  return text;
}

export interface NamedOperation {
  /** As the details of violations name it: its name in the file, or the start of its id. */
  readonly name: string;
  /** `alice's payment 0 (to bob, token USD, value 10)`. */
  readonly text: string;
}

/** Returns the operations that the findings name, in the order of their submissions. O(findings + operations). */
export function namedOperations(
  findings: readonly Finding[],
  statuses: ReadonlyMap<OperationId, OperationStatus>,
  { directory, operations }: { readonly directory: Directory; readonly operations: ReadonlyMap<string, string> },
): readonly NamedOperation[] {
  const starts = new Set(findings.flatMap(({ detail }) => detail.match(/\b0x[0-9a-f]{8}(?=…)/g) ?? []));
  if (starts.size === 0) return [];
  const names = new Map([...operations].map(([name, id]) => [id, name]));
  return [...statuses].flatMap(([id, { submission }]) => {
    const start = id.slice(0, 10);
    if (submission === undefined || !starts.has(start)) return [];
    return [{ name: names.get(id) ?? `${start}…`, text: submissionText(submission, directory) }];
  });
}

function submissionText(submission: Submission, directory: Directory): string {
  if (isRecovery(submission))
    return `the recovery of ${directory.nameOf(submission.account)}'s nonce ${submission.nonce}`;
  const { sender, operation } = submission;
  const { verb = operation.kind, members = {} } = formOf(submission, directory) ?? {};
  const { from: _signer, ...rest } = members as Readonly<Record<string, unknown>>;
  const said = membersText(rest);
  return `${directory.nameOf(sender)}'s ${verb} ${operation.nonce}${said === "" ? "" : ` (${said})`}`;
}
