/** Cost of one checkpoint, by the number of accounts in the state: it should grow with the changes alone. */
import type { Address } from "../src/core/base/ids.ts";
import { keccak } from "../src/core/crypto/hash.ts";
import { keyedHash } from "../src/core/crypto/keyed-hash.ts";
import { everySlots } from "./support/genesis.ts";
import { Loop } from "./support/loop.ts";
import { costOf, line, measure, type Question, title } from "./support/measure.ts";

const SIZES = [1_000, 10_000, 100_000];
const PAYMENTS = 100;

/** The payment that makes a checkpoint due: from its request until every validator has applied both. */
function checkpoint(accounts: number): Question {
  const payees = Array.from(
    { length: accounts - PAYMENTS },
    (_, at) => `0x${keccak(new TextEncoder().encode(`account ${at}`)).slice(26)}` as Address,
  );
  const loop = new Loop(4, keyedHash, { checkpoints: everySlots(PAYMENTS, 86_400_000), payers: PAYMENTS, payees });
  let last = loop.nextPayment();
  const prepare = (): void => {
    for (let at = 1; at < PAYMENTS; at++) {
      loop.pay(last);
      last = loop.nextPayment();
    }
  };
  const run = (): void => {
    const before = loop.checkpoints;
    loop.pay(last);
    if (loop.checkpoints !== before + 1) throw new Error("no checkpoint was formed");
    last = loop.nextPayment();
  };
  // The first root hashes everything.
  prepare();
  run();
  return { name: `${accounts} accounts`, run, prepare };
}

const costs = await measure(SIZES.map(checkpoint), 500);
title(`One checkpoint of ${PAYMENTS} payments through 4 validators`);
const [smallest = 0] = SIZES;
for (const size of SIZES) {
  const name = `${size.toLocaleString("en")} accounts`;
  line(name, costOf(costs, `${size} accounts`), costOf(costs, `${smallest} accounts`), `that of ${smallest} accounts`);
}
