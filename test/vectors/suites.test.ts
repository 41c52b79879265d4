/** Public vectors: the suites of JSON and YAML, RFC 6979 over secp256k1, and Keccak-256 (test/vectors/suites/README.md). */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { BACKENDS, realScheme } from "../../src/backends/secp256k1.ts";
import type { Hash } from "../../src/core/base/ids.ts";
import { keccak } from "../../src/core/crypto/hash.ts";
import type { PrivateKey } from "../../src/core/crypto/scheme.ts";
import { readJson } from "../../src/proofs/json-file.ts";
import { readYaml } from "../../src/scenario/yaml-document.ts";
import { parseJson } from "../../src/server/wire/json.ts";
import { suite } from "./suite.ts";

describe("the JSON suite", () => {
  const cases = suite<readonly [name: string, text: string]>("json-test-suite");
  const isTaken = { body: (text: string) => parseJson(text).ok, file: (text: string) => readJson(text).ok };

  test.each(["body", "file"] as const)("has nothing malformed that is taken: of a %s", (reader) => {
    const malformed = cases.filter(([name]) => name.startsWith("n_"));
    expect(malformed.length).toBeGreaterThan(100);
    expect(malformed.filter(([, text]) => isTaken[reader](text)).map(([name]) => name)).toEqual([]);
  });

  test.each(["body", "file"] as const)("lists what is refused although it is JSON: of a %s", (reader) => {
    const refused = cases.filter(([name, text]) => name.startsWith("y_") && !isTaken[reader](text));
    expect(refused.map(([name]) => name)).toMatchSnapshot();
  });
});

describe("the YAML suite", () => {
  const cases = suite<readonly [id: string, isMalformed: boolean, text: string]>("yaml-test-suite");
  const isTaken = (text: string): boolean => !("problems" in readYaml(text));

  test("lists what is taken although it is no YAML", () => {
    expect(cases.filter(([, isMalformed, text]) => isMalformed && isTaken(text)).map(([id]) => id)).toMatchSnapshot();
  });

  test("lists what is refused although it is YAML", () => {
    const refused = cases.filter(([, isMalformed, text]) => !isMalformed && !isTaken(text));
    expect(refused.map(([id]) => id)).toMatchSnapshot();
  });
});

describe("RFC 6979 over secp256k1 with SHA-256, low s", () => {
  const KEY = `0x${"1".padStart(64, "0")}` as PrivateKey;
  test.each(
    BACKENDS.flatMap((backend) => [
      [
        backend,
        "Satoshi Nakamoto",
        "934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d82442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5",
      ] as const,
      [
        backend,
        "All those moments will be lost in time, like tears in rain. Time to die...",
        "8600dbd41e348fe5c9465ab92d23e3db8b98b873beecd930736488696438cb6b547fe64427496db33bf66019dacbf0039c04199abb0122918601db38a72cfc21",
      ] as const,
    ]),
  )("is what %s signs: %s", (backend, message, signature) => {
    const scheme = realScheme(backend);
    const digest = `0x${createHash("sha256").update(message).digest("hex")}` as Hash;
    const signed = scheme.sign(KEY, digest);
    expect(signed.slice(2, 130)).toBe(signature);
    expect(scheme.recover(digest, signed)).toBe("0x7e5f4552091a69125d5dfcb7b8c2659029395bdf");
  });
});

test.each([
  ["", "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"],
  ["abc", "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"],
])("Keccak-256 of %j", (text, hash) => {
  expect(keccak(new TextEncoder().encode(text))).toBe(`0x${hash}`);
});
