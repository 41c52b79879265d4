/** Cost of signing, recovering and hashing: what the figures are made of. */
import { realScheme } from "../../src/backends/secp256k1.ts";
import { toHash } from "../../src/core/base/ids.ts";
import { keccak } from "../../src/core/crypto/hash.ts";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import type { Scheme } from "../../src/core/crypto/scheme.ts";
import { secp256k1 } from "../../src/core/crypto/secp256k1.ts";
import { type Effort, interleaved, type Target, valuesOf } from "../page/rounds.ts";
import type { Section } from "../page/section.ts";
import { digits, spreadOf } from "../page/statistics.ts";
import { table } from "../page/table.ts";
import { cpuMsEach } from "../support/cpu.ts";
import { keyOf } from "../support/genesis.ts";

const MESSAGE = new Uint8Array(100).fill(7);
const CALLS = 100;

export async function primitivesTable({ rounds, ms }: Effort): Promise<Section> {
  const schemes = new Map([realScheme(), secp256k1, keyedHash].map((scheme) => [scheme.backend, scheme]));
  const targets = [repeated("keccak of 100 bytes", () => keccak(MESSAGE)), ...[...schemes.values()].flatMap(targetsOf)];
  const costs = await interleaved(targets, { rounds, ms: ms / 6 });
  const rows = targets.map(({ name }) => [name, digits(1_000 * spreadOf(valuesOf(costs, name)).median)]);
  return { title: "Primitives", text: [table(["one call", "CPU us"], rows)] };
}

function targetsOf(scheme: Scheme): readonly Target[] {
  const digest = toHash(keccak(MESSAGE));
  const key = keyOf("somebody");
  const address = scheme.addressOf(key);
  const signature = scheme.sign(key, digest, address);
  return [
    repeated(`${scheme.backend} signature`, () => scheme.sign(key, digest, address)),
    repeated(`${scheme.backend} recovery (verification)`, () => scheme.recover(digest, signature)),
  ];
}

function repeated(name: string, call: () => unknown): Target {
  const once = (): number => {
    for (let at = 0; at < CALLS; at++) call();
    return CALLS;
  };
  return { name, measure: (ms) => cpuMsEach(once, ms), warmUp: once };
}
