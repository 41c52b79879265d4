/** Aggregate counter-signature of a finalized answer (wire 1.4): its bytes, its making from validators' keys, its check. */
import { hex, uint } from "../core/base/encoding.ts";
import { type Address, type Epoch, type Hash, toAddress } from "../core/base/ids.ts";
import { MemoTable } from "../core/base/memo-table.ts";
import { committeeOf } from "../core/consensus/committee.ts";
import { consensusRules } from "../core/consensus/rules.ts";
import { blsPublicKey, isSignedTogether, signTogether } from "../core/crypto/bls.ts";
import { taggedHash } from "../core/crypto/hash.ts";
import type { PrivateKey } from "../core/crypto/scheme.ts";
import type { CommitteeFile, CounterSignatureFile } from "./certificate-file.ts";

/** Statement of an aggregate: the operation is final. */
export interface FinalityStatement {
  /** Transaction hash. */
  readonly hash: Hash;
  readonly epoch: number;
  /** In decimal; `undefined` where it is not signed. */
  readonly fee: string | undefined;
}

/** Returns the 32 bytes that validators sign, before they are hashed to the curve. */
export function counterSignedBytes({ hash, epoch, fee }: FinalityStatement): Hash {
  return taggedHash("counter-signature", hex(hash), uint(epoch), ...(fee === undefined ? [] : [uint(BigInt(fee))]));
}

const made = new MemoTable<string, string>(4_096);

/** Signs with the keys of all signers. `validators`: the committee in its order. About 10 ms, then cached. */
export function counterSign(
  statement: FinalityStatement,
  validators: readonly Address[],
  signers: ReadonlySet<Address>,
  keyOf: (validator: Address) => PrivateKey,
): CounterSignatureFile {
  const members = validators.filter((validator) => signers.has(validator));
  const keys = members.map(keyOf);
  const bytes = counterSignedBytes(statement);
  return {
    signer_bitmask: bitmaskOf(validators.map((validator) => signers.has(validator))),
    signature: made.getOrCompute([bytes, ...members].join(), () => signTogether(keys, bytes)),
    validator_public_keys: keys.map(blsPublicKey),
  };
}

/** Member i of the committee is bit i mod 8, from the lowest, of byte floor(i / 8). */
function bitmaskOf(isSigner: readonly boolean[]): string {
  const bytes = new Uint8Array(Math.ceil(isSigner.length / 8));
  for (const [index, signs] of isSigner.entries()) {
    if (signs) bytes[index >> 3] = (bytes[index >> 3] as number) | (1 << (index & 7));
  }
  return `0x${Buffer.from(bytes).toString("hex")}`;
}

/** The reason why an aggregate does not prove a statement; `undefined` if it does. The committee names its keys. */
export function counterSignatureRefusal(
  { signer_bitmask: bitmask, signature, validator_public_keys: keys }: CounterSignatureFile,
  statement: FinalityStatement,
  { chain_id, epoch, validators, bls_public_keys: known = [] }: CommitteeFile,
): string | undefined {
  const committee = committeeOf(chain_id, epoch as Epoch, validators.map(toAddress), consensusRules);
  const bytes = Buffer.from(bitmask.slice(2), "hex");
  const isSigner = validators.map((_, index) => (((bytes[index >> 3] ?? 0) >> (index & 7)) & 1) === 1);
  if (bitmaskOf(isSigner) !== bitmask.toLowerCase()) return "counter_signature: the bitmask is not that of a committee";
  const signers = known.filter((_, index) => isSigner[index]);
  if (signers.length < committee.quorum)
    return `counter_signature: too few signers: expected ${committee.quorum}, got ${signers.length}`;
  if (signers.join() !== keys.join().toLowerCase()) return "counter_signature: the keys are not those of its signers";
  if (statement.epoch !== epoch) return `wrong epoch: the answer is of ${statement.epoch}, the committee of ${epoch}`;
  return isSignedTogether(keys, counterSignedBytes(statement), signature)
    ? undefined
    : "counter_signature: invalid signature";
}
