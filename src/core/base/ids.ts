/** Identifier types. Only the function next to a brand makes its values. */
declare const brand: unique symbol;
/** Primitive with a meaning that the type checker distinguishes. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };

/** `0x` and 40 lower-case hex digits: the last 20 bytes of keccak-256 of a public key (specification 2.1). */
export type Address = Brand<string, "Address">;
/** `0x` and 64 lower-case hex digits. */
export type Hash = Brand<string, "Hash">;
/** `0x` and 130 lower-case hex digits: r (32 bytes), s (32 bytes), recovery parity (1 byte). */
export type Signature = Brand<string, "Signature">;
/** `0x` and 66 lower-case hex digits: a public key, compressed: 02 or 03, then 32 bytes. */
export type PublicKey = Brand<string, "PublicKey">;
/** `0x` and hex digits: signer set and signatures of a multisig account, longer than any signature of one key. */
export type MultisigSignature = Brand<string, "MultisigSignature">;
/** Signature of an account over its operation: of its key, or of members of its signer set (specification 4.1). */
export type AccountSignature = Signature | MultisigSignature;
/** Number that the next operation of an account must carry; counts the owner's operations. */
export type Nonce = Brand<number, "Nonce">;
/** Number of decided slots of an account: the owner's nonces plus forced burns (protocol 3). */
export type Sequence = Brand<number, "Sequence">;
/** Number of decided slots of a token (protocol 3). */
export type Version = Brand<number, "Version">;
/** Round of one slot's agreement, from 0 (protocol 3.1). */
export type Round = Brand<number, "Round">;
/** Position in the chain of checkpoints; the genesis is number 0 (specification 10.1). */
export type CheckpointNumber = Brand<number, "CheckpointNumber">;
/** Period of a fixed committee and fee schedule. */
export type Epoch = Brand<number, "Epoch">;
/** Virtual time in whole milliseconds since the start of the run. */
export type Millis = Brand<number, "Millis">;

const ADDRESS = /^0x[0-9a-f]{40}$/;
const HASH = /^0x[0-9a-f]{64}$/;
const SIGNATURE = /^0x[0-9a-f]{130}$/;

/** Address of nobody: stands where a client expects an address and there is none (wire 1.4). */
export const ZERO_ADDRESS: Address = `0x${"00".repeat(20)}` as Address;

/** Returns the address. @throws RangeError unless `text` is 0x and 40 hex digits, of any letter case. */
export function toAddress(text: string): Address {
  const lower = text.toLowerCase();
  if (!ADDRESS.test(lower)) throw new RangeError(`address: expected 0x and 40 hex digits, got ${quote(text)}`);
  return lower as Address;
}

/** Returns the hash. @throws RangeError unless `text` is 0x and 64 hex digits. */
export function toHash(text: string): Hash {
  const lower = text.toLowerCase();
  if (!HASH.test(lower)) throw new RangeError(`hash: expected 0x and 64 hex digits, got ${quote(text)}`);
  return lower as Hash;
}

/** Returns the signature. @throws RangeError unless `text` is 0x and 130 hex digits. */
export function toSignature(text: string): Signature {
  const lower = text.toLowerCase();
  if (!SIGNATURE.test(lower)) throw new RangeError(`signature: expected 0x and 130 hex digits, got ${quote(text)}`);
  return lower as Signature;
}

/** Returns true if `text` has the only form of a signature: one signature has one text. */
export function isSignature(text: string): text is Signature {
  return SIGNATURE.test(text);
}

const PUBLIC_KEY = /^0x0[23][0-9a-f]{64}$/;

/** Returns true if `text` has the only form of a public key. It may be no point of the curve. */
export function isPublicKey(text: string): text is PublicKey {
  return PUBLIC_KEY.test(text);
}

/** Characters of a signature of one key. */
const SIGNATURE_TEXT = 132;

/** Returns true for the signatures of a multisig account, which `decodeMultisig` reads. */
export function isMultisigSignature(signature: AccountSignature): signature is MultisigSignature {
  return signature.length > SIGNATURE_TEXT;
}

/** Returns the count. @throws RangeError unless `value` is a safe integer of at least 0. */
export function toCount<T extends Nonce | Sequence | Version | Round | CheckpointNumber | Epoch | Millis>(
  value: number,
): T {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new RangeError(`count: expected an integer from 0 to 2^53 - 1, got ${String(value)}`);
  }
  return value as T;
}

/** Returns the next count. @throws RangeError past 2^53 - 1, so that no counter ever wraps. */
export function nextCount<T extends Nonce | Sequence | Version | Round | CheckpointNumber | Epoch>(value: T): T {
  return toCount(value + 1);
}

export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
