import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Address } from "../../../src/core/base/ids.ts";
import type { OperationId, SignedOperation } from "../../../src/core/base/operation.ts";
import type { TokenSlot } from "../../../src/core/base/slot.ts";
import { apply } from "../../../src/core/ledger/apply.ts";
import { dueOperations } from "../../../src/core/ledger/authorised.ts";
import { checkList, chooseList } from "../../../src/core/ledger/check-due.ts";
import { operationId } from "../../../src/core/ledger/identity.ts";
import { LIST_WAIT_MS } from "../../../src/core/ledger/limits.ts";
import { type LedgerState, tokenOf, versionOf } from "../../../src/core/ledger/state.ts";
import { issuedTokenAddress } from "../../../src/core/ledger/token.ts";
import type { Draft } from "./support/operations.ts";
import {
  ALICE,
  authorise,
  BOB,
  burn,
  CLUB,
  COIN,
  decide,
  draft,
  EDITOR,
  edit,
  GRANTER,
  genesisToken,
  grant,
  issue,
  MASTER,
  MINTER,
  mint,
  OPERATOR,
  PAUSER,
  pause,
  revoke,
  start,
  verdict,
} from "./support/world.ts";

const LIMIT = 8;
const slot = (state: LedgerState, token: Address = COIN): TokenSlot => ({
  kind: "token",
  token,
  version: versionOf(state, token),
});

/** A state in which all of these are authorised and wait, with their ids in order. */
function waiting(...turns: readonly (readonly [Address, Draft])[]): {
  state: LedgerState;
  ids: OperationId[];
  operations: SignedOperation[];
} {
  let state = start();
  const operations = turns.map(([sender, fields]) => {
    const operation = draft(state, sender, fields);
    state = authorise(state, operation).state;
    return operation;
  });
  return { state, ids: operations.map(operationId), operations };
}

const answer = (state: LedgerState, ids: readonly OperationId[], limit = LIMIT) =>
  checkList(state, COIN, ids, limit).answer;

describe("a list of a token that was not issued", () => {
  const euro = issuedTokenAddress(MASTER, "EUR");
  const { state, ids } = waiting([OPERATOR, issue("EUR")], [MASTER, mint(ALICE, 1, euro)]);
  const [issued, minted] = ids as [OperationId, OperationId];

  test("begins with its issue", () => {
    expect(checkList(state, euro, [issued, minted], LIMIT).answer).toBe("accept");
    expect(checkList(state, euro, [minted, issued], LIMIT).answer).toBe("refuse");
    expect(checkList(state, euro, [minted], LIMIT).answer).toBe("refuse");
  });
});

describe("a token slot's list", () => {
  const { state, ids } = waiting(
    [MINTER, mint(ALICE, 1)],
    [MINTER, mint(ALICE, 2)],
    [EDITOR, edit("n")],
    [MINTER, mint(ALICE, 3, CLUB)],
  );
  const [first, second, other, foreign] = ids as [OperationId, OperationId, OperationId, OperationId];

  test.each<readonly [string, readonly OperationId[], string]>([
    ["all that waits, in the signers' order", [first, second, other], "accept"],
    ["signers interleaved", [first, other, second], "accept"],
    ["the beginning of what a signer has waiting", [first], "accept"],
    ["one signer left out", [other], "accept"],
    ["nothing", [], "refuse"],
    ["an operation twice", [first, first], "refuse"],
    ["a signer's order turned round", [second, first], "refuse"],
    ["a signer's earlier operation left out", [second], "refuse"],
    ["another token's operation", [foreign], "refuse"],
    ["an operation nobody authorised", [`0x${"9".repeat(64)}` as OperationId], "wait"],
  ])("of %s: %s", (_, list, expected) => expect(answer(state, list)).toBe(expected));

  test("is as long as its limit and no longer", () => {
    expect([answer(state, [first, second, other], 3), answer(state, [first, second, other], 2)]).toEqual([
      "accept",
      "refuse",
    ]);
  });

  test("holds no burn, not even of this token", () => {
    const forced = waiting([MINTER, burn(1, BOB)]);
    expect(answer(forced.state, forced.ids)).toBe("refuse");
  });

  test("begins with the issue of a token that does not exist yet", () => {
    const issued = waiting([OPERATOR, issue("EUR")], [OPERATOR, issue("EUR")]);
    const eur = issuedTokenAddress(MASTER, "EUR");
    expect(checkList(issued.state, eur, issued.ids, LIMIT)).toEqual({ answer: "accept" });
    const { state: after, receipts } = decide(issued.state, slot(issued.state, eur), { type: "list", ids: issued.ids });
    expect(receipts.map((receipt) => receipt.error?.code)).toEqual([undefined, "business_token_exists"]);
    expect(tokenOf(after, eur)).toMatchObject({ version: 1, isPaused: true });
  });

  test("takes effect in its order, each operation against what the ones before it left", () => {
    const race = waiting(
      [MASTER, pause("Pause")],
      [MINTER, mint(ALICE, 1)],
      [PAUSER, pause("Unpause")],
      [GRANTER, revoke("MintTokens", MINTER)],
      [MINTER, mint(ALICE, 1)],
    );
    const { state: after, receipts } = decide(race.state, slot(race.state), { type: "list", ids: race.ids });
    expect(receipts.map((receipt) => receipt.error?.code ?? "success")).toEqual([
      "success",
      "business_token_paused",
      "success",
      "success",
      "business_missing_role",
    ]);
    expect(tokenOf(after, COIN)).toMatchObject({ version: 1, isPaused: false, minted: 2_000n });
    expect(dueOperations(after, slot(after))).toEqual([]);
  });

  test("leaves the token as it was but for the version where all of it fails", () => {
    const race = waiting([MASTER, revoke("MintTokens", MINTER)], [MINTER, mint(ALICE, 1)]);
    const [revocation, minting] = race.ids as [OperationId, OperationId];
    const revoked = decide(race.state, slot(race.state), { type: "list", ids: [revocation] }).state;
    const failed = decide(revoked, slot(revoked), { type: "list", ids: [minting] });
    expect(failed.receipts).toMatchObject([{ success: false, fee: 0n, error: { code: "business_missing_role" } }]);
    expect(tokenOf(failed.state, COIN)).toEqual({ ...tokenOf(revoked, COIN), version: 2 });
    expect(verdict(failed.state, MASTER, mint(ALICE, 1))).toBe("accept");
  });

  test("waits for the slots that authorise it", () => {
    const missing = { code: "resource_authorisation_not_found", id: first };
    expect(apply(start(), slot(start()), { type: "list", ids: [first] }, undefined)).toEqual({
      outcome: "waiting",
      missing,
    });
  });

  test("is impossible where it names an operation twice, or one of another token", () => {
    const race = waiting([MINTER, mint(ALICE, 1)]);
    const [minting] = race.ids as [OperationId];
    const twice = apply(race.state, slot(race.state), { type: "list", ids: [minting, minting] }, undefined);
    expect(twice).toMatchObject({ outcome: "impossible", reason: expect.stringContaining("listed twice") });
    const elsewhere = apply(race.state, slot(race.state, CLUB), { type: "list", ids: [minting] }, undefined);
    expect(elsewhere).toMatchObject({ outcome: "impossible", reason: expect.stringContaining("another sequence") });
  });

  test("exact caps hold if two grants race for the last vacancy", () => {
    const state = start({ tokens: [genesisToken(COIN, { roles: [] })], balances: [] });
    const one = draft(state, MASTER, grant("MasterMintBurn", ALICE));
    const first = authorise(state, one).state;
    const two = draft(first, MASTER, grant("MasterMintBurn", BOB));
    const both = authorise(first, two).state;
    const { receipts } = decide(both, slot(both), { type: "list", ids: [operationId(one), operationId(two)] });
    expect(receipts.map((receipt) => receipt.error?.code)).toEqual([undefined, "business_role_full"]);
  });
});

describe("an honest proposer's list", () => {
  test("puts restrictions first, with what must precede them, then the older", () => {
    const { state, ids } = waiting(
      [MINTER, mint(ALICE, 1)],
      [PAUSER, pause("Pause")],
      [MASTER, edit("n")],
      [MASTER, revoke("Pause", PAUSER)],
      [EDITOR, edit("m")],
    );
    const [mintId, pauseId, editId, revokeId, otherId] = ids as [
      OperationId,
      OperationId,
      OperationId,
      OperationId,
      OperationId,
    ];
    const ages = new Map<OperationId, number>([
      [mintId, 9],
      [pauseId, 1],
      [editId, 1],
      [revokeId, 5],
      [otherId, 8],
    ]);
    const age = (id: OperationId) => ages.get(id) ?? 0;
    expect(chooseList(state, COIN, age, LIMIT)).toEqual([editId, revokeId, pauseId, mintId, otherId]);
    expect(chooseList(state, COIN, age, 2)).toEqual([editId, revokeId]);
    expect(chooseList(state, COIN, age, 1)).toEqual([editId]);
    expect(chooseList(start(), COIN, age, LIMIT)).toEqual([]);
  });

  test("puts the older first, and of one age those of the lower address", () => {
    const { state, ids } = waiting([EDITOR, edit("n")], [MINTER, mint(ALICE, 1)], [MASTER, edit("m")]);
    const [editors, minters, masters] = ids as [OperationId, OperationId, OperationId];
    const ages = new Map([
      [editors, 5],
      [minters, 1],
      [masters, 3],
    ]);
    expect(chooseList(state, COIN, (id) => ages.get(id) ?? 0, LIMIT)).toEqual([editors, masters, minters]);
    expect(chooseList(state, COIN, () => 7, LIMIT)).toEqual([masters, minters, editors]);
  });

  test("leaves what follows a restriction of the same signer at its own position", () => {
    const { state, ids } = waiting([MASTER, pause("Pause")], [MASTER, edit("m")], [EDITOR, edit("n")]);
    const [paused, later, older] = ids as [OperationId, OperationId, OperationId];
    expect(chooseList(state, COIN, (id) => (id === older ? 9 : 1), LIMIT)).toEqual([paused, older, later]);
  });

  test("puts what has waited long before restrictions", () => {
    const { state, ids } = waiting([MINTER, mint(ALICE, 1)], [PAUSER, pause("Pause")]);
    const chosen = (wait: number) => chooseList(state, COIN, (id) => (id === ids[0] ? wait : 1), 1);
    expect(chosen(LIST_WAIT_MS - 1)).toEqual([ids[1]]);
    expect(chosen(LIST_WAIT_MS)).toEqual([ids[0]]);
  });

  test("begins with an issue that the token lacks, before older operations", () => {
    const euro = issuedTokenAddress(MASTER, "EUR");
    const { state, ids } = waiting([MASTER, pause("Pause", euro)], [OPERATOR, issue("EUR")]);
    expect(chooseList(state, euro, (id) => (id === ids[0] ? 9 : 1), LIMIT)).toEqual(ids.toReversed());
  });

  test("is always valid, and takes all that fits", () => {
    const turn = fc.constantFrom<readonly [Address, Draft]>(
      [MINTER, mint(ALICE, 1)],
      [MASTER, mint(ALICE, 2)],
      [MASTER, pause("Pause")],
      [MASTER, revoke("Pause", PAUSER)],
      [PAUSER, pause("Pause")],
      [EDITOR, edit("n")],
      [GRANTER, grant("MintTokens", MINTER, 5)],
    );
    fc.assert(
      fc.property(
        fc.array(turn, { minLength: 1, maxLength: 12 }),
        fc.nat(9),
        fc.integer({ min: 1, max: 12 }),
        (turns, salt, limit) => {
          const { state, ids } = waiting(...turns);
          const age = (id: OperationId) => Number.parseInt(id.slice(2, 4), 16) % (salt + 1);
          const chosen = chooseList(state, COIN, age, limit);
          expect(chosen.length).toBe(Math.min(limit, ids.length));
          expect(checkList(state, COIN, chosen, limit)).toEqual({ answer: "accept" });
        },
      ),
    );
  });
});
