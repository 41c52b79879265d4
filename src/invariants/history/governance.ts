/** Governance proposals of the operator and their effect (specification 11.2; protocol 6). */
import type { GovernanceProposal } from "../../core/base/epoch.ts";
import type { Trie } from "../../core/base/trie.ts";
import type { EventOf } from "../observation.ts";
import { parametersText } from "../reference/parameters.ts";

/** Authentic proposals that reached any validator, as text. */
export type Proposals = Trie<true>;

/** Returns the proposals with one more; one without the operator's signature is ignored. */
export function withProposal(proposals: Proposals, { proposal, authentic }: EventOf<"governed">): Proposals {
  return authentic ? proposals.set(proposalText(proposal), true) : proposals;
}

/** Returns the faults of the proposal that closed an epoch; empty if another cause closed it. */
export function governanceFaults(
  chainId: number,
  proposals: Proposals,
  { value, cause }: EventOf<"closed">,
): readonly string[] {
  if (cause.kind !== "proposal") return [];
  const { proposal } = cause;
  const found: string[] = [];
  if (proposal.chainId !== chainId) found.push(`it is for chain ${proposal.chainId}`);
  if (proposal.epoch !== value.epoch) found.push(`it is for epoch ${proposal.epoch}`);
  if (parametersText(proposal.next) !== parametersText(value.next)) found.push("it names other parameters");
  if (!proposals.has(proposalText(proposal))) found.push("the operator signed no such proposal");
  return found;
}

function proposalText({ chainId, epoch, next }: GovernanceProposal): string {
  return [chainId, epoch, parametersText(next)].join("/");
}
