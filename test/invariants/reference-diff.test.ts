/** Protocol 7.13: each way in which what a node applied can differ from the reference ledger is found, by its own words. */
import { expect, test } from "vitest";
import type { Nonce, PublicKey, Sequence, Version } from "../../src/core/base/ids.ts";
import type { Role } from "../../src/core/base/operation.ts";
import type { Receipt, Refusal } from "../../src/core/base/refusal.ts";
import { slotKey } from "../../src/core/base/slot.ts";
import type { ObservedToken } from "../../src/invariants/observation.ts";
import { validity } from "../../src/invariants/oracles/validity/validity.ts";
import { tokenAddress } from "../../src/invariants/reference/addresses.ts";
import { type Alteration, alterChange, alterReceipt, dropChange, finder, Stream } from "./support.ts";
import * as v from "./vocabulary.ts";

const { ALICE, BOB, CAROL, ISSUER } = v;

const X = v.own("x", 0, v.payment(ALICE, 0, BOB, 5));
const find = finder(validity);

/** v1 applies the decisions, the last one with altered effects. */
function found(decisions: readonly v.Decision[], alter?: Alteration): readonly string[] {
  const stream = new Stream(v.setting());
  for (const [at, decision] of decisions.entries())
    stream.apply("v1", decision, at === decisions.length - 1 ? alter : undefined);
  return find(stream);
}

const policy = (other: Partial<ObservedToken>): Alteration =>
  alterChange("token", ({ after }) => ({ after: { ...after, ...other } }));

const refusal = (code: string): Refusal => ({ code }) as Refusal;

test.each<[string, Alteration, string]>([
  [
    "for an operation that the slot does not have",
    (effects) => ({
      ...effects,
      receipts: [...effects.receipts, { ...(effects.receipts[0] as Receipt), id: v.hash("y") }],
    }),
    "is not expected",
  ],
  [
    "of a failure",
    alterReceipt({ success: false, error: refusal("business_insufficient_funds") }),
    "shows business_insufficient_funds, expected success",
  ],
  ["with another fee", alterReceipt({ fee: v.amount(7) }), "shows fee 7, expected 1"],
  ["with a fee in another token", alterReceipt({ feeToken: CAROL }), "shows a fee in another token"],
  ["of another slot", alterReceipt({ slot: slotKey(v.accountSlot(ALICE, 1)) }), "names another slot"],
  ["of a success with a code", alterReceipt({ error: refusal("validation_amount") }), "shows success and"],
  ["that is missing", (effects) => ({ ...effects, receipts: [] }), "is missing"],
])("a receipt %s is found", (_what, alter, words) => {
  expect(found([X])).toEqual([]);
  expect(found([X], alter)).toEqual([expect.stringContaining(words)]);
});

test("a receipt with a code that no rule gives is found", () => {
  const go = v.pause(ISSUER, 0, "Unpause");
  const decisions = [v.own("u", 0, go), v.list(0, [["u", go]])];
  expect(found(decisions)).toEqual([]);
  expect(found(decisions, alterReceipt({ error: refusal("business_missing_role") }))).toEqual([
    expect.stringContaining("shows business_missing_role, expected business_pause_state"),
  ]);
});

test.each<[string, Alteration, string]>([
  [
    "a balance before",
    alterChange("balance", ({ before }) => ({ before: v.amount(before + 1n) })),
    "was 1001, expected 1000",
  ],
  [
    "a sequence",
    alterChange("account", () => ({ sequence: 9 as Sequence })),
    "is at nonce 1, sequence 9, expected 1, 1",
  ],
  ["a nonce", alterChange("account", () => ({ nonce: 9 as Nonce })), "is at nonce 9, sequence 1, expected 1, 1"],
  [
    "a count of burns to other chains",
    alterChange("account", () => ({ bridgeNonce: 3 })),
    "counts 3 burns to other chains, expected 0",
  ],
  [
    "a signer set",
    alterChange("account", () => ({
      multisig: { threshold: 1, signers: [{ key: `0x02${"1".repeat(64)}` as PublicKey, weight: 1 }] },
    })),
    "has the signer set",
  ],
])("%s unlike the reference is found", (_what, alter, words) => {
  expect(found([X], alter)).toEqual([expect.stringContaining(words)]);
});

test("an operation that leaves the authorised set too soon, or stays in it, is found", () => {
  const stop = v.pause(ISSUER, 0);
  const isThere = (present: boolean): Alteration => alterChange("authorised", () => ({ present }));
  expect(found([v.own("p", 0, stop)], isThere(false))).toEqual([expect.stringContaining("left the authorised set")]);
  expect(found([v.own("p", 0, stop), v.list(0, [["p", stop]])], isThere(true))).toEqual([
    expect.stringContaining("is authorised again"),
  ]);
});

test("a policy of a token that is not issued is found", () => {
  const token = tokenAddress(ISSUER, "EUR");
  const stop = v.signed("pause", ISSUER, 0, { token, action: "Pause" });
  const decision = { ...v.list(0, [["p", stop]]), slot: v.tokenSlot(0, token) };
  expect(found([v.own("p", 0, stop), decision], dropChange("token"))).toEqual([]);
  expect(found([v.own("p", 0, stop), decision])).toEqual([expect.stringContaining("has a policy before its issue")]);
});

const PAUSED = v.pause(ISSUER, 0);
const GRANTED = v.grant(ISSUER, 0, "Pause", CAROL, 0);
const BARRED = v.signed("list", ISSUER, 0, { list: "blacklist", token: v.USD, address: BOB, action: "Add" });

test.each<[string, typeof PAUSED, Partial<ObservedToken>, string]>([
  ["version", PAUSED, { version: 9 as Version }, "is at version 9, expected 1"],
  ["state", GRANTED, { isPaused: true }, "is paused"],
  ["state", PAUSED, { isPaused: false }, "is not paused"],
  ["kind", PAUSED, { isPrivate: true }, "has other fixed properties"],
  ["decimals", PAUSED, { decimals: 7 }, "has other fixed properties"],
  ["clawback", PAUSED, { clawbackEnabled: false }, "has other fixed properties"],
  ["name", PAUSED, { name: "euro" }, 'is described as "USD", "euro"'],
  ["master", PAUSED, { masterAuthority: CAROL }, "has the master"],
  ["number of grants", GRANTED, { roles: [] }, "has 0 grants, expected 1"],
  [
    "holder",
    GRANTED,
    { roles: [{ role: "Pause" as Role, address: BOB, allowance: v.amount(0) }] },
    "shows Pause held by",
  ],
  ["minted transactions", PAUSED, { bridged: ["7/0x1"] }, "has minted 1 transactions of other chains, expected 0"],
  ["excluded account", BARRED, { blacklist: [CAROL] }, "on its blacklist"],
  ["number of excluded accounts", BARRED, { blacklist: [] }, "has 0 on its blacklist, expected 1"],
])("a token's %s unlike the reference is found", (_what, operation, alter, words) => {
  const decisions = [v.own("p", 0, operation), v.list(0, [["p", operation]])];
  expect(found(decisions)).toEqual([]);
  expect(found(decisions, policy(alter))).toEqual([expect.stringContaining(words)]);
});
