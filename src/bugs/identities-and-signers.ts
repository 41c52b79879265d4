/** Variants that leave a field out of an identity or a signature (bugs G), or miscount signers (specification 4.1). */

import type { Amount } from "../core/base/amount.ts";
import { text } from "../core/base/encoding.ts";
import { entryOf } from "../core/base/entry.ts";
import { type Hash, type Nonce, type Sequence, ZERO_ADDRESS } from "../core/base/ids.ts";
import type { Operation, OperationId, SignedOperation } from "../core/base/operation.ts";
import type { Statement } from "../core/consensus/authenticator.ts";
import type { FinalityCertificate, LockCertificate } from "../core/consensus/message.ts";
import { taggedHash } from "../core/crypto/hash.ts";
import { type MultisigRules, multisigAddress, multisigRules } from "../core/ledger/multisig.ts";
import { accountOf } from "../core/ledger/state.ts";
import type { Content } from "../core/validator/content.ts";
import type { PeerMessage } from "../core/validator/message.ts";
import type { Output } from "../core/validator/output.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import { alterStateAfterApply } from "./altered-rules.ts";
import { withByzantinePeer } from "./byzantine-peer.ts";
import {
  type KnownBadVariant,
  type ProgramChange,
  type RulesChange,
  replaceOutputs,
  replaceRules,
  type VariantTable,
} from "./known-bad-variant.ts";

/** Two payments of one id are applied differently, and nearly every oracle may see it first. */
const BY_TWO_PAYMENTS: KnownBadVariant["caughtBy"] = [
  "authority",
  "convergence",
  "validity",
  "checkpoints",
  "irreversibility",
  "conservation",
  "fees",
  "liveness",
  "answers",
];

export const IDENTITIES_AND_SIGNERS: VariantTable = {
  "id-covers-signature": {
    mistake: "an operation's id covers its signature: a second signature of the same bytes makes a second operation",
    source: "bugs G1; protocol 3.0",
    caughtBy: ["validity", "authority", "irreversibility", "accounts", "conservation", "liveness", "answers"],
    rules: replaceRules("ledger", (real) => ({
      operationId: (signed) =>
        taggedHash("operation", text(real.operationId(signed)), text(signed.signature)) as OperationId,
    })),
  },
  "commit-is-vote": {
    mistake: "votes and commits are signed under one tag: a quorum of votes is a valid finality certificate",
    source: "bugs G3; protocol 3.0",
    caughtBy: ["agreement", "irreversibility", "accountability", "amnesia", "convergence", "validity"],
    statement: alterStatements((body) => (body.type === "commit" ? { ...body, type: "vote" } : body)),
    attack: relabelLocks((lock) => ({ ...lock, type: "finality" })),
  },
  "valueless-statements": {
    mistake: "signatures cover slot and round but no value: a certificate is valid with any value",
    source: "bugs A11, A15; protocol 3.0",
    caughtBy: ["agreement", "irreversibility", "accountability", "amnesia", "convergence", "validity"],
    statement: alterStatements((body) =>
      body.type === "vote" || body.type === "commit" ? { ...body, value: `0x${"00".repeat(32)}` as Hash } : body,
    ),
    attack: relabelLocks((lock, { slots: { contents } }) => {
      const otherContent = contents
        .entries()
        .find(([value, content]) => value !== lock.value && content.value.type === "operation");
      return otherContent === undefined ? undefined : { ...lock, value: otherContent[0] as Hash };
    }),
  },
  "id-without-memo": {
    mistake: "an operation's id leaves its memo out: two that differ in it alone are one, and either is applied",
    source: "bugs G6; protocol 3.0",
    caughtBy: ["authority", "irreversibility", "liveness", "answers", "validity"],
    rules: identifyByKey(withoutMemo),
  },
  "id-without-recipient": {
    mistake: "a payment's id leaves its recipient out: validators apply one decision to two accounts",
    source: "bugs G6; protocol 3.0",
    caughtBy: BY_TWO_PAYMENTS,
    rules: identifyByKey((operation) =>
      operation.kind === "payment" ? { ...operation, recipient: ZERO_ADDRESS } : operation,
    ),
  },
  "id-rounds-value": {
    mistake: "a payment's id covers its value without the last digit: two values that differ by one unit are one",
    source: "bugs G6; protocol 3.0",
    caughtBy: BY_TWO_PAYMENTS,
    rules: identifyByKey((operation) =>
      operation.kind === "payment" ? { ...operation, value: (operation.value / 10n) as Amount } : operation,
    ),
  },
  "id-without-amounts": {
    mistake:
      "the id of a batch payment covers its recipients and not their amounts: two that differ in one amount are one",
    source: "bugs G6; protocol 3.0",
    caughtBy: BY_TWO_PAYMENTS,
    rules: identifyByKey((operation) =>
      operation.kind === "batch"
        ? { ...operation, legs: operation.legs.map((leg) => ({ ...leg, amount: 1n as Amount })) }
        : operation,
    ),
  },
  "memo-unsigned": {
    mistake: "a memo is accepted in layouts that do not sign it: anybody may change it on the way",
    source: "bugs G7; specification 2.5",
    caughtBy: ["authority", "validity"],
    rules: replaceRules("ledger", (real) => ({
      wellFormed: (operation, chainId) =>
        real.wellFormed(operation.layout === "spec" ? withoutMemo(operation) : operation, chainId),
    })),
  },
  "memo-lost-in-relay": {
    mistake: "what a validator relays has lost its memo: nobody else can check its signature",
    source: "bugs G8; protocol 3.0",
    caughtBy: ["accountability", "liveness"],
    program: replaceOutputs((output) => {
      if (output.type !== "send") return output;
      const message = stripMessageMemos(output.message);
      return message === output.message ? output : { ...output, message };
    }),
  },
  "multisig-counts-twice": {
    mistake: "a signer whose signature stands there twice counts twice for its multisig account",
    source: "specification 4.1",
    caughtBy: ["authority", "validity"],
    rules: replaceMultisigRules({ follows: (before, key) => before <= key }),
  },
  "multisig-threshold-less-one": {
    mistake: "a multisig account has signed with a weight of one less than its threshold",
    source: "specification 4.1",
    caughtBy: ["authority", "validity"],
    rules: replaceMultisigRules({ isEnough: (weight, threshold) => weight >= threshold - 1 }),
  },
  "multisig-verifies-the-first": {
    mistake: "the first signature of a multisig account is verified, those behind it only by their keys",
    source: "specification 4.1",
    caughtBy: ["authority", "validity"],
    rules: replaceRules("ledger", (real) => ({
      multisigFault: (verifier, digest, signed) => {
        let verified = 0;
        const ofFirst: typeof verifier = {
          recover: (of, signature) => (verified === 0 ? verifier.recover(of, signature) : signed.sender),
          addressOfPublic: (key) => (verified++ === 0 ? verifier.addressOfPublic(key) : signed.sender),
        };
        return real.multisigFault(ofFirst, digest, signed);
      },
    })),
  },
  "multisig-weights-are-one": {
    mistake: "every signer of a multisig account counts for one, whatever its weight",
    source: "specification 4.1",
    caughtBy: ["validity", "liveness"],
    rules: replaceMultisigRules({
      weightOf: (set, key) => (multisigRules.weightOf(set, key) === undefined ? undefined : 1),
    }),
  },
  "multisig-strangers-count": {
    mistake: "a key that is not in the signer set of a multisig account counts for one",
    source: "specification 4.1",
    caughtBy: ["authority", "validity"],
    rules: replaceMultisigRules({ weightOf: (set, key) => multisigRules.weightOf(set, key) ?? 1 }),
  },
  "multisig-made-anew": {
    mistake: "a creation of a multisig account that exists begins it anew, and its nonces can be used again",
    source: "specification 5.18; bugs D1",
    caughtBy: ["accounts", "validity", "convergence", "liveness", "checkpoints"],
    rules: alterStateAfterApply((after, before, { value, operation }) => {
      if (value.type !== "operation" || operation?.operation.kind !== "multisig") return after;
      const address = multisigAddress(operation.operation);
      if (accountOf(before, address).multisig === undefined) return after;
      const made = { ...accountOf(after, address), nonce: 0 as Nonce, sequence: 0 as Sequence };
      return { ...after, accounts: after.accounts.set(address, made) };
    }),
  },
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
): ProgramChange {
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

/**
 * Names an operation by the first one that has the same key, as a cache of ids does whose key lacks a field. Alone, each
 * operation has its true id, so that only rivals show the mistake.
 */
function identifyByKey(key: (operation: Operation) => Operation): RulesChange {
  return replaceRules("ledger", (real) => {
    const idByKey = new Map<OperationId, OperationId>();
    const operationId = (signed: SignedOperation): OperationId => {
      const keyed = real.operationId({ ...signed, operation: key(signed.operation) });
      return entryOf(idByKey, keyed, () => real.operationId(signed));
    };
    return { operationId };
  });
}

function withoutMemo({ memo: _, ...operation }: Operation): Operation {
  return operation as Operation;
}

function stripMessageMemos(message: PeerMessage): PeerMessage {
  switch (message.type) {
    case "offer":
      return { ...message, content: stripContentMemos(message.content) };
    case "consensus":
      return message.contents.length === 0
        ? message
        : { ...message, contents: message.contents.map(stripContentMemos) };
    case "decisions":
      return {
        ...message,
        decided: message.decided.map((decision) => ({ ...decision, content: stripContentMemos(decision.content) })),
        contents: message.contents.map(stripContentMemos),
      };
    default:
      return message;
  }
}

/** Keeps the record of a content that has no memo: its hash is cached by it. */
function stripContentMemos(content: Content): Content {
  if (content.operations.every(({ operation }) => operation.memo === undefined)) return content;
  const operations = content.operations.map((operation) => ({
    ...operation,
    operation: withoutMemo(operation.operation),
  }));
  return { ...content, operations };
}

/** Replaces parts of the check, wherever validators check signatures. */
function replaceMultisigRules(parts: Partial<MultisigRules>): RulesChange {
  return replaceRules("ledger", (real) => ({
    multisigFault: (verifier, digest, signed) =>
      real.multisigFault(verifier, digest, signed, { ...multisigRules, ...parts }),
  }));
}
