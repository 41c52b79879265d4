import { appendFileSync, mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Hash } from "../../../src/core/base/ids.ts";
import type { SignatureFact } from "../../../src/core/crypto/caching-scheme.ts";
import { secp256k1 } from "../../../src/core/crypto/secp256k1.ts";
import { keyOf } from "../../../src/scenario/directory.ts";
import { appendFacts, readFacts } from "../../../src/server/host/state-file.ts";

function fact(number: number): SignatureFact {
  const [digest, key] = [`0x${String(number).padStart(64, "0")}` as Hash, keyOf("account", "alice")];
  return { digest, signature: secp256k1.sign(key, digest), signer: secp256k1.addressOf(key) };
}

test("facts come back in their order, and a torn one at the end is cut off before the next", () => {
  const path = join(mkdtempSync(join(tmpdir(), "facts-")), "signatures");
  expect([...readFacts(path)]).toEqual([]);
  const facts = [1, 2, 3].map(fact);
  const first = appendFacts(path);
  for (const one of facts.slice(0, 2)) first.note(one);
  first.close();
  appendFileSync(path, "torn");
  expect([...readFacts(path)]).toEqual(facts.slice(0, 2));
  const second = appendFacts(path);
  second.note(facts[2] as SignatureFact);
  second.close();
  expect([...readFacts(path)]).toEqual(facts);
  expect(statSync(path).size).toBe(3 * 117);
});
