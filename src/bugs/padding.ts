/** Variants that pass over what a certificate holds beyond its proof. The strategy `altered-parts` adds such entries. */
import { type KnownBadVariant, replaceRules } from "./known-bad-variant.ts";

/** Seals beyond the quorum. */
export const trailingSealsUnread: KnownBadVariant = {
  name: "trailing-seals-unread",
  mistake: "a certificate is checked up to its q-th signature, and whatever follows comes with it",
  source: "protocol 3.0; bugs A4",
  caughtBy: ["agreement", "accountability"],
  rules: replaceRules("consensus", (real) => ({
    certificateFault: (committee, authenticator, certificate) => {
      const seals = certificate.seals.slice(0, committee.quorum);
      return real.certificateFault(committee, authenticator, { ...certificate, seals });
    },
  })),
};

/** Seals of strangers between those of members. */
export const foreignSealsSkipped: KnownBadVariant = {
  name: "foreign-seals-skipped",
  mistake: "signatures of strangers in a certificate are passed over, not refused",
  source: "protocol 3.0; bugs A10",
  caughtBy: ["agreement", "accountability"],
  rules: replaceRules("consensus", (real) => ({
    certificateFault: (committee, authenticator, certificate) => {
      const seals = certificate.seals.filter(({ signer }) => committee.index.has(signer));
      return real.certificateFault(committee, authenticator, { ...certificate, seals });
    },
  })),
};

/** Entries that repeat a member. */
export const doubledSealsSkipped: KnownBadVariant = {
  name: "doubled-seals-skipped",
  mistake: "a signature that a certificate repeats is passed over, not refused",
  source: "protocol 3.0; bugs A4",
  caughtBy: ["agreement", "accountability"],
  rules: replaceRules("consensus", (real) => ({
    certificateFault: (committee, authenticator, certificate) => {
      const seals = [...new Map(certificate.seals.map((seal) => [seal.signer, seal])).values()];
      return real.certificateFault(committee, authenticator, { ...certificate, seals });
    },
  })),
};
