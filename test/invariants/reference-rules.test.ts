/** Rules of the reference ledger, each by the one operation, vote or decision that it forbids (protocol 3, 4.1, 4.4, 5). */
import { expect, test } from "vitest";
import type { GenesisToken } from "../../src/core/base/epoch.ts";
import type { Address } from "../../src/core/base/ids.ts";
import type { Memo, SignedOperation } from "../../src/core/base/operation.ts";
import { tokenAddress } from "../../src/invariants/reference/addresses.ts";
import { formRefusals } from "../../src/invariants/reference/form-rules.ts";
import { applySlot, voteRefusals } from "../../src/invariants/reference/ledger.ts";
import { genesisLedger, tokenStateOf } from "../../src/invariants/reference/state.ts";
import { policyAfter, policyRefusals } from "../../src/invariants/reference/token-rules.ts";
import * as v from "./vocabulary.ts";

const { ALICE, BOB, CAROL, ISSUER, USD } = v;

const { genesis } = v.setting();
const EUR = tokenAddress(ISSUER, "EUR");
const NO_MEMO: Memo = { type: "", format: "", data: "" };
const NOWHERE = { destinationChainId: 7, destinationAddress: "0xd", bridgeMetadata: "", bridgeParam: "0x" };

/** The same operation with other fields. */
function altered(one: SignedOperation, fields: object): SignedOperation {
  return { ...one, operation: { ...one.operation, ...fields } as SignedOperation["operation"] };
}

const usdIn = (kind: "mint" | "burn", value: number): SignedOperation =>
  v.signed(kind, ISSUER, 0, { token: USD, recipient: BOB, value: v.amount(value) });
const clawback = (sender: Address, value: number): SignedOperation =>
  v.signed("clawback", sender, 0, { token: USD, from: BOB, recipient: CAROL, value: v.amount(value) });
const bridgeMint = (value: bigint): SignedOperation =>
  v.signed("bridgeMint", ISSUER, 0, {
    ...{ token: USD, recipient: BOB, value: v.amount(value), bridgeMetadata: "" },
    ...{ sourceChainId: 7, sourceTxHash: "0x1" },
  } as never);
const bridgeBurn = (value: number, sender = ALICE): SignedOperation =>
  v.signed("bridgeBurn", ALICE, 0, { sender, token: USD, value: v.amount(value), escrowFee: v.amount(1), ...NOWHERE });
const batch = (legs: readonly number[], more: object = {}): SignedOperation =>
  v.signed("batch", ALICE, 0, {
    ...{ token: USD, legs: legs.map((value) => ({ recipient: BOB, amount: v.amount(value) })), createdAt: 1n },
    ...{ layout: "v2", memo: NO_MEMO, ...more },
  } as never);
const issue = (decimals: number): SignedOperation =>
  v.signed("issue", genesis.operator, 0, { symbol: "EUR", name: "Euro", decimals, masterAuthority: CAROL });
const barring = (sender: Address, action: string): SignedOperation =>
  v.signed("list", sender, 0, { list: "blacklist", token: USD, address: CAROL, action });
const grantOf = (action: string, authorityType: string): SignedOperation =>
  v.signed("authority", ISSUER, 0, { token: USD, authorityAddress: CAROL, action, authorityType, value: v.amount(0) });

test.each<[string, SignedOperation, string]>([
  ["a clawback without the role", clawback(CAROL, 1), "business_missing_role"],
  ["a mint of a bridge past the largest supply", bridgeMint((1n << 256n) - 1n), "business_amount_overflow"],
  ["a burn to another chain for somebody else", bridgeBurn(1, BOB), "validation_sender"],
  ["a change of a list without the role", barring(CAROL, "Add"), "business_missing_role"],
  ["a grant of an unknown role", grantOf("Grant", "Everything"), "validation_action"],
])("the policy refuses %s", (_what, one, code) => {
  const { policy } = tokenStateOf(genesisLedger(genesis), USD);
  expect(policyRefusals(policy, one, genesis)[0]).toBe(code);
});

/** The codes by which the policy of the genesis refuses these operations, one after the other; `undefined` for none. */
function codesOf(token: Partial<GenesisToken>, operations: readonly SignedOperation[]) {
  let { policy } = tokenStateOf(genesisLedger(v.setting({ token }).genesis), USD);
  return operations.map((one) => {
    const [code] = policyRefusals(policy, one, genesis);
    if (code === undefined) policy = policyAfter(policy, one, genesis);
    return code;
  });
}

test("all that was ever minted stays below 2^256, burned or not", () => {
  const most = altered(usdIn("mint", 1), { value: (1n << 256n) - 2001n });
  const codes = codesOf({}, [most, usdIn("burn", 100), usdIn("mint", 1)]);
  expect(codes).toEqual([undefined, undefined, "business_amount_overflow"]);
});

test("lists follow the kind of the token, and entries are neither doubled nor removed twice", () => {
  const change = (list: "blacklist" | "whitelist", action: string): SignedOperation =>
    v.signed("list", ISSUER, 0, { list, token: USD, address: BOB, action });
  const actions = ["Blacklist", "Add", "Remove", "Remove", "Add", "Whitelist", "Whitelist"];
  const STATE = "business_list_state";
  const ofActions = [undefined, STATE, undefined, STATE, undefined, undefined, STATE];
  const open = [change("whitelist", "Add"), ...actions.map((action) => change("blacklist", action))];
  expect(codesOf({}, open)).toEqual(["business_list_kind", ...ofActions]);
  const closed = [change("blacklist", "Add"), usdIn("mint", 1), change("whitelist", "Whitelist"), usdIn("mint", 1)];
  const codes = ["business_list_kind", "business_not_whitelisted", undefined, undefined];
  expect(codesOf({ isPrivate: true }, closed)).toEqual(codes);
});

const X = v.payment(ALICE, 0, BOB, 5);

const V2 = { layout: "v2", memo: NO_MEMO };
const BREAK = { ...NO_MEMO, data: "\n" };

/** Operations that a form rule refuses by this code, each with the one that is right: those that drawing finds seldom. */
test.each<[what: string, right: SignedOperation, wrong: SignedOperation, code: string]>([
  ["a batch with a leg of nothing", batch([1, 1]), batch([1, 0]), "validation_amount"],
  ["a token of 19 decimals", issue(18), issue(19), "validation_decimals"],
  ["a batch without payments", batch([1]), batch([]), "validation_batch"],
  [
    "an account beside its signer",
    altered(X, { ...V2, account: ALICE }),
    altered(X, { ...V2, account: BOB }),
    "validation_layout",
  ],
  ["a batch with a long id", batch([1], { batchId: "a" }), batch([1], { batchId: "a".repeat(129) }), "validation_text"],
  ["a memo with a control character", altered(X, V2), altered(X, { ...V2, memo: BREAK }), "validation_text"],
])("the form refuses %s", (_what, right, wrong, code) => {
  expect(formRefusals(right)).toEqual([]);
  expect(formRefusals(wrong)).toEqual([code]);
});

/** The state after decisions, in which nothing was wrong. */
function after(...decisions: readonly v.Decision[]) {
  const state = genesisLedger(genesis);
  for (const { slot, value, operations } of decisions)
    expect(applySlot(state, slot, value, operations).problems).toEqual([]);
  return state;
}

const BURN = v.signed("burn", ISSUER, 0, { token: USD, value: v.amount(40), recipient: BOB });
const LATER = v.signed("burn", ISSUER, 1, { token: USD, value: v.amount(40), recipient: BOB });
const RICH = v.signed("burn", ISSUER, 0, { token: USD, value: v.amount(4_000), recipient: BOB });
const STOP = v.pause(ISSUER, 0);
const CANCELLATION = v.signed("cancellation", ALICE, 0, {});

function burnIn(account: Address, name: string, one: SignedOperation): v.Decision {
  const value = { type: "burn", id: v.hash(name), outcome: "burned" } as const;
  return { slot: v.accountSlot(account, 0), value, operations: [one] };
}

function skip(operations: readonly SignedOperation[], more: object = {}): v.Decision {
  const by = { type: "skip", by: "cancellation", id: v.hash("c"), displaced: [v.hash("x")] } as const;
  const value = { ...by, feeToken: USD, ...more } as const;
  return { slot: v.accountSlot(ALICE, 0), value, operations };
}

const inSlot = (decision: v.Decision, slot: v.Decision["slot"]): v.Decision => ({ ...decision, slot });

const toAlice = (decision: v.Decision): v.Decision => inSlot(decision, v.accountSlot(ALICE, 0));
const OF_BOB = { ...X, sender: BOB };
const STOPPED = v.own("p", 0, STOP);
const [DUE, TWO] = [[v.own("b", 0, BURN)], [v.own("a", 0, BURN), v.own("b", 1, LATER)]];
const AUTHORISED = v.list(0, [["p", STOP]]);
const OTHER_CHAIN = altered(X, { chainId: v.CHAIN + 1 });

type Wrong = readonly [what: string, before: readonly v.Decision[], decision: v.Decision, words: string];

/** Wrong votes, each with the rule that it breaks, by which its application is judged too. */
const WRONG: readonly Wrong[] = [
  ["an operation in a token's slot", [], inSlot(v.own("x", 0, X), v.tokenSlot(0)), "a token's slot decides a list"],
  ["an unknown operation", [], { ...v.own("x", 0, X), operations: [] }, "the operation is unknown"],
  ["a slot too early", [], v.own("x", 1, X), "slot 0 is next"],
  ["somebody else's operation", [], toAlice(v.own("x", 0, OF_BOB)), "signed by another account"],
  ["a cancellation as an operation", [], v.own("c", 0, CANCELLATION), "a cancellation is decided as a skip"],
  ["an account without signers", [], v.own("x", 0, altered(X, { account: ALICE })), "resource_multisig_not_found"],
  ["a used nonce", [v.own("x", 0, X)], v.own("y", 1, X), "business_nonce_too_low"],
  ["another chain", [], v.own("x", 0, OTHER_CHAIN), "validation_chain_id"],
  ["a burn in another's slot", DUE, burnIn(ALICE, "b", BURN), "it burns from another account"],
  ["a warrant of others", [], skip([CANCELLATION, X, OF_BOB]), "its warrant was signed by another account"],
  ["another token", [STOPPED], inSlot(AUTHORISED, v.tokenSlot(0, EUR)), "is not an operation of this token"],
  ["a version too early", [STOPPED], v.list(1, [["p", STOP]]), "version 0 is next, not 1"],
];

/** Wrong votes whose application is not judged by their rule. */
const UNJUDGED: readonly Wrong[] = [
  ["a list in an account's slot", [], toAlice(v.list(0, [])), "a list belongs in a token's slot"],
  ["no forced burn", [STOPPED], burnIn(BOB, "p", STOP), "it is not a forced burn"],
  ["a burn out of order", TWO, burnIn(BOB, "b", LATER), "an earlier burn of this authority is due first"],
  ["half a warrant", [], skip([X], { by: "recovery" }), "its warrant shows 1 operations, 2 are needed"],
  ["a fee in a token that does not move", [], skip([CANCELLATION, X], { feeToken: EUR }), "it pays in"],
];

test.each([...WRONG, ...UNJUDGED])("a vote for %s is refused", (...[, before, { slot, value, operations }, words]) => {
  expect(voteRefusals(after(...before), slot, value, operations).join("; ")).toContain(words);
});

test.each(WRONG)("an application of %s is a problem", (_what, before, { slot, value, operations }, words) => {
  expect(applySlot(after(...before), slot, value, operations).problems.join("; ")).toContain(words);
});

test("an application that takes more than there is, or at another place, is a problem", () => {
  const { slot, value } = burnIn(BOB, "b", RICH);
  const applied = (place: v.Decision["slot"], due: SignedOperation): string =>
    applySlot(after(v.own("b", 0, due)), place, value, [due]).problems.join("; ");
  expect(applied(slot, BURN)).toBe("");
  expect(applied(slot, RICH)).toBe("the funds are insufficient");
  expect(applied(v.accountSlot(BOB, 2), BURN)).toBe("slot 0 is next");
});

test.each<[string, (value: number) => v.Decision, string]>([
  [
    "a burn to another chain with its escrow fee",
    (value) => v.own("x", 0, bridgeBurn(value - 1)),
    "business_insufficient_funds",
  ],
  ["a batch with its fee", (value) => v.own("x", 0, batch([value - 1])), "business_insufficient_funds"],
  [
    "a payment with its fee",
    (value) => v.own("x", 0, v.payment(ALICE, 0, BOB, value - 1)),
    "business_insufficient_funds",
  ],
])("the whole balance covers %s, and not a unit more", (_what, taking, words) => {
  const refused = ({ slot, value, operations }: v.Decision): readonly string[] =>
    voteRefusals(after(), slot, value, operations);
  expect(refused(taking(1_000))).toEqual([]);
  expect(refused(taking(1_001))).toEqual([words]);
});

test("the whole balance covers a forced burn, and not a unit more", () => {
  const outcomes = [1_000, 1_001].map((value) => {
    const burn = v.signed("burn", ISSUER, 0, { token: USD, value: v.amount(value), recipient: BOB });
    const { slot, value: decided, operations } = burnIn(BOB, "b", burn);
    return voteRefusals(after(v.own("b", 0, burn)), slot, decided, operations);
  });
  expect(outcomes).toEqual([[], ["the state here makes the outcome failed"]]);
});
