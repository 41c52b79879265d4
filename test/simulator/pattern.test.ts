/** Patterns select messages by their subject, even if they contain no slot. */
import { expect, test } from "vitest";
import type { Amount } from "../../src/core/base/amount.ts";
import type { Address, CheckpointNumber, Hash, Nonce, Sequence } from "../../src/core/base/ids.ts";
import type { Operation, SignedOperation } from "../../src/core/base/operation.ts";
import { paddedNumber, type Value } from "../../src/core/base/slot.ts";
import { genesisCheckpoint } from "../../src/core/ledger/checkpoint.ts";
import { genesisState } from "../../src/core/ledger/genesis-state.ts";
import type { Content } from "../../src/core/validator/content.ts";
import type { PeerMessage } from "../../src/core/validator/message.ts";
import { matchesParcel } from "../../src/simulator/network/pattern.ts";
import { mixTexts } from "../../src/simulator/random.ts";
import { testGenesis } from "../core/validator/support/operations.ts";
import { addressOf, CHAIN, keyring, payment } from "./support.ts";

const [ALICE, BOB, TOKEN, OTHER] = ["alice", "bob", "token", "other"].map(addressOf) as [
  Address,
  Address,
  Address,
  Address,
];
const ID = `0x${"1".repeat(64)}` as Hash;
const common = { layout: "client", chainId: CHAIN, nonce: 0 as Nonce } as const;

const content = (value: Value, ...operations: readonly SignedOperation[]): Content => ({
  value,
  operations,
  certificates: [],
});
const signed = (operation: Operation): SignedOperation => keyring.sign(ALICE, operation);
const contentsOnly = (...contents: readonly Content[]): PeerMessage => ({ type: "decisions", decided: [], contents });

function isAbout(message: PeerMessage, slot: string): boolean {
  return matchesParcel({ slot }, "v1", "v2", { type: "peer", sender: BOB, message, digest: mixTexts() });
}

test("contents without a certificate are about the token whose list they hold", () => {
  const pause = signed({ kind: "pause", ...common, token: TOKEN, action: "Pause" });
  const message = contentsOnly(content({ type: "list", ids: [ID] }, pause));
  expect(isAbout(message, `token/${TOKEN}/`)).toBe(true);
  expect(isAbout(message, `token/${OTHER}/`)).toBe(false);
  expect(isAbout(message, `account/${ALICE}/`)).toBe(false);
});

test("contents of an account's slot are about the account that signed, or that a burn debits", () => {
  const own = contentsOnly(content({ type: "operation", id: ID }, payment(0, 1n)));
  expect(isAbout(own, `account/${ALICE}/`)).toBe(true);
  expect(isAbout(own, `account/${BOB}/`)).toBe(false);
  const burn = signed({ kind: "burn", ...common, token: TOKEN, value: 1n as Amount, recipient: BOB });
  const forced = contentsOnly(content({ type: "burn", id: ID, outcome: "burned" }, burn));
  expect(isAbout(forced, `account/${BOB}/`)).toBe(true);
  expect(isAbout(forced, `account/${ALICE}/`)).toBe(false);
  expect(isAbout(forced, `token/${TOKEN}/`)).toBe(false);
});

test("a checkpoint without a certificate is about its own slot, and about none that it lists", () => {
  const header = genesisCheckpoint(genesisState(testGenesis(4))).header;
  const value: Value = { type: "checkpoint", header: { ...header, number: 7 as CheckpointNumber }, listed: [] };
  const message = contentsOnly(content(value, payment(0, 1n)));
  expect(isAbout(message, `checkpoint/${paddedNumber(7)}`)).toBe(true);
  expect(isAbout(message, `checkpoint/${paddedNumber(8)}`)).toBe(false);
  expect(isAbout(message, `account/${ALICE}/`)).toBe(false);
});

test("one content of several is enough, and none is about nothing", () => {
  const several = contentsOnly(
    content({ type: "operation", id: ID }, payment(0, 1n)),
    content({ type: "list", ids: [ID] }, signed({ kind: "pause", ...common, token: TOKEN, action: "Pause" })),
  );
  expect(isAbout(several, `account/${ALICE}/`)).toBe(true);
  expect(isAbout(several, `token/${TOKEN}/`)).toBe(true);
  expect(isAbout(contentsOnly(), `token/${TOKEN}/`)).toBe(false);
});

test("a recovery that is shown is about the account that it frees", () => {
  const evidence = { first: payment(0, 1n), second: payment(0, 2n) };
  const slot = { kind: "account", address: ALICE, sequence: 0 as Sequence } as const;
  const shown = { type: "disclosure", slot, reason: { kind: "equivocation", proof: evidence } } as const;
  expect(isAbout(shown, `account/${ALICE}/`)).toBe(true);
  expect(isAbout(shown, `account/${BOB}/`)).toBe(false);
});
