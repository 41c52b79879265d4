/** Variants that leave out one check of a close, a round change or a proposal, or accuse where none can be made. */
import { slotKey } from "../core/base/slot.ts";
import { isChainContent } from "../core/validator/content.ts";
import type { SnapshotOffer } from "../core/validator/message.ts";
import type { Output } from "../core/validator/output.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import { proofOf } from "../core/validator/transfer/state-transfer.ts";
import { type KnownBadVariant, replaceRules, replaceStep } from "./known-bad-variant.ts";

/** Signature of a close. */
export const unsignedClose: KnownBadVariant = {
  name: "unsigned-close",
  mistake: "a close counts for the member that it names without that member's signature",
  source: "protocol 6.3",
  caughtBy: ["agreement", "accountability"],
  rules: replaceRules("consensus", (real) => ({
    closeFault: (verifier, close) =>
      real.closeFault({ ...verifier, authenticator: { ...verifier.authenticator, verifies: () => true } }, close),
  })),
};

/** Lock of a round change. */
export const unreadLock: KnownBadVariant = {
  name: "unread-lock",
  mistake: "the lock that a round change carries is not verified",
  source: "protocol 3.2",
  caughtBy: ["agreement", "accountability"],
  rules: replaceRules("consensus", (real) => ({
    changeFault: (context, change) =>
      real.changeFault({ ...context, rules: { ...context.rules, certificateFault: () => undefined } }, change),
  })),
};

/** Slot and round of the lock of a round change. */
export const foreignLock: KnownBadVariant = {
  name: "foreign-lock",
  mistake: "a round change may carry the lock of another slot, or of its own round",
  source: "protocol 3.2",
  caughtBy: ["agreement", "accountability", "convergence"],
  rules: replaceRules("consensus", (real) => ({
    changeFault: (context, change) => {
      const { lock } = change;
      if (lock === undefined) return real.changeFault(context, change);
      const { committee, authenticator, rules } = context;
      if (!committee.index.has(change.signer) || change.epoch !== committee.epoch) return "invalid signature";
      if (!authenticator.verifies(change, change.signer, change.signature)) return "invalid signature";
      return rules.certificateFault(committee, authenticator, lock) === undefined ? undefined : "invalid certificate";
    },
  })),
};

/** Value that a justification forces. */
export const unforcedProposal: KnownBadVariant = {
  name: "unforced-proposal",
  mistake: "a proposal may name another value than the lock that its justification shows",
  source: "protocol 3.2, 3.3",
  caughtBy: ["agreement", "accountability", "validity"],
  rules: replaceRules("consensus", (real) => ({
    proposalFault: (context, proposal) =>
      real.proposalFault({ ...context, rules: { ...context.rules, forcedValue: () => undefined } }, proposal),
  })),
};

/** Offer of a state that answers a question of an earlier life (protocol 6.2). */
export const lateOfferAccuses: KnownBadVariant = {
  name: "late-offer-accuses",
  mistake: "who offers a state that does not prove itself from here on is reported, whatever was asked",
  source: "protocol 6.2, 7.11",
  caughtBy: ["accountability"],
  program: replaceStep((real, state, input) => {
    if (input.type !== "message" || input.message.type !== "snapshot") return real.step(state, input);
    const accused = isUnproven(state, input.message) ? [falseState(input.from, input.message)] : [];
    return [...accused, ...real.step(state, input)];
  }),
};

function isUnproven(state: ValidatorState, offer: SnapshotOffer): boolean {
  const { ledger, checkpoints } = state;
  const { content } = offer;
  if (!isChainContent(content) || content.value.header.number <= checkpoints.last.header.number) return false;
  const links = offer.links.filter(({ head }) => head.epoch >= ledger.epoch);
  return proofOf(state, { ...offer, links, content }) === undefined;
}

function falseState(peer: ValidatorState["environment"]["self"], { certificate }: SnapshotOffer): Output {
  return { type: "report", peer, misbehaviour: "false state", slot: slotKey(certificate.slot) };
}
