/** Checks of the expectations of a scenario file. */
import { unreachable } from "../core/base/assert.ts";
import type { RefusalCode } from "../core/base/refusal.ts";
import { accountOf, balanceOf, type LedgerState, poolOf } from "../core/ledger/state.ts";
import type { Finding } from "../invariants/judge.ts";
import type { Compiled } from "../scenario/compile/compile.ts";
import { decimalText } from "../scenario/decimal.ts";
import { namesOf, nodeOf } from "../scenario/declared.ts";
import type { Expectation, ExpectationKind } from "../scenario/scenario-expect.ts";
import { EXPECTATION_KINDS } from "../scenario/schema/expect.ts";
import type { Fate, RunChronicle } from "./chronicle.ts";
import { normal, tokenUnlike, unlike } from "./token-expectation.ts";

/** The inputs of a check. */
export interface Evidence {
  readonly compiled: Compiled;
  readonly chronicle: RunChronicle;
  readonly findings: readonly Finding[];
  /** Ledgers of honest validators. At the end all must meet the expectation, before it one. */
  readonly ledgers: readonly { readonly node: string; readonly ledger: LedgerState }[];
  readonly isEnd: boolean;
}

/** The kind of an expectation. */
export function expectationKind(expected: Expectation): ExpectationKind {
  return EXPECTATION_KINDS.find((kind) => expected[kind] !== undefined) ?? "nothing_final";
}

/** The reasons why an expectation is not met, as sentences; empty if it is met. */
export function unmetBy(expected: Expectation, evidence: Evidence): readonly string[] {
  const kind = expectationKind(expected);
  const unmet = judgeKind(expected, kind, evidence);
  const when = expected.at === undefined ? "" : ` at ${expected.at} ms`;
  return unmet.map((words) => `${kind}${when}: ${words}`);
}

function judgeKind(expected: Expectation, kind: ExpectationKind, evidence: Evidence): readonly string[] {
  const { chronicle } = evidence;
  switch (kind) {
    case "final":
      return eachFate(expected.final, evidence, (fate, name) => finalUnlike(fate, name, expected.within_ms));
    case "superseded":
      return eachFate(expected.superseded, evidence, (fate, name) =>
        fate?.supersededAt === undefined ? [`${name} is not superseded: ${fateWords(fate)}`] : [],
      );
    case "pending":
      return eachFate(expected.pending, evidence, (fate, name) =>
        isPending(fate) ? [] : [`${name} is not pending: ${fateWords(fate)}`],
      );
    case "undecided":
      return eachFate(expected.undecided, evidence, (fate, name) =>
        fate?.finalAt === undefined ? [] : [`${name} is final at ${fate.finalAt} ms`],
      );
    case "refused":
      return eachCode(expected.refused, evidence, (fate, name, code) => refusedUnlike(fate, name, code));
    case "failed":
      return eachCode(expected.failed, evidence, (fate, name, code) => failedUnlike(fate, name, code));
    case "fee":
      return Object.entries(expected.fee ?? {}).flatMap(([name, text]) => feeUnlike(evidence, name, text));
    case "balance":
    case "nonce":
    case "pool":
    case "token":
    case "epoch":
    case "committee":
      return ledgersUnlike(evidence, (ledger) => ledgerUnlike(expected, kind, ledger, evidence.compiled));
    case "blocked":
      return namesOf(expected.blocked ?? []).flatMap((name) => blockedUnlike(name, evidence));
    case "violation":
      return violationUnlike(expected, evidence);
    case "stalled":
      return stalledUnlike(expected.stalled ?? true, evidence);
    case "nothing_final":
      return [...chronicle.fates.entries()]
        .filter(([, fate]) => fate.finalAt !== undefined)
        .map(([id]) => `${nameOf(id, evidence)} is final`);
    case "mark":
      return [expected.mark ?? []]
        .flat()
        .flatMap((mark) => (chronicle.marks.has(mark) ? [] : [`"${mark}" was not reached`]));
    case "reported":
      return Object.entries(expected.reported ?? {}).flatMap(([node, what]) => reportedUnlike(node, what, evidence));
    case "all_final":
      return [...chronicle.fates.entries()].flatMap(([id, fate]) =>
        fate.submittedAt === undefined || fate.isSkip ? [] : finalUnlike(fate, nameOf(id, evidence), undefined),
      );
    case "checkpointed":
      return eachFate(expected.checkpointed, evidence, (fate, name) => listedUnlike(fate, name, expected.within_ms));
    case "unlisted":
      return eachFate(expected.unlisted, evidence, (fate, name) =>
        fate?.listedAt === undefined ? [] : [`a checkpoint lists ${name} since ${fate.listedAt} ms`],
      );
    case "checkpoints":
      return countUnlike("number of checkpoints", expected.checkpoints ?? 0, chronicle.checkpoints.size);
    case "void":
      return eachFate(expected.void, evidence, (fate, name) =>
        fate?.voidedAt === undefined ? [`no client received void for ${name}: ${fateWords(fate)}`] : [],
      );
    default:
      return unreachable(kind);
  }
}

function eachFate(
  names: Expectation["final"],
  evidence: Evidence,
  judge: (fate: Fate | undefined, name: string) => readonly string[],
): readonly string[] {
  return namesOf(names ?? []).flatMap((name) => judge(fateOf(name, evidence), name));
}

function eachCode(
  codes: Expectation["refused"],
  evidence: Evidence,
  judge: (fate: Fate | undefined, name: string, code: RefusalCode) => readonly string[],
): readonly string[] {
  return Object.entries(codes ?? {}).flatMap(([name, code]) => judge(fateOf(name, evidence), name, code));
}

function fateOf(name: string, { compiled, chronicle }: Evidence): Fate | undefined {
  const id = compiled.operations.get(name);
  return id === undefined ? undefined : chronicle.fates.get(id);
}

function nameOf(id: string, { compiled }: Evidence): string {
  for (const [name, known] of compiled.operations) if (known === id) return name;
  return `${id.slice(0, 10)}…`;
}

function isPending(fate: Fate | undefined): boolean {
  return (
    fate?.submittedAt !== undefined &&
    fate.finalAt === undefined &&
    fate.supersededAt === undefined &&
    !fate.isVoid &&
    fate.refusals.length === 0
  );
}

/** The status of an operation, as a clause. */
export function fateWords(fate: Fate | undefined): string {
  if (fate?.submittedAt === undefined) return "it was not submitted";
  if (fate.finalAt !== undefined)
    return fate.receipt?.success === false
      ? `it is final at ${fate.finalAt} ms and failed with ${fate.receipt.error?.code ?? "no code"}`
      : `it is final at ${fate.finalAt} ms`;
  if (fate.supersededAt !== undefined) return `it was superseded at ${fate.supersededAt} ms`;
  if (fate.isVoid) return `it is void since ${fate.voidedAt} ms`;
  if (fate.refusals.length > 0) return `it was refused with ${[...new Set(fate.refusals)].join(", ")}`;
  return "it is pending";
}

function finalUnlike(fate: Fate | undefined, name: string, within: number | undefined): readonly string[] {
  if (fate?.finalAt === undefined || fate.receipt?.success === false)
    return [`${name} is not final with effect: ${fateWords(fate)}`];
  const took = fate.finalAt - (fate.submittedAt ?? 0);
  return within === undefined || took <= within ? [] : [`${name} took ${took} ms, expected at most ${within}`];
}

function listedUnlike(fate: Fate | undefined, name: string, within: number | undefined): readonly string[] {
  if (fate?.listedAt === undefined) return [`no checkpoint lists ${name}: ${fateWords(fate)}`];
  const took = fate.listedAt - (fate.submittedAt ?? 0);
  return within === undefined || took <= within
    ? []
    : [`${name} was listed after ${took} ms, expected at most ${within}`];
}

function countUnlike(what: string, expected: NonNullable<Expectation["checkpoints"]>, got: number): readonly string[] {
  if (typeof expected === "number") return unlike<number>(what, expected, got);
  return got >= expected.at_least ? [] : [`${what}: expected at least ${expected.at_least}, got ${got}`];
}

function refusedUnlike(fate: Fate | undefined, name: string, code: RefusalCode): readonly string[] {
  const ok = fate?.refusals.includes(code) === true && fate.finalAt === undefined;
  return ok ? [] : [`${name} was not refused with ${code}: ${fateWords(fate)}`];
}

function failedUnlike(fate: Fate | undefined, name: string, code: RefusalCode): readonly string[] {
  const { receipt } = fate ?? {};
  return receipt?.success === false && receipt.error?.code === code
    ? []
    : [`${name} did not fail with ${code}: ${fateWords(fate)}`];
}

function feeUnlike(evidence: Evidence, name: string, text: string): readonly string[] {
  const receipt = fateOf(name, evidence)?.receipt;
  if (receipt === undefined) return [`${name} has no receipt`];
  const { directory } = evidence.compiled;
  const decimals = [...directory.tokens.values()].find(({ address }) => address === receipt.feeToken)?.decimals ?? 0;
  const wanted = decimals === 0 ? text : (normal(text, decimals) ?? text);
  return unlike(`fee of ${name}`, wanted, decimalText(receipt.fee, decimals));
}

/** Before the end one validator that meets the expectation is enough, since others may lag. */
function ledgersUnlike(
  { ledgers, isEnd }: Evidence,
  judge: (ledger: LedgerState) => readonly string[],
): readonly string[] {
  if (ledgers.length === 0) return ["no honest validator is running"];
  const all = ledgers.map(({ node, ledger }) => judge(ledger).map((words) => `${words} (${node})`));
  if (!isEnd && all.some((one) => one.length === 0)) return [];
  return all.find((one) => one.length > 0) ?? [];
}

function ledgerUnlike(
  expected: Expectation,
  kind: "balance" | "nonce" | "pool" | "token" | "epoch" | "committee",
  ledger: LedgerState,
  { directory }: Compiled,
): readonly string[] {
  switch (kind) {
    case "balance":
      return Object.entries(expected.balance ?? {}).flatMap(([account, tokens]) =>
        Object.entries(tokens).flatMap(([name, text]) => {
          const { address, decimals } = directory.token(name);
          const got = decimalText(balanceOf(ledger, directory.account(account), address), decimals);
          return unlike(`balance of ${account} in ${name}`, normal(text, decimals), got);
        }),
      );
    case "nonce":
      return Object.entries(expected.nonce ?? {}).flatMap(([account, nonce]) =>
        unlike<number>(`nonce of ${account}`, nonce, accountOf(ledger, directory.account(account)).nonce),
      );
    case "pool":
      return Object.entries(expected.pool ?? {}).flatMap(([name, text]) => {
        const { address, decimals } = directory.token(name);
        return unlike(`fee pool of ${name}`, normal(text, decimals), decimalText(poolOf(ledger, address), decimals));
      });
    case "token":
      return Object.entries(expected.token ?? {}).flatMap(([name, state]) =>
        tokenUnlike(ledger, name, state, directory),
      );
    case "epoch":
      return countUnlike("epoch", expected.epoch ?? 0, ledger.epoch);
    case "committee": {
      const members = ledger.parameters.validators.map(({ key }) => directory.nameOf(key));
      return unlike("committee", (expected.committee ?? []).join(", "), members.join(", "));
    }
    default:
      return unreachable(kind);
  }
}

function blockedUnlike(name: string, { compiled, chronicle }: Evidence): readonly string[] {
  const prefix = `account/${compiled.directory.account(name)}/`;
  return [...chronicle.openSlots].some((key) => key.startsWith(prefix)) ? [] : [`${name} has no open slot with votes`];
}

function violationUnlike(expected: Expectation, { findings, compiled }: Evidence): readonly string[] {
  const { violation, blame } = expected;
  if (violation === "none") {
    // The report of the run shows the violations themselves.
    const broken = [...new Set(findings.map(({ invariant }) => invariant))];
    return broken.length === 0 ? [] : [`expected none, got ${broken.join(", ")}`];
  }
  const found = findings.filter(({ invariant }) => invariant === violation);
  if (found.length === 0) return [`${violation} was not violated`];
  const blamed = new Set(found.flatMap((one) => one.blame.map((key) => nodeOf(compiled.directory.nameOf(key)))));
  const missing = (blame ?? []).filter((node) => !blamed.has(nodeOf(node)));
  return missing.length === 0
    ? []
    : [`${violation} is violated; expected faulty ${missing.join(", ")}, got ${[...blamed].join(", ") || "nobody"}`];
}

function stalledUnlike(stalled: NonNullable<Expectation["stalled"]>, evidence: Evidence): readonly string[] {
  if (stalled === true)
    return evidence.findings.some(({ invariant }) => invariant === "liveness") ? [] : ["nothing is stalled"];
  return namesOf(stalled).flatMap((name) => {
    const fate = fateOf(name, evidence);
    return fate?.finalAt === undefined && fate?.supersededAt === undefined
      ? []
      : [`${name} is not stalled: ${fateWords(fate)}`];
  });
}

function reportedUnlike(node: string, what: string, { compiled, chronicle }: Evidence): readonly string[] {
  const { directory } = compiled;
  const keys = directory.keysOf(node).map(directory.validator);
  const said = new Set(keys.flatMap((key) => [...(chronicle.reports.get(key) ?? [])]));
  if (said.size === 0) return [`no honest validator reported ${node}`];
  return what === "anything" || said.has(what)
    ? []
    : [`${node} was reported for ${[...said].join(", ")}, not for ${what}`];
}
