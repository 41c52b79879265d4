/** Certificates: q votes lock a value, q commits decide it (protocol 3.0, 3.1). They verify offline. */
import type { Address } from "../base/ids.ts";
import type { Authenticator } from "./authenticator.ts";
import type { Committee } from "./committee.ts";
import type { Commit, FinalityCertificate, LockCertificate, Seal, Vote } from "./message.ts";

/** Reason to refuse a certificate. */
export type CertificateFault =
  | "wrong epoch"
  | "too few signatures"
  | "repeated signer"
  | "signers out of order"
  | "foreign signer"
  | "invalid signature";

/** Certificate of either kind. */
export type AnyCertificate = LockCertificate | FinalityCertificate;

/**
 * Returns `undefined` if the certificate proves its value: q distinct members of this committee signed exactly these
 * bytes. A wrong chain, slot, round or value, a changed byte and a high s all show as "invalid signature".
 */
export function certificateFault(
  committee: Committee,
  authenticator: Authenticator,
  certificate: AnyCertificate,
): CertificateFault | undefined {
  const judged = authenticator.once(
    committee,
    certificate,
    () => checkSeals(committee, authenticator, certificate) ?? "",
  );
  return judged === "" ? undefined : (judged as CertificateFault);
}

function checkSeals(
  committee: Committee,
  authenticator: Authenticator,
  certificate: AnyCertificate,
): CertificateFault | undefined {
  const { epoch, slot } = certificate;
  if (epoch !== committee.epoch || (slot.kind === "epoch" && slot.epoch !== epoch)) return "wrong epoch";
  const statement = authenticator.statement(sealedStatement(certificate));
  let previous: Address | undefined;
  for (const { signer, signature } of certificate.seals) {
    if (signer === previous) return "repeated signer";
    if (previous !== undefined && signer < previous) return "signers out of order";
    if (!committee.index.has(signer)) return "foreign signer";
    if (!statement.verifies(signer, signature)) return "invalid signature";
    previous = signer;
  }
  return certificate.seals.length < committee.quorum ? "too few signatures" : undefined;
}

/** Returns the statement that each seal of a certificate signs: a vote or a commit. */
export function sealedStatement(certificate: AnyCertificate): Omit<Vote, keyof Seal> | Omit<Commit, keyof Seal> {
  const { epoch, slot, round, value } = certificate;
  return { type: certificate.type === "lock" ? "vote" : "commit", epoch, slot, round, value };
}

/** Returns the certificate of votes for one (slot, round, value). */
export function lockOf(vote: Omit<Vote, keyof Seal>, seals: readonly Seal[]): LockCertificate {
  const { epoch, slot, round, value } = vote;
  return { type: "lock", epoch, slot, round, value, seals: sortSeals(seals) };
}

/** Returns the certificate of commits for one (slot, round, value). */
export function finalityOf(commit: Omit<Commit, keyof Seal>, seals: readonly Seal[]): FinalityCertificate {
  const { epoch, slot, round, value } = commit;
  return { type: "finality", epoch, slot, round, value, seals: sortSeals(seals) };
}

/** Seals of a tally are in order already. */
function sortSeals(seals: readonly Seal[]): readonly Seal[] {
  const isSorted = seals.every(({ signer }, at) => at === 0 || (seals[at - 1] as Seal).signer < signer);
  return isSorted ? seals : seals.toSorted((a, b) => (a.signer < b.signer ? -1 : 1));
}
