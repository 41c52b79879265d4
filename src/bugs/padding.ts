/** Variants that pass over what a certificate holds beyond its proof. The strategy `mutate` adds such entries. */
import type { Committee } from "../core/consensus/committee.ts";
import type { Seal } from "../core/consensus/message.ts";
import { type KnownBadVariant, replaceRules } from "./known-bad-variant.ts";

/** Checks of certificates that see only these seals. */
function filterSeals(
  seen: (seals: readonly Seal[], committee: Committee) => readonly Seal[],
): NonNullable<KnownBadVariant["rules"]> {
  return replaceRules("consensus", (real) => ({
    certificateFault: (committee, authenticator, certificate) =>
      real.certificateFault(committee, authenticator, { ...certificate, seals: seen(certificate.seals, committee) }),
  }));
}

/** Seals beyond the quorum. */
export const trailingSealsUnread: KnownBadVariant = {
  name: "trailing-seals-unread",
  mistake: "a certificate is checked up to its q-th signature, and whatever follows comes with it",
  source: "protocol 3.0; bugs A4",
  caughtBy: ["agreement", "accountability"],
  rules: filterSeals((seals, { quorum }) => seals.slice(0, quorum)),
};

/** Seals of strangers between those of members. */
export const foreignSealsSkipped: KnownBadVariant = {
  name: "foreign-seals-skipped",
  mistake: "signatures of strangers in a certificate are passed over, not refused",
  source: "protocol 3.0; bugs A10",
  caughtBy: ["agreement", "accountability"],
  rules: filterSeals((seals, { index }) => seals.filter(({ signer }) => index.has(signer))),
};

/** Entries that repeat a member. */
export const doubledSealsSkipped: KnownBadVariant = {
  name: "doubled-seals-skipped",
  mistake: "a signature that a certificate repeats is passed over, not refused",
  source: "protocol 3.0; bugs A4",
  caughtBy: ["agreement", "accountability"],
  rules: filterSeals((seals) => [...new Map(seals.map((seal) => [seal.signer, seal])).values()]),
};
