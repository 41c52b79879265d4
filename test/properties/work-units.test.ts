/**
 * Work that one payment costs a network of four validators, in units that do not depend on the machine: a change that
 * makes one of them grow is seen here, whatever the clock says. `npm run bench` runs this file for its page: with
 * `WORK_UNITS=<file>`, the units of further networks are counted and written to that file.
 */
import { writeFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { type PaymentsSetup, payments } from "../../bench/support/payments.ts";
import type { Hash, Signature } from "../../src/core/base/ids.ts";
import type { Seal } from "../../src/core/consensus/message.ts";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import type { PrivateKey, Scheme } from "../../src/core/crypto/scheme.ts";
import { runScenario } from "../../src/run/run.ts";
import type { CompiledScenario } from "../../src/scenario/compile/compile.ts";
import type { WorldEvent, WorldListener } from "../../src/simulator/listener.ts";

const calls = vi.hoisted(() => ({ keccaks: 0, encodings: 0, encodedBytes: 0 }));

vi.mock("@noble/hashes/sha3.js", async (original) => {
  const real = await original<typeof import("@noble/hashes/sha3.js")>();
  const keccak_256 = (bytes: Uint8Array): Uint8Array => {
    calls.keccaks++;
    return real.keccak_256(bytes);
  };
  return { ...real, keccak_256 };
});

vi.mock("../../src/core/base/encoding.ts", async (original) => {
  const real = await original<typeof import("../../src/core/base/encoding.ts")>();
  const encode: typeof real.encode = (item) => {
    const bytes = real.encode(item);
    calls.encodings++;
    calls.encodedBytes += bytes.length;
    return bytes;
  };
  return { ...real, encode };
});

/** `checks`: signatures of others that reach validators. One in a process of its own recovers the signer of each once. */
const units = { messages: 0, events: 0, signatures: 0, checks: 0, recoveries: 0 };

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

/** Signatures of statements in a message between validators. */
function sealsIn({ parcel }: Extract<WorldEvent, { type: "arrival" }>): readonly Seal[] {
  if (parcel.type !== "peer" || parcel.message.type !== "consensus") return [];
  const { body } = parcel.message;
  return "seals" in body ? body.seals : [body];
}

type Units = typeof units & typeof calls;

/** Runs payments without faults or checkpoints, and returns what they took. */
function unitsOf(setup: PaymentsSetup): Units {
  Object.assign(units, { messages: 0, events: 0, signatures: 0, checks: 0, recoveries: 0 });
  Object.assign(calls, { keccaks: 0, encodings: 0, encodedBytes: 0 });
  const checked = new Set<string>();
  const watch = ({ plan }: CompiledScenario): WorldListener => {
    const keys = new Map(plan.nodes.map(({ name, key }) => [name, keyedHash.addressOf(key)]));
    const eventBegins = (_step: number, _at: unknown, event: WorldEvent): void => {
      units.events++;
      if (event.type !== "arrival") return;
      units.messages++;
      for (const { signer, signature } of sealsIn(event))
        if (signer !== keys.get(event.to)) checked.add(`${event.to} ${signer} ${signature}`);
    };
    return { eventBegins };
  };
  const result = runScenario(payments(setup), { seed: "1", scheme: counting, watch });
  expect(result.finals).toHaveLength(setup.count);
  units.checks = checked.size;
  return { ...units, ...calls };
}

/** Units of one payment: what more of them add, so that the start of the network does not count. */
function unitsOfOne(setup: PaymentsSetup): Units {
  const [few, many] = [unitsOf(setup), unitsOf({ ...setup, count: 3 * setup.count })];
  const each = (unit: keyof Units): number => Math.round((10 * (many[unit] - few[unit])) / (2 * setup.count)) / 10;
  return {
    messages: each("messages"),
    events: each("events"),
    signatures: each("signatures"),
    checks: each("checks"),
    recoveries: each("recoveries"),
    keccaks: each("keccaks"),
    encodings: each("encodings"),
    encodedBytes: each("encodedBytes"),
  };
}

test("a payment takes no more work than is written here", () => {
  expect(unitsOfOne({ count: 200 })).toEqual({
    messages: 20,
    events: 21.1,
    // The client's, four votes and four commits.
    signatures: 9,
    // At the relay two or three votes and as many commits of others, and the certificates made of them at the others.
    checks: 20,
    // The operation, once for the validators of a process and once for the oracles. Statements that a node of this process
    // signed are known to be genuine.
    recoveries: 2,
    // Signed bytes, id and value: once in a process, shared by its validators. Statements have stand-in digests.
    keccaks: 3,
    encodings: 3,
    encodedBytes: 190,
  });
});

const file = process.env["WORK_UNITS"];
test.runIf(file !== undefined)("further networks are counted for the page of the benchmarks", () => {
  const networks: readonly (readonly [name: string, setup: PaymentsSetup])[] = [
    ["N = 4", { count: 200 }],
    ["N = 20", { count: 40, validators: 20 }],
    ["N = 100", { count: 10, validators: 100 }],
    ["N = 4 under load: 100 accounts, 1 payment each ms", { count: 500, accounts: 100, everyMs: 1 }],
  ];
  const counted = networks.map(([name, setup]) => ({
    name,
    validators: setup.validators ?? 4,
    units: unitsOfOne(setup),
  }));
  writeFileSync(file as string, JSON.stringify(counted));
});
