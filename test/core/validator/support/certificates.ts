/** Statements and certificates of four validators, made without a run: v1 to v4, in epoch 0. */
import type { Epoch, Hash, Round, Sequence } from "../../../../src/core/base/ids.ts";
import type { SignedOperation } from "../../../../src/core/base/operation.ts";
import type { AccountSlot, Slot } from "../../../../src/core/base/slot.ts";
import { standInDigest } from "../../../../src/core/consensus/authenticator.ts";
import { type AnyCertificate, finalityOf, lockOf } from "../../../../src/core/consensus/certificate.ts";
import { committeeOf, proposerOf } from "../../../../src/core/consensus/committee.ts";
import type {
  ConsensusMessage,
  FinalityCertificate,
  LockCertificate,
  RoundChange,
  Seal,
  StatementContent,
} from "../../../../src/core/consensus/message.ts";
import { keyedHash } from "../../../../src/core/crypto/keyed-hash.ts";
import { valueHash } from "../../../../src/core/ledger/value.ts";
import type { Content } from "../../../../src/core/validator/content.ts";
import type { ConsensusEnvelope } from "../../../../src/core/validator/message.ts";
import { rules } from "../../../../src/core/validator/rules.ts";
import { addressOf, CHAIN, idOf, keyOf } from "./operations.ts";

export const NAMES = ["v1", "v2", "v3", "v4"];
export const EPOCH = 0 as Epoch;

export function accountSlot(name: string, sequence = 0): AccountSlot {
  return { kind: "account", address: addressOf(name), sequence: sequence as Sequence };
}

export function by<B extends StatementContent>(name: string, body: B): B & Seal {
  return {
    ...body,
    signer: addressOf(name),
    signature: keyedHash.sign(keyOf(name), standInDigest(CHAIN, body)),
  };
}

export function changeBy(name: string, slot: Slot, round = 1, lock?: LockCertificate): RoundChange {
  return by(name, { type: "roundChange", epoch: EPOCH, slot, round: round as Round, lock });
}

const COMMITTEE = committeeOf(CHAIN, EPOCH, NAMES.map(addressOf), rules.consensus);

/** Name of a round's proposer. */
export function proposerIn(slot: Slot, round = 0): string {
  return NAMES[COMMITTEE.members.indexOf(proposerOf(COMMITTEE, slot, round as Round))] as string;
}

/** Message with a statement or a certificate, and what its receiver may lack. */
export function envelope(
  body: ConsensusMessage,
  contents: readonly Content[] = [],
  reason?: ConsensusEnvelope["reason"],
): ConsensusEnvelope {
  return { type: "consensus", body, contents, reason };
}

/** Vote of round 0, with its content. */
export function voteOn(name: string, slot: Slot, content: Content): ConsensusEnvelope {
  const value = valueHash(content.value);
  return envelope(by(name, { type: "vote", epoch: EPOCH, slot, round: 0 as Round, value }), [content]);
}

/** Proposal with its content; above round 0 with this justification. */
export function proposalOn(
  name: string,
  slot: Slot,
  content: Content,
  round = 0,
  justification: readonly RoundChange[] = [],
): ConsensusEnvelope {
  const place = { epoch: EPOCH, slot, round: round as Round, value: valueHash(content.value) };
  return envelope(by(name, { type: "proposal", ...place, justification }), [content]);
}

export type Kind = AnyCertificate["type"];

/** Three of four votes, or commits: a whole certificate of its kind. */
export function certificateOf(kind: Kind, slot: Slot, value: Hash): AnyCertificate {
  const place = { epoch: EPOCH, slot, round: 0 as Round, value };
  const type = kind === "lock" ? ("vote" as const) : ("commit" as const);
  const seals = NAMES.slice(0, 3).map((name): Seal => {
    const { signer, signature } = by(name, { type, ...place });
    return { signer, signature };
  });
  return kind === "lock" ? lockOf({ type: "vote", ...place }, seals) : finalityOf({ type: "commit", ...place }, seals);
}

export function contentOf(signed: SignedOperation): Content {
  return { value: { type: "operation", id: idOf(signed) }, operations: [signed], certificates: [] };
}

/** The finality certificate of an operation, in a slot. */
export function decisionOf(signed: SignedOperation, slot: Slot): FinalityCertificate {
  return certificateOf("finality", slot, valueHash(contentOf(signed).value)) as FinalityCertificate;
}
