import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Amount } from "../../../src/core/base/amount.ts";
import { requireDefined } from "../../../src/core/base/assert.ts";
import type { CheckpointPolicy } from "../../../src/core/base/epoch.ts";
import { type Address, type Epoch, type Millis, toSignature, ZERO_ADDRESS } from "../../../src/core/base/ids.ts";
import { isRecovery, type OperationId, type Submission } from "../../../src/core/base/operation.ts";
import { keyedHash } from "../../../src/core/crypto/keyed-hash.ts";
import { genesisCheckpoint } from "../../../src/core/ledger/checkpoint.ts";
import { genesisState } from "../../../src/core/ledger/genesis-state.ts";
import { submissionId, transactionHash } from "../../../src/core/ledger/identity.ts";
import { ledgerRules } from "../../../src/core/ledger/rules.ts";
import { balanceOf } from "../../../src/core/ledger/state.ts";
import { issuedTokenAddress, tokenAccountAddress } from "../../../src/core/ledger/token.ts";
import { valueHash } from "../../../src/core/ledger/value.ts";
import { rules } from "../../../src/core/validator/rules.ts";
import type { ArchivedSubmission, FinalRecord } from "../../../src/live/archive.ts";
import { certificateRefusal } from "../../../src/proofs/verify.ts";
import { type ChainLink, CheckpointChain } from "../../../src/run/checkpoint-chain.ts";
import type { Shape } from "../../../src/schema/shape.ts";
import * as networkSchemas from "../../../src/server/wire/schemas/network.ts";
import { type Validator, validatorOf } from "../../../src/server/wire/schemas/schema-types.ts";
import {
  mintInfo as mintInfoSchema,
  tokenAccount as tokenAccountSchema,
} from "../../../src/server/wire/schemas/tokens.ts";
import * as transactionSchemas from "../../../src/server/wire/schemas/transactions.ts";
import { transaction as transactionSchema } from "../../../src/server/wire/schemas/transactions.ts";
import {
  type AnyLink,
  checkpoint,
  checkpointReceipts,
  epoch,
  eventCheckpoint,
  latestEpochCheckpoint,
  nativeStatus,
} from "../../../src/server/wire/shapes/network.ts";
import { finalizedTransaction, receipt } from "../../../src/server/wire/shapes/receipt.ts";
import { mintInfo, tokenAccount } from "../../../src/server/wire/shapes/token.ts";
import { transaction } from "../../../src/server/wire/shapes/transaction.ts";
import { ignoredMembers } from "../../../src/server/wire/write.ts";
import { address, anySigned, signed } from "../../core/ledger/support/operations.ts";
import {
  ALICE,
  BOB,
  CAROL,
  CLUB,
  COIN,
  genesisOf,
  genesisToken,
  grant,
  LISTER,
  MASTER,
  MINTER,
  mint,
  play,
  revoke,
  SEIZER,
  start,
} from "../../core/ledger/support/world.ts";
import { Cluster } from "../../core/validator/support/cluster.ts";
import * as network from "../../core/validator/support/operations.ts";

const validators = new Map<Shape<unknown>, Validator>();

/** Sends JSON that has the promised shape, with no member beside it. */
function expectShape<T>(schema: Shape<T>, value: T): void {
  const sent: unknown = JSON.parse(JSON.stringify(value));
  expect(sent).toEqual(value);
  const validator = validators.get(schema) ?? validatorOf(schema);
  validators.set(schema, validator);
  expect(validator(sent)).toBeUndefined();
  expect(ignoredMembers(schema, sent, "answer")).toEqual([]);
}

function copyOfSubmission(submission: Submission): ArchivedSubmission {
  const id = submissionId(submission);
  return { id, hash: isRecovery(submission) ? id : transactionHash(submission), submission };
}

describe("a token account", () => {
  const ledger = genesisState(genesisOf());

  // holds: 47
  test("shows balance and nonce under the name of the holding", () => {
    const body = tokenAccount(ledger, ALICE, COIN);
    expectShape(tokenAccountSchema, body);
    expect(body).toEqual({ balance: "1000", nonce: 0, token_account_address: tokenAccountAddress(ALICE, COIN) });
  });

  test("of a pair that was never used has a balance of 0", () => {
    expect(tokenAccount(ledger, address(1), address(2))).toMatchObject({ balance: "0", nonce: 0 });
  });
});

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
        let ledger = start();
        for (const { kind, holder, value } of drawn) {
          const held = left.get(holder);
          if ((kind === "revoke" && held === undefined) || (kind === "mint" && !held)) continue;
          if (kind === "revoke") ledger = play(ledger, [MASTER, revoke("Burn", holder)]);
          else if (kind === "mint") ledger = play(ledger, [holder, mint(CAROL, held ?? 0)]);
          else ledger = play(ledger, [MASTER, grant(kind, holder, value)]);
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
    const ledger = genesisState(genesisOf());
    const body = requireDefined(mintInfo(ledger, COIN), "the token");
    expectShape(mintInfoSchema, body);
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
      clawback_authorities: [SEIZER],
      meta: { name: "Some token", uri: "", additional_metadata: [] },
    });
    expect(body.pause_authority).toBe(body.pause_authorities[0]);
    expect(body.master_mint_authority).toBe(body.master_mint_burn_authority);
    expect(mintInfo(ledger, CLUB)).toMatchObject({ is_private: true, white_list: [ALICE, BOB], black_list: [] });
  });

  // holds: 42
  test("has the zero address where a single authority is not set", () => {
    const ledger = genesisState(genesisOf({ tokens: [genesisToken(COIN, { roles: [] })], balances: [] }));
    expect(mintInfo(ledger, COIN)).toMatchObject({
      master_mint_burn_authority: ZERO_ADDRESS,
      pause_authority: ZERO_ADDRESS,
      metadata_update_authority: ZERO_ADDRESS,
      pause_authorities: [],
    });
  });

  test("is none of a token that does not exist", () => {
    expect(mintInfo(genesisState(genesisOf()), address(9))).toBeUndefined();
  });
});

describe("a transaction", () => {
  // holds: 35
  test("has its shape, whatever its operation", () => {
    fc.assert(
      fc.property(anySigned, fc.constantFrom("00", "01"), (drawn, parity) => {
        const signed = { ...drawn, signature: toSignature(drawn.signature.slice(0, 130) + parity) };
        const body = transaction(copyOfSubmission(signed), undefined);
        expectShape(transactionSchema, body);
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

  test("of a recovery has the account, the two copies, and no signature", () => {
    const [x, y] = [network.payment("alice", 4, "bob", 1n), network.payment("alice", 4, "bob", 2n)];
    const body = transaction(copyOfSubmission(network.recovery(x, y)), undefined);
    expectShape(transactionSchema, body);
    expect(body).toMatchObject({
      transaction_type: "Recovery",
      from: x.sender,
      nonce: 4,
      data: { account: x.sender, evidence: [transactionHash(x), transactionHash(y)] },
      signature: { r: `0x${"0".repeat(64)}`, v: 0 },
    });
  });
});

const POLICY: CheckpointPolicy = { intervalMs: 1_000, slots: 400, limit: 100, periodSeconds: 1, empty: false };

interface Ran {
  readonly links: readonly ChainLink[];
  readonly genesis: AnyLink;
  readonly copyOf: (id: OperationId) => ArchivedSubmission;
  readonly finalOf: (id: OperationId) => FinalRecord;
  readonly ids: readonly OperationId[];
}

/** Operations of several kinds, a failed one among them, and a closing in the end. */
function ran(): Ran {
  const cluster = new Cluster(4, 5, rules, POLICY);
  const copies = new Map<OperationId, ArchivedSubmission>();
  const submit = (submission: Submission, node: number, wait: number): void => {
    copies.set(cluster.submit(node, submission), copyOfSubmission(submission));
    cluster.run(cluster.now + wait);
  };
  // The payment is half-way when the burn is authorised: it comes first, and takes the funds.
  submit(network.payment("alice", 0, "bob", 900n), 0, 0);
  submit(network.burn("burner", 0, "alice", 300n), 1, 8_000);
  submit(network.mint("issuer", 0, "carol", 5n), 0, 1_000);
  submit(network.blacklist("issuer", 1, "bob"), 0, 1_000);
  submit(network.payment("carol", 0, "alice", 1n), 0, 10);
  cluster.govern(0, {});
  cluster.run(60_000);
  const genesis = genesisState(cluster.genesis);
  const value = genesisCheckpoint(genesis);
  const chain = new CheckpointChain(genesis, ledgerRules);
  const finals = new Map<OperationId, FinalRecord>();
  for (const { node, event } of cluster.events) {
    if (node === 0 && (event.type === "checkpointed" || event.type === "closed"))
      chain.add(event.certificate, event.content);
  }
  for (const { id, reply } of cluster.replies)
    if (reply.status === "final") finals.set(id as OperationId, { ...reply, at: 0 as Millis });
  return {
    links: chain.links,
    genesis: { hash: valueHash(value), value },
    copyOf: (id) => requireDefined(copies.get(id), id),
    finalOf: (id) => requireDefined(finals.get(id), id),
    ids: [...copies.keys()],
  };
}

describe("what a network has decided", () => {
  const run = ran();
  const first = requireDefined(run.links[0], "a checkpoint");
  const closing = requireDefined(run.links.at(-1), "a closing");

  test("is more than one link, with a closing at the end", () => {
    expect(run.links.length).toBeGreaterThan(1);
    expect(closing.content.value.type).toBe("closing");
  });

  // holds: 8, 28, 31, 32
  test("shows as checkpoints, full and not, with receipts in the same order", () => {
    let seen = 0;
    for (const link of run.links) {
      const [bare, full] = [checkpoint(link, false, run.copyOf), checkpoint(link, true, run.copyOf)];
      expectShape(networkSchemas.checkpoint, bare);
      expectShape(networkSchemas.checkpoint, full);
      const entries = full.transactions as readonly ReturnType<typeof transaction>[];
      expect(entries.map(({ hash }) => hash)).toEqual(bare.transactions);
      const receipts = checkpointReceipts(link, run.copyOf);
      expectShape(transactionSchemas.receiptList, receipts);
      for (const [index, one] of receipts.entries()) {
        expect(one.transaction_hash).toBe(bare.transactions[index]);
        const place = { checkpoint_hash: bare.hash, checkpoint_number: bare.number, transaction_index: index };
        expect(one).toMatchObject(place);
        expect(entries[index]).toMatchObject(place);
      }
      seen += receipts.length;
    }
    expect(seen).toBe(run.ids.length);
  });

  // holds: 30
  test("have the size of header and list as RLP, with the copies that they fix", () => {
    // List headers of 2, 2 and 1 bytes, four hashes of 33, and four empty items.
    expect(checkpoint(run.genesis, false, run.copyOf).size).toBe(2 + 2 + 1 + 4 * 33 + 4);
    for (const link of run.links) {
      const { size = 0 } = checkpoint(link, false, run.copyOf);
      const { header, listed } = link.content.value;
      const hashes = listed.reduce((sum, { copies }) => sum + 33 * copies.length, 0);
      expect(size).toBeGreaterThan(header.size + 4 * 33 + hashes);
      expect(size).toBe(eventCheckpoint(link, true, run.copyOf).size);
    }
  });

  // holds: 118
  test("shows in events with numbers as texts and the hash as checkpoint", () => {
    for (const full of [false, true]) {
      const event = eventCheckpoint(first, full, run.copyOf);
      expect(event).toMatchObject({ checkpoint: first.hash, number: "1", size: expect.any(Number) });
      expect(typeof event.timestamp).toBe("string");
      expect([event.hash, event.extra_data]).toEqual([first.hash, ""]);
      for (const entry of event.transactions) {
        if (typeof entry === "string") continue;
        const { chain_id, nonce, checkpoint_number, transaction_index, fee, signature } = entry;
        for (const text of [chain_id, nonce, checkpoint_number, transaction_index, fee]) expect(text).toMatch(/^\d+$/);
        expect(signature.y_parity).toBe(signature.v);
        const { receipt: decided } = run.finalOf(
          requireDefined(
            run.ids.find((id) => run.copyOf(id).hash === entry.hash),
            "its id",
          ),
        );
        expect(fee).toBe(String(decided.fee));
      }
      expect(event.transactions.every((entry) => typeof entry === "string")).toBe(!full);
    }
  });

  // holds: 82
  test("has receipts with fee, target and token, of failures too", () => {
    const ledger = closing.state;
    const [paid, burned, minted, listed] = run.ids.map((id) =>
      receipt(run.copyOf(id), run.finalOf(id).receipt, undefined, ledger),
    );
    const carol = network.addressOf("carol");
    expect(paid).toMatchObject({
      status: "final",
      success: true,
      error_code: null,
      fee_used: "1",
      token_address: network.USD,
    });
    expect(paid?.to).toBe(network.addressOf("bob"));
    expect(paid?.success_info).toMatchObject({ sender: paid?.from, receiver: paid?.recipient, message: "" });
    expect(minted).toMatchObject({ fee_used: "0", recipient: carol, checkpoint_hash: null, transaction_index: null });
    expect(burned).toMatchObject({
      status: "final",
      success: false,
      error_code: "business_burn_unfunded",
      recipient: paid?.from,
    });
    expect(burned?.success_info.message).toBe("business_burn_unfunded");
    expect(listed).toMatchObject({ recipient: null, to: null, success_info: { receiver: ZERO_ADDRESS } });
    expect(balanceOf(ledger, carol, network.USD)).toBe(1_003n);
  });

  test("has receipts of private tokens and of skipped nonces", () => {
    const ledger = genesisState(genesisOf());
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
    for (const one of [paid, issued, cancelled, recovered]) expectShape(transactionSchemas.receipt, one);
  });

  test("is proved by its certificates to the committee that the epoch shows", () => {
    const record = { epoch: 0 as Epoch, parameters: first.state.parameters, opening: undefined };
    const zero = epoch(network.CHAIN, record, run.genesis.hash, keyedHash);
    expectShape(networkSchemas.epoch, zero);
    expect(zero.certificate_hash).toBe(run.genesis.hash);
    const { chain_id, epoch: number, validators, crypto } = zero.certificate;
    const committee = { chain_id, epoch: number, validators, ...(crypto === undefined ? {} : { crypto }) };
    for (const id of run.ids) {
      const body = finalizedTransaction(run.copyOf(id), run.finalOf(id), undefined, closing.state);
      expectShape(transactionSchemas.finalized, body);
      expect(body.epoch).toBe(0);
      expect(body.counter_signatures).toHaveLength(body.certificate.signatures.length);
      expect(certificateRefusal(body.certificate, committee)).toBeUndefined();
    }
  });

  test("opens an epoch whose certificate is the closing's", () => {
    const { parameters } = closing.state;
    const record = { epoch: 1 as Epoch, parameters, opening: closing.certificate };
    const one = epoch(network.CHAIN, record, run.genesis.hash, keyedHash);
    expectShape(networkSchemas.epoch, one);
    expect(one).toMatchObject({
      epoch_id: 1,
      certificate_hash: closing.hash,
      certificate: { type: "Epoch", epoch: 1 },
    });
    expect(one.certificate.rewards).toEqual(parameters.validators.map(({ reward }) => reward));
    expect(one.certificate.fees).toMatchObject({ payment: "1", cancellation: "2", recovery: "2", tokens: [] });
    expect(latestEpochCheckpoint(closing)).toMatchObject({ epoch: 1, checkpoint_hash: closing.hash });
  });

  test("begins with a genesis that lists nothing", () => {
    const value = genesisCheckpoint(genesisState(genesisOf()));
    const genesis = { hash: valueHash(value), value };
    const body = checkpoint(genesis, true, run.copyOf);
    expectShape(networkSchemas.checkpoint, body);
    expect(body).toMatchObject({ number: 0, transactions: [], parent_hash: `0x${"00".repeat(32)}` });
    expect(checkpointReceipts(genesis, run.copyOf)).toEqual([]);
    expectShape(networkSchemas.latestEpochCheckpoint, latestEpochCheckpoint(genesis));
    expect(latestEpochCheckpoint(genesis)).toMatchObject({ epoch: 0, checkpoint: 0 });
  });

  test.each([
    ["v1-only", "v1_only", 0],
    ["dual", "dual", 4],
    ["v2-only", "v2_only", 4],
  ] as const)("says which writes it takes: %s", (mode, word, support_count) => {
    const status = nativeStatus(mode, 4);
    expectShape(networkSchemas.nativeStatus, status);
    expect(status).toMatchObject({
      native_write_mode: word,
      native_domain_separated_transactions: { support_count, required_count: 4, full_support: support_count === 4 },
    });
  });
});
