/** Cost of signing, recovering and hashing, in both schemes. */
import { toHash } from "../src/core/base/ids.ts";
import { keccak } from "../src/core/crypto/hash.ts";
import { keyedHash } from "../src/core/crypto/keyed-hash.ts";
import type { Scheme } from "../src/core/crypto/scheme.ts";
import { secp256k1 } from "../src/core/crypto/secp256k1.ts";
import { keyOf } from "./support/genesis.ts";
import { costOf, line, measure, type Question, title } from "./support/measure.ts";

const KEY = keyOf("somebody");
const MESSAGE = new Uint8Array(100).fill(7);
const HASH = "keccak of 100 bytes";

function questionsOf(scheme: Scheme): readonly Question[] {
  const digest = toHash(keccak(MESSAGE));
  const signature = scheme.sign(KEY, digest);
  return [
    { name: `${scheme.name} sign`, run: () => void scheme.sign(KEY, digest) },
    { name: `${scheme.name} recover (verify)`, run: () => void scheme.recover(digest, signature) },
    { name: `${scheme.name} address of a key`, run: () => void scheme.addressOf(KEY) },
  ];
}

const questions = [{ name: HASH, run: () => void keccak(MESSAGE) }, ...[secp256k1, keyedHash].flatMap(questionsOf)];
const costs = await measure(questions, 600);
title("Signatures and hashes, against one keccak");
for (const { name } of questions) line(name, costOf(costs, name), costOf(costs, HASH), HASH);
