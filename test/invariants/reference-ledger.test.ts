import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Address } from "../../src/core/base/ids.ts";
import type { Role, SignedOperation } from "../../src/core/base/operation.ts";
import { constantsOf, tokenAddress } from "../../src/invariants/constants.ts";
import { copyOfState } from "../../src/invariants/copies.ts";
import { applySlot, type ModelResult } from "../../src/invariants/reference/ledger.ts";
import { allowanceOf } from "../../src/invariants/reference/policy.ts";
import {
  balanceOf,
  type Constants,
  countersOf,
  genesisLedger,
  type LedgerState,
  tokenStateOf,
} from "../../src/invariants/reference/state.ts";
import {
  ALICE,
  accountSlot,
  address,
  amount,
  BOB,
  CAROL,
  cancelled,
  type Decision,
  grant,
  hash,
  ISSUER,
  list,
  OPERATOR,
  own,
  pause,
  payment,
  type SettingOptions,
  setting,
  signed,
  tokenSlot,
  USD,
} from "./vocabulary.ts";

/** Reference ledger with step-by-step control. */
class Ledger {
  readonly constants: Constants;
  readonly state: LedgerState;
  #names = 0;

  constructor(options: SettingOptions = {}) {
    this.constants = constantsOf(setting(options).genesis);
    this.state = genesisLedger(this.constants);
  }

  apply({ slot, value, operations }: Decision): ModelResult {
    return applySlot(this.state, slot, value, operations, this.constants);
  }

  /** Decides an owner's operation in its next slot. */
  own(operation: SignedOperation): ModelResult {
    return this.apply(own(`n${this.#names++}`, countersOf(this.state, operation.sender).sequence, operation));
  }

  /** Authorises a token operation and executes it alone; returns the error codes of its receipt, empty on success. */
  govern(operation: SignedOperation, token: Address = USD): readonly string[] {
    const name = `n${this.#names++}`;
    this.apply(own(name, countersOf(this.state, operation.sender).sequence, operation));
    const { version } = tokenStateOf(this.state, token);
    const decision = { ...list(version, [[name, operation]]), slot: tokenSlot(version, token) };
    return this.apply(decision).receipts[0]?.reasons ?? ["no receipt"];
  }

  next(sender: Address): number {
    return countersOf(this.state, sender).nonce;
  }

  balance(sender: Address): bigint {
    return balanceOf(this.state, USD, sender);
  }

  mint(sender: Address, to: Address, value: number | bigint): readonly string[] {
    return this.govern(signed("mint", sender, this.next(sender), { token: USD, recipient: to, value: amount(value) }));
  }

  grant(sender: Address, role: Role, to: Address, value = 0): readonly string[] {
    return this.govern(grant(sender, this.next(sender), role, to, value));
  }

  revoke(sender: Address, role: Role, to: Address): readonly string[] {
    const words = { token: USD, authorityAddress: to, action: "Revoke", authorityType: role };
    return this.govern(signed("authority", sender, this.next(sender), words));
  }

  list(sender: Address, kind: "blacklist" | "whitelist", to: Address, action: string): readonly string[] {
    return this.govern(signed("list", sender, this.next(sender), { list: kind, token: USD, address: to, action }));
  }

  pause(sender: Address, action: "Pause" | "Unpause"): readonly string[] {
    return this.govern(pause(sender, this.next(sender), action));
  }
}

test("a payment that takes fee and amount beyond the balance is a problem", () => {
  expect(new Ledger().own(payment(ALICE, 0, BOB, 1000)).problems).toEqual(["the funds are insufficient"]);
});

test("a minter mints up to its allowance, which each mint lowers", () => {
  const ledger = new Ledger();
  ledger.grant(ISSUER, "MintBurnTokens", CAROL, 100);
  expect(ledger.mint(CAROL, BOB, 60)).toEqual([]);
  expect(ledger.mint(CAROL, BOB, 60)).toEqual(["business_allowance_exceeded"]);
  expect(ledger.mint(CAROL, BOB, 40)).toEqual([]);
  expect(ledger.balance(BOB)).toBe(1100n);
});

test("a failed token operation has still used its nonce", () => {
  const ledger = new Ledger();
  expect(ledger.mint(CAROL, BOB, 1)).toEqual(["business_missing_role"]);
  expect(ledger.next(CAROL)).toBe(1);
});

test("all that was ever minted stays below 2^256, burned or not", () => {
  const ledger = new Ledger();
  expect(ledger.mint(ISSUER, BOB, (1n << 256n) - 2001n)).toEqual([]);
  expect(ledger.own(signed("burn", ISSUER, 1, { token: USD, value: amount(0) })).receipts[0]?.success).toBe(true);
  expect(ledger.mint(ISSUER, BOB, 1)).toEqual(["business_amount_overflow"]);
});

test("the master mint-burn authority hands out minting only and mints nothing itself", () => {
  const ledger = new Ledger();
  expect(ledger.grant(ISSUER, "MasterMintBurn", CAROL)).toEqual([]);
  expect(ledger.grant(CAROL, "MintBurnTokens", BOB, 5)).toEqual([]);
  expect(ledger.revoke(CAROL, "MintBurnTokens", BOB)).toEqual([]);
  expect(ledger.grant(CAROL, "Pause", BOB)).toEqual(["business_missing_role"]);
  expect(ledger.mint(CAROL, BOB, 1)).toEqual(["business_missing_role"]);
});

test.each([
  ["MasterMintBurn", 1],
  ["MintBurnTokens", 20],
  ["Pause", 5],
  ["ManageList", 5],
  ["UpdateMetadata", 5],
] as const)(
  "%s has room for %i: one more is refused, a second grant to a holder is not, a revocation makes room",
  (role, cap) => {
    const ledger = new Ledger();
    for (let place = 0; place < cap; place++) expect(ledger.grant(ISSUER, role, address(`h${place}`), 1)).toEqual([]);
    expect(ledger.grant(ISSUER, role, address("late"), 1)).toEqual(["business_role_full"]);
    expect(ledger.grant(ISSUER, role, address("h0"), 9)).toEqual([]);
    const { policy } = tokenStateOf(ledger.state, USD);
    expect(policy && allowanceOf(policy, role, address("h0"))).toBe(9n);
    expect(ledger.revoke(ISSUER, role, address("h0"))).toEqual([]);
    expect(ledger.grant(ISSUER, role, address("late"), 1)).toEqual([]);
  },
);

test("lists follow the kind of the token, and entries are neither doubled nor removed twice", () => {
  const open = new Ledger();
  expect(open.list(ISSUER, "whitelist", BOB, "Add")).toEqual(["business_list_kind"]);
  expect(open.list(ISSUER, "blacklist", BOB, "Blacklist")).toEqual([]);
  expect(open.list(ISSUER, "blacklist", BOB, "Add")).toEqual(["business_list_state"]);
  expect(open.list(ISSUER, "blacklist", BOB, "Remove")).toEqual([]);
  expect(open.list(ISSUER, "blacklist", BOB, "Remove")).toEqual(["business_list_state"]);
  expect(open.list(ISSUER, "blacklist", BOB, "Add")).toEqual([]);
  expect(open.list(ISSUER, "blacklist", BOB, "Whitelist")).toEqual([]);
  expect(open.list(ISSUER, "blacklist", BOB, "Whitelist")).toEqual(["business_list_state"]);
  const closed = new Ledger({ token: { isPrivate: true } });
  expect(closed.list(ISSUER, "blacklist", BOB, "Add")).toEqual(["business_list_kind"]);
  expect(closed.mint(ISSUER, BOB, 1)).toEqual(["business_not_whitelisted"]);
  expect(closed.list(ISSUER, "whitelist", BOB, "Whitelist")).toEqual([]);
  expect(closed.mint(ISSUER, BOB, 1)).toEqual([]);
});

test("paused refuses mints and not policy, and what is paused is not paused again", () => {
  const ledger = new Ledger();
  expect(ledger.pause(ISSUER, "Unpause")).toEqual(["business_pause_state"]);
  expect(ledger.pause(ISSUER, "Pause")).toEqual([]);
  expect(ledger.pause(ISSUER, "Pause")).toEqual(["business_pause_state"]);
  expect(ledger.mint(ISSUER, BOB, 1)).toEqual(["business_token_paused"]);
  expect(ledger.grant(ISSUER, "Pause", BOB)).toEqual([]);
  expect(ledger.list(ISSUER, "blacklist", BOB, "Add")).toEqual([]);
});

test("only the operator issues, once per address, and the token starts paused", () => {
  const ledger = new Ledger();
  const eur = tokenAddress(CAROL, "EUR");
  const issue = (sender: Address) =>
    ledger.govern(
      signed("issue", sender, ledger.next(sender), {
        symbol: "EUR",
        name: "Euro",
        decimals: 6,
        masterAuthority: CAROL,
      }),
      eur,
    );
  expect(issue(ALICE)).toEqual(["business_missing_role"]);
  expect(issue(OPERATOR)).toEqual([]);
  expect(tokenStateOf(ledger.state, eur).policy).toMatchObject({ master: CAROL, isPaused: true, everMinted: 0n });
  expect(issue(OPERATOR)).toEqual(["business_token_exists"]);
});

test("a forced burn is due until the debited account's slot decides it, and uses no nonce there", () => {
  const ledger = new Ledger();
  const burn = signed("burn", ISSUER, 0, { token: USD, value: amount(40), recipient: BOB });
  ledger.apply(own("b", 0, burn));
  expect(ledger.state.due.has(hash("b"))).toBe(true);
  const effect: Decision = {
    slot: accountSlot(BOB, 0),
    value: { type: "burn", id: hash("b"), outcome: "burned" },
    operations: [burn],
  };
  expect(ledger.apply(effect)).toMatchObject({ problems: [], receipts: [{ success: true, fee: 0n }] });
  expect([ledger.balance(BOB), ledger.state.burned.get(USD), ledger.state.due.size]).toEqual([960n, 40n, 0]);
  expect(countersOf(ledger.state, BOB)).toEqual({ nonce: 0, sequence: 1, afterBurn: true });
  expect(ledger.apply({ ...effect, slot: accountSlot(BOB, 1) }).problems).toEqual(["no such burn is due"]);
});

test("a burn to another chain takes its escrow fee into the pool, and is counted", () => {
  const ledger = new Ledger();
  const fields = {
    ...{ sender: BOB, token: USD, value: amount(40), escrowFee: amount(3) },
    ...{ destinationChainId: 7, destinationAddress: "0xd", bridgeMetadata: "", bridgeParam: "0x" },
  };
  const { problems, receipts } = ledger.own(signed("bridgeBurn", BOB, 0, fields));
  expect([problems, receipts]).toEqual([[], [expect.objectContaining({ success: true, fee: 3n, feeToken: USD })]]);
  const { pools, burned } = ledger.state;
  expect([ledger.balance(BOB), pools.get(USD), burned.get(USD)]).toEqual([957n, 3n, 40n]);
  expect(countersOf(ledger.state, BOB)).toEqual({ nonce: 1, sequence: 1, afterBurn: false, bridgeNonce: 1 });
  ledger.own(payment(BOB, 1, ALICE, 1));
  expect(countersOf(ledger.state, BOB).bridgeNonce).toBe(1);
});

test("a skip uses the nonce and pays its fee", () => {
  const ledger = new Ledger();
  const skip = cancelled(["c", signed("cancellation", ALICE, 0, {})], ["x", payment(ALICE, 0, BOB, 5)]);
  expect(ledger.apply(skip).problems).toEqual([]);
  expect([ledger.balance(ALICE), ledger.state.pools.get(USD), ledger.next(ALICE)]).toEqual([997n, 3n, 1]);
});

test("a balance that lacks the fee of a skip owes the rest, which its credits pay first", () => {
  const ledger = new Ledger();
  ledger.own(payment(ALICE, 0, BOB, 998));
  ledger.apply(cancelled(["c", signed("cancellation", ALICE, 1, {})], ["x", payment(ALICE, 1, BOB, 5)]));
  expect([ledger.balance(ALICE), ledger.state.pools.get(USD)]).toEqual([-2n, 2n]);
  ledger.own(payment(BOB, 0, ALICE, 1));
  expect([ledger.balance(ALICE), ledger.state.pools.get(USD)]).toEqual([-1n, 4n]);
  ledger.own(payment(BOB, 1, ALICE, 5));
  expect([ledger.balance(ALICE), ledger.state.pools.get(USD)]).toEqual([4n, 6n]);
});

test("whatever is applied, each token is conserved, nothing funded overdraws, and older states stay", () => {
  const people = [ALICE, BOB, CAROL, ISSUER];
  const sender = fc.constantFrom(...people);
  const step = fc.record({
    kind: fc.constantFrom("pay", "mint", "burn", "force", "skip", "pause"),
    sender,
    to: sender,
    value: fc.integer({ min: 1, max: 700 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const ledger = new Ledger();
      const first = copyOfState(ledger.state);
      let minted = 0n;
      for (const one of steps) minted += run(ledger, one);
      const { state } = ledger;
      const balances = [...(state.balances.get(USD)?.values() ?? [])];
      const held = balances.reduce((sum, balance) => (balance > 0n ? sum + balance : sum), 0n);
      const pool = state.pools.get(USD) ?? 0n;
      expect(held + pool).toBe(2000n + minted - (state.burned.get(USD) ?? 0n));
      expect(balanceOf(first, USD, ALICE)).toBe(1000n);
    }),
    { seed: 11, numRuns: 200 },
  );
});

interface Step {
  readonly kind: string;
  readonly sender: Address;
  readonly to: Address;
  readonly value: number;
}

/** Runs one step if the funds suffice; returns the minted amount. */
function run(ledger: Ledger, { kind, sender, to, value }: Step): bigint {
  const nonce = ledger.next(sender);
  const fits = ledger.balance(sender) >= BigInt(value) + 3n;
  if (kind === "pay" && fits) ledger.own(payment(sender, nonce, to, value));
  if (kind === "mint") return ledger.mint(sender, to, value).length === 0 ? BigInt(value) : 0n;
  if (kind === "burn" && fits) ledger.own(signed("burn", sender, nonce, { token: USD, value: amount(value) }));
  if (kind === "pause") ledger.pause(sender, value % 2 === 0 ? "Pause" : "Unpause");
  if (kind === "skip") {
    const operations = [signed("cancellation", sender, nonce, {}), payment(sender, nonce, to, value)];
    const skip = {
      type: "skip" as const,
      by: "recovery" as const,
      id: hash(`s${nonce}`),
      displaced: [hash("x"), hash("y")],
      feeToken: USD,
    };
    ledger.apply({ slot: accountSlot(sender, countersOf(ledger.state, sender).sequence), value: skip, operations });
  }
  if (kind === "force" && sender !== to) {
    const burn = signed("burn", sender, nonce, { token: USD, value: amount(value), recipient: to });
    const id = `f${nonce}${sender}`;
    ledger.apply({
      ...own("x", countersOf(ledger.state, sender).sequence, burn),
      value: { type: "operation", id: hash(id) },
    });
    const outcome = ledger.balance(to) >= BigInt(value) ? "burned" : "failed";
    ledger.apply({
      slot: accountSlot(to, countersOf(ledger.state, to).sequence),
      value: { type: "burn", id: hash(id), outcome },
      operations: [burn],
    });
  }
  return 0n;
}

test("the reference imports base vocabulary and itself, nothing else", () => {
  const folder = new URL("../../src/invariants/reference/", import.meta.url);
  for (const file of readdirSync(folder)) {
    const text = readFileSync(new URL(file, folder), "utf8");
    for (const [, path] of text.matchAll(/from "([^"]+)"/g)) expect(path).toMatch(/core\/base\/|^\.\/[a-z-]+\.ts$/);
  }
});
