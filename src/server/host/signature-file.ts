/**
 * Cache of the signatures that a network made and checked, beside its recording, for restarts. Records of 117 bytes:
 * digest, signature, signer. A missing or torn file costs time only.
 */
import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { fromHex, toHex } from "../../core/base/encoding.ts";
import type { Address, Hash, Signature } from "../../core/base/ids.ts";
import type { SignatureFact } from "../../core/crypto/caching-scheme.ts";
import { SIGNATURES_BUFFERED } from "./limits.ts";

const DIGEST = 32;
const SIGNATURE = 65;
const RECORD = 117;

/** Returns the records of a file; none if it does not exist. */
export function* readFacts(path: string): Iterable<SignatureFact> {
  if (!existsSync(path)) return;
  const bytes = readFileSync(path);
  for (let at = 0; at + RECORD <= bytes.length; at += RECORD) {
    yield {
      digest: toHex(bytes.subarray(at, at + DIGEST)) as Hash,
      signature: toHex(bytes.subarray(at + DIGEST, at + DIGEST + SIGNATURE)) as Signature,
      signer: toHex(bytes.subarray(at + DIGEST + SIGNATURE, at + RECORD)) as Address,
    };
  }
}

export interface FactSink {
  note(fact: SignatureFact): void;
  close(): void;
}

/** Appends to a file in batches. A torn record at its end is truncated. */
export function appendFacts(path: string): FactSink {
  const file = openSync(path, "a");
  ftruncateSync(file, Math.floor(fstatSync(file).size / RECORD) * RECORD);
  let waiting: Uint8Array[] = [];
  const flush = (): void => {
    if (waiting.length > 0) writeSync(file, Buffer.concat(waiting));
    waiting = [];
  };
  return {
    note: ({ digest, signature, signer }) => {
      waiting.push(Buffer.concat([fromHex(digest), fromHex(signature), fromHex(signer)]));
      if (waiting.length >= SIGNATURES_BUFFERED) flush();
    },
    close: () => {
      flush();
      closeSync(file);
    },
  };
}
