// Checks the bytes of this validator against the vectors: node examples/validator/vectors.mjs
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { H, raw } from "./bytes.mjs";
import { idOf, recoveryId } from "./operations.mjs";
import { Verifier } from "./signatures.mjs";
import { stateFromJson } from "./state.mjs";
import { listRoot } from "./tries.mjs";
import {
  governanceDigest,
  proposerIndex,
  slotKey,
  standInDigest,
  statementDigest,
  valueHash,
  warrantHash,
} from "./values.mjs";

const folder = new URL("../../test/vectors/validator/", import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(name, folder), "utf8"));

function checkStatements() {
  for (const { chain, statement, digest, standIn, signer, signature } of read("statements.json")) {
    assert.equal(statementDigest(chain, statement), digest, statement.type);
    assert.equal(standInDigest(chain, statement), standIn, `${statement.type} stand-in`);
    const verifier = new Verifier("keyed-hash", chain);
    assert.ok(verifier.statement({ ...statement, signer, signature }), `${statement.type} signature`);
  }
}

function checkSubmissions() {
  for (const { submission, id } of read("submissions.json")) {
    if (submission.kind === "recovery") {
      assert.equal(recoveryId(submission.chainId, submission.account, submission.nonce), id);
      continue;
    }
    assert.equal(idOf(submission), id, submission.operation.kind);
    assert.ok(new Verifier("keyed-hash", 1).operation(submission), `${submission.operation.kind} signature`);
  }
}

function checkWarrants() {
  for (const { chain, warrant, hash } of read("warrants.json")) {
    const { closing, value } = warrant;
    const digest = (close) =>
      standInDigest(chain, {
        type: "close",
        epoch: value.epoch,
        slot: { kind: "epoch", epoch: value.epoch },
        round: 0,
        claims: close.claims.map((place) => closing.certificates[place]),
      });
    assert.equal(warrantHash(closing, digest), hash, "warrant");
    const verifier = new Verifier("keyed-hash", chain);
    for (const close of closing.closes)
      assert.ok(verifier.holds(close.signature, close.signer, digest(close)), "close in a warrant");
  }
}

const STATEMENTS = ["vote", "commit", "roundChange", "proposal", "close"];

/** Checks the signatures of a part of a message, those of certificates included; returns how many there are. */
function checkSignatures(verifier, part) {
  if (typeof part !== "object" || part === null) return 0;
  const { type, seals, signature } = part;
  const signed = signature !== undefined && STATEMENTS.includes(type) ? [part] : [];
  const statement = seals === undefined ? part : { ...part, type: type === "lock" ? "vote" : "commit" };
  for (const { signer, signature: bytes } of seals ?? signed)
    assert.ok(verifier.statement({ ...statement, signer, signature: bytes }), `${type} in a message`);
  const below = Object.values(part).map((member) => checkSignatures(verifier, member));
  return below.reduce((sum, count) => sum + count, (seals ?? signed).length);
}

function checkMessages() {
  const counts = read("messages.json").map(({ chain, message }) =>
    checkSignatures(new Verifier("keyed-hash", chain), message),
  );
  assert.ok(counts.reduce((sum, count) => sum + count) > 20, "signatures in messages");
}

function checkRoots() {
  assert.equal(H("list", 0, raw(H("empty list"))), listRoot([]));
  assert.equal(listRoot([]), "0xe69495b8d3294cbc14897212ba0ec5c9bb4a501e9bddb5137db678a0f9257cf9");
  const id = raw("0xb5975e72cb3dccc4f8c7d55b89db6f1bda2903d052c739d5e2d8bcf8391f3e47");
  assert.equal(
    listRoot([id]),
    "0xd8d0ae23b6d5233800e3081c1cb8c1bf6bda26e16aa03a6101406937a14b9490",
    "transactions root",
  );
  for (const { state, root, parts } of read("states.json")) {
    const made = stateFromJson(state);
    assert.deepEqual(made.partRoots(), parts);
    assert.equal(made.root(), root, "state root");
  }
}

for (const { slot, key, members, epoch, round, proposer } of read("slots.json")) {
  assert.equal(slotKey(slot), key);
  if (members !== undefined) assert.equal(proposerIndex(slot, epoch, round, members), proposer);
}
for (const { value, hash } of read("values.json")) assert.equal(valueHash(value), hash, value.type);
for (const { signed, digest } of read("proposals.json")) assert.equal(governanceDigest(signed.proposal), digest);
checkStatements();
checkSubmissions();
checkWarrants();
checkMessages();
checkRoots();
process.stdout.write("All vectors hold.\n");
