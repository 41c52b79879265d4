import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Amount } from "../../../src/core/base/amount.ts";
import { requireDefined } from "../../../src/core/base/assert.ts";
import { type Address, toSignature, ZERO_ADDRESS } from "../../../src/core/base/ids.ts";
import type { Submission } from "../../../src/core/base/operation.ts";
import { genesisCheckpoint } from "../../../src/core/ledger/checkpoint.ts";
import { genesisState } from "../../../src/core/ledger/genesis-state.ts";
import { issuedTokenAddress } from "../../../src/core/ledger/token.ts";
import { checkpointBytes } from "../../../src/core/ledger/value.ts";
import type { Shape } from "../../../src/schema/shape.ts";
import { mintInfo as mintInfoSchema } from "../../../src/server/wire/schemas/tokens.ts";
import * as transactionSchemas from "../../../src/server/wire/schemas/transactions.ts";
import { receipt } from "../../../src/server/wire/shapes/receipt.ts";
import { mintInfo } from "../../../src/server/wire/shapes/token.ts";
import { transaction } from "../../../src/server/wire/shapes/transaction.ts";
import { ignoredMembers } from "../../../src/server/wire/write.ts";
import { anySigned, signed } from "../../core/ledger/support/operations.ts";
import * as w from "../../core/ledger/support/world.ts";
import { accountSlot } from "../../core/validator/support/certificates.ts";
import { checkpointOf } from "../../core/validator/support/closings.ts";
import { Cluster } from "../../core/validator/support/cluster.ts";
import * as network from "../../core/validator/support/operations.ts";
import { copyOfSubmission } from "../http/support/fake-host.ts";
import { expectShape } from "../served/shapes.ts";

const { ALICE, BOB, CAROL, CLUB, COIN, LISTER, MASTER, MINTER } = w;

/** Checks that a value has the promised shape, with no member beside it, and is its own JSON. */
function expectExactShape<T>(schema: Shape<T>, value: T): void {
  const sent: unknown = JSON.parse(JSON.stringify(value));
  expect(sent).toEqual(value);
  expectShape(schema, sent);
  expect(ignoredMembers(schema, sent, "answer")).toEqual([]);
}

describe("the metadata of a token", () => {
  // holds: 43
  test("lists as minters those who were granted an allowance, used up or not, and as burners all who may burn", () => {
    const acts = fc.record({
      kind: fc.constantFrom("MintBurnTokens", "MintTokens", "Burn", "revoke", "mint"),
      holder: fc.constantFrom(ALICE, BOB, CAROL),
      value: fc.nat(3),
    });
    fc.assert(
      fc.property(fc.array(acts, { maxLength: 12 }), (drawn) => {
        /** The amount that each holder may still mint; null without a grant that names an allowance. */
        const left = new Map<string, number | null>([[MINTER, 1_000]]);
        let ledger = w.start();
        for (const { kind, holder, value } of drawn) {
          const held = left.get(holder);
          if ((kind === "revoke" && held === undefined) || (kind === "mint" && !held)) continue;
          if (kind === "revoke") ledger = w.play(ledger, [MASTER, w.revoke("Burn", holder)]);
          else if (kind === "mint") ledger = w.play(ledger, [holder, w.mint(CAROL, held ?? 0)]);
          else ledger = w.play(ledger, [MASTER, w.grant(kind, holder, value)]);
          if (kind === "revoke") left.delete(holder);
          else if (kind === "mint") left.set(holder, 0);
          else left.set(holder, kind === "Burn" ? (held ?? null) : value);
        }
        const body = requireDefined(mintInfo(ledger, COIN), "the token");
        const holders = [...left.keys()].sort();
        expect(body.burn_authorities).toEqual(holders);
        expect(body.minter_authorities).toEqual(holders.filter((holder) => left.get(holder) !== null));
        expect(body.mint_burn_authorities).toEqual(
          holders.map((minter) => ({ minter, allowance: String(left.get(minter) ?? 0) })),
        );
      }),
      { numRuns: 50 },
    );
  });

  // holds: 41, 43, 46
  test("has both sets of names", () => {
    const ledger = genesisState(w.genesisOf());
    const body = requireDefined(mintInfo(ledger, COIN), "the token");
    expectExactShape(mintInfoSchema, body);
    expect(body).toMatchObject({
      master_authority: MASTER,
      mint_burn_authorities: [{ minter: MINTER, allowance: "1000" }],
      minter_authorities: [MINTER],
      burn_authorities: [MINTER],
      list_authorities: [LISTER],
      black_list_authorities: [LISTER],
      supply: "2000",
      is_private: false,
      clawback_enabled: true,
      clawback_authorities: [w.SEIZER],
      meta: { name: "Some token", uri: "", additional_metadata: [] },
    });
    expect(body.pause_authority).toBe(body.pause_authorities[0]);
    expect(body.master_mint_authority).toBe(body.master_mint_burn_authority);
    expect(mintInfo(ledger, CLUB)).toMatchObject({ is_private: true, white_list: [ALICE, BOB], black_list: [] });
  });

  // holds: 42
  test("has the zero address where a single authority is not set", () => {
    const ledger = genesisState(w.genesisOf({ tokens: [w.genesisToken(COIN, { roles: [] })], balances: [] }));
    expect(mintInfo(ledger, COIN)).toMatchObject({
      master_mint_burn_authority: ZERO_ADDRESS,
      pause_authority: ZERO_ADDRESS,
      metadata_update_authority: ZERO_ADDRESS,
      pause_authorities: [],
    });
  });
});

describe("a transaction", () => {
  // holds: 35
  test("has its shape, whatever its operation", () => {
    fc.assert(
      fc.property(anySigned, fc.constantFrom("00", "01"), (drawn, parity) => {
        const signed = { ...drawn, signature: toSignature(drawn.signature.slice(0, 130) + parity) };
        const body = transaction(copyOfSubmission(signed), undefined);
        expectExactShape(transactionSchemas.transaction, body);
        const { operation, signature } = signed;
        expect(body.memo).toEqual(operation.memo);
        expect("memo" in body).toBe(operation.memo !== undefined);
        expect(body.data.to).toBe(body.data.recipient);
        expect(`${body.signature.r}${body.signature.s.slice(2)}`).toBe(signature.slice(0, 130));
        if (operation.kind === "burn") expect(body.data.recipient).toBe(operation.recipient ?? signed.sender);
      }),
      { numRuns: 300 },
    );
  });

  // holds: 36
  test("has the type that clients know, and the newest spelling of roles and actions", () => {
    const at = (draft: network.Draft) => transaction(copyOfSubmission(network.order("issuer", 0, draft)), undefined);
    const account = network.addressOf("bob");
    const list = { kind: "list", list: "whitelist", address: account } as const;
    expect(at({ ...list, action: "Whitelist" })).toMatchObject({
      transaction_type: "TokenWhitelistAccount",
      data: { address: account, action: "Add" },
    });
    expect(at({ ...list, list: "blacklist", action: "Remove" })).toMatchObject({
      transaction_type: "TokenBlacklistAccount",
      data: { action: "Remove" },
    });
    const authority = { kind: "authority", authorityAddress: account, authorityType: "MasterMint" } as const;
    expect(at({ ...authority, action: "Revoke" })).toMatchObject({
      transaction_type: "TokenRevokeAuthority",
      data: { authority_type: "MasterMintBurn", value: null },
    });
    expect(at({ ...authority, action: "Grant" }).transaction_type).toBe("TokenGrantAuthority");
    expect(at({ kind: "pause", action: "Unpause" }).transaction_type).toBe("TokenUnpause");
  });

  // holds: 34
  test("of an issue has the type TokenCreate, and the terms of the token as its data", () => {
    const issue = { kind: "issue", symbol: "EUR", name: "Euro", decimals: 2, masterAuthority: MASTER } as const;
    for (const isPrivate of [false, true])
      expect(transaction(copyOfSubmission(signed(ALICE, 3, { ...issue, isPrivate })), undefined)).toMatchObject({
        transaction_type: "TokenCreate",
        data: { decimals: 2, is_private: isPrivate, master_authority: MASTER, name: "Euro", symbol: "EUR" },
      });
  });
});

// holds: 30
test("the size of a checkpoint counts header and list as RLP, with the copies that they fix", () => {
  const state = new Cluster(4).node(0);
  const genesis = genesisCheckpoint(state.ledger);
  // List headers of 2, 2 and 1 bytes, four hashes of 33, and four empty items.
  expect(checkpointBytes(genesis)).toBe(2 + 2 + 1 + 4 * 33 + 4);
  const part = [accountSlot("alice"), network.payment("alice", 0, "bob", 1n)] as const;
  const { value } = checkpointOf(state, state.checkpoints.last, [part]);
  expect(checkpointBytes(value)).toBeGreaterThan(value.header.size + 4 * 33 + 33);
});

test("receipts of private tokens and of skipped nonces say so", () => {
  const ledger = genesisState(w.genesisOf());
  const of = (submission: Submission, feeToken: Address | undefined) => {
    const copy = copyOfSubmission(submission);
    const fee = 7n as Amount;
    const decided = { id: copy.id, success: true, fee, feeToken, error: undefined, slot: "account/0x0/0" };
    return receipt(copy, decided, undefined, ledger);
  };
  const paid = of(signed(ALICE, 0, { kind: "payment", token: CLUB, recipient: BOB, value: 1n as Amount }), CLUB);
  expect(paid).toMatchObject({ token_address: CLUB, success_info: { is_private: true, receiver: BOB } });
  const issue = { kind: "issue", symbol: "NEW", name: "New", decimals: 2, masterAuthority: MASTER } as const;
  const issued = of(signed(ALICE, 0, { ...issue, isPrivate: true }), undefined);
  const token = issuedTokenAddress(MASTER, "NEW");
  expect(issued).toMatchObject({ recipient: null, token_address: token, success_info: { is_private: true } });
  const cancelled = of(signed(ALICE, 0, { kind: "cancellation" }), COIN);
  expect(cancelled).toMatchObject({ token_address: COIN, recipient: null, fee_used: "7", from: ALICE });
  expect(of(signed(ALICE, 0, { kind: "cancellation" }), undefined).token_address).toBeNull();
  const [x, y] = [network.payment("alice", 4, "bob", 1n), network.payment("alice", 4, "bob", 2n)];
  const recovered = of(network.recovery(x, y), COIN);
  expect(recovered).toMatchObject({ token_address: COIN, from: x.sender, success_info: { receiver: ZERO_ADDRESS } });
  for (const one of [paid, issued, cancelled, recovered]) expectExactShape(transactionSchemas.receipt, one);
});
