import { withByzantinePeer } from "./byzantine-peer.ts";
import { forgesFinality } from "./false-certificate.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

const attack = withByzantinePeer(
  forgesFinality(({ environment }, { signer, signature }) =>
    Array.from({ length: environment.committee.quorum }, () => ({ signer, signature })),
  ),
);

/** Signatures counted instead of signers (bugs A4). */
export const repeatedSigner: KnownBadVariant = {
  name: "repeated-signer",
  mistake: "a certificate may repeat a signer: one validator's signature, repeated, is a quorum",
  source: "protocol 3.0; bugs A4",
  caughtBy: ["agreement"],
  rules: (real) => ({
    ...real,
    consensus: {
      ...real.consensus,
      certificateFault: (committee, authenticator, certificate) => {
        const fault = real.consensus.certificateFault(committee, authenticator, certificate);
        return fault === "repeated signer" ? undefined : fault;
      },
    },
  }),
  program: attack,
  attack,
};
