/**
 * Choice of an implementation of secp256k1: native code where its build fits this machine, else WebAssembly, else plain
 * JavaScript. All return the same bytes; they differ in speed only, and each scheme names its own in `backend`.
 */

import { createRequire } from "node:module";
import { entryOf } from "../core/base/entry.ts";
import type { Scheme } from "../core/crypto/scheme.ts";
import { type Curve, secp256k1, secp256k1Over } from "../core/crypto/secp256k1.ts";
import { nativeAddon } from "./native-addon.ts";

/** Names of the implementations, the quickest first. */
export const BACKENDS = ["native", "wasm", "noble"] as const;

export type Backend = (typeof BACKENDS)[number];

const load = createRequire(import.meta.url);

const LOADERS: Readonly<Record<Backend, () => Scheme>> = {
  native: () => secp256k1Over(nativeCurve()),
  wasm: () => secp256k1Over(wasmCurve()),
  noble: () => secp256k1,
};

const loaded = new Map<Backend | "auto", Scheme>();

/**
 * Returns the real scheme over the implementation asked for, loaded once; `auto`: over the quickest that loads.
 * @throws Error if the one that is named does not load on this machine
 */
export function realScheme(backend: Backend | "auto" = "auto"): Scheme {
  return entryOf(loaded, backend, (name) => (name === "auto" ? loadQuickestScheme() : schemeOver(name)));
}

function loadQuickestScheme(): Scheme {
  for (const name of BACKENDS) {
    try {
      return realScheme(name);
    } catch {
      // There is no build for this machine: the next one does the same work.
    }
  }
  return secp256k1;
}

function schemeOver(backend: Backend): Scheme {
  try {
    return LOADERS[backend]();
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n", 1)[0] : String(error);
    throw new Error(`secp256k1: the ${backend} implementation does not load on this machine: ${reason}`);
  }
}

/** Functions of the package `secp256k1` that are used. */
interface Native {
  publicKeyCreate(key: Uint8Array, compressed: boolean): Uint8Array;
  ecdsaSign(digest: Uint8Array, key: Uint8Array): { readonly signature: Uint8Array; readonly recid: number };
  ecdsaRecover(signature: Uint8Array, recovery: number, digest: Uint8Array, compressed: boolean): Uint8Array;
}

function nativeCurve(): Curve {
  const native = nativeAddon() as Native;
  return {
    name: "native",
    publicKey: (key) => native.publicKeyCreate(key, false),
    sign: (digest, key) => {
      const { signature, recid } = native.ecdsaSign(digest, key);
      return { bytes: signature, recovery: recid };
    },
    recover: (digest, { bytes, recovery }) => native.ecdsaRecover(bytes, recovery, digest, false),
  };
}

/** Functions of the package `tiny-secp256k1` that are used. */
interface Wasm {
  pointFromScalar(key: Uint8Array, compressed: boolean): Uint8Array | null;
  signRecoverable(digest: Uint8Array, key: Uint8Array): { readonly signature: Uint8Array; readonly recoveryId: number };
  recover(digest: Uint8Array, signature: Uint8Array, recovery: number, compressed: boolean): Uint8Array | null;
}

function wasmCurve(): Curve {
  const wasm = load("tiny-secp256k1") as Wasm;
  return {
    name: "wasm",
    publicKey: (key) => {
      const point = wasm.pointFromScalar(key, false);
      if (point === null) throw new RangeError("secp256k1: the point at infinity is no public key");
      return point;
    },
    sign: (digest, key) => {
      const { signature, recoveryId } = wasm.signRecoverable(digest, key);
      return { bytes: signature, recovery: recoveryId };
    },
    recover: (digest, { bytes, recovery }) => wasm.recover(digest, bytes, recovery, false),
  };
}
