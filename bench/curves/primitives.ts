/** Cost of signing, recovering and hashing: what the figures are made of. */
import { Bench } from "tinybench";
import { realScheme } from "../../src/backends/secp256k1.ts";
import { toHash } from "../../src/core/base/ids.ts";
import { keccak } from "../../src/core/crypto/hash.ts";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import type { Scheme } from "../../src/core/crypto/scheme.ts";
import { secp256k1 } from "../../src/core/crypto/secp256k1.ts";
import type { Effort } from "../page/rounds.ts";
import type { Section } from "../page/section.ts";
import { digits } from "../page/statistics.ts";
import { table } from "../page/table.ts";
import { keyOf } from "../support/genesis.ts";

const MESSAGE = new Uint8Array(100).fill(7);
/** Calls between two readings of the clock: one reading costs as much as the cheapest call. */
const CALLS = 20;

type Call = readonly [name: string, call: () => unknown];

export async function primitivesTable({ rounds, ms }: Effort): Promise<Section> {
  const schemes = new Map([realScheme(), secp256k1, keyedHash].map((scheme) => [scheme.backend, scheme]));
  const calls: readonly Call[] = [
    ["keccak of 100 bytes", () => keccak(MESSAGE)],
    ...[...schemes.values()].flatMap(callsOf),
  ];
  const bench = new Bench({ time: (rounds * ms) / 6, warmupTime: ms / 12 });
  for (const [name, call] of calls) bench.add(name, repeated(call));
  const rows = (await bench.run()).map(({ name, result }) => {
    if (!("latency" in result)) throw new Error(`${name} was not measured: ${result.state}`);
    return [name, digits((1_000 * result.latency.p50) / CALLS)];
  });
  return { title: "Primitives", text: [table(["one call", "us, median"], rows)] };
}

function callsOf(scheme: Scheme): readonly Call[] {
  const digest = toHash(keccak(MESSAGE));
  const key = keyOf("somebody");
  const address = scheme.addressOf(key);
  const signature = scheme.sign(key, digest, address);
  return [
    [`${scheme.backend} signature`, () => scheme.sign(key, digest, address)],
    [`${scheme.backend} recovery (verification)`, () => scheme.recover(digest, signature)],
  ];
}

function repeated(call: () => unknown): () => void {
  return () => {
    for (let at = 0; at < CALLS; at++) call();
  };
}
