/** Offline verification of certificates and inclusion proofs with only the committee's addresses (protocol 3.0). */
import { Ajv2020 } from "ajv/dist/2020.js";
import { type Address, type Epoch, type Hash, type Round, type Signature, toAddress } from "../core/base/ids.ts";
import { err, ok, type Result } from "../core/base/result.ts";
import { readCount } from "../core/base/spelled-number.ts";
import { type Authenticator, createAuthenticator } from "../core/consensus/authenticator.ts";
import { certificateFault, sealedStatement } from "../core/consensus/certificate.ts";
import { committeeOf } from "../core/consensus/committee.ts";
import type { FinalityCertificate, Seal } from "../core/consensus/message.ts";
import { consensusRules } from "../core/consensus/rules.ts";
import { keyedHash } from "../core/crypto/keyed-hash.ts";
import { secp256k1 } from "../core/crypto/secp256k1.ts";
import { readYaml } from "../scenario/yaml-document.ts";
import { issuesOf } from "../schema/errors.ts";
import type { Problem } from "../schema/problem.ts";
import type { Shape } from "../schema/shape.ts";
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

/** Half the group order: signatures with a higher s are malleable forms of others. */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** The certificate in the text of a file, or the problems of the text. */
export function readCertificate(text: string): Result<CertificateFile, readonly Problem[]> {
  return readPart(text, certificateShape);
}

/**
 * The certificate or inclusion proof in the text of a file, or the problems of the text. Accepts the response body of a
 * finalized transaction as a certificate.
 */
export function readProof(text: string): Result<CertificateFile | InclusionFile, readonly Problem[]> {
  if (/"counter_signatures"\s*:/.test(text)) return readPart(text, certificateShape, servedCertificate("finalized"));
  const isInclusion = /"?certificate"?\s*:/.test(text);
  return isInclusion ? readPart(text, inclusionShape) : readCertificate(text);
}

/** The reason why a proof is invalid for this committee; `undefined` if it is valid. */
export function proofRefusal(file: CertificateFile | InclusionFile, committee: CommitteeFile): string | undefined {
  if (!("certificate" in file)) return certificateRefusal(file, committee);
  return certificateRefusal(file.certificate, committee) ?? inclusionRefusal(file);
}

/** The committee in the text of a file, or its problems. Accepts the response body of the epoch endpoint. */
export function readCommittee(text: string): Result<CommitteeFile, readonly Problem[]> {
  return readPart(text, committeeShape, /"epoch_id"\s*:/.test(text) ? servedCertificate("epoch") : undefined);
}

/** The member of a response body that holds the file; members unknown to the shape are ignored. */
function servedCertificate(answer: "finalized" | "epoch"): ServedMember {
  const members = answer === "finalized" ? certificateShape : committeeShape;
  return { member: "certificate", known: new Set(Object.keys((members as { properties?: object }).properties ?? {})) };
}

type ServedMember = Readonly<{ member: string; known: ReadonlySet<string> }>;

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

function sealOf(part: SignaturePart, unsealed: FinalityCertificate, authenticator: Authenticator): Seal | string {
  const signature = signatureOf(part);
  if (BigInt(`0x${signature.slice(66, 130)}`) > HALF_ORDER) return "high s";
  const named = typeof part === "string" || part.signer === undefined ? undefined : toAddress(part.signer);
  const signer: Address | undefined =
    named ?? authenticator.verifier.recover(authenticator.digest(sealedStatement(unsealed)), signature);
  return signer === undefined ? "invalid signature" : { signer, signature };
}

function signatureOf(part: SignaturePart): Signature {
  if (typeof part === "string") return part.toLowerCase() as Signature;
  if ("signature" in part) return part.signature.toLowerCase() as Signature;
  const parity = Number(part.v) % 27;
  return `0x${word(part.r)}${word(part.s)}0${parity}` as Signature;
}

function word(number: string): string {
  return (BigInt(number) % (1n << 256n)).toString(16).padStart(64, "0");
}

function readPart<T>(text: string, shape: Shape<T>, served?: ServedMember): Result<T, readonly Problem[]> {
  const document = readYaml(text);
  if ("problems" in document) return err(document.problems);
  const { data: whole, place: placeInWhole } = document.document;
  const data = withNumbers(shape as NumberSchema, served === undefined ? whole : partOf(whole, served));
  const path = served === undefined ? [] : [served.member];
  const place: typeof placeInWhole = (issue) => placeInWhole({ ...issue, path: [...path, ...issue.path] });
  const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: false, validateFormats: false });
  const validate = ajv.compile(JSON.parse(JSON.stringify(shape)) as object);
  return validate(data) ? ok(data as T) : err(issuesOf(validate.errors ?? []).map(place));
}

/** Schema as far as numbers are looked for in it. */
type NumberSchema = Readonly<{
  type?: unknown;
  items?: NumberSchema;
  properties?: Readonly<Record<string, NumberSchema>>;
}>;

/** The data with the number in place of its text where the schema has one: answers may spell it either way (wire 1). */
function withNumbers({ type, items, properties = {} }: NumberSchema, data: unknown): unknown {
  if (type === "integer") return readCount(data) ?? data;
  if (Array.isArray(data)) return data.map((one: unknown) => withNumbers(items ?? {}, one));
  if (typeof data !== "object" || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([key, one]) => [key, withNumbers(properties[key] ?? {}, one)]));
}

function partOf(whole: unknown, { member, known }: ServedMember): unknown {
  const part: unknown = (whole as Readonly<Record<string, unknown>> | null)?.[member];
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(Object.entries(part).filter(([key]) => known.has(key)));
}
