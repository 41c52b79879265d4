/** Cost of one payment beyond its signatures, from the request until every validator has applied it. */
import { toHash } from "../src/core/base/ids.ts";
import type { SignedOperation } from "../src/core/base/operation.ts";
import { quorumOf } from "../src/core/consensus/committee.ts";
import { keccak } from "../src/core/crypto/hash.ts";
import { keyedHash } from "../src/core/crypto/keyed-hash.ts";
import type { Scheme } from "../src/core/crypto/scheme.ts";
import { secp256k1 } from "../src/core/crypto/secp256k1.ts";
import { keyOf } from "./support/genesis.ts";
import { Loop } from "./support/loop.ts";
import { costOf, line, measure, type Question, title } from "./support/measure.ts";

const SIZES = [4, 20];

function primitives(scheme: Scheme): readonly Question[] {
  const digest = toHash(keccak(new Uint8Array(100)));
  const key = keyOf("somebody");
  const signature = scheme.sign(key, digest);
  return [
    { name: "sign", run: () => void scheme.sign(key, digest) },
    { name: "recover", run: () => void scheme.recover(digest, signature) },
  ];
}

function payment(n: number, scheme: Scheme): Question {
  const loop = new Loop(n, scheme);
  let next: SignedOperation = loop.nextPayment();
  const prepare = (): void => {
    next = loop.nextPayment();
  };
  // The first nonce, too, or all later ones wait for it.
  loop.pay(next);
  return { name: `payment through ${n}`, run: () => loop.pay(next), prepare };
}

function traffic(n: number): string {
  const loop = new Loop(n, keyedHash);
  loop.pay(loop.nextPayment());
  return `${loop.steps} inputs and ${loop.signed} signatures`;
}

for (const scheme of [secp256k1, keyedHash]) {
  const costs = await measure([...primitives(scheme), ...SIZES.map((n) => payment(n, scheme))], 1_500);
  title(`One payment with ${scheme.name}, in one process with one memory of verified signatures`);
  for (const n of SIZES) {
    // Two rounds of signatures: N votes and N commits are made, q of each are needed, and the client's is recovered.
    const q = quorumOf(n);
    const bare = (1 + 2 * q) * costOf(costs, "recover") + 2 * n * costOf(costs, "sign");
    line(
      `N = ${n}: ${traffic(n)}`,
      costOf(costs, `payment through ${n}`),
      bare,
      `(${1 + 2 * q} recover + ${2 * n} sign)`,
    );
  }
}
