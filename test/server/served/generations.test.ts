/**
 * Answers as the published clients of each generation decode them (wire 1.4, 6.2): members with their types, written
 * from the clients' own declarations. A decoder fails where that client would, or where none is left out that it may miss.
 */
import { beforeAll, describe, expect, test } from "vitest";
import type { NetworkOptions } from "../../../src/server/network/start-network.ts";
import { changedAnswers } from "../../../src/server/wire/answer-options.ts";
import { ReferenceClient } from "../client/reference-client.ts";
import {
  addr,
  all,
  any,
  bool,
  both,
  byte,
  checkpointMembers,
  type Decoder,
  dec,
  has,
  hash,
  hex,
  matching,
  nullOr,
  num,
  opt,
  place,
  receiptMembers,
  shapesBy,
  str,
} from "./decoders.ts";
import { carryOutEveryKind } from "./every-kind.ts";
import { type Json, sharedNetwork } from "./support.ts";

const { meta, signature, data: NEWER, memo, info, batchInfo, batchEvent } = shapesBy(has);
const { TokenClawback, BatchPayment, CreateMultiSig, ...OLDER } = NEWER;
/** Types that every generation knows, with their data. */
const TYPES: typeof NEWER = { ...OLDER, Raw: has({ input: hex, token: addr }) };
const typed =
  (types: typeof TYPES): Decoder =>
  (value) => {
    const { transaction_type: type, data } = value as Json;
    const one = types[String(type)];
    return one === undefined ? `unknown type ${type}` : one(data);
  };
/** Older clients read `to` of what pays somebody. */
const paysTo: Decoder = (value) => {
  const { transaction_type: type, data } = value as Json;
  return type === "TokenTransfer" || type === "TokenMint" ? has({ to: addr })(data) : undefined;
};
const head = { hash, chain_id: num, from: addr, nonce: num, signature, ...place };
const paidTo = { to: nullOr(addr), token_address: nullOr(addr) };
const holders = {
  ...{ pause_authorities: all(addr), list_authorities: all(addr), metadata_update_authorities: all(addr) },
  ...{ black_list: all(addr), white_list: all(addr), supply: dec, decimals: byte, is_paused: bool, is_private: bool },
};
const mintInfo = {
  ...{ symbol: str, master_authority: addr, master_mint_burn_authority: addr, ...holders, meta },
  mint_burn_authorities: all(has({ minter: addr, allowance: dec })),
};
interface Generation {
  readonly compat: NonNullable<NetworkOptions["compat"]>;
  readonly account: Decoder;
  readonly token: Decoder;
  readonly transaction: Decoder;
  /** Entry of a full checkpoint, where it has more. */
  readonly entry?: Decoder;
  readonly receipt: Decoder;
  readonly finalized: Decoder;
}

const GENERATIONS: Readonly<Record<string, Generation>> = {
  "TS-1.0.10": {
    compat: ["ts-1.0"],
    account: has({ token_account_address: addr, balance: dec, nonce: num }),
    token: has({
      ...{ symbol: str, master_authority: addr, master_mint_authority: addr, minter_authorities: all(any) },
      ...{
        pause_authority: addr,
        burn_authorities: all(addr),
        black_list_authorities: all(addr),
        black_list: all(addr),
      },
      ...{ metadata_update_authority: addr, supply: dec, decimals: num, is_paused: bool, meta },
    }),
    transaction: both(has(head), paysTo),
    receipt: has({ ...receiptMembers, fee_used: any, ...paidTo }),
    finalized: any,
  },
  "TS-1.1": {
    compat: ["ts-1.1"],
    account: has({ balance: dec, nonce: num }),
    token: has({ ...mintInfo, bridge_mint_authorities: all(addr) }),
    transaction: has(head),
    receipt: has({ ...receiptMembers, fee_used: any, ...paidTo, success_info: opt(info) }),
    finalized: has({ ...receiptMembers, epoch: num, counter_signatures: all(signature) }),
  },
  "TS-3.0": {
    // Its type has the array, which its suites do not read.
    compat: ["ts-1.1"],
    account: has({ balance: dec, nonce: num }),
    token: has({ ...mintInfo, bridge_mint_authorities: all(addr), clawback_enabled: bool }),
    transaction: both(has({ ...head, memo: opt(memo) }), typed(NEWER)),
    receipt: has({
      ...{ ...receiptMembers, success_info: opt(info), execution_events: opt(all(batchEvent)) },
      batch_info: opt(batchInfo),
    }),
    finalized: has({ ...receiptMembers, epoch: num, counter_signatures: all(signature) }),
  },
  "RS-0.15": {
    compat: ["rust-0.15"],
    account: has({ token_account_address: addr, balance: dec, nonce: num }),
    token: has({ ...mintInfo, bridge_mint_authorities: all(addr) }),
    transaction: both(has(head), typed(TYPES)),
    receipt: has({ ...receiptMembers, success_info: opt(info) }),
    finalized: has({ ...receiptMembers, epoch: num, counter_signatures: all(signature) }),
  },
  "GO-HEAD": {
    compat: ["go"],
    account: has({ token_account_address: addr, balance: dec, nonce: num }),
    token: has(mintInfo),
    transaction: both(has({ ...head, fee: opt(num) }), paysTo),
    entry: both(has({ ...head, fee: num }), paysTo),
    receipt: has({ ...receiptMembers, fee_used: num, ...paidTo }),
    finalized: any,
  },
  "GO-1.2": {
    compat: [],
    account: has({ balance: dec, nonce: num }),
    token: has({ ...mintInfo, bridge_mint_authorities: all(addr), clawback_authorities: all(addr) }),
    transaction: both(
      has({
        ...head,
        signature_type: matching("kind of signature", (value) => value === "Single" || value === "Multi"),
        signature_scheme: opt(matching("scheme", (value) => value === "legacy_native" || value === "domain_separated")),
      }),
      typed(NEWER),
    ),
    receipt: has(receiptMembers),
    finalized: has({ ...receiptMembers, epoch: num }),
  },
};

/** Each is shown published members with those of its generation, and all of them where it asks for these. */
describe.each(Object.entries(GENERATIONS))("%s", (_name, generation) => {
  const answers = changedAnswers({ compat: generation.compat, answers: "published" });
  const net = sharedNetwork({ profile: "clients", "checkpoint-interval": "200" }, "one", { answers });
  let clients: readonly ReferenceClient[] = [];
  let hashes: readonly string[] = [];
  let token = "";
  beforeAll(async () => {
    clients = [net.client, new ReferenceClient(net.served.url, { members: "all" })];
    ({ hashes, token } = await carryOutEveryKind(net));
  });

  test("decodes accounts and tokens", async () => {
    for (const client of clients) {
      for (const account of [net.address("alice"), `0x${"5a".repeat(20)}`])
        expect(generation.account(await client.tokenAccount(account, token))).toBeUndefined();
      expect(generation.token(await client.tokenMetadata(token))).toBeUndefined();
      expect(generation.token(await client.tokenMetadata(net.token()))).toBeUndefined();
    }
  });

  // holds: 36, 51
  test("decodes each operation, its receipt and its finality", async () => {
    expect(hashes.length).toBeGreaterThan(20);
    for (const [client, one] of clients.flatMap((asked) => hashes.map((read) => [asked, read] as const))) {
      const shown = await client.transaction(one);
      expect([shown["transaction_type"], generation.transaction(shown)]).toEqual([
        shown["transaction_type"],
        undefined,
      ]);
      expect(generation.receipt(await client.receiptNow(one))).toBeUndefined();
      expect(generation.finalized(await client.finalized(one))).toBeUndefined();
    }
  });

  test("decodes checkpoints of hashes and of entries, and their receipts", async () => {
    const last = await net.client.checkpointNumber();
    let listed = 0;
    const numbers = Array.from({ length: last + 1 }, (_, number) => number);
    for (const [client, number] of clients.flatMap((asked) => numbers.map((read) => [asked, read] as const))) {
      const [short, full] = [false, true].map((all) => client.checkpointByNumber(number, all));
      expect(has({ ...checkpointMembers, transactions: all(hash) })(await short)).toBeUndefined();
      const entries = all(generation.entry ?? generation.transaction);
      expect(has({ ...checkpointMembers, transactions: entries })(await full)).toBeUndefined();
      const receipts = await client.checkpointReceipts(number);
      expect(all(generation.receipt)(receipts)).toBeUndefined();
      const { transactions } = (await short) as { readonly transactions: readonly string[] };
      expect(receipts.map((one) => one["transaction_hash"])).toEqual(transactions);
      listed += transactions.length;
    }
    expect(listed).toBeGreaterThan(20);
  });
});

test("a decoder that wants another type fails", () => {
  const bad = { balance: 5, nonce: 0, token_account_address: `0x${"00".repeat(20)}` };
  expect(GENERATIONS["RS-0.15"]?.account(bad)).toBe("balance: no decimal text: 5");
  expect(GENERATIONS["TS-3.0"]?.transaction({})).toContain("hash: no hash");
  expect(typed(TYPES)({ transaction_type: "TokenClawback", data: {} })).toBe("unknown type TokenClawback");
});
