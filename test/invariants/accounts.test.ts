import type { Nonce, Sequence } from "../../src/core/base/ids.ts";
import { slotKey } from "../../src/core/base/slot.ts";
import { accounts } from "../../src/invariants/oracles/accounts.ts";
import {
  type Alteration,
  addChange,
  alterChange,
  alterReceipt,
  dropChange,
  finder,
  Stream,
  testRuns,
} from "./support.ts";
import { ALICE, accountSlot, amount, BOB, hash, own, payment, setting } from "./vocabulary.ts";

const X = own("x", 0, payment(ALICE, 0, BOB, 100));
const BURN = { ...X, value: { type: "burn", id: hash("b"), outcome: "failed" } } as const;
const OTHER_SLOT = slotKey(accountSlot(ALICE, 1));

const counters = (nonce: number, sequence: number) => ({ nonce: nonce as Nonce, sequence: sequence as Sequence });
const counting = (nonce: number, sequence: number) => alterChange("account", () => counters(nonce, sequence));
const holding = (balance: bigint) => alterChange("balance", () => ({ after: amount(balance) }));
const moving = (address: typeof ALICE) => ({ of: "account", address, ...counters(1, 1) }) as const;

const applied = (decision = X, alter?: Alteration): Stream => new Stream(setting()).apply("v1", decision, alter);
const paid = (nonce: number, sequence = 0, value = 1): Stream =>
  applied(own("y", sequence, payment(ALICE, nonce, BOB, value)));

testRuns(finder(accounts), [
  ["a balance below 0", () => paid(0, 0, 1000), "is -1, below 0"],
  ["a balance above 2^256 - 1", () => applied(X, holding(1n << 256n)), "above 2^256 - 1", "above 2^256 - 1"],
  ["a nonce that rises by two", () => applied(X, counting(2, 1)), "nonce went from 0 to 2"],
  ["a sequence that stands still", () => applied(X, counting(1, 0)), "sequence went from 0 to 0"],
  ["a slot that moves no counters", () => applied(X, dropChange("account")), "the account's sequence did not rise"],
  ["a receipt of another slot", () => applied(X, alterReceipt({ slot: OTHER_SLOT })), /in slot 0 .*names slot 1 of/],
  ["a slot that leaves one out", () => paid(0, 1), "slot 1 was applied where slot 0 is next"],
  ["a nonce used twice", () => applied().apply("v1", own("y", 1, payment(ALICE, 0, BOB, 1))), "used nonce 0 where 1"],
  [
    "a burn that uses a nonce",
    () => applied(BURN, () => ({ changes: [moving(ALICE)], receipts: [] })),
    "a forced burn uses no nonce",
  ],
  ["an operation executed twice", () => applied().applyOwn("v1", "x", payment(ALICE, 1, BOB, 1)), "executed twice"],
  ["counters that move in another's slot", () => applied(X, addChange(moving(BOB))), "in a slot of another account"],
  ["no restart, which counts from the genesis again", () => applied().crash("v1").restart("v1").apply("v1", X)],
]);
