/**
 * Work that one payment costs a network of four validators, in units that do not depend on the machine: a change that
 * makes one of them grow is seen here, whatever the clock says.
 */
import { expect, test, vi } from "vitest";
import type { Hash, Signature } from "../../src/core/base/ids.ts";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import type { PrivateKey, Scheme } from "../../src/core/crypto/scheme.ts";
import { scenario } from "../../src/library/scenario.ts";
import { runScenario } from "../../src/run/run.ts";
import type { WorldEvent } from "../../src/simulator/listener.ts";

const calls = vi.hoisted(() => ({ keccaks: 0, encodings: 0, encodedBytes: 0 }));

vi.mock("@noble/hashes/sha3.js", async (original) => {
  const real = await original<typeof import("@noble/hashes/sha3.js")>();
  const keccak_256 = (bytes: Uint8Array): Uint8Array => {
    calls.keccaks++;
    return real.keccak_256(bytes);
  };
  return { ...real, keccak_256 };
});

vi.mock("@ethereumjs/rlp", async (original) => {
  const real = await original<typeof import("@ethereumjs/rlp")>();
  const encode = (item: Parameters<typeof real.RLP.encode>[0]): Uint8Array => {
    const bytes = real.RLP.encode(item);
    calls.encodings++;
    calls.encodedBytes += bytes.length;
    return bytes;
  };
  return { ...real, RLP: { ...real.RLP, encode } };
});

const PAYERS = Array.from({ length: 10 }, (_, at) => `payer${at}`);
const units = { messages: 0, events: 0, signatures: 0, recoveries: 0 };

/** The stand-in, which counts. It never caches, so that each signature that a validator checks is seen. */
const counting: Scheme = {
  ...keyedHash,
  sign: (key: PrivateKey, digest: Hash, address) => {
    units.signatures++;
    return keyedHash.sign(key, digest, address);
  },
  recover: (digest: Hash, signature: Signature) => {
    units.recoveries++;
    return keyedHash.recover(digest, signature);
  },
};

type Units = typeof units & typeof calls;

/** Runs so many payments without faults or checkpoints, and returns what they took. */
function unitsOf(count: number): Units {
  Object.assign(units, { messages: 0, events: 0, signatures: 0, recoveries: 0 });
  Object.assign(calls, { keccaks: 0, encodings: 0, encodedBytes: 0 });
  const payments = scenario({
    name: "payments without faults",
    network: { validators: 4, delay_ms: 10 },
    genesis: {
      tokens: { USD: { decimals: 2, master: "issuer" } },
      balances: Object.fromEntries(PAYERS.map((payer) => [payer, { USD: "100000" }])),
    },
    steps: [
      {
        at: 0,
        workload: { accounts: PAYERS, count, every_ms: 5, mix: [{ payment: { token: "USD", value: "1" } }] },
      },
    ],
  });
  const eventBegins = (_step: number, _at: unknown, { type }: WorldEvent): void => {
    units.events++;
    if (type === "arrival") units.messages++;
  };
  const result = runScenario(payments, { seed: "1", scheme: counting, watch: () => ({ eventBegins }) });
  expect(result.finals).toHaveLength(count);
  return { ...units, ...calls };
}

test("a payment takes no more work than is written here", () => {
  const [few, many] = [unitsOf(200), unitsOf(600)];
  const each = Object.fromEntries(
    Object.entries(many).map(([unit, total]) => [
      unit,
      Math.round(((total - few[unit as keyof Units]) / 400) * 10) / 10,
    ]),
  );
  expect(each).toEqual({
    messages: 20.1,
    events: 21.1,
    // The client's, four votes and four commits.
    signatures: 9,
    // The operation at each validator, votes and commits at their collector, and two certificates once each.
    recoveries: 18,
    // Signed bytes, id, value, vote and commit: once in a process, shared by its validators.
    keccaks: 5,
    encodings: 5,
    encodedBytes: 346,
  });
});
