/** Checks of steps: names exist, and steps are consistent with each other. */
import { issueAtKey, type Path, type ScenarioIssue } from "../../schema/problem.ts";
import { checkChaos } from "../chaos.ts";
import { faultOf } from "../faults/registry.ts";
import { accountsIn, kindOf, signerOf, tokenIn, verbOf } from "../members.ts";
import { type Declarations, isAddress } from "../names.ts";
import { checkGovern, checkProposals } from "../proposals.ts";
import type { Scenario } from "../scenario.ts";
import type { Step, StepVerb } from "../schema/step.ts";
import type { SubmitSpec } from "../schema/submit.ts";
import { checkWallets, checkWorkload, walletsOf } from "../workload.ts";
import { checkNames } from "./name-check.ts";

/** The issues of single steps, and duplicate ids. */
export function checkSteps(scenario: Scenario, declared: Declarations): readonly ScenarioIssue[] {
  const { steps = [] } = scenario;
  const ordered = walletsOf(scenario);
  return [
    ...checkWallets(scenario),
    ...checkProposals(scenario),
    ...checkIds(steps, "submit", "operation"),
    ...checkIds(steps, "workload", "workload"),
    ...checkIds(steps, "govern", "proposal"),
    ...steps.flatMap((step, index) => {
      const path: Path = ["steps", index];
      return [...checkStep(step, path, declared), ...checkWorkloadWallet(step.submit, path, ordered)];
    }),
  ];
}

/** The issues of ids that an earlier step with the same verb has. `called`: what the verb makes. */
function checkIds(
  steps: readonly Step[],
  verb: "submit" | "workload" | "govern",
  called: string,
): readonly ScenarioIssue[] {
  const first = new Map<string, number>();
  return steps.flatMap((step, index): readonly ScenarioIssue[] => {
    const id = step[verb]?.id;
    if (id === undefined) return [];
    const earlier = first.get(id);
    first.set(id, earlier ?? index);
    if (earlier === undefined) return [];
    const message = `the ${called} "${id}" is already defined in step ${earlier + 1}`;
    return [{ path: ["steps", index, verb, "id"], message }];
  });
}

/** The issues of submissions from workload wallets, which assign their own nonces. */
function checkWorkloadWallet(
  submit: SubmitSpec | undefined,
  path: Path,
  ordered: ReadonlySet<string>,
): readonly ScenarioIssue[] {
  const signer = submit === undefined ? undefined : signerOf(submit);
  if (signer === undefined || !ordered.has(signer)) return [];
  return [
    {
      path: [...path, "submit"],
      message: `${signer} belongs to a workload, whose wallets assign their own nonces: expected another account`,
    },
  ];
}

function checkStep(step: Step, path: Path, declared: Declarations): readonly ScenarioIssue[] {
  const verb = verbOf(step);
  const here = [...path, verb];
  const only =
    step.only === undefined
      ? []
      : verb === "submit"
        ? checkNames(declared, "node", [...path, "only"], step.only)
        : [issueAtKey(path, "only", "`only` goes with `submit`")];
  return [...only, ...checkVerb(step, verb, here, declared)];
}

function checkVerb(step: Step, verb: StepVerb, path: Path, declared: Declarations): readonly ScenarioIssue[] {
  switch (verb) {
    case "submit":
      return step.submit === undefined ? [] : checkSubmit(step.submit, path, declared);
    case "workload":
      return step.workload === undefined ? [] : checkWorkload(step.workload, path, declared);
    case "chaos":
      return step.chaos === undefined ? [] : checkChaos(step.chaos, path, declared);
    case "govern":
      return step.govern === undefined ? [] : checkGovern(step.govern, path, declared);
    default:
      return faultOf(verb).check(step[verb], path, declared);
  }
}

/** Members of a submission that a recovery cannot have. */
const ONLY_SIGNED = ["memo", "signers", "recent_epoch", "recent_checkpoint"] as const;

/** Members of a submission that a repetition cannot have. */
const OF_ONE_OPERATION = ["id", "nonce", "layout", "chain_id", "signed_by", "signers", ...ONLY_SIGNED] as const;

function checkSubmit(submit: SubmitSpec, path: Path, declared: Declarations): readonly ScenarioIssue[] {
  const kind = kindOf(submit);
  const issues: ScenarioIssue[] = [];
  const token = tokenIn(submit);
  if (token !== undefined) issues.push(...checkNames(declared, "token", [...path, ...token.path], token.name));
  if (kind === "repeat") {
    issues.push(...checkNames(declared, "operation", [...path, "repeat"], submit.repeat));
    for (const key of OF_ONE_OPERATION) {
      if (submit[key] !== undefined)
        issues.push(issueAtKey(path, key, `\`repeat\` repeats the same bytes: expected no \`${key}\``));
    }
    const isRecovery = declared.operations.get(submit.repeat ?? "")?.recovery !== undefined;
    if (submit.signature !== undefined && (isRecovery || submit.signature !== "second"))
      issues.push(
        issueAtKey(
          path,
          "signature",
          isRecovery
            ? "a recovery is not signed: expected no `signature`"
            : "`repeat` repeats a valid operation: expected no signature but `second`",
        ),
      );
    return issues;
  }
  if (submit.nonce === undefined)
    issues.push({ path, message: 'the key "nonce" is missing: the nonce that is signed' });
  for (const { path: at, name } of accountsIn(submit)) {
    const signs = at[1] === "from" || at[0] === "signed_by" || at[0] === "signers";
    if (signs && isAddress(name))
      issues.push({ path: [...path, ...at], message: "expected a name: only named accounts have keys that can sign" });
  }
  for (const [index, id] of (submit.recovery?.evidence ?? []).entries())
    issues.push(...checkEvidence(id, [...path, "recovery", "evidence", index], declared));
  const { recovery } = submit;
  for (const key of recovery === undefined ? [] : ONLY_SIGNED)
    if (submit[key] !== undefined)
      issues.push(issueAtKey(path, key, `a recovery is not signed: expected no \`${key}\``));
  if (recovery !== undefined && recovery.from === undefined && isAddress(recovery.account))
    issues.push({
      path: [...path, "recovery"],
      message: 'the key "from" is missing: an account without a name has no client to submit it',
    });
  issues.push(...checkSigners(submit, path, declared));
  if (submit.issue !== undefined)
    issues.push(...checkAmbiguousIssue(submit.issue, [...path, "issue", "symbol"], declared));
  return issues;
}

/** Signers are of a multisig account and have one key each; a creation names a multisig account. */
function checkSigners(submit: SubmitSpec, path: Path, { multisigs }: Declarations): readonly ScenarioIssue[] {
  const { signers = [], multisig } = submit;
  const issues: ScenarioIssue[] = [];
  if (submit.signers !== undefined && !multisigs.has(signerOf(submit) ?? ""))
    issues.push(
      issueAtKey(path, "signers", "`signers` goes with a multisig account of the genesis as the signing account"),
    );
  for (const [index, name] of signers.entries())
    if (multisigs.has(name))
      issues.push({
        path: [...path, "signers", index],
        message: `${name} is a multisig account: expected a name with a key`,
      });
  if (multisig !== undefined && !multisigs.has(multisig.account))
    issues.push({
      path: [...path, "multisig", "account"],
      message: `${multisig.account} is no multisig account: expected one of the genesis`,
    });
  return issues;
}

function checkEvidence(id: string, path: Path, declared: Declarations): readonly ScenarioIssue[] {
  const operation = declared.operations.get(id);
  if (operation === undefined) return checkNames(declared, "operation", path, id);
  return operation.recovery === undefined
    ? []
    : [{ path, message: `"${id}" is a recovery, which has no signature: expected a signed operation` }];
}

function checkAmbiguousIssue(
  issue: NonNullable<SubmitSpec["issue"]>,
  path: Path,
  declared: Declarations,
): readonly ScenarioIssue[] {
  const known = declared.tokens.get(issue.symbol);
  return known === undefined || known.master === issue.master
    ? []
    : [
        {
          path,
          message: `another master has the symbol ${issue.symbol}, so the name would be ambiguous: expected another symbol`,
        },
      ];
}
