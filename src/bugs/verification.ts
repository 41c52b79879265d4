/** Variants that leave out one check of a close, a round change or a proposal. */
import { type KnownBadVariant, replaceRules } from "./known-bad-variant.ts";

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
