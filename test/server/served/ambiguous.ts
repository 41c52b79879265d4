/** A signature that recovers to a key of the same person by either layout (wire 3.9, Choosing). */
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { type Fields, type Head, signedItem } from "../client/layouts.ts";
import { hashOf, spelled } from "../client/signing.ts";

/** A mint with nonce 0, and the two private keys whose signature it carries. */
export function ambiguousBody(fields: Fields["mint"]): {
  readonly keys: readonly string[];
  readonly body: Readonly<Record<string, unknown>>;
} {
  const order = secp256k1.Point.Fn.ORDER;
  const body: Head & Fields["mint"] = { chain_id: 31_337, nonce: 0, ...fields };
  const digests = (["client", "spec"] as const).map((layout) => BigInt(hashOf(signedItem("mint", body, layout))));
  // Any point and any s are a signature of both digests: s = (digest + r * key) / k, solved for the key.
  const [k, s] = [7n, 11n];
  const point = secp256k1.Point.BASE.multiply(k).toAffine();
  const r = point.x % order;
  const inverse = secp256k1.Point.Fn.inv(r);
  const keys = digests.map((digest) => {
    const key = ((((s * k - digest) * inverse) % order) + order) % order;
    return `0x${key.toString(16).padStart(64, "0")}`;
  });
  const signature = spelled({ r, s, v: Number(point.y & 1n) }, "ts");
  return { keys, body: { ...body, signature } };
}
