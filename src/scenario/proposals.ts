/** Governance proposals of a scenario: based on earlier parameters in the file, signed and named (protocol 6.3). */
import { required } from "../core/base/assert.ts";
import type { EpochParameters, SignedProposal } from "../core/base/epoch.ts";
import type { Epoch } from "../core/base/ids.ts";
import { proposalDigest } from "../core/ledger/epoch-item.ts";
import type { Directory } from "./directory.ts";
import { changedBy, firstParameters, type ParametersSpec, parametersOf } from "./parameters.ts";
import type { GovernSpec, Scenario } from "./scenario.ts";
import { OPERATOR } from "./submit-access.ts";

/** The parameters that each `govern` step proposes, by step index; `undefined` for other steps. */
export function proposedParameters(scenario: Scenario): readonly (ParametersSpec | undefined)[] {
  let part = firstParameters(scenario);
  return (scenario.steps ?? []).map(({ govern }) => {
    if (govern === undefined || govern.repeat !== undefined) return undefined;
    part = changedBy(part, govern);
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
    const signed = signedBy(govern, parametersOf(part, directory), directory, chainId);
    if (govern.id !== undefined && !byName.has(govern.id)) byName.set(govern.id, signed);
    return signed;
  });
  return steps.map(({ govern }, index) =>
    govern?.repeat === undefined ? made[index] : required(byName.get(govern.repeat), `proposal ${govern.repeat}`),
  );
}

function signedBy(
  { chain_id, epoch, signer = OPERATOR }: GovernSpec,
  next: EpochParameters,
  directory: Directory,
  chainId: number,
): SignedProposal {
  const proposal = { chainId: chain_id ?? chainId, epoch: (epoch ?? 0) as Epoch, next };
  return { proposal, signature: directory.scheme.sign(directory.accountKey(signer), proposalDigest(proposal)) };
}
