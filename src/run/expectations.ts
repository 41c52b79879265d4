/** Checks of the expectations of a scenario file. */

import type { Address } from "../core/base/ids.ts";
import { ROLES } from "../core/base/operation.ts";
import type { RefusalCode } from "../core/base/refusal.ts";
import { listsOf } from "../core/ledger/lists.ts";
import { accountOf, balanceOf, type LedgerState, poolOf, supplyOf, tokenOf } from "../core/ledger/state.ts";
import { holdersOf, type Token } from "../core/ledger/token.ts";
import type { Finding } from "../invariants/judge.ts";
import type { CompiledScenario } from "../scenario/compile/compile.ts";
import { decimalText, toDecimalAmount } from "../scenario/decimal.ts";
import type { Directory } from "../scenario/directory.ts";
import { namesOf, nodeOf } from "../scenario/names.ts";
import {
  EXPECTATION_KINDS,
  type Expectation,
  type ExpectationKind,
  type TokenState,
} from "../scenario/schema/expect.ts";
import type { OperationStatus, RunRecord } from "./run-record.ts";

/** The inputs of a check. */
export interface ExpectationInputs {
  readonly compiled: CompiledScenario;
  readonly runRecord: RunRecord;
  readonly findings: readonly Finding[];
  /** Ledgers of honest validators. At the end all must meet the expectation, before it one. */
  readonly ledgers: readonly { readonly node: string; readonly ledger: LedgerState }[];
  readonly isEnd: boolean;
}

/** The reasons why an expectation is not met, as sentences; empty if it is met. */
export function unmetReasons(expected: Expectation, evidence: ExpectationInputs): readonly string[] {
  const kind = EXPECTATION_KINDS.find((word) => expected[word] !== undefined) ?? "nothing_final";
  const when = expected.at === undefined ? "" : ` at ${expected.at} ms`;
  return CHECKS[kind](expected, evidence).map((words) => `${kind}${when}: ${words}`);
}

type Check = (expected: Expectation, evidence: ExpectationInputs) => readonly string[];

const CHECKS: Readonly<Record<ExpectationKind, Check>> = {
  final: ({ final, within_ms: within }, evidence) =>
    eachStatus(final, evidence, (status, name) => diffFinal(status, name, within)),
  superseded: ({ superseded }, evidence) =>
    eachStatus(superseded, evidence, (status, name) =>
      status?.supersededAt === undefined ? [`${name} is not superseded: ${statusText(status)}`] : [],
    ),
  pending: ({ pending }, evidence) =>
    eachStatus(pending, evidence, (status, name) =>
      isPending(status) ? [] : [`${name} is not pending: ${statusText(status)}`],
    ),
  undecided: ({ undecided }, evidence) =>
    eachStatus(undecided, evidence, (status, name) =>
      status?.finalAt === undefined ? [] : [`${name} is final at ${status.finalAt} ms`],
    ),
  refused: ({ refused }, evidence) => eachCode(refused, evidence, diffRefused),
  failed: ({ failed }, evidence) => eachCode(failed, evidence, diffFailed),
  fee: ({ fee }, evidence) => Object.entries(fee ?? {}).flatMap(([name, text]) => diffFee(evidence, name, text)),
  balance: ({ balance }, evidence) =>
    diffLedgers(evidence, (ledger, { directory }) =>
      Object.entries(balance ?? {}).flatMap(([account, tokens]) =>
        Object.entries(tokens).flatMap(([name, text]) => {
          const { address, decimals } = directory.token(name);
          const got = decimalText(balanceOf(ledger, directory.account(account), address), decimals);
          return diffValue(`balance of ${account} in ${name}`, normalAmount(text, decimals), got);
        }),
      ),
    ),
  nonce: (expected, evidence) =>
    diffLedgers(evidence, (ledger, { directory }) =>
      Object.entries(expected.nonce ?? {}).flatMap(([account, nonce]) =>
        diffValue<number>(`nonce of ${account}`, nonce, accountOf(ledger, directory.account(account)).nonce),
      ),
    ),
  pool: ({ pool }, evidence) =>
    diffLedgers(evidence, (ledger, { directory }) =>
      Object.entries(pool ?? {}).flatMap(([name, text]) => {
        const { address, decimals } = directory.token(name);
        const got = decimalText(poolOf(ledger, address), decimals);
        return diffValue(`fee pool of ${name}`, normalAmount(text, decimals), got);
      }),
    ),
  token: ({ token }, evidence) =>
    diffLedgers(evidence, (ledger, { directory }) =>
      Object.entries(token ?? {}).flatMap(([name, state]) => diffToken(ledger, name, state, directory)),
    ),
  epoch: ({ epoch = 0 }, evidence) => diffLedgers(evidence, (ledger) => diffCount("epoch", epoch, ledger.epoch)),
  committee: ({ committee = [] }, evidence) =>
    diffLedgers(evidence, ({ parameters }, { directory }) => {
      const members = parameters.validators.map(({ key }) => directory.nameOf(key));
      return diffValue("committee", committee.join(", "), members.join(", "));
    }),
  blocked: ({ blocked }, evidence) => namesOf(blocked ?? []).flatMap((name) => diffBlocked(name, evidence)),
  violation: diffViolation,
  stalled: ({ stalled = true }, evidence) => diffStalled(stalled, evidence),
  nothing_final: (_, evidence) =>
    [...evidence.runRecord.statuses]
      .filter(([, status]) => status.finalAt !== undefined)
      .map(([id]) => `${nameOf(id, evidence)} is final`),
  coverage: ({ coverage }, { runRecord }) =>
    [coverage ?? []].flat().flatMap((point) => (runRecord.coverage.has(point) ? [] : [`"${point}" was not reached`])),
  reported: ({ reported }, evidence) =>
    Object.entries(reported ?? {}).flatMap(([node, misbehaviour]) => diffReported(node, misbehaviour, evidence)),
  all_final: (_, evidence) =>
    [...evidence.runRecord.statuses].flatMap(([id, status]) =>
      status.submittedAt === undefined || status.isSkip ? [] : diffFinal(status, nameOf(id, evidence), undefined),
    ),
  checkpointed: ({ checkpointed, within_ms: within }, evidence) =>
    eachStatus(checkpointed, evidence, (status, name) => diffListed(status, name, within)),
  unlisted: ({ unlisted }, evidence) =>
    eachStatus(unlisted, evidence, (status, name) =>
      status?.listedAt === undefined ? [] : [`a checkpoint lists ${name} since ${status.listedAt} ms`],
    ),
  checkpoints: ({ checkpoints = 0 }, { runRecord }) =>
    diffCount("number of checkpoints", checkpoints, runRecord.checkpoints.size),
  void: (expected, evidence) =>
    eachStatus(expected.void, evidence, (status, name) =>
      status?.voidedAt === undefined ? [`no client received void for ${name}: ${statusText(status)}`] : [],
    ),
};

function eachStatus(
  names: Expectation["final"],
  evidence: ExpectationInputs,
  judge: (status: OperationStatus | undefined, name: string) => readonly string[],
): readonly string[] {
  return namesOf(names ?? []).flatMap((name) => judge(statusOf(name, evidence), name));
}

function eachCode(
  codes: Expectation["refused"],
  evidence: ExpectationInputs,
  judge: (status: OperationStatus | undefined, name: string, code: RefusalCode) => readonly string[],
): readonly string[] {
  return Object.entries(codes ?? {}).flatMap(([name, code]) => judge(statusOf(name, evidence), name, code));
}

function statusOf(name: string, { compiled, runRecord }: ExpectationInputs): OperationStatus | undefined {
  const id = compiled.operations.get(name);
  return id === undefined ? undefined : runRecord.statuses.get(id);
}

function nameOf(id: string, { compiled }: ExpectationInputs): string {
  for (const [name, operation] of compiled.operations) if (operation === id) return name;
  return `${id.slice(0, 10)}…`;
}

function isPending(status: OperationStatus | undefined): boolean {
  return (
    status?.submittedAt !== undefined &&
    status.finalAt === undefined &&
    status.supersededAt === undefined &&
    !status.isVoid &&
    status.refusals.length === 0
  );
}

/** The status of an operation, as a clause. */
function statusText(status: OperationStatus | undefined): string {
  if (status?.submittedAt === undefined) return "it was not submitted";
  if (status.finalAt !== undefined)
    return status.receipt?.success === false
      ? `it is final at ${status.finalAt} ms and failed with ${status.receipt.error?.code ?? "no code"}`
      : `it is final at ${status.finalAt} ms`;
  if (status.supersededAt !== undefined) return `it was superseded at ${status.supersededAt} ms`;
  if (status.isVoid) return `it is void since ${status.voidedAt} ms`;
  if (status.refusals.length > 0) return `it was refused with ${[...new Set(status.refusals)].join(", ")}`;
  return "it is pending";
}

function diffFinal(status: OperationStatus | undefined, name: string, within: number | undefined): readonly string[] {
  if (status?.finalAt === undefined || status.receipt?.success === false)
    return [`${name} is not final with effect: ${statusText(status)}`];
  const took = status.finalAt - (status.submittedAt ?? 0);
  return within === undefined || took <= within ? [] : [`${name} took ${took} ms, expected at most ${within}`];
}

function diffListed(status: OperationStatus | undefined, name: string, within: number | undefined): readonly string[] {
  if (status?.listedAt === undefined) return [`no checkpoint lists ${name}: ${statusText(status)}`];
  const took = status.listedAt - (status.submittedAt ?? 0);
  return within === undefined || took <= within
    ? []
    : [`${name} was listed after ${took} ms, expected at most ${within}`];
}

function diffCount(subject: string, expected: NonNullable<Expectation["checkpoints"]>, got: number): readonly string[] {
  if (typeof expected === "number") return diffValue<number>(subject, expected, got);
  return got >= expected.at_least ? [] : [`${subject}: expected at least ${expected.at_least}, got ${got}`];
}

function diffRefused(status: OperationStatus | undefined, name: string, code: RefusalCode): readonly string[] {
  const ok = status?.refusals.includes(code) === true && status.finalAt === undefined;
  return ok ? [] : [`${name} was not refused with ${code}: ${statusText(status)}`];
}

function diffFailed(status: OperationStatus | undefined, name: string, code: RefusalCode): readonly string[] {
  const { receipt } = status ?? {};
  return receipt?.success === false && receipt.error?.code === code
    ? []
    : [`${name} did not fail with ${code}: ${statusText(status)}`];
}

function diffFee(evidence: ExpectationInputs, name: string, text: string): readonly string[] {
  const receipt = statusOf(name, evidence)?.receipt;
  if (receipt === undefined) return [`${name} has no receipt`];
  const { directory } = evidence.compiled;
  const decimals = [...directory.tokens.values()].find(({ address }) => address === receipt.feeToken)?.decimals ?? 0;
  const wanted = decimals === 0 ? text : (normalAmount(text, decimals) ?? text);
  return diffValue(`fee of ${name}`, wanted, decimalText(receipt.fee, decimals));
}

/** Before the end one validator that meets the expectation is enough, since others may lag. */
function diffLedgers(
  { ledgers, isEnd, compiled }: ExpectationInputs,
  judge: (ledger: LedgerState, compiled: CompiledScenario) => readonly string[],
): readonly string[] {
  if (ledgers.length === 0) return ["no honest validator is running"];
  const all = ledgers.map(({ node, ledger }) => judge(ledger, compiled).map((words) => `${words} (${node})`));
  if (!isEnd && all.some((differences) => differences.length === 0)) return [];
  return all.find((differences) => differences.length > 0) ?? [];
}

function diffBlocked(name: string, { compiled, runRecord }: ExpectationInputs): readonly string[] {
  const prefix = `account/${compiled.directory.account(name)}/`;
  return [...runRecord.openSlots].some((key) => key.startsWith(prefix)) ? [] : [`${name} has no open slot with votes`];
}

function diffViolation(expected: Expectation, { findings, compiled }: ExpectationInputs): readonly string[] {
  const { violation, faulty } = expected;
  if (violation === "none") {
    // The report of the run shows the violations themselves.
    const broken = [...new Set(findings.map(({ invariant }) => invariant))];
    return broken.length === 0 ? [] : [`expected none, got ${broken.join(", ")}`];
  }
  const violations = findings.filter(({ invariant }) => invariant === violation);
  if (violations.length === 0) return [`${violation} was not violated`];
  const blamed = new Set(
    violations.flatMap((finding) => finding.faulty.map((key) => nodeOf(compiled.directory.nameOf(key)))),
  );
  const missing = (faulty ?? []).filter((node) => !blamed.has(nodeOf(node)));
  return missing.length === 0
    ? []
    : [`${violation} is violated; expected faulty ${missing.join(", ")}, got ${[...blamed].join(", ") || "nobody"}`];
}

function diffStalled(stalled: NonNullable<Expectation["stalled"]>, evidence: ExpectationInputs): readonly string[] {
  if (stalled === true)
    return evidence.findings.some(({ invariant }) => invariant === "liveness") ? [] : ["nothing is stalled"];
  return namesOf(stalled).flatMap((name) => {
    const status = statusOf(name, evidence);
    return status?.finalAt === undefined && status?.supersededAt === undefined
      ? []
      : [`${name} is not stalled: ${statusText(status)}`];
  });
}

function diffReported(
  node: string,
  expectedText: string,
  { compiled, runRecord }: ExpectationInputs,
): readonly string[] {
  const { directory } = compiled;
  const keys = directory.keysOf(node).map(directory.validator);
  const reported = new Set(keys.flatMap((key) => [...(runRecord.reports.get(key) ?? [])]));
  if (reported.size === 0) return [`no honest validator reported ${node}`];
  return expectedText === "any" || reported.has(expectedText)
    ? []
    : [`${node} was reported for ${[...reported].join(", ")}, not for ${expectedText}`];
}

/** The differences, as sentences; empty if the token meets the expectation. */
function diffToken(ledger: LedgerState, name: string, wanted: TokenState, directory: Directory): readonly string[] {
  const { address } = directory.token(name);
  const token = tokenOf(ledger, address);
  if (wanted.exists === false) return token === undefined ? [] : [`token ${name} exists`];
  if (token === undefined) return [`token ${name} does not exist`];
  const supply = decimalText(supplyOf(ledger, address), token.decimals);
  const lists = listsOf(ledger, address);
  return [
    ...diffValue(`${name} is paused`, wanted.paused, token.isPaused),
    ...diffValue(`${name} is private`, wanted.private, token.isPrivate),
    ...diffValue(`${name}'s name`, wanted.name, token.name),
    ...diffValue(`${name}'s uri`, wanted.uri, token.uri),
    ...diffValue(`${name}'s decimals`, wanted.decimals, token.decimals),
    ...diffValue(`${name}'s master`, wanted.master, directory.nameOf(token.masterAuthority)),
    ...diffValue(`${name}'s supply`, normalAmount(wanted.supply, token.decimals), supply),
    ...diffValue(
      `${name}'s pairs`,
      wanted.additional === undefined ? undefined : JSON.stringify(Object.entries(wanted.additional)),
      JSON.stringify(token.additional),
    ),
    ...ROLES.flatMap((role) => diffList(`${name}'s ${role}`, wanted.roles?.[role], holdersOf(token, role), directory)),
    ...diffList(`${name}'s blacklist`, wanted.blacklist, lists.blacklist, directory),
    ...diffList(`${name}'s whitelist`, wanted.whitelist, lists.whitelist, directory),
    ...diffAllowances(name, wanted, token, directory),
  ];
}

/** The canonical decimal text of an amount: "1.0" becomes "1". */
function normalAmount(text: string | undefined, decimals: number): string | undefined {
  return text === undefined ? undefined : decimalText(toDecimalAmount(text, decimals), decimals);
}

/** `what: expected x, got y`; empty if they are equal or nothing is expected. */
function diffValue<T extends string | number | boolean>(
  subject: string,
  wanted: T | undefined,
  got: T,
): readonly string[] {
  return wanted === undefined || wanted === got ? [] : [`${subject}: expected ${wanted}, got ${got}`];
}

function diffList(
  subject: string,
  wanted: readonly string[] | undefined,
  members: readonly Address[],
  directory: Directory,
): readonly string[] {
  if (wanted === undefined) return [];
  const addresses = wanted.map((name) => directory.account(name));
  const isEqual = addresses.length === members.length && addresses.every((address) => members.includes(address));
  const names = members.map((address) => directory.nameOf(address));
  return isEqual ? [] : [`${subject}: expected [${wanted.join(", ")}], got [${names.join(", ")}]`];
}

function diffAllowances(name: string, wanted: TokenState, token: Token, directory: Directory): readonly string[] {
  return Object.entries(wanted.allowance ?? {}).flatMap(([holder, text]) => {
    const allowance = token.roles.MintBurnTokens.get(directory.account(holder));
    const got = allowance === undefined ? "no role" : decimalText(allowance ?? 0n, token.decimals);
    return diffValue(`${holder}'s allowance of ${name}`, normalAmount(text, token.decimals), got);
  });
}
