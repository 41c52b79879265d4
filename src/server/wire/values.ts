/** Signatures as clients write them (wire 3.5). */
import { type Signature, toSignature } from "../../core/base/ids.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import type { SignatureBody } from "./schemas/bodies.ts";
import { quoteValue, type WireFault, wireFault } from "./wire-error.ts";

/** Order of the group of secp256k1. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Rejects r and s outside 1 .. n - 1, and a high s, which would give one operation a second hash. Of a checked shape. */
export function readSignature({ r, s, v }: SignatureBody, path: string): Result<Signature, WireFault> {
  const [first, second] = [BigInt(r), BigInt(s)];
  for (const [name, got, number] of [["r", r, first] as const, ["s", s, second] as const]) {
    if (number <= 0n || number >= ORDER)
      return signatureFault(`${path}.${name}`, `expected 1 to n - 1, n the order of secp256k1, got ${quoteValue(got)}`);
  }
  if (second > ORDER >> 1n)
    return signatureFault(`${path}.s`, `expected the lower of its two values (low s), got ${quoteValue(s)}`);
  const parity = Number(v) % 27;
  return ok(toSignature(`0x${paddedHex(first)}${paddedHex(second)}0${parity}`));
}

/** Signature in responses: r and s as 0x and 64 hex digits, v as 0 or 1 (wire 1.4). */
export type SignatureFields = Readonly<{ r: string; s: string; v: number }>;

/** Returns a signature for a response. */
export function signatureFields(signature: Signature): SignatureFields {
  return {
    r: signature.slice(0, 66),
    s: `0x${signature.slice(66, 130)}`,
    v: Number.parseInt(signature.slice(130), 16),
  };
}

function paddedHex(number: bigint): string {
  return number.toString(16).padStart(64, "0");
}

function signatureFault(member: string, problem: string): Result<Signature, WireFault> {
  return err(wireFault("validation_signature", member, problem));
}
