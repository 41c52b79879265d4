/**
 * Proof of a later epoch's committee by a chain of closings, each verified by the committee of its epoch (protocol
 * 6.4).
 */
import type { Committee } from "../../consensus/committee.ts";
import { parametersFault } from "../../ledger/epoch.ts";
import type { StateHeader } from "../../ledger/roots.ts";
import { closingHash } from "../../ledger/value.ts";
import type { ChainContent } from "../content.ts";
import type { Environment } from "../environment.ts";
import type { EpochLink, SnapshotOffer } from "../message.ts";
import type { ValidatorState } from "../state.ts";

type LinkProof = Readonly<{ committee: Committee; header: StateHeader }>;

/**
 * Returns the committee that decided an offered chain link and the head of the state after it, if the epoch links prove
 * that committee; `undefined` if any check fails.
 */
export function proofOf(
  { environment, ledger }: Pick<ValidatorState, "environment" | "ledger">,
  { links, certificate, content }: SnapshotOffer & { readonly content: ChainContent },
): LinkProof | undefined {
  const { hashes, rules, authenticator } = environment;
  const { slot } = certificate;
  if (certificate.type !== "finality" || hashes.value(content.value) !== certificate.value) return undefined;
  const isClosing = content.value.type === "closing";
  if (isClosing && links.at(-1)?.certificate.value !== certificate.value) return undefined;
  const standing = followLinks(environment, headerOf(ledger), links);
  // The committee of an epoch decides its closing. The value is the last link's; its seals may differ, and this validator
  // will send them to others.
  const decider = isClosing ? followLinks(environment, headerOf(ledger), links.slice(0, -1)) : standing;
  if (standing === undefined || decider === undefined) return undefined;
  const { committee } = decider;
  const isItsSlot = isClosing
    ? slot.kind === "epoch"
    : slot.kind === "checkpoint" && slot.number === content.value.header.number;
  if (!isItsSlot || rules.consensus.certificateFault(committee, authenticator, certificate) !== undefined)
    return undefined;
  const view = { environment: { ...environment, committee }, ledger };
  return rules.validator.contentFault(view, content) === undefined ? { committee, header: standing.header } : undefined;
}

function followLinks(environment: Environment, from: StateHeader, links: readonly EpochLink[]): LinkProof | undefined {
  const { authenticator, committeeOf, rules } = environment;
  let header = from;
  for (const { certificate, head, listedRoot } of links) {
    const committee = committeeOf(header.epoch, header.parameters.validators);
    const { slot } = certificate;
    const isNext =
      certificate.type === "finality" &&
      slot.kind === "epoch" &&
      slot.epoch === header.epoch &&
      head.epoch === header.epoch;
    if (!isNext || certificate.value !== closingHash(head, listedRoot)) return undefined;
    if (parametersFault(head.next) !== undefined) return undefined;
    if (rules.consensus.certificateFault(committee, authenticator, certificate) !== undefined) return undefined;
    header = {
      ...header,
      epoch: (head.epoch + 1) as typeof head.epoch,
      opened: head.header.number,
      parameters: head.next,
    };
  }
  return { committee: committeeOf(header.epoch, header.parameters.validators), header };
}

function headerOf({ chainId, operator, listLimit, openTokens, epoch, opened, parameters }: StateHeader): StateHeader {
  return { chainId, operator, listLimit, openTokens, epoch, opened, parameters };
}
