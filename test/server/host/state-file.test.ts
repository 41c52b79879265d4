import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdtempSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Hash } from "../../../src/core/base/ids.ts";
import type { SignatureFact } from "../../../src/core/crypto/caching-scheme.ts";
import { secp256k1 } from "../../../src/core/crypto/secp256k1.ts";
import { keyOf } from "../../../src/scenario/directory.ts";
import { appendFacts, lockState, readFacts } from "../../../src/server/host/state-file.ts";

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

test.runIf(existsSync("/proc/self/stat"))(
  "a state file is free once its process has ended, noticed or not",
  async () => {
    const path = join(mkdtempSync(join(tmpdir(), "state-")), "net");
    // The shell starts a process that ends at once, and becomes one that never asks about it.
    const parent = spawn("sh", ["-c", "true & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "ignore"] });
    try {
      const [line] = (await once(parent.stdout, "data")) as [Buffer];
      writeFileSync(`${path}.lock`, line.toString().trim());
      await expect.poll(() => lockState(path).ok).toBe(true);
      writeFileSync(`${path}.lock`, String(parent.pid));
      expect(lockState(path)).toEqual({ ok: false, error: `${path} is in use by process ${parent.pid}` });
    } finally {
      parent.kill("SIGKILL");
    }
  },
);
