import type { Commit, Seal } from "../core/consensus/message.ts";
import { keyedHash } from "../core/crypto/keyed-hash.ts";
import type { PrivateKey } from "../core/crypto/scheme.ts";
import { secp256k1 } from "../core/crypto/secp256k1.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import { withByzantinePeer } from "./byzantine-peer.ts";
import { forgesFinality } from "./false-certificate.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

const attack = withByzantinePeer(forgesFinality(withOutsiders));

/** Signers counted without a check of membership (bugs A10). */
export const foreignSigner: KnownBadVariant = {
  name: "foreign-signer",
  mistake: "a certificate's signers need not be members of the committee: invented keys are a quorum",
  source: "protocol 3.0; bugs A10",
  caughtBy: ["agreement"],
  rules: (real) => ({
    ...real,
    consensus: {
      ...real.consensus,
      certificateFault: (committee, authenticator, certificate) => {
        const index = new Map(certificate.seals.map(({ signer }, place) => [signer, place]));
        return real.consensus.certificateFault({ ...committee, index }, authenticator, certificate);
      },
    },
  }),
  program: attack,
  attack,
};

/** The attacker's own seal, and seals of invented keys up to a quorum. */
function withOutsiders({ environment }: ValidatorState, commit: Commit): readonly Seal[] {
  const { committee, authenticator } = environment;
  const { signer, signature, ...statement } = commit;
  const digest = authenticator.digest(statement);
  const own: Seal = { signer, signature };
  const invented = Array.from({ length: committee.quorum - 1 }, (_, place): Seal => {
    const key = `0x${String(place + 1).padStart(64, "0")}` as PrivateKey;
    // Works with any signature scheme of the network.
    const known = authenticator.verifier.recover(digest, keyedHash.sign(key, digest));
    const scheme = known === keyedHash.addressOf(key) ? keyedHash : secp256k1;
    return { signer: scheme.addressOf(key), signature: scheme.sign(key, digest) };
  });
  return [own, ...invented].sort((a, b) => (a.signer < b.signer ? -1 : 1));
}
