/** Operations of a bridge: who may sign them, and what they move (specification 5.15, 5.16). */
import { describe, expect, test } from "vitest";
import { AMOUNT_MAX } from "../../../src/core/base/amount.ts";
import { accountOf, type LedgerState } from "../../../src/core/ledger/state.ts";
import type { Draft } from "./support/operations.ts";
import { checkVote, skipFeeToken } from "./support/real-rules.ts";
import * as w from "./support/world.ts";

const { ALICE, BOB, BRIDGE, COIN, LISTER, MINTER, PAUSER } = w;

const paused = (): LedgerState => w.play(w.start(), [PAUSER, w.pause("Pause")]);
const barred = (): LedgerState => w.play(w.start(), [LISTER, w.list("blacklist", "Add", ALICE)]);

describe("a bridge and mint", () => {
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
