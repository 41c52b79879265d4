/** Refusals: each code that the ledger gives, with operations that meet it and some just beside them that do not. */
import { describe, expect, test } from "vitest";
import { AMOUNT_MAX } from "../../../src/core/base/amount.ts";
import type { Address } from "../../../src/core/base/ids.ts";
import type { BatchPayment } from "../../../src/core/base/operation.ts";
import { policiesWith } from "../../../src/core/base/policies.ts";
import {
  type CheckResult,
  REFUSAL_CODES,
  REFUSALS,
  type Refusal,
  type RefusalCode,
  refusalText,
} from "../../../src/core/base/refusal.ts";
import { checkList } from "../../../src/core/ledger/check-due.ts";
import { operationId } from "../../../src/core/ledger/identity.ts";
import { legsHash } from "../../../src/core/ledger/legs.ts";
import { BATCH_LEGS } from "../../../src/core/ledger/limits.ts";
import type { LedgerState } from "../../../src/core/ledger/state.ts";
import { address, CHAIN, type Draft, signed } from "./support/operations.ts";
import { check, checkBurn, checkCancellation, checkRecovery } from "./support/real-rules.ts";
import * as w from "./support/world.ts";

const { ALICE, BOB, BRIDGE, CAROL, CLUB, COIN, LISTER, MASTER, MINTER, OPERATOR, PAUSER, SEIZER } = w;

function reasonOf(verdict: CheckResult): Refusal {
  if (verdict.answer === "accept") throw new Error("accepted");
  return verdict.answer === "wait" ? verdict.missing : verdict.refusal;
}

const paused = (): LedgerState => w.play(w.start(), [PAUSER, w.pause("Pause")]);
const barring = (account: Address): LedgerState => w.play(w.start(), [LISTER, w.list("blacklist", "Add", account)]);
const closed = (): LedgerState => {
  const token = w.genesisToken(COIN, { clawbackEnabled: false });
  return w.start({ tokens: [token], balances: [] });
};
const excludedOnly = (): LedgerState => w.start({ policies: policiesWith({ clawbacks: "excluded" }) });

const changed = (draft: Draft, changes: object): Draft => ({ ...draft, ...changes }) as Draft;
const bridged = (changes: object): Draft => changed(w.bridgeBurn(ALICE, 1), changes);
const batch = (changes: object, ...legs: readonly (readonly [Address, bigint | number])[]): Draft =>
  changed(w.batch(...legs), changes);

const NO_MEMO = { type: "", format: "", data: "" };
const NOBODY = address(0);
const FULL = Array.from({ length: BATCH_LEGS }, () => [BOB, 1] as const);
const { legs: LEGS } = w.batch([BOB, 1], [CAROL, 2]) as BatchPayment;
const NO_SIGNERS = { kind: "multisig", layout: "v2", memo: NO_MEMO, signers: [], threshold: 1 } as never;

type Row = readonly [what: string, signer: Address, draft: Draft, state?: () => LedgerState];

/** Just beside what is refused. */
const ACCEPTED: readonly Row[] = [
  ["a clawback from a blacklisted account", SEIZER, w.clawback(ALICE, BOB, 1), () => barring(ALICE)],
  ["a clawback by the master", MASTER, w.clawback(ALICE, BOB, 1)],
  ["a batch of the most legs", ALICE, w.batch(...FULL)],
  ["a batch with the hash of its legs", ALICE, batch({ operationsHash: legsHash(LEGS) }, [BOB, 1], [CAROL, 2])],
  ["a batch of the largest time", ALICE, batch({ createdAt: 2n ** 64n - 1n }, [BOB, 1])],
];

/** Operations by the code with which they are refused or wait at admission. */
const VERDICTS: Readonly<Partial<Record<RefusalCode, readonly Row[]>>> = {
  validation_chain_id: [["a payment of another chain", ALICE, changed(w.pay(BOB, 1), { chainId: 1 })]],
  validation_nonce: [["a negative nonce", ALICE, changed(w.pay(BOB, 1), { nonce: -1 })]],
  validation_amount: [
    ["a payment of nothing", ALICE, w.pay(BOB, 0)],
    ["a bridge and mint of nothing", BRIDGE, w.bridgeMint(BOB, 0)],
    ["a burn and bridge past 2^256 - 1 with its fee", ALICE, w.bridgeBurn(ALICE, AMOUNT_MAX, 1)],
    ["a batch with a leg past 2^256 - 1", ALICE, w.batch([BOB, AMOUNT_MAX + 1n])],
    ["a batch of a total past it with the fee", ALICE, w.batch([BOB, AMOUNT_MAX])],
    ["a batch of too large a time", ALICE, batch({ createdAt: 2n ** 64n }, [BOB, 1])],
  ],
  validation_decimals: [["an issue with 19 decimals", OPERATOR, changed(w.issue("EUR"), { decimals: 19 })]],
  validation_text: [
    ["an issue without a symbol", OPERATOR, w.issue("")],
    ["a bridge and mint of no transaction", BRIDGE, w.bridgeMint(BOB, 1, "")],
    ["a bridge and mint of chain 0", BRIDGE, changed(w.bridgeMint(BOB, 1), { sourceChainId: 0 })],
    ...["0x1", "0xAB", "01", `0x${"00".repeat(1_025)}`].map(
      (bridgeParam): Row => [`the parameter ${bridgeParam.slice(0, 8)} of a bridge`, ALICE, bridged({ bridgeParam })],
    ),
    ["a batch with a long name", ALICE, batch({ batchId: "é".repeat(65) }, [BOB, 1])],
  ],
  validation_action: [["a grant of a role of no token", MASTER, w.grant("Bridges", BOB)]],
  validation_layout: [
    ["a field that spec does not sign", OPERATOR, changed(w.issue("EUR"), { layout: "spec", clawbackEnabled: true })],
    ["a batch of version 1", ALICE, batch({ layout: "client" }, [BOB, 1])],
    ["a batch that signs an epoch first", ALICE, batch({ recentEpoch: 1, recentCheckpoint: 1 }, [BOB, 1])],
  ],
  validation_batch: [
    ["a batch of nothing", ALICE, w.batch()],
    ["a batch of too many legs", ALICE, w.batch(...FULL, [BOB, 1])],
    ["a batch to nobody", ALICE, w.batch([BOB, 1], [NOBODY, 1])],
    ["a batch with another hash", ALICE, batch({ operationsHash: legsHash(LEGS) }, [BOB, 1])],
    ["a batch with a text for a hash", ALICE, batch({ operationsHash: "0x" }, [BOB, 1])],
  ],
  validation_signers: [["an account without signers", ALICE, NO_SIGNERS]],
  validation_sender: [["a burn and bridge for another account", ALICE, w.bridgeBurn(BOB, 1)]],
  resource_token_not_found: [["a payment of no token", ALICE, w.pay(BOB, 1, address(0xcf))]],
  resource_multisig_not_found: [
    ["an account that nobody created", ALICE, changed(w.pay(BOB, 1), { layout: "v2", memo: NO_MEMO, account: ALICE })],
  ],
  business_nonce_too_low: [
    ["a used nonce", ALICE, changed(w.pay(BOB, 1), { nonce: 0 }), () => w.play(w.start(), [ALICE, w.pay(BOB, 1)])],
  ],
  business_nonce_gap: [["a later nonce", ALICE, changed(w.pay(BOB, 1), { nonce: 1 })]],
  business_insufficient_funds: [
    ["a payment of all that is there", ALICE, w.pay(BOB, 1_000)],
    ["a clawback of too much", SEIZER, w.clawback(ALICE, BOB, 1_001)],
    ["a burn and bridge of too much", ALICE, w.bridgeBurn(ALICE, 1_000, 1)],
  ],
  business_token_exists: [
    ["a second issue", OPERATOR, w.issue("EUR"), () => w.play(w.start(), [OPERATOR, w.issue("EUR")])],
  ],
  business_token_paused: [
    ["a payment of a paused token", ALICE, w.pay(BOB, 1), paused],
    ["a batch of a paused token", ALICE, w.batch([BOB, 1]), paused],
    ["a clawback of a paused token", SEIZER, w.clawback(ALICE, BOB, 1), paused],
    ["a bridge and mint of a paused token", BRIDGE, w.bridgeMint(BOB, 1), paused],
    ["a burn and bridge of a paused token", ALICE, w.bridgeBurn(ALICE, 1), paused],
  ],
  business_pause_state: [["a second pause", PAUSER, w.pause("Pause"), paused]],
  business_blacklisted: [
    ["a payment to a blacklisted account", ALICE, w.pay(BOB, 1), () => barring(BOB)],
    ["a clawback to a blacklisted account", SEIZER, w.clawback(ALICE, BOB, 1), () => barring(BOB)],
    ["a bridge and mint to a blacklisted account", BRIDGE, w.bridgeMint(ALICE, 1), () => barring(ALICE)],
    ["a burn and bridge of a blacklisted account", ALICE, w.bridgeBurn(ALICE, 1), () => barring(ALICE)],
  ],
  business_not_whitelisted: [["a payment out of a private token", ALICE, w.pay(CAROL, 1, CLUB)]],
  business_list_kind: [["a whitelist of a public token", LISTER, w.list("whitelist", "Add", CAROL)]],
  business_list_state: [["a removal of what is not listed", LISTER, w.list("blacklist", "Remove", CAROL)]],
  business_missing_role: [
    ["a mint by an owner", ALICE, w.mint(BOB, 1)],
    ["a clawback by a minter", MINTER, w.clawback(ALICE, BOB, 1)],
    ["a bridge and mint by a minter", MINTER, w.bridgeMint(BOB, 1)],
  ],
  business_role_full: [["a second holder of a role of one", MASTER, w.grant("MasterMintBurn", BOB)]],
  business_role_not_held: [["a revocation of a role not held", MASTER, w.revoke("Pause", BOB)]],
  business_allowance_exceeded: [["a mint past the allowance", MINTER, w.mint(BOB, 1_001)]],
  business_amount_overflow: [
    ["a mint past 2^256 - 1", MASTER, w.mint(BOB, AMOUNT_MAX)],
    ["a bridge and mint past 2^256 - 1", BRIDGE, w.bridgeMint(BOB, AMOUNT_MAX)],
  ],
  business_clawback_disabled: [["a clawback where there is none", MASTER, w.clawback(ALICE, BOB, 1), closed]],
  business_not_excluded: [["a clawback from a free account", MASTER, w.clawback(ALICE, BOB, 1), excludedOnly]],
  business_bridge_replayed: [
    [
      "a second bridge and mint",
      BRIDGE,
      w.bridgeMint(BOB, 1),
      () => w.play(w.start(), [MASTER, w.bridgeMint(ALICE, 2)]),
    ],
  ],
};

const payment = signed(ALICE, 0, w.pay(BOB, 1));
const forced = w.draft(w.start(), MINTER, w.burn(300, ALICE));
const due = (): LedgerState => w.authorise(w.start(), forced).state;
const seized = w.draft(w.start(), MASTER, w.clawback(ALICE, BOB, 300));
const once = { kind: "recovery", chainId: CHAIN, account: ALICE, nonce: 0 as never } as const;

/** Refuses an effect on an account that has spent its funds meanwhile. */
function unfunded(operation: typeof forced): Refusal {
  const spent = w.play(w.authorise(w.start(), operation).state, [ALICE, w.pay(BOB, 900)]);
  return w.settle(spent, operation).receipts[0]?.error as Refusal;
}

/** Codes that no operation gets at admission. */
const OTHERS: Readonly<Partial<Record<RefusalCode, () => Refusal>>> = {
  validation_evidence: () =>
    reasonOf(checkRecovery(w.start(), { ...once, evidence: { first: payment, second: payment } })),
  validation_proposal: () => reasonOf(checkList(w.start(), COIN, [], 1)),
  resource_authorisation_not_found: () => reasonOf(checkList(w.start(), COIN, [operationId(payment)], 1)),
  business_burn_unfunded: () => unfunded(forced),
  business_clawback_unfunded: () => unfunded(seized),
  business_burn_outcome: () =>
    reasonOf(checkBurn(due(), [], ALICE, { type: "burn", id: operationId(forced), outcome: "failed" })),
  business_nothing_to_cancel: () =>
    reasonOf(checkCancellation(w.start(), signed(ALICE, 0, { kind: "cancellation" }), [])),
};

/** Returns the refusals that the examples of a code meet, each with its words. */
function refusalsOf(code: RefusalCode): readonly (readonly [what: string, refusal: Refusal])[] {
  const other = OTHERS[code];
  if (other !== undefined) return [["elsewhere", other()]];
  return (VERDICTS[code] ?? []).map(([what, signer, fields, state = w.start]) => [
    what,
    reasonOf(check(state(), [], w.draft(state(), signer, fields))),
  ]);
}

test("what stands just beside is accepted", () => {
  for (const [what, signer, fields, state = w.start] of ACCEPTED)
    expect([what, w.verdict(state(), signer, fields)]).toEqual([what, "accept"]);
});

describe("every refusal", () => {
  test.each(REFUSAL_CODES)("%s comes about", (code) => {
    const refusals = refusalsOf(code);
    expect(refusals.length > 0 ? "ledger" : "node").toBe(REFUSALS[code].givenBy);
    for (const [what, refusal] of refusals) {
      expect([what, refusal.code]).toEqual([what, code]);
      // `quorumlab send` finds amounts by this form, to print them in units.
      const amounts = Object.values(refusal).filter((value) => typeof value === "bigint");
      for (const amount of amounts)
        expect(refusalText(refusal)).toContain(`${amount} of token ${"token" in refusal ? refusal.token : ""}`);
    }
  });
});
