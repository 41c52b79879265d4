/** Offline verification of certificates and inclusion proofs with only the committee's addresses (protocol 3.0). */
import { definedMembers } from "../core/base/defined-members.ts";
import { type Address, type Epoch, type Hash, type Round, type Signature, toAddress } from "../core/base/ids.ts";
import { err, type Result } from "../core/base/result.ts";
import { type Authenticator, createAuthenticator } from "../core/consensus/authenticator.ts";
import { certificateFault, sealedStatement } from "../core/consensus/certificate.ts";
import { committeeOf } from "../core/consensus/committee.ts";
import type { FinalityCertificate, Seal } from "../core/consensus/message.ts";
import { consensusRules } from "../core/consensus/rules.ts";
import { keyedHash } from "../core/crypto/keyed-hash.ts";
import { secp256k1 } from "../core/crypto/secp256k1.ts";
import type { Problem } from "../schema/problem.ts";
import {
  type CertificateFile,
  type CommitteeFile,
  certificateShape,
  committeeShape,
  type SignaturePart,
  slotOf,
} from "./certificate-file.ts";
import { inclusionRefusal } from "./inclusion.ts";
import { type InclusionFile, inclusionShape } from "./inclusion-file.ts";
import { dataHash, memberAt, readJson, readMember } from "./json-file.ts";

/** Half the group order: signatures with a higher s are malleable forms of others. */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** Result of a verification. */
export interface Verdict {
  /** The reason why the file proves nothing; `undefined` if it is valid. */
  readonly reason: string | undefined;
  /** Members of the file that the signatures cover. */
  readonly covered: readonly string[];
  /** Members of the file that nothing covers: each of them may be false. */
  readonly uncovered: readonly string[];
}

/** The certificate or inclusion proof in a document, or the problems of the text. */
export function readProof(text: string): Result<CertificateFile | InclusionFile, readonly Problem[]> {
  const read = readJson(text);
  if (!read.ok) return read;
  const isInclusion = memberAt(read.value.data, ["certificate"]) !== undefined;
  return isInclusion ? readMember(read.value, inclusionShape) : readMember(read.value, certificateShape);
}

/** The reason why a proof is invalid for this committee; `undefined` if it is valid. */
export function proofRefusal(file: CertificateFile | InclusionFile, committee: CommitteeFile): string | undefined {
  if (!("certificate" in file)) return certificateRefusal(file, committee);
  return certificateRefusal(file.certificate, committee) ?? inclusionRefusal(file);
}

/** The verdict over a proof: its signatures cover every member of it. */
export function proofVerdict(file: CertificateFile | InclusionFile, committee: CommitteeFile): Verdict {
  return { reason: proofRefusal(file, committee), covered: Object.keys(file), uncovered: [] };
}

const COMMITTEE_MEMBERS = Object.keys((committeeShape as { properties?: object }).properties ?? {});

/** The committee in the text of a file, or its problems. Accepts the response body of the epoch endpoint. */
export function readCommittee(text: string): Result<CommitteeFile, readonly Problem[]> {
  const read = readJson(text);
  if (!read.ok) return read;
  const { data, place } = read.value;
  const { committee_hash: hash, ...members } = { ...(data as FileMembers) };
  if (hash !== undefined && hash !== dataHash(members)) {
    const message = `the file was changed: its other members have the hash ${dataHash(members)}`;
    return err(place([{ path: ["committee_hash"], message }]));
  }
  if (members["epoch_id"] === undefined) return readMember(read.value, committeeShape);
  const known = Object.entries({
    ...(members["certificate"] as FileMembers),
    ...definedMembers({ committee_hash: hash }),
  });
  const certificate = Object.fromEntries(known.filter(([name]) => COMMITTEE_MEMBERS.includes(name)));
  return readMember({ data: { certificate }, place }, committeeShape, ["certificate"]);
}

type FileMembers = Readonly<Record<string, unknown>>;

/** The reason why a certificate is invalid for this committee; `undefined` if it is valid. */
export function certificateRefusal(file: CertificateFile, committeeFile: CommitteeFile): string | undefined {
  const members = committeeFile.validators.map((member) => toAddress(member));
  if (new Set(members).size !== members.length) return "malformed committee: a validator is listed twice";
  if (file.chain_id !== committeeFile.chain_id)
    return `wrong chain: the certificate is of ${file.chain_id}, the committee of ${committeeFile.chain_id}`;
  if (file.epoch !== committeeFile.epoch)
    return `wrong epoch: the certificate is of ${file.epoch}, the committee of ${committeeFile.epoch}`;
  const scheme = committeeFile.crypto === "stand-in" ? keyedHash : secp256k1;
  const committee = committeeOf(committeeFile.chain_id, committeeFile.epoch as Epoch, members, consensusRules);
  const authenticator = createAuthenticator(committee.chainId, scheme);
  const bare: FinalityCertificate = {
    type: "finality",
    epoch: file.epoch as Epoch,
    slot: slotOf(file.slot),
    round: file.round as Round,
    value: file.value.toLowerCase() as Hash,
    seals: [],
  };
  const seals: Seal[] = [];
  for (const [index, part] of file.signatures.entries()) {
    const seal = sealOf(part, bare, authenticator);
    if (typeof seal === "string") return `signature ${index + 1}: ${seal}`;
    seals.push(seal);
  }
  // Files may list signatures in any order; the core requires them sorted by signer.
  seals.sort((a, b) => (a.signer < b.signer ? -1 : 1));
  return certificateFault(committee, authenticator, { ...bare, seals });
}

/** Numbers of a signature are below it. */
const WORD = 1n << 256n;

function sealOf(part: SignaturePart, unsealed: FinalityCertificate, authenticator: Authenticator): Seal | string {
  if (typeof part !== "string" && "r" in part && [part.r, part.s].some((number) => BigInt(number) >= WORD))
    return "r or s past 256 bits";
  const signature = signatureOf(part);
  if (BigInt(`0x${signature.slice(66, 130)}`) > HALF_ORDER) return "high s";
  const named = typeof part === "string" || part.signer === undefined ? undefined : toAddress(part.signer);
  const signer: Address | undefined =
    named ?? authenticator.verifier.recover(authenticator.digest(sealedStatement(unsealed)), signature);
  return signer === undefined ? "invalid signature" : { signer, signature };
}

/** The signature of a file. */
export function signatureOf(part: SignaturePart): Signature {
  if (typeof part === "string") return part.toLowerCase() as Signature;
  if ("signature" in part) return part.signature.toLowerCase() as Signature;
  const parity = Number(part.v) % 27;
  return `0x${word(part.r)}${word(part.s)}0${parity}` as Signature;
}

function word(number: string): string {
  return BigInt(number).toString(16).padStart(64, "0");
}
