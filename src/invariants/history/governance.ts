/** What the operator asked for, and what was made of it (specification 11.2; protocol 6). */
import type { GovernanceProposal } from "../../core/base/epoch.ts";
import type { Trie } from "../../core/base/trie.ts";
import type { RecordOf } from "../observation.ts";
import { parametersText } from "../reference/parameters.ts";

/** The authentic proposals that reached any validator, as text. */
export type Proposals = Trie<true>;

/** With a proposal that was handed in; one that the operator did not sign asks for nothing. */
export function withProposal(proposals: Proposals, { proposal, authentic }: RecordOf<"governed">): Proposals {
  return authentic ? proposals.set(proposalText(proposal), true) : proposals;
}

/** Why the proposal that closed an epoch does not warrant that; none where another cause closed it. */
export function governanceReasons(
  chainId: number,
  proposals: Proposals,
  { value, cause }: RecordOf<"closed">,
): readonly string[] {
  if (cause.kind !== "proposal") return [];
  const { proposal } = cause;
  const found: string[] = [];
  if (proposal.chainId !== chainId) found.push(`it is for chain ${proposal.chainId}`);
  if (proposal.epoch !== value.epoch) found.push(`it is for epoch ${proposal.epoch}`);
  if (parametersText(proposal.next) !== parametersText(value.next)) found.push("it names other parameters");
  if (!proposals.has(proposalText(proposal))) found.push("the operator never made it");
  return found;
}

function proposalText({ chainId, epoch, next }: GovernanceProposal): string {
  return [chainId, epoch, parametersText(next)].join("/");
}
