/** Proof that a content needs before a validator keeps it, part by part (protocol 3, table; 3.0; 3.2). */
import { describe, expect, it } from "vitest";
import type { Amount } from "../../../src/core/base/amount.ts";
import type { Epoch } from "../../../src/core/base/ids.ts";
import type { Operation, SignedOperation } from "../../../src/core/base/operation.ts";
import {
  type BurnValue,
  type LedgerSlot,
  type ListValue,
  type SkipValue,
  slotKey,
} from "../../../src/core/base/slot.ts";
import { Trie } from "../../../src/core/base/trie.ts";
import type { FinalityCertificate } from "../../../src/core/consensus/message.ts";
import { branchHash, merkleRoot } from "../../../src/core/crypto/merkle.ts";
import { recoveryId } from "../../../src/core/ledger/identity.ts";
import type { Piece } from "../../../src/core/ledger/pieces.ts";
import { balanceBytes } from "../../../src/core/ledger/roots.ts";
import { type Content, copiesOf, type LedgerContent } from "../../../src/core/validator/content.ts";
import { contentFault, provenPiece } from "../../../src/core/validator/slots/content-check.ts";
import { accountSlot, certificateOf, contentOf, decisionOf } from "./support/certificates.ts";
import { Cluster } from "./support/cluster.ts";
import { addressOf, blacklist, burn, CHAIN, cancellation, idOf, pause, payment, USD } from "./support/operations.ts";

const VIEW = new Cluster(4).node(0);
const GROUNDS = VIEW.environment;
const PAID = payment("alice", 0, "bob", 10n);
const OTHER = payment("alice", 0, "carol", 10n);
const LATER = payment("alice", 1, "carol", 10n);
const UNSIGNED: SignedOperation = { ...OTHER, signature: PAID.signature };
const CANCELLED = cancellation("alice", 0);
const BURNED = burn("burner", 0, "alice", 10n);
const PAUSED = pause("issuer", 0, "Pause");
const LISTED = blacklist("issuer", 1, "bob");

const skip = (
  { by, id, displaced }: Pick<SkipValue, "by" | "id" | "displaced">,
  operations: readonly SignedOperation[],
): Content => ({
  value: { type: "skip", by, id, displaced, feeToken: USD },
  operations,
  certificates: [],
});
/** Names what it shows. */
const cancel = (...operations: SignedOperation[]): Content =>
  skip(
    { by: "cancellation", id: idOf(CANCELLED), displaced: operations.slice(1).map((operation) => idOf(operation)) },
    operations,
  );
const RECOVERY = recoveryId(CHAIN, addressOf("alice"), PAID.operation.nonce);
const recover = (...operations: SignedOperation[]): Content =>
  skip({ by: "recovery", id: RECOVERY, displaced: operations.map((operation) => idOf(operation)) }, operations);
const ascending = (...operations: SignedOperation[]): readonly SignedOperation[] =>
  operations.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
const PROOF = ascending(PAID, OTHER);
/** The payment's signature, read as a mint: another operation of the same digest. */
const READING: SignedOperation = { ...PAID, operation: { ...PAID.operation, kind: "mint" } as Operation };

const BURN: BurnValue = { type: "burn", id: idOf(BURNED), outcome: "burned" };
const WARRANT = decisionOf(BURNED, accountSlot("burner"));
const burnt = (...certificates: FinalityCertificate[]): Content => ({
  value: BURN,
  operations: [BURNED],
  certificates,
});

const LIST: ListValue = { type: "list", ids: [idOf(PAUSED), idOf(LISTED)] };
const FIRST = decisionOf(PAUSED, accountSlot("issuer"));
const SECOND = decisionOf(LISTED, accountSlot("issuer", 1));
const list = (operations: readonly SignedOperation[], ...certificates: FinalityCertificate[]): Content => ({
  value: LIST,
  operations,
  certificates,
});

const { header: HEADER } = new Cluster(4).node(0).checkpoints.last;
/** A checkpoint of one slot, with copies of its operations: its state is checked later. */
const listing = ({ value, operations }: Content, slot: LedgerSlot, copies = copiesOf(operations)): Content => ({
  value: { type: "checkpoint", header: HEADER, listed: [{ slot, value: value as LedgerContent["value"], copies }] },
  operations,
  certificates: [],
});
const ALICE = accountSlot("alice");
const TOKEN: LedgerSlot = { kind: "token", token: USD, version: 0 as never };

describe("a piece of a state proves itself", () => {
  const branch = { type: "branch", bit: 3, left: idOf(PAID), right: idOf(OTHER) } as const;
  const hash = branchHash(branch.bit, branch.left, branch.right);

  it("by its hash, where it has two below it", () => {
    expect(provenPiece(GROUNDS, "balances", branch, hash)).toBe(branch);
    expect(provenPiece(GROUNDS, "balances", { ...branch, bit: 4 }, hash)).toBeUndefined();
  });

  it("with each key once, where it has entries", () => {
    const entry = ["a", 1n as Amount] as const;
    const [once, twice] = [[entry], [entry, entry]].map((entries) => ({ type: "entries", entries }) as const);
    const one = merkleRoot(Trie.of([entry]), balanceBytes);
    expect(provenPiece(GROUNDS, "balances", once as Piece, one)).toMatchObject({ size: 1 });
    expect(provenPiece(GROUNDS, "balances", twice as Piece, one)).toBeUndefined();
  });
});

const cancelOf = (
  displaced: readonly SignedOperation[],
  operations: readonly SignedOperation[],
  id = idOf(CANCELLED),
) => skip({ by: "cancellation", id, displaced: displaced.map((one) => idOf(one)) }, operations);
const recoverOf = (...operations: SignedOperation[]): Content =>
  skip({ by: "recovery", id: RECOVERY, displaced: PROOF.map((one) => idOf(one)) }, operations);
const [FOREIGN, MORE] = [payment("bob", 0, "carol", 10n), payment("alice", 0, "bob", 11n)];
const lockInstead = certificateOf("lock", WARRANT.slot, WARRANT.value) as never;

/** Contents by their faults. */
const FAULTS: Readonly<Record<string, Readonly<Record<string, Content>>>> = {
  "it shows certificates": {
    "an operation with a decision": { ...contentOf(PAID), certificates: [FIRST] },
    "a checkpoint with a certificate": { ...listing(contentOf(PAID), ALICE), certificates: [WARRANT] },
  },
  "it shows closes": { "an operation with closes": { ...contentOf(PAID), closing: {} as never } as Content },
  "the operation is not the value's": {
    "another operation than the value's": { ...contentOf(PAID), operations: [OTHER] },
    "the value's operation and one more": { ...contentOf(PAID), operations: [PAID, OTHER] },
  },
  "an operation has an invalid signature": {
    "an operation that its sender did not sign": contentOf(UNSIGNED),
    "a cancellation of what nobody signed": cancel(CANCELLED, UNSIGNED),
    "a checkpoint with what nobody signed": listing(contentOf(UNSIGNED), ALICE),
  },
  "the burn is not the value's": {
    "another burn than the value's": { ...burnt(WARRANT), operations: [burn("burner", 0, "alice", 11n)] },
  },
  "a warrant is missing": {
    "a burn that nothing authorised": burnt(),
    "a burn authorised by a decision on another": burnt(decisionOf(PAID, accountSlot("burner"))),
    "a list with one warrant too few": list([PAUSED, LISTED], FIRST),
    "a list with its warrants exchanged": list([PAUSED, LISTED], SECOND, FIRST),
  },
  "a warrant is not a finality certificate": { "a burn authorised by a lock": burnt(lockInstead) },
  "a warrant is of another account": {
    "a burn authorised in another account": burnt(decisionOf(BURNED, accountSlot("alice"))),
  },
  "a warrant is invalid": { "a burn authorised by too few": burnt({ ...WARRANT, seals: WARRANT.seals.slice(1) }) },
  "a warrant is of another operation": {
    "a list with one warrant too many": list([PAUSED, LISTED], FIRST, SECOND, SECOND),
  },
  "the operations are not the list's": {
    "a list in another order than the value's": list([LISTED, PAUSED], SECOND, FIRST),
  },
  "a skip lacks its two operations": {
    "a cancellation alone": cancel(CANCELLED),
    "a cancellation with two operations": cancel(CANCELLED, PAID, OTHER),
    "a recovery of three operations": recover(...PROOF, LATER),
    "a recovery of one operation": recover(PAID),
  },
  "a skip lacks its cancellation or displaced operation": {
    "a cancellation that displaces itself": cancel(CANCELLED, CANCELLED),
  },
  "the cancellation is for another nonce": {
    "a cancellation that displaces a later operation": cancel(CANCELLED, LATER),
    "a cancellation of another account": cancel(CANCELLED, FOREIGN),
    "a checkpoint with a cancellation of something else": listing(cancel(CANCELLED, LATER), ALICE),
  },
  "the operations are not the skip's": {
    "the operation before its cancellation": cancel(PAID, CANCELLED),
    "another cancellation than the value's": cancelOf([PAID], [CANCELLED, PAID], idOf(cancellation("alice", 1))),
    "a cancellation of another operation than the value's": cancelOf([PAID], [CANCELLED, OTHER]),
    "a cancellation with another reading of the displaced operation's signature": cancelOf(
      [PAID],
      [CANCELLED, READING],
    ),
    "a cancellation whose value names nothing displaced": cancelOf([], [CANCELLED, PAID]),
    "a recovery of other operations than the value's": recoverOf(PAID, MORE),
  },
  "the two operations are not in the order of their ids": {
    "a recovery in the other order": recover(...PROOF.toReversed()),
  },
  "the two operations are not an equivocation proof": {
    "a recovery with one operation twice": recover(PAID, PAID),
  },
  "the recovery is not the value's": {
    "a recovery of another nonce": recover(...ascending(LATER, payment("alice", 1, "bob", 10n))),
  },
  [`${slotKey(ALICE)} has other operations`]: {
    "a checkpoint with another operation than its slot decides": listing(
      { ...contentOf(PAID), operations: [OTHER] },
      ALICE,
    ),
  },
  [`${slotKey(TOKEN)} has other operations`]: {
    "a checkpoint with a list in another order": listing(list([LISTED, PAUSED]), TOKEN),
  },
  [`${slotKey(ALICE)} has another copy`]: {
    "a checkpoint with another copy": listing(contentOf(PAID), ALICE, copiesOf([OTHER])),
  },
  "the operations are not those of the listed slots": {
    "a checkpoint with a copy too many": listing(contentOf(PAID), ALICE, copiesOf([PAID, OTHER])),
  },
  [`${slotKey(TOKEN)} cannot decide a value of type operation`]: {
    "a checkpoint of an operation in a token's slot": listing(contentOf(PAID), TOKEN),
  },
};

describe("a content proves itself", () => {
  it.each([
    ["an operation", contentOf(PAID)],
    ["a burn with the decision that authorised it", burnt(WARRANT)],
    ["a list with a decision for each", list([PAUSED, LISTED], FIRST, SECOND)],
    ["a cancellation with what it displaces", cancel(CANCELLED, PAID)],
    ["a recovery with two operations for one nonce", recover(...PROOF)],
    ["a cancellation with the other reading of a signature", cancel(CANCELLED, READING)],
    ["a checkpoint of an operation", listing(contentOf(PAID), ALICE)],
    ["a checkpoint of a list", listing(list([PAUSED, LISTED]), TOKEN)],
    ["a checkpoint of a cancellation", listing(cancel(CANCELLED, PAID), ALICE)],
  ])("%s", (_what, content) => expect(contentFault(VIEW, content)).toBeUndefined());

  for (const [fault, contents] of Object.entries(FAULTS))
    for (const [title, content] of Object.entries(contents))
      it(`and ${title} does not`, () => expect(contentFault(VIEW, content)).toBe(fault));
});

describe("in a later epoch", () => {
  const cluster = new Cluster(4);
  cluster.begin();
  cluster.cut = (_from, _to, message) => message.type === "consensus" && message.body.slot.kind === "token";
  cluster.submit(0, PAUSED);
  cluster.run(400);
  cluster.govern(0, {});
  cluster.run(3_000);
  const state = cluster.node(0);
  const closing = state.epochs.links.get(0 as Epoch)?.certificate as FinalityCertificate;
  const pauses = (...certificates: FinalityCertificate[]): Content => ({
    value: { type: "list", ids: [idOf(PAUSED)] },
    operations: [PAUSED],
    certificates,
  });

  it("a list of what an earlier epoch authorised needs no warrant: the state contains it", () => {
    expect([state.ledger.epoch, state.ledger.authorisedKeys.has(idOf(PAUSED))]).toEqual([1, true]);
    expect(contentFault(state, pauses())).toBeUndefined();
    expect(contentFault(state, list([PAUSED, LISTED]))).toBe("a warrant is missing");
  });

  it("the closing that opened the epoch is no warrant, with or without its seals", () => {
    for (const warrant of [closing, { ...closing, seals: [] }]) {
      expect(contentFault(state, burnt(warrant))).toBe("a warrant is missing");
      expect(contentFault(state, list([PAUSED, LISTED], warrant, warrant))).toBe("a warrant is missing");
      expect(contentFault(state, pauses(warrant))).toBe("a warrant is of another operation");
    }
  });

  it("nor is the decision of the earlier epoch", () => {
    expect(contentFault(state, list([PAUSED, LISTED], FIRST, SECOND))).toBe("a warrant is invalid");
  });
});
