/**
 * Values of a scenario: candidates for the decisions of its slots, with the guards of their disclosure, and the
 * validators that are interchangeable because they propose none.
 *
 * Symmetry reduction: interchangeable are those that propose in no round within the bounds. Nothing else distinguishes
 * honest validators here: certificates, justifications and closes count independent of their signers, and every message
 * reaches everyone. One state therefore represents all its permutations.
 */
import type { Address, Hash, Round, Version } from "../../core/base/ids.ts";
import type { SignedOperation } from "../../core/base/operation.ts";
import { type AccountSlot, type Slot, type SlotKey, slotKey, type Value } from "../../core/base/slot.ts";
import type { FinalityCertificate } from "../../core/consensus/message.ts";
import { effectSlotOf } from "../../core/ledger/operations/kinds.ts";
import { versionOf } from "../../core/ledger/state.ts";
import type { Content } from "../../core/validator/content.ts";
import { skipContent } from "../../core/validator/slots/reason-check.ts";
import { conjunction, disjunction, type Guard, holds } from "./guard.ts";
import {
  type BallotGroup,
  certificateFrom,
  certificateGuard,
  type DecidableValue,
  type IsSigned,
  type NetworkKnowledge,
} from "./network-knowledge.ts";
import type { System } from "./system.ts";

/** Returns the slot of an owner's operation: burns are not explored, so sequences equal nonces. */
export function slotOf({ sender, operation }: SignedOperation): AccountSlot {
  return { kind: "account", address: sender, sequence: operation.nonce as number as AccountSlot["sequence"] };
}

/**
 * Returns the values that are known from the start: operations and their skips. `release` gives an operation's guard.
 */
export function accountValues(system: System, release: (name: string) => Guard): readonly DecidableValue[] {
  const { commons } = system.compiled;
  const { hashes, shared } = commons;
  const plain = system.operations.filter(({ signed }) => signed.operation.kind !== "cancellation");
  const operations = plain.map(({ name, signed }) =>
    decidableValue(system, slotKey(slotOf(signed)), name, release(name), {
      value: hashes.operationValue(signed),
      operations: [signed],
      certificates: [],
    }),
  );
  const cancellations = system.operations
    .filter(({ signed }) => signed.operation.kind === "cancellation")
    .flatMap(({ name, signed }) =>
      plain
        .filter((other) => slotKey(slotOf(other.signed)) === slotKey(slotOf(signed)))
        .map((other) => {
          const reason = { kind: "cancellation", cancellation: signed, displaced: other.signed } as const;
          const content = skipContent(commons, shared.genesis, reason);
          const skip = `the skip of ${other.name} by ${name}`;
          return decidableValue(system, slotKey(slotOf(signed)), skip, release(other.name), content);
        }),
    );
  const recoveries = system.proofs.map(({ name, evidence, disclosedBy }) => {
    const content = skipContent(commons, shared.genesis, { kind: "equivocation", proof: evidence });
    const guard = conjunction(disclosedBy.map(release));
    return decidableValue(system, slotKey(slotOf(evidence.first)), `the skip by ${name}`, guard, content);
  });
  return [...operations, ...cancellations, ...recoveries];
}

/** Returns lists of one or two authorised token operations, in either order, in any version that may be next. */
export function listValues(knowledge: NetworkKnowledge): readonly DecidableValue[] {
  const { system } = knowledge;
  const { shared } = system.compiled.commons;
  const authorised = system.operations.flatMap(({ name, signed }) => {
    const target = effectSlotOf(signed);
    const warrant = target.kind === "token" ? warrantOf(knowledge, signed) : undefined;
    return target.kind !== "token" || warrant === undefined ? [] : [{ name, signed, token: target.token, warrant }];
  });
  const single = authorised.map((first) => [first]);
  const pairs = authorised.flatMap((first) =>
    authorised.filter((second) => second !== first && second.token === first.token).map((second) => [first, second]),
  );
  return [...single, ...pairs].flatMap((listed) => {
    const [first] = listed;
    if (first === undefined) return [];
    const start = versionOf(shared.genesis, first.token);
    return authorised
      .filter(({ token }) => token === first.token)
      .map((_, later) => {
        const slot = slotKey({ kind: "token", token: first.token, version: (start + later) as Version });
        const ids = listed.map(({ signed }) => system.compiled.commons.hashes.operationId(signed));
        const value: Value = { type: "list", ids };
        return {
          slot,
          hash: hashOf(system, value),
          carries: listed.map(({ name }) => name),
          name: `the list of ${listed.map(({ name }) => name).join(" and ")}`,
          guard: conjunction(
            listed.map(({ warrant }) => disjunction(warrant.map((ballot) => certificateGuard(knowledge, ballot)))),
          ),
          content: (isSigned) => ({
            value,
            operations: listed.map(({ signed }) => signed),
            certificates: listed.map(({ warrant }) => warrantFrom(knowledge, warrant, isSigned)),
          }),
        };
      });
  });
}

/** Returns the commits that may authorise an operation; `undefined` while there cannot be a quorum. */
function warrantOf(knowledge: NetworkKnowledge, signed: SignedOperation): readonly BallotGroup[] | undefined {
  const { hashes } = knowledge.system.compiled.commons;
  const slot = slotKey(slotOf(signed));
  const value = hashes.value(hashes.operationValue(signed));
  const commits = knowledge.ballots.filter(
    (ballot) =>
      ballot.kind === "commit" &&
      slotKey(ballot.slot) === slot &&
      ballot.value === value &&
      certificateGuard(knowledge, ballot).length > 0,
  );
  return commits.length === 0 ? undefined : commits;
}

function warrantFrom(
  knowledge: NetworkKnowledge,
  ballots: readonly BallotGroup[],
  isSigned: IsSigned,
): FinalityCertificate {
  const certified = ballots.find((ballot) => holds(certificateGuard(knowledge, ballot), isSigned));
  if (certified === undefined) throw new RangeError("no certificate exists that authorises this operation");
  return certificateFrom(knowledge, certified, isSigned) as FinalityCertificate;
}

function decidableValue(system: System, slot: SlotKey, name: string, guard: Guard, content: Content): DecidableValue {
  return { slot, hash: hashOf(system, content.value), name, guard, content: () => content, carries: [] };
}

function hashOf({ compiled }: System, value: Value): Hash {
  return compiled.commons.shared.hashes.value(value);
}

/** Returns the indices of the interchangeable honest validators; none if there are fewer than two. */
export function interchangeableIn(system: System): readonly number[] {
  const proposers = proposersIn(system);
  const interchangeable = system.honest.flatMap(({ key }, validator) => (proposers.has(key) ? [] : [validator]));
  return interchangeable.length < 2 ? [] : interchangeable;
}

/**
 * Returns the names of all validators by kinds, of which any one stands for the others as the Byzantine validator: each
 * that proposes alone, and together those that propose in no round.
 */
export function byzantineKinds(system: System): readonly (readonly string[])[] {
  const proposers = proposersIn(system);
  const names = (keys: readonly Address[]): readonly string[] =>
    keys.map((key) => system.compiled.directory.nameOf(key));
  const { members } = system.committee;
  const idle = members.filter((key) => !proposers.has(key));
  return [...members.filter((key) => proposers.has(key)).map((key) => [key]), idle].map(names);
}

/** Returns the keys of the validators that propose in a round within the bounds. */
function proposersIn(system: System): ReadonlySet<string> {
  const { rules } = system.compiled.commons;
  const proposers = new Set<string>();
  for (const { slot, from } of indicesOf(system)) {
    for (let round = from; round <= system.bounds.rounds; round++)
      proposers.add(rules.consensus.proposerOf(system.committee, slot, round as Round));
  }
  return proposers;
}

/** Returns the slots that may be decided, each with its first round that has a proposer. */
function indicesOf(system: System): readonly { readonly slot: Slot; readonly from: number }[] {
  const accounts = system.operations.map(({ signed }) => ({ slot: slotOf(signed), from: 1 }));
  const listed = system.operations.flatMap(({ signed }) => {
    const target = effectSlotOf(signed);
    return target.kind === "token" ? [target.token] : [];
  });
  const { genesis } = system.compiled.commons.shared;
  const lists = listed.map((token, index) => {
    const start = genesis.tokens.get(token)?.version ?? 0;
    const earlier = listed.slice(0, index).filter((address) => address === token).length;
    return { slot: { kind: "token", token, version: (start + earlier) as Version } as const, from: 0 };
  });
  const closings = system.proposals.map(({ signed: { proposal } }) => ({
    slot: { kind: "epoch", epoch: proposal.epoch } as const,
    from: 0,
  }));
  return [...accounts, ...lists, ...closings];
}
