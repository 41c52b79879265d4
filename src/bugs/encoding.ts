/** Variants whose ids or signatures do not cover what they name (bugs G). */
import { text } from "../core/base/encoding.ts";
import type { Hash } from "../core/base/ids.ts";
import type { OperationId } from "../core/base/operation.ts";
import type { Statement } from "../core/consensus/authenticator.ts";
import type { FinalityCertificate, LockCertificate } from "../core/consensus/message.ts";
import { taggedHash } from "../core/crypto/hash.ts";
import type { PeerMessage } from "../core/validator/message.ts";
import type { Output } from "../core/validator/output.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import { replaceIds } from "./altered-rules.ts";
import { withByzantinePeer } from "./byzantine-peer.ts";
import type { KnownBadVariant, ValidatorProgram } from "./known-bad-variant.ts";

/** Two copies count as two operations (bugs G1). */
export const idCoversSignature: KnownBadVariant = {
  name: "id-covers-signature",
  mistake: "an operation's id covers its signature: a second signature of the same bytes makes a second operation",
  source: "bugs G1; protocol 3.0",
  caughtBy: ["validity", "authority", "irreversibility", "accounts", "conservation", "liveness", "answers"],
  rules: replaceIds(
    (real) => (signed) =>
      taggedHash("operation", text(real.ledger.operationId(signed)), text(signed.signature)) as OperationId,
  ),
};

/** Signatures that cover too little (bugs G3, A11, A15). */

/** A vote is also a commit. */
export const commitIsVote: KnownBadVariant = {
  name: "commit-is-vote",
  mistake: "votes and commits are signed under one tag: a quorum of votes is a valid finality certificate",
  source: "bugs G3; protocol 3.0",
  caughtBy: ["agreement", "irreversibility", "accountability", "amnesia", "convergence", "validity"],
  statement: alterStatements((body) => (body.type === "commit" ? { ...body, type: "vote" } : body)),
  attack: relabelLocks((lock) => ({ ...lock, type: "finality" })),
};

/** A certificate for one value is valid for every value. */
export const valuelessStatements: KnownBadVariant = {
  name: "valueless-statements",
  mistake: "signatures cover slot and round but no value: a certificate is valid with any value",
  source: "bugs A11, A15; protocol 3.0",
  caughtBy: ["agreement", "irreversibility", "accountability", "amnesia", "convergence", "validity"],
  statement: alterStatements((body) =>
    body.type === "vote" || body.type === "commit" ? { ...body, value: `0x${"00".repeat(32)}` as Hash } : body,
  ),
  attack: relabelLocks((lock, { slots: { contents } }) => {
    const other = contents
      .entries()
      .find(([value, content]) => value !== lock.value && content.value.type === "operation");
    return other === undefined ? undefined : { ...lock, value: other[0] as Hash };
  }),
};

/** Signs another statement in place of each. */
function alterStatements(change: (body: Statement) => Statement): NonNullable<KnownBadVariant["statement"]> {
  return (real) => (chainId, body) => real(chainId, change(body));
}

/**
 * Sends each lock of an account that it receives or assembles as something else, before any validator sends the genuine
 * one.
 */
function relabelLocks(
  label: (lock: LockCertificate, state: ValidatorState) => LockCertificate | FinalityCertificate | undefined,
): (real: ValidatorProgram) => ValidatorProgram {
  return withByzantinePeer((state, input, wanted) => {
    const locks = [input.type === "message" ? locksInMessage(input.message) : [], ...wanted.map(locksInOutput)].flat();
    const sent = locks.flatMap((lock): readonly Output[] => {
      const body = lock.slot.kind === "account" ? label(lock, state) : undefined;
      if (body === undefined) return [];
      const message = { type: "consensus", body, contents: [], reason: undefined } as const;
      return [{ type: "send", to: state.environment.peers, message }];
    });
    return [...sent, ...wanted];
  });
}

function locksInOutput(output: Output): readonly LockCertificate[] {
  return output.type === "send" ? locksInMessage(output.message) : [];
}

function locksInMessage(message: PeerMessage): readonly LockCertificate[] {
  return message.type === "consensus" && message.body.type === "lock" ? [message.body] : [];
}
