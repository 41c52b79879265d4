/**
 * Contents in the inputs and outputs of a validator, the statements in its durable records, and the keys that signed the
 * operations of multisig accounts.
 */
import { unreachable } from "../core/base/assert.ts";
import { isMultisigSignature } from "../core/base/ids.ts";
import { isRecovery, type SignedOperation, type Submission } from "../core/base/operation.ts";
import { slotKey } from "../core/base/slot.ts";
import type { Verifier } from "../core/crypto/scheme.ts";
import type { digestOf } from "../core/ledger/layout.ts";
import { decodeMultisig, multisigAddress, signersFault } from "../core/ledger/multisig.ts";
import type { Content } from "../core/validator/content.ts";
import type { PeerMessage, UnsignedMessage } from "../core/validator/message.ts";
import { isWellFormed } from "../core/validator/message-form.ts";
import type { DurableRecord, Output } from "../core/validator/output.ts";
import type { Input } from "../core/validator/step.ts";
import type { DurableStatement, SignedByKeys, SlotInEpoch } from "../invariants/observation.ts";
import { contentsOf } from "../simulator/network/message-content.ts";

const NONE: readonly Content[] = [];

export function contentsInInput(input: Input): readonly Content[] {
  if (input.type === "message") return contentsInMessage(input.message);
  return input.type === "restart" ? input.records.flatMap(([, record]) => contentsInRecord(record)) : NONE;
}

export function contentsInOutput(output: Output): readonly Content[] {
  switch (output.type) {
    case "persist":
      return contentsInRecord(output.record);
    case "sign":
    case "send":
      return contentsInMessage(output.message);
    case "event": {
      const { event } = output;
      return event.type === "halted" || event.content === undefined ? NONE : [event.content];
    }
    case "reply":
      return output.reply.status === "final" ? [output.reply.content] : NONE;
    case "erase":
    case "setTimer":
    case "cancelTimer":
    case "report":
    case "coverage":
      return NONE;
    default:
      return unreachable(output);
  }
}

function contentsInRecord(record: DurableRecord): readonly Content[] {
  switch (record.of) {
    case "slot":
      return record.contents;
    case "snapshot":
      return [record.content];
    case "closed":
    case "link":
    case "opaque":
      return NONE;
    default:
      return unreachable(record);
  }
}

function contentsInMessage(message: PeerMessage | UnsignedMessage): readonly Content[] {
  // A Byzantine validator may have sent parts of which nobody can make bytes.
  if (!isWellFormed(message)) return NONE;
  const reason = message.type === "consensus" ? message.reason : undefined;
  const contents = contentsOf(message);
  return reason !== undefined && "content" in reason ? [...contents, reason.content] : contents;
}

/** Returns the slot of a record that holds reasons to leave round 0; empty for another record. */
export function reasonedSlotIn(record: DurableRecord): readonly SlotInEpoch[] {
  if (record.of !== "slot" || record.reasons.length === 0) return [];
  return [{ epoch: record.epoch, slot: slotKey(record.slot) }];
}

/** The votes and the proposal in a durable record; empty for a record of another kind than `slot`. */
export function durableStatementsIn(record: DurableRecord): readonly DurableStatement[] {
  if (record.of !== "slot") return [];
  const place = { epoch: record.epoch, slot: slotKey(record.slot) };
  const proposals = record.proposed === undefined ? [] : [record.proposed];
  return [
    ...record.votes.map(({ round, value }) => ({ kind: "vote", ...place, round, value }) as const),
    ...proposals.map(({ round, value }) => ({ kind: "proposal", ...place, round, value }) as const),
  ];
}

const NO_KEYS: readonly SignedByKeys[] = [];

/** Returns the signatures of each operation of a multisig account in a submission, of both in a recovery. */
export function keysOf(submission: Submission, verifier: Verifier, digest: typeof digestOf): readonly SignedByKeys[] {
  if (!isRecovery(submission))
    return submission.operation.account === undefined ? NO_KEYS : [keysIn(submission, verifier, digest)];
  const { first, second } = submission.evidence;
  return [first, second].flatMap((signed) =>
    signed.operation.account === undefined ? [] : [keysIn(signed, verifier, digest)],
  );
}

function keysIn(signed: SignedOperation, verifier: Verifier, digest: typeof digestOf): SignedByKeys {
  const { operation, signature, sender } = signed;
  const multisig = isMultisigSignature(signature) ? decodeMultisig(signature) : undefined;
  if (multisig === undefined) return { signed, keys: [], isComplete: false };
  const operationDigest = digest(operation);
  const keys = multisig.signatures.flatMap(({ key, signature: keySignature }) => {
    const signer = verifier.recover(operationDigest, keySignature);
    return signer !== undefined && signer === verifier.addressOfPublic(key) ? [key] : [];
  });
  const isOwnSet =
    signersFault(multisig.signers, multisig.threshold) === undefined && multisigAddress(multisig) === sender;
  return { signed, keys, isComplete: isOwnSet && keys.length === multisig.signatures.length };
}
