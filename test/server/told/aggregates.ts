/** Aggregate signatures of finalized answers, compared with the commits that were signed, and paired (wire 1.4). */
import { bls12_381 } from "@noble/curves/bls12-381.js";
import type { ReferenceClient } from "../client/reference-client.ts";
import { integer, raw, text } from "../client/rlp.ts";
import { hashOf } from "../client/signing.ts";
import type { Json } from "../served/support.ts";
import type { Judge } from "./judge.ts";

interface Aggregate {
  readonly signer_bitmask: string;
  readonly signature: string;
  readonly validator_public_keys: readonly string[];
}

const KINDS_WITH_FEE: readonly (string | undefined)[] = ["payment", "batch", "bridgeBurn", "cancellation", "recovery"];

/** Returns true if keys have signed an answer together. */
export function isPaired(answer: Json): boolean {
  const { transaction_hash: hash, epoch, fee, fee_bound: isBound, counter_signature } = answer;
  const { signature, validator_public_keys: keys } = counter_signature as Aggregate;
  const stated = [text("counter-signature"), raw(String(hash)), integer(Number(epoch))];
  const bytes = hashOf(isBound === true ? [...stated, integer(String(fee))] : stated);
  const { verify, hash: toCurve, aggregatePublicKeys } = bls12_381.shortSignatures;
  return verify(raw(signature), toCurve(raw(bytes)), aggregatePublicKeys(keys.map(raw)));
}

/** One of eight answers is paired, which takes longer than all else. */
const isSample = (hash: string): boolean => ["0", "1"].includes(hash.slice(-1));

/** Compares the aggregate of a finalized answer with the commits of its certificate, and pairs a sample. */
export async function aggregateFaults(
  about: string,
  judge: Judge,
  id: string,
  answer: Json,
  client: ReferenceClient,
): Promise<readonly string[]> {
  const { transaction_hash: hash, epoch, counter_signature, certificate } = answer;
  const { signer_bitmask: bitmask, validator_public_keys: keys } = counter_signature as Aggregate;
  const { slot, round, value, signatures } = certificate as CertificateMembers;
  const committee = judge.committees.get(String(epoch)) ?? [];
  const bits = Number(bitmask);
  const signers = committee.filter((_, at) => ((bits >> at) & 1) === 1);
  const shown = (await client.epochById(Number(epoch)))["certificate"] as { readonly bls_public_keys: string[] };
  const known = shown.bls_public_keys.filter((_, at) => ((bits >> at) & 1) === 1);
  const [kind, posted] = [judge.known.get(id)?.kind, judge.posted.get(String(hash))];
  const fee = KINDS_WITH_FEE.includes(kind) ? String(judge.finals.get(id)?.fee) : null;
  const isBound = fee !== null && posted?.path.startsWith("/v2") === true;
  const sealed = signatures.map(({ signer }) => signer).sort();
  const silent = signers.filter(
    (signer) => !judge.commits.has(`${epoch} ${slotText(slot)} ${round} ${value} ${signer}`),
  );
  return [
    ...(answer["fee"] === fee ? [] : [`${about}: fee is ${answer["fee"]}, expected ${fee}`]),
    ...(answer["fee_bound"] === isBound ? [] : [`${about}: fee_bound is not ${isBound}`]),
    ...(bits >> committee.length === 0 && signers.length >= 3 ? [] : [`${about}: ${bitmask} names no quorum`]),
    ...(silent.length === 0 ? [] : [`${about}: ${bitmask} names ${silent}, who did not commit`]),
    ...([...signers].sort().join() === sealed.join() ? [] : [`${about}: ${bitmask} is not who is in the certificate`]),
    ...(known.join() === keys.join() ? [] : [`${about}: the keys are not those of the signers`]),
    ...(!isSample(String(hash)) || isPaired(answer) ? [] : [`${about}: the aggregate is of other bytes`]),
  ];
}

interface CertificateMembers {
  readonly slot: { readonly kind: string; readonly address?: string; readonly number: number };
  readonly round: number;
  readonly value: string;
  readonly signatures: readonly { readonly signer: string }[];
}

/** A slot as events name it. */
function slotText({ kind, address, number }: CertificateMembers["slot"]): string {
  return [kind, ...(address === undefined ? [] : [address]), String(number).padStart(16, "0")].join("/");
}
