/** Governance proposals of a scenario: checks, and signed proposals based on earlier parameters (protocol 6.3). */
import { requireDefined } from "../core/base/assert.ts";
import type { EpochParameters, SignedProposal } from "../core/base/epoch.ts";
import type { Epoch } from "../core/base/ids.ts";
import { proposalDigest } from "../core/ledger/value.ts";
import { issueAtKey, type Path, type ScenarioIssue } from "../schema/problem.ts";
import { checkKeyNames, checkNames } from "./check/name-check.ts";
import type { Directory } from "./directory.ts";
import { OPERATOR } from "./members.ts";
import { type Declarations, nodeOf } from "./names.ts";
import { applyProposal, firstParameters, type ParametersSpec, parametersOf } from "./parameters.ts";
import type { Scenario } from "./scenario.ts";
import type { GovernSpec } from "./schema/epoch.ts";
import type { KeyName } from "./schema/scalars.ts";

/** The parameters that each `govern` step proposes, by step index; `undefined` for other steps. */
export function proposedParameters(scenario: Scenario): readonly (ParametersSpec | undefined)[] {
  let part = firstParameters(scenario);
  return (scenario.steps ?? []).map(({ govern }) => {
    if (govern === undefined || govern.repeat !== undefined) return undefined;
    part = applyProposal(part, govern);
    return part;
  });
}

/** The signed proposal of each `govern` step, by step index; `undefined` for other steps. */
export function proposalsOf(
  scenario: Scenario,
  directory: Directory,
  chainId: number,
): readonly (SignedProposal | undefined)[] {
  const steps = scenario.steps ?? [];
  const parts = proposedParameters(scenario);
  const byName = new Map<string, SignedProposal>();
  const made = steps.map(({ govern }, index) => {
    const part = parts[index];
    if (govern === undefined || part === undefined) return undefined;
    const signed = signProposal(govern, parametersOf(part, directory), directory, chainId);
    if (govern.id !== undefined && !byName.has(govern.id)) byName.set(govern.id, signed);
    return signed;
  });
  return steps.map(({ govern }, index) =>
    govern?.repeat === undefined ? made[index] : requireDefined(byName.get(govern.repeat), `proposal ${govern.repeat}`),
  );
}

function signProposal(
  { chain_id, epoch, signer = OPERATOR }: GovernSpec,
  next: EpochParameters,
  directory: Directory,
  chainId: number,
): SignedProposal {
  const proposal = { chainId: chain_id ?? chainId, epoch: (epoch ?? 0) as Epoch, next };
  return { proposal, signature: directory.scheme.sign(directory.accountKey(signer), proposalDigest(proposal)) };
}

/** The issues of one `govern` step. */
export function checkGovern(part: GovernSpec, path: Path, declared: Declarations): readonly ScenarioIssue[] {
  const { to, repeat, validators, rewards, fees } = part;
  return [
    ...checkNames(declared, "node", [...path, "to"], to),
    ...(repeat === undefined ? [] : checkRepeat(part, repeat, path, declared)),
    ...checkNames(declared, "key", [...path, "validators"], validators),
    ...checkOneKeyPerNode(validators ?? [], [...path, "validators"]),
    ...checkKeyNames(declared, "key", [...path, "rewards"], rewards),
    ...checkKeyNames(declared, "token", [...path, "fees", "tokens"], fees?.tokens),
  ];
}

/** Issues of proposals whose epochs count checkpoints without a checkpoint policy. */
export function checkProposals(scenario: Scenario): readonly ScenarioIssue[] {
  return proposedParameters(scenario).flatMap((part, index) => {
    if (part?.epochs === undefined || part.checkpoints !== undefined) return [];
    const message = "the next epoch counts checkpoints, but forms none: expected `epochs: none`, or `checkpoints`";
    return [{ path: ["steps", index, "govern"], message }];
  });
}

function checkRepeat(part: GovernSpec, repeat: string, path: Path, declared: Declarations): readonly ScenarioIssue[] {
  const members = Object.keys(part).filter((key) => key !== "repeat" && key !== "to");
  return [
    ...checkNames(declared, "proposal", [...path, "repeat"], repeat),
    ...members.map((key) => issueAtKey(path, key, `\`repeat\` repeats the same bytes: expected no \`${key}\``)),
  ];
}

/** A node signs with one key in each epoch. */
function checkOneKeyPerNode(names: readonly KeyName[], path: Path): readonly ScenarioIssue[] {
  const seen = new Map<string, KeyName>();
  return names.flatMap((name, index): readonly ScenarioIssue[] => {
    const first = seen.get(nodeOf(name));
    if (first === undefined) {
      seen.set(nodeOf(name), name);
      return [];
    }
    const message = `${name} is ${first === name ? "in the committee" : `a key of ${nodeOf(name)}, which is in the committee as ${first}`} already`;
    return [{ path: [...path, index], message }];
  });
}
