/** Operations of a bridge: who may sign them, and what they move (specification 5.15, 5.16). */
import { describe, expect, test } from "vitest";
import { AMOUNT_MAX } from "../../../src/core/base/amount.ts";
import { stateRoot } from "../../../src/core/ledger/roots.ts";
import { accountOf, balanceOf, type LedgerState, poolOf, supplyOf } from "../../../src/core/ledger/state.ts";
import type { Draft } from "./support/operations.ts";
import { checkVote, skipFeeToken } from "./support/real-rules.ts";
import * as w from "./support/world.ts";

const { ALICE, BOB, BRIDGE, CAROL, CLUB, COIN, LISTER, MASTER, MINTER, PAUSER } = w;

const paused = (): LedgerState => w.play(w.start(), [PAUSER, w.pause("Pause")]);
const barred = (): LedgerState => w.play(w.start(), [LISTER, w.list("blacklist", "Add", ALICE)]);

describe("a bridge and mint", () => {
  test("creates units without an allowance, and remembers the source", () => {
    const { state, receipts } = w.act(w.start(), BRIDGE, w.bridgeMint(BOB, 100));
    expect([balanceOf(state, BOB, COIN), supplyOf(state, COIN), w.isConserved(state, COIN)]).toEqual([
      1_100n,
      2_100n,
      true,
    ]);
    expect(receipts).toMatchObject([{ success: true, fee: 0n }]);
    expect(state.bridged.size).toBe(1);
    expect(stateRoot(state)).not.toBe(stateRoot(w.act(w.start(), BRIDGE, w.bridgeMint(BOB, 100, "0x2")).state));
  });

  test("of one transaction of a chain takes effect once for each token", () => {
    const once = w.play(w.start(), [BRIDGE, w.bridgeMint(BOB, 1, "0xaB")]);
    const again = (more: object): string =>
      w.verdict(once, BRIDGE, { ...w.bridgeMint(BOB, 1, "0xAb"), ...more } as Draft);
    expect(again({})).toBe("business_bridge_replayed");
    expect([again({ sourceChainId: 2 }), again({ sourceTxHash: "0xab0" }), again({ token: CLUB })]).toEqual([
      "accept",
      "accept",
      "accept",
    ]);
  });

  test("of two that were authorised at once, the second fails", () => {
    const [first, second] = [
      w.draft(w.start(), BRIDGE, w.bridgeMint(BOB, 5)),
      w.draft(w.start(), MASTER, w.bridgeMint(CAROL, 5)),
    ];
    const due = w.authorise(w.authorise(w.start(), first).state, second).state;
    const { state, receipts } = w.settle(w.settle(due, first).state, second);
    expect(receipts).toMatchObject([{ success: false, error: { code: "business_bridge_replayed" } }]);
    expect([balanceOf(state, BOB, COIN), balanceOf(state, CAROL, COIN)]).toEqual([1_005n, 0n]);
  });

  test.each([
    ["by a minter", () => w.verdict(w.start(), MINTER, w.bridgeMint(BOB, 1)), "business_missing_role"],
    ["of nothing", () => w.verdict(w.start(), BRIDGE, w.bridgeMint(BOB, 0)), "validation_amount"],
    ["of a paused token", () => w.verdict(paused(), BRIDGE, w.bridgeMint(BOB, 1)), "business_token_paused"],
    ["to an excluded account", () => w.verdict(barred(), BRIDGE, w.bridgeMint(ALICE, 1)), "business_blacklisted"],
    ["beyond 2^256 - 1", () => w.verdict(w.start(), BRIDGE, w.bridgeMint(BOB, AMOUNT_MAX)), "business_amount_overflow"],
    ["of no transaction", () => w.verdict(w.start(), BRIDGE, w.bridgeMint(BOB, 1, "")), "validation_text"],
    ["of a long hash", () => w.verdict(w.start(), BRIDGE, w.bridgeMint(BOB, 1, "a".repeat(129))), "validation_text"],
    [
      "of chain 0",
      () => w.verdict(w.start(), BRIDGE, { ...w.bridgeMint(BOB, 1), sourceChainId: 0 } as Draft),
      "validation_text",
    ],
  ])("%s is refused", (_what, judge, code) => expect(judge()).toBe(code));
});

describe("a burn and bridge", () => {
  test("takes value and escrow fee, and only the value leaves the supply", () => {
    const { state, receipts } = w.act(w.start(), ALICE, w.bridgeBurn(ALICE, 20, 1));
    expect([balanceOf(state, ALICE, COIN), supplyOf(state, COIN), poolOf(state, COIN)]).toEqual([979n, 1_980n, 1n]);
    expect(w.isConserved(state, COIN)).toBe(true);
    expect(receipts).toMatchObject([{ success: true, fee: 1n, feeToken: COIN, bridgeNonce: 0 }]);
  });

  test("counts the account's burns, which later operations keep", () => {
    const state = w.play(
      w.start(),
      [ALICE, w.bridgeBurn(ALICE, 20)],
      [ALICE, w.pay(BOB, 1)],
      [MINTER, w.burn(1, ALICE)],
    );
    expect(accountOf(state, ALICE)).toEqual({ nonce: 2, sequence: 3, bridgeNonce: 1 });
    const again = w.act(state, ALICE, w.bridgeBurn(ALICE, 20));
    expect(again.receipts).toMatchObject([{ bridgeNonce: 1 }]);
    expect(accountOf(again.state, ALICE).bridgeNonce).toBe(2);
  });

  test("is paid for in its token when it is skipped, like a payment", () => {
    const burn = w.draft(w.start(), ALICE, w.bridgeBurn(ALICE, 20));
    expect(skipFeeToken(w.start(), [burn])).toBe(COIN);
  });

  test("waits at a voter for its funds", () => {
    expect(checkVote(w.start(), [], w.draft(w.start(), ALICE, w.bridgeBurn(ALICE, 999, 2))).answer).toBe("wait");
    expect(checkVote(w.start(), [], w.draft(w.start(), ALICE, w.bridgeBurn(ALICE, 999, 1))).answer).toBe("accept");
  });

  test.each([
    ["for another account", () => w.verdict(w.start(), ALICE, w.bridgeBurn(BOB, 1)), "validation_sender"],
    ["of nothing", () => w.verdict(w.start(), ALICE, w.bridgeBurn(ALICE, 0)), "validation_amount"],
    ["of too much", () => w.verdict(w.start(), ALICE, w.bridgeBurn(ALICE, 1_000, 1)), "business_insufficient_funds"],
    ["beyond 2^256 - 1", () => w.verdict(w.start(), ALICE, w.bridgeBurn(ALICE, AMOUNT_MAX, 1)), "validation_amount"],
    ["of a paused token", () => w.verdict(paused(), ALICE, w.bridgeBurn(ALICE, 1)), "business_token_paused"],
    ["of an excluded account", () => w.verdict(barred(), ALICE, w.bridgeBurn(ALICE, 1)), "business_blacklisted"],
    ...["0x1", "0xAB", "01", "0xzz", `0x${"00".repeat(1_025)}`].map((bridgeParam): [string, () => string, string] => [
      `with the parameter ${bridgeParam.slice(0, 8)}`,
      () => w.verdict(w.start(), ALICE, { ...w.bridgeBurn(ALICE, 1), bridgeParam } as Draft),
      "validation_text",
    ]),
  ])("%s is refused", (_what, judge, code) => expect(judge()).toBe(code));
});
