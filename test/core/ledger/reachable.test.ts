import { describe, expect, test } from "vitest";
import { AMOUNT_MAX } from "../../../src/core/base/amount.ts";
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
import type { LedgerState } from "../../../src/core/ledger/state.ts";
import { address, CHAIN, type Draft, signed } from "./support/operations.ts";
import { check, checkBurn, checkCancellation, checkRecovery } from "./support/real-rules.ts";
import * as w from "./support/world.ts";

const { ALICE, BOB, CAROL, CLUB, COIN, LISTER, MASTER, MINTER, OPERATOR, PAUSER } = w;

function reasonOf(verdict: CheckResult): Refusal {
  if (verdict.answer === "accept") throw new Error("accepted");
  return verdict.answer === "wait" ? verdict.missing : verdict.refusal;
}

const by = (sender: typeof ALICE, draft: Draft, changes: object = {}, state: LedgerState = w.start()): Refusal => {
  const operation = w.draft(state, sender, draft);
  return reasonOf(check(state, [], { ...operation, operation: { ...operation.operation, ...changes } }));
};
const cancellation = signed(ALICE, 0, { kind: "cancellation" });
const payment = signed(ALICE, 0, w.pay(BOB, 1));
const paused = (): LedgerState => w.play(w.start(), [PAUSER, w.pause("Pause")]);
const forced = w.draft(w.start(), MINTER, w.burn(300, ALICE));
const due = (): LedgerState => w.authorise(w.start(), forced).state;

/** Scenario of each code; codes that only a node can give are named as such. */
const REACHED: Readonly<Record<RefusalCode, "node" | (() => Refusal)>> = {
  validation_chain_id: () => by(ALICE, w.pay(BOB, 1), { chainId: 1 }),
  validation_signature: "node",
  validation_nonce: () => by(ALICE, w.pay(BOB, 1), { nonce: -1 }),
  validation_amount: () => by(ALICE, w.pay(BOB, 0)),
  validation_decimals: () => by(OPERATOR, w.issue("EUR"), { decimals: 19 }),
  validation_text: () => by(OPERATOR, w.issue("")),
  validation_action: () => by(MASTER, w.grant("Bridges", BOB)),
  validation_layout: () => by(OPERATOR, w.issue("EUR"), { layout: "spec", clawbackEnabled: true }),
  validation_evidence: () =>
    reasonOf(
      checkRecovery(w.start(), {
        kind: "recovery",
        chainId: CHAIN,
        account: ALICE,
        nonce: 0 as never,
        evidence: { first: payment, second: payment },
      }),
    ),
  validation_batch: () => by(ALICE, w.batch()),
  validation_signers: () =>
    by(ALICE, {
      kind: "multisig",
      layout: "v2",
      memo: { type: "", format: "", data: "" },
      signers: [],
      threshold: 1,
    } as never),
  validation_sender: () => by(ALICE, w.bridgeBurn(BOB, 1)),
  validation_signature_ambiguous: "node",
  validation_proposal: () => reasonOf(checkList(w.start(), COIN, [], 1)),
  resource_token_not_found: () => by(ALICE, w.pay(BOB, 1, address(0xcf))),
  resource_multisig_not_found: () =>
    by(ALICE, w.pay(BOB, 1), { layout: "v2", memo: { type: "", format: "", data: "" }, account: ALICE }),
  resource_authorisation_not_found: () => reasonOf(checkList(w.start(), COIN, [operationId(payment)], 1)),
  business_nonce_too_low: () => by(ALICE, w.pay(BOB, 1), { nonce: 0 }, w.play(w.start(), [ALICE, w.pay(BOB, 1)])),
  business_nonce_gap: () => by(ALICE, w.pay(BOB, 1), { nonce: 1 }),
  business_nonce_pending: "node",
  business_insufficient_funds: () => by(ALICE, w.pay(BOB, 1_000)),
  business_token_exists: () => by(OPERATOR, w.issue("EUR"), {}, w.play(w.start(), [OPERATOR, w.issue("EUR")])),
  business_token_paused: () => by(ALICE, w.pay(BOB, 1), {}, paused()),
  business_pause_state: () => by(PAUSER, w.pause("Pause"), {}, paused()),
  business_blacklisted: () =>
    by(ALICE, w.pay(BOB, 1), {}, w.play(w.start(), [LISTER, w.list("blacklist", "Add", BOB)])),
  business_not_whitelisted: () => by(ALICE, w.pay(CAROL, 1, CLUB)),
  business_list_kind: () => by(LISTER, w.list("whitelist", "Add", CAROL)),
  business_list_state: () => by(LISTER, w.list("blacklist", "Remove", CAROL)),
  business_missing_role: () => by(ALICE, w.mint(BOB, 1)),
  business_role_full: () => by(MASTER, w.grant("MasterMintBurn", BOB)),
  business_role_not_held: () => by(MASTER, w.revoke("Pause", BOB)),
  business_allowance_exceeded: () => by(MINTER, w.mint(BOB, 1_001)),
  business_amount_overflow: () => by(MASTER, w.mint(BOB, AMOUNT_MAX)),
  business_burn_unfunded: () => {
    const { receipts } = w.settle(w.play(due(), [ALICE, w.pay(BOB, 900)]), forced);
    return receipts[0]?.error as Refusal;
  },
  business_clawback_disabled: () => {
    const closed = w.genesisToken(COIN, { clawbackEnabled: false });
    return by(MASTER, w.clawback(ALICE, BOB, 1), {}, w.start({ tokens: [closed], balances: [] }));
  },
  business_clawback_unfunded: () => {
    const seized = w.draft(w.start(), MASTER, w.clawback(ALICE, BOB, 300));
    const spent = w.play(w.authorise(w.start(), seized).state, [ALICE, w.pay(BOB, 900)]);
    return w.settle(spent, seized).receipts[0]?.error as Refusal;
  },
  business_not_excluded: () =>
    by(MASTER, w.clawback(ALICE, BOB, 1), {}, w.start({ policies: policiesWith({ clawbacks: "excluded" }) })),
  business_bridge_replayed: () =>
    by(w.BRIDGE, w.bridgeMint(BOB, 1), {}, w.play(w.start(), [MASTER, w.bridgeMint(ALICE, 2)])),
  business_burn_outcome: () =>
    reasonOf(checkBurn(due(), [], ALICE, { type: "burn", id: operationId(forced), outcome: "failed" })),
  business_signature_reused: "node",
  business_nothing_to_cancel: () => reasonOf(checkCancellation(w.start(), cancellation, [])),
  business_nothing_to_recover: "node",
  business_superseded: "node",
  business_decided_otherwise: "node",
  system_queue_full: "node",
};

describe("every refusal", () => {
  test.each(REFUSAL_CODES)("%s comes about", (code) => {
    const example = REACHED[code];
    expect(example === "node" ? "node" : "ledger").toBe(REFUSALS[code].givenBy);
    if (example === "node") return;
    const refusal = example();
    expect(refusal.code).toBe(code);
    // `quorumlab send` finds amounts by this form, to print them in units.
    const amounts = Object.values(refusal).filter((value) => typeof value === "bigint");
    for (const amount of amounts)
      expect(refusalText(refusal)).toContain(`${amount} of token ${"token" in refusal ? refusal.token : ""}`);
  });
});
