/**
 * Keccak-256 in WebAssembly, about six times as fast as in plain JavaScript: the same bytes. Its module loads
 * asynchronously, so work that begins sooner is hashed by noble.
 */
import { createKeccak } from "hash-wasm";
import { type Keccak, useKeccak } from "../core/crypto/hash.ts";

let loading: Promise<void> | undefined;

/**
 * Makes every keccak of this process use WebAssembly once the promise resolves; nothing changes on a machine without
 * it. Loaded once: about 2 ms.
 */
export function loadQuickKeccak(): Promise<void> {
  loading ??= quickKeccak().then((quick) => {
    if (quick !== undefined) useKeccak(quick);
  });
  return loading;
}

/** Returns keccak-256 in WebAssembly, or `undefined` on a machine without it. */
export async function quickKeccak(): Promise<Keccak | undefined> {
  if (!("WebAssembly" in globalThis)) return undefined;
  const hasher = await createKeccak(256);
  return (bytes) => hasher.init().update(bytes).digest("binary");
}
