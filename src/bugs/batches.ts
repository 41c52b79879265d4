/** Variants that take a signature of a batch for more than it signs (protocol 3.5). */
import { fromHex, toHex } from "../core/base/encoding.ts";
import { type Hash, next } from "../core/base/ids.ts";
import type { Statement } from "../core/consensus/authenticator.ts";
import type { Commit, LockCertificate, Seal } from "../core/consensus/message.ts";
import { type BatchRules, batchedParts, batchedSignature, batchRulesOf, isPlain } from "../core/crypto/batch.ts";
import { taggedHash } from "../core/crypto/hash.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import { forgesFinality, type PeerAttack, withByzantinePeer } from "./byzantine-peer.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** A path that leads to the root from anything. */
export const batchPathUnchecked: KnownBadVariant = {
  name: "batch-path-unchecked",
  mistake: "the path of a seal begins at its place, not at its statement: it holds for any statement",
  source: "protocol 3.5; bugs G10",
  caughtBy: ["agreement", "accountability", "irreversibility", "convergence"],
  batches: () => batchRulesOf({ leafHash: () => PLACE }),
};

const PLACE = taggedHash("place");

/** A root that once was checked (bugs G11). */
export const batchRootRemembered: KnownBadVariant = {
  name: "batch-root-remembered",
  mistake: "once a root is known to be signed, no other seal under it is checked for its signer",
  source: "protocol 3.5; bugs G11",
  caughtBy: ["agreement", "accountability", "irreversibility", "convergence"],
  batches: (real) => {
    const known = new Set<Hash>();
    const note = (root: Hash): true => {
      known.add(root);
      return true;
    };
    const verifies: BatchRules["verifies"] = (verifier, digest, seal, signer) => {
      if (isPlain(seal)) return real.verifies(verifier, digest, seal, signer);
      const root = real.rootOf(digest, seal);
      if (root === undefined) return false;
      return known.has(root) || (real.verifies(verifier, digest, seal, signer) && note(root));
    };
    // The validators of a process know what each of them has signed.
    const batchOf: BatchRules["batchOf"] = (digests) => {
      const batch = real.batchOf(digests);
      note(batch.root);
      return batch;
    };
    return { ...real, batchOf, verifies };
  },
  attack: withByzantinePeer(forgesFinality(inTheNameOfAll)),
};

/** Its own seal for each of a quorum: the statement is the same, for each signer. */
function inTheNameOfAll({ environment }: ValidatorState, { signer, signature }: Commit): readonly Seal[] {
  const { committee, others } = environment;
  const signers = [signer, ...others.slice(0, committee.quorum - 1)].sort();
  return signers.map((one) => ({ signer: one, signature }));
}

/** A tree whose hash does not resist collisions (bugs G12). */
export const batchSumsLeaves: KnownBadVariant = {
  name: "batch-sums-leaves",
  mistake: "the hash of two nodes is their sum: another path leads from any statement to a signed root",
  source: "protocol 3.5; bugs G12",
  caughtBy: ["agreement", "accountability", "irreversibility", "convergence"],
  batches: () => batchRulesOf({ nodeHash: sum }),
  attack: withByzantinePeer(sendsForgedDecisions()),
};

/** Bit by bit, without a carry. */
function sum(left: Hash, right: Hash): Hash {
  const other = fromHex(right);
  return toHex(fromHex(left).map((byte, at) => byte ^ (other[at] ?? 0))) as Hash;
}

/** Makes a decision in the next round of each lock whose seals are all of batches. */
function sendsForgedDecisions(): PeerAttack {
  return (state, input, wanted) => {
    if (input.type !== "message" || input.message.type !== "consensus") return wanted;
    const { body, contents } = input.message;
    if (body.type !== "lock" || input.from === state.environment.self) return wanted;
    const seals = body.seals.map((seal) => forged(state, body, seal));
    if (seals.some((seal) => seal === undefined)) return wanted;
    const decision = { ...body, type: "finality", round: next(body.round), seals: seals as readonly Seal[] } as const;
    const message = { type: "consensus", body: decision, contents, reason: undefined } as const;
    return [{ type: "send", to: state.environment.others, message }, ...wanted];
  };
}

/** The vote's path, changed by what the commit's leaf differs from the vote's. */
function forged({ environment }: ValidatorState, lock: LockCertificate, { signer, signature }: Seal): Seal | undefined {
  const { epoch, slot, round, value } = lock;
  const parts = batchedParts(signature);
  const [first, ...rest] = parts?.place.path ?? [];
  if (parts === undefined || first === undefined) return undefined;
  const leafOf = (statement: Statement): Hash =>
    taggedHash("batch leaf", fromHex(environment.authenticator.digest(statement)));
  const vote = leafOf({ type: "vote", epoch, slot, round, value });
  const commit = leafOf({ type: "commit", epoch, slot, round: next(round), value });
  const path = [sum(first, sum(vote, commit)), ...rest];
  return { signer, signature: batchedSignature(parts.signature, { ...parts.place, path }) };
}

/** Paths of any length (bugs G13). */
export const batchDepthUnbounded: KnownBadVariant = {
  name: "batch-depth-unbounded",
  mistake:
    "a seal may lie as deep as its two bytes can say, so that a certificate holds more than any other node accepts",
  source: "protocol 3.5; bugs G13",
  caughtBy: ["agreement"],
  batches: () => batchRulesOf({ limit: 65_535 }),
};
