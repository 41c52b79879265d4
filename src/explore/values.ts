/** Values of a scenario: candidates for the decisions of its slots, with the guards of their disclosure. */
import type { Hash, Version } from "../core/base/ids.ts";
import type { OperationId, SignedOperation } from "../core/base/operation.ts";
import { type AccountSlot, type SkipValue, type SlotKey, slotKey, type Value } from "../core/base/slot.ts";
import { recoveryId } from "../core/ledger/identity.ts";
import { versionOf } from "../core/ledger/state.ts";
import { targetOf } from "../core/ledger/target.ts";
import type { Content } from "../core/validator/slots/content.ts";
import type { Arena } from "./arena.ts";
import { ALWAYS, allOf, anyOf, type Need } from "./need.ts";
import { type Ballot, certificateNeed, finalityFrom, type Has, type KnownValue, type Stage } from "./stage.ts";

/** Returns the slot of an owner's operation: burns are not explored, so sequences equal nonces. */
export function slotOf({ sender, operation }: SignedOperation): AccountSlot {
  return { kind: "account", address: sender, sequence: operation.nonce as number as AccountSlot["sequence"] };
}

/**
 * Returns the values that are known from the start: operations and their skips. `release` gives an operation's guard.
 */
export function accountValues(arena: Arena, release: (name: string) => Need): readonly KnownValue[] {
  const { hashes } = arena.compiled.commons;
  const plain = arena.operations.filter(({ signed }) => signed.operation.kind !== "cancellation");
  const operations = plain.map(({ name, signed }) =>
    known(arena, slotKey(slotOf(signed)), name, release(name), {
      value: hashes.operationValue(signed),
      operations: [signed],
      certificates: [],
    }),
  );
  const cancellations = arena.operations
    .filter(({ signed }) => signed.operation.kind === "cancellation")
    .flatMap(({ name, signed }) =>
      plain
        .filter((other) => slotKey(slotOf(other.signed)) === slotKey(slotOf(signed)))
        .map((other) => {
          const id = hashes.operationId(signed);
          const content = skip(arena, signed, "cancellation", id, [signed, other.signed], [other.signed]);
          return known(arena, slotKey(slotOf(signed)), `the skip by ${name}`, release(other.name), content);
        }),
    );
  const recoveries = arena.recoveries.map(({ name, recovery }) => {
    const { first, second } = recovery.evidence;
    const id = recoveryId(recovery.chainId, recovery.account, recovery.nonce);
    const content = skip(arena, first, "recovery", id, [first, second], [first, second]);
    return known(arena, slotKey(slotOf(first)), `the skip by ${name}`, ALWAYS, content);
  });
  return [...operations, ...cancellations, ...recoveries];
}

function skip(
  { compiled }: Arena,
  { sender }: SignedOperation,
  by: SkipValue["by"],
  id: OperationId,
  operations: readonly SignedOperation[],
  displaced: readonly SignedOperation[],
): Content {
  const { rules, shared } = compiled.commons;
  const { feeToken, feeStep } = rules.ledger.skipFee(shared.genesis, sender, by, displaced);
  return { value: { type: "skip", by, id, feeToken, feeStep }, operations, certificates: [] };
}

/** Returns lists of one or two authorised token operations, in either order, in any version that may be next. */
export function listValues(stage: Stage): readonly KnownValue[] {
  const { arena } = stage;
  const { shared } = arena.compiled.commons;
  const authorised = arena.operations.flatMap(({ name, signed }) => {
    const target = targetOf(signed);
    const warrant = target.where === "token" ? warrantOf(stage, signed) : undefined;
    return target.where !== "token" || warrant === undefined ? [] : [{ name, signed, token: target.token, warrant }];
  });
  const single = authorised.map((one) => [one]);
  const pairs = authorised.flatMap((one) =>
    authorised.filter((other) => other !== one && other.token === one.token).map((other) => [one, other]),
  );
  return [...single, ...pairs].flatMap((listed) => {
    const [first] = listed;
    if (first === undefined) return [];
    const start = versionOf(shared.genesis, first.token);
    return authorised
      .filter(({ token }) => token === first.token)
      .map((_, later) => {
        const slot = slotKey({ kind: "token", token: first.token, version: (start + later) as Version });
        const ids = listed.map(({ signed }) => arena.compiled.commons.hashes.operationId(signed));
        const value: Value = { type: "list", ids };
        return {
          slot,
          hash: hashOf(arena, value),
          carries: listed.map(({ name }) => name),
          name: `the list of ${listed.map(({ name }) => name).join(" and ")}`,
          need: allOf(listed.map(({ warrant }) => anyOf(warrant.map((ballot) => certificateNeed(stage, ballot))))),
          content: (has) => ({
            value,
            operations: listed.map(({ signed }) => signed),
            certificates: listed.map(({ warrant }) => finalityFrom(stage, existing(stage, warrant, has), has)),
          }),
        };
      });
  });
}

/** Returns the commits that may authorise an operation; `undefined` while there cannot be a quorum. */
function warrantOf(stage: Stage, signed: SignedOperation): readonly Ballot[] | undefined {
  const { hashes } = stage.arena.compiled.commons;
  const slot = slotKey(slotOf(signed));
  const value = hashes.value(hashes.operationValue(signed));
  const found = stage.ballots.filter(
    (one) =>
      one.kind === "commit" &&
      slotKey(one.slot) === slot &&
      one.value === value &&
      certificateNeed(stage, one).length > 0,
  );
  return found.length === 0 ? undefined : found;
}

function existing(stage: Stage, ballots: readonly Ballot[], has: Has): Ballot {
  const found = ballots.find((ballot) => certificateNeed(stage, ballot).some((one) => one.every(has)));
  if (found === undefined) throw new RangeError("no certificate exists that authorises this operation");
  return found;
}

function known(arena: Arena, slot: SlotKey, name: string, need: Need, content: Content): KnownValue {
  return { slot, hash: hashOf(arena, content.value), name, need, content: () => content, carries: [] };
}

function hashOf({ compiled }: Arena, value: Value): Hash {
  return compiled.commons.shared.hashes.value(value);
}
