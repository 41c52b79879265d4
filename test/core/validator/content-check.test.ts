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

  it.each([
    ["an operation with a decision", "it shows certificates", { ...contentOf(PAID), certificates: [FIRST] }],
    ["an operation with closes", "it shows closes", { ...contentOf(PAID), closing: {} as never }],
    [
      "another operation than the value's",
      "the operation is not the value's",
      { ...contentOf(PAID), operations: [OTHER] },
    ],
    [
      "the value's operation and one more",
      "the operation is not the value's",
      { ...contentOf(PAID), operations: [PAID, OTHER] },
    ],
    ["an operation that its sender did not sign", "an operation has an invalid signature", contentOf(UNSIGNED)],
    [
      "another burn than the value's",
      "the burn is not the value's",
      { ...burnt(WARRANT), operations: [burn("burner", 0, "alice", 11n)] },
    ],
    ["a burn that nothing authorised", "a warrant is missing", burnt()],
    [
      "a burn authorised by a lock",
      "a warrant is not a finality certificate",
      burnt(certificateOf("lock", WARRANT.slot, WARRANT.value) as never),
    ],
    [
      "a burn authorised by a decision on another",
      "a warrant is missing",
      burnt(decisionOf(PAID, accountSlot("burner"))),
    ],
    [
      "a burn authorised in another account",
      "a warrant is of another account",
      burnt(decisionOf(BURNED, accountSlot("alice"))),
    ],
    [
      "a burn authorised by a token's slot",
      "a warrant is of another account",
      burnt(decisionOf(BURNED, { kind: "token", token: addressOf("burner"), version: 0 as never })),
    ],
    ["a burn authorised by too few", "a warrant is invalid", burnt({ ...WARRANT, seals: WARRANT.seals.slice(1) })],
    [
      "a list in another order than the value's",
      "the operations are not the list's",
      list([LISTED, PAUSED], SECOND, FIRST),
    ],
    ["a list with one warrant too few", "a warrant is missing", list([PAUSED, LISTED], FIRST)],
    [
      "a list with one warrant too many",
      "a warrant is of another operation",
      list([PAUSED, LISTED], FIRST, SECOND, SECOND),
    ],
    ["a list with its warrants exchanged", "a warrant is missing", list([PAUSED, LISTED], SECOND, FIRST)],
    ["a cancellation alone", "a skip lacks its two operations", cancel(CANCELLED)],
    ["a cancellation with two operations", "a skip lacks its two operations", cancel(CANCELLED, PAID, OTHER)],
    [
      "a cancellation that displaces itself",
      "a skip lacks its cancellation or displaced operation",
      cancel(CANCELLED, CANCELLED),
    ],
    [
      "a cancellation that displaces a later operation",
      "the cancellation is for another nonce",
      cancel(CANCELLED, LATER),
    ],
    [
      "a cancellation of another account",
      "the cancellation is for another nonce",
      cancel(CANCELLED, payment("bob", 0, "carol", 10n)),
    ],
    ["the operation before its cancellation", "the operations are not the skip's", cancel(PAID, CANCELLED)],
    [
      "another cancellation than the value's",
      "the operations are not the skip's",
      skip({ by: "cancellation", id: idOf(cancellation("alice", 1)), displaced: [idOf(PAID)] }, [CANCELLED, PAID]),
    ],
    [
      "a cancellation of another operation than the value's",
      "the operations are not the skip's",
      skip({ by: "cancellation", id: idOf(CANCELLED), displaced: [idOf(PAID)] }, [CANCELLED, OTHER]),
    ],
    [
      "a cancellation with another reading of the displaced operation's signature",
      "the operations are not the skip's",
      skip({ by: "cancellation", id: idOf(CANCELLED), displaced: [idOf(PAID)] }, [CANCELLED, READING]),
    ],
    [
      "a cancellation whose value names nothing displaced",
      "the operations are not the skip's",
      skip({ by: "cancellation", id: idOf(CANCELLED), displaced: [] }, [CANCELLED, PAID]),
    ],
    [
      "a cancellation whose value names one operation twice",
      "the operations are not the skip's",
      skip({ by: "cancellation", id: idOf(CANCELLED), displaced: [idOf(PAID), idOf(PAID)] }, [CANCELLED, PAID]),
    ],
    [
      "a recovery of other operations than the value's",
      "the operations are not the skip's",
      skip({ by: "recovery", id: RECOVERY, displaced: PROOF.map((one) => idOf(one)) }, [
        PAID,
        payment("alice", 0, "bob", 11n),
      ]),
    ],
    [
      "a recovery in the other order",
      "the two operations are not in the order of their ids",
      recover(...PROOF.toReversed()),
    ],
    [
      "a recovery in another order than its value names",
      "the operations are not the skip's",
      skip({ by: "recovery", id: RECOVERY, displaced: PROOF.map((one) => idOf(one)) }, PROOF.toReversed()),
    ],
    [
      "an operation with a certificate",
      "it shows certificates",
      { ...contentOf(PAID), certificates: [decisionOf(PAID, ALICE)] },
    ],
    [
      "a cancellation with a certificate",
      "it shows certificates",
      { ...cancel(CANCELLED, PAID), certificates: [WARRANT] },
    ],
    [
      "a checkpoint with a certificate",
      "it shows certificates",
      { ...listing(contentOf(PAID), ALICE), certificates: [WARRANT] },
    ],
    ["a recovery of three operations", "a skip lacks its two operations", recover(...PROOF, LATER)],
    ["a recovery of one operation", "a skip lacks its two operations", recover(PAID)],
    ["a cancellation of what nobody signed", "an operation has an invalid signature", cancel(CANCELLED, UNSIGNED)],
    ["a recovery with one operation twice", "the two operations are not an equivocation proof", recover(PAID, PAID)],
    [
      "a recovery with operations for two nonces",
      "the two operations are not an equivocation proof",
      recover(PAID, LATER),
    ],
    ["a recovery with a cancellation", "the two operations are not an equivocation proof", recover(PAID, CANCELLED)],
    [
      "a recovery of another nonce",
      "the recovery is not the value's",
      recover(...ascending(LATER, payment("alice", 1, "bob", 10n))),
    ],
    ["a recovery with what nobody signed", "an operation has an invalid signature", recover(PAID, UNSIGNED)],
    [
      "a checkpoint with another operation than its slot decides",
      `${slotKey(ALICE)} has other operations`,
      listing({ ...contentOf(PAID), operations: [OTHER] }, ALICE),
    ],
    [
      "a checkpoint with a list in another order",
      `${slotKey(TOKEN)} has other operations`,
      listing(list([LISTED, PAUSED]), TOKEN),
    ],
    [
      "a checkpoint with a cancellation of something else",
      "the cancellation is for another nonce",
      listing(cancel(CANCELLED, LATER), ALICE),
    ],
    [
      "a checkpoint with another copy",
      `${slotKey(ALICE)} has another copy`,
      listing(contentOf(PAID), ALICE, copiesOf([OTHER])),
    ],
    [
      "a checkpoint with a copy too many",
      "the operations are not those of the listed slots",
      listing(contentOf(PAID), ALICE, copiesOf([PAID, OTHER])),
    ],
    [
      "a checkpoint of an operation in a token's slot",
      `${slotKey(TOKEN)} cannot decide a value of type operation`,
      listing(contentOf(PAID), TOKEN),
    ],
    [
      "a checkpoint with what nobody signed",
      "an operation has an invalid signature",
      listing(contentOf(UNSIGNED), ALICE),
    ],
  ])("and %s does not", (_what, fault, content) => expect(contentFault(VIEW, content)).toBe(fault));
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
