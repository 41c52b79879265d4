/**
 * Decisions that clients and the operator are owed once faults end (protocol 7.8), derived from the scenario.
 *
 * A decision is owed for a nonce of an account if its owner signed one operation for it, or submits a cancellation or a
 * recovery; for every authorised token operation in its token's slot; and for the closing that the operator requests.
 * No decision is owed for a nonce with conflicting operations and neither cancellation nor recovery, for a recovery where
 * nobody has voted (3.2), for a nonce behind such a one, for an operation that the ledger refuses by now (a restriction is
 * final), for an unpaid skip, and in a committee with f = 0, where one silent validator may block all progress.
 */
import { entryOf } from "../../core/base/entry.ts";
import type { Address, Nonce } from "../../core/base/ids.ts";
import type { Recovery, SignedOperation } from "../../core/base/operation.ts";
import { type Slot, type SlotKey, slotKey } from "../../core/base/slot.ts";
import { findAuthorised } from "../../core/ledger/authorised.ts";
import { effectSlotOf } from "../../core/ledger/operations/kinds.ts";
import { type AuthorisedOperation, accountOf, versionOf } from "../../core/ledger/state.ts";
import { barrierOf } from "../../core/validator/check-content.ts";
import type { SlotReason } from "../../core/validator/message.ts";
import { nextSlot } from "../../core/validator/slot-position.ts";
import type { ValidatorState } from "../../core/validator/state.ts";
import type { UntimedInput } from "../model/local-state.ts";
import type { System } from "../model/system.ts";

/** Decision that is owed. */
export interface Demand {
  /** The decision and its requesters, as text that follows "no decision on". */
  readonly name: string;
  /** Open slot that precedes the decision at a validator. */
  readonly slot: (state: ValidatorState) => SlotKey;
  /** True if a validator has applied the decision or no longer owes it. */
  readonly isMet: (state: ValidatorState) => boolean;
  /** True if what a validator did makes all owe the decision; without it, they owe it from the start. */
  readonly isTriggered?: (state: ValidatorState) => boolean;
}

/** All demands, and the inputs with which correct clients and the operator submit them, in order. */
export type Demands = Readonly<{ all: readonly Demand[]; inputs: readonly UntimedInput[] }>;

/** All operations and recoveries of one nonce of one account. */
interface SubmissionGroup {
  readonly account: Address;
  readonly nonce: Nonce;
  readonly operations: NamedOperation<SignedOperation>[];
  readonly cancellations: NamedOperation<SignedOperation>[];
  readonly recoveries: NamedOperation<Recovery>[];
}

type NamedOperation<T> = Readonly<{ name: string; signed: T }>;

/** Returns the demands of a scenario. */
export function demandsOf(system: System): Demands {
  if (system.committee.faulty === 0) return { all: [], inputs: [] };
  const groups = groupsOf(system);
  const owed = groups.filter((group) => isOwed(system, groups, group));
  return {
    all: [
      ...owed.map((group) => decisionOf(system, group)),
      ...system.proposals.map(({ signed }): Demand => {
        const { epoch } = signed.proposal;
        const slot = slotKey({ kind: "epoch", epoch });
        return { name: `the closing of epoch ${epoch}`, slot: () => slot, isMet: ({ ledger }) => ledger.epoch > epoch };
      }),
    ],
    inputs: [
      ...owed.flatMap(submissionsOf),
      ...system.proposals.map(({ signed }): UntimedInput => ({ type: "govern", signed })),
    ],
  };
}

function groupsOf({ operations, recoveries }: System): readonly SubmissionGroup[] {
  const groups = new Map<string, SubmissionGroup>();
  const group = (account: Address, nonce: Nonce): SubmissionGroup =>
    entryOf(groups, `${account} ${nonce}`, () => ({
      account,
      nonce,
      operations: [],
      cancellations: [],
      recoveries: [],
    }));
  for (const { name, signed } of operations) {
    const { operations: plain, cancellations } = group(signed.sender, signed.operation.nonce);
    (signed.operation.kind === "cancellation" ? cancellations : plain).push({ name, signed });
  }
  for (const { name, recovery } of recoveries)
    group(recovery.account, recovery.nonce).recoveries.push({ name, signed: recovery });
  return [...groups.values()];
}

/** The nonces of an account are decided in order, so a nonce is owed only if all earlier ones are. */
function isOwed(system: System, groups: readonly SubmissionGroup[], { account, nonce }: SubmissionGroup): boolean {
  const { genesis } = system.compiled.commons.shared;
  const earlier = groups.filter((group) => group.account === account && group.nonce <= nonce);
  const expected = nonce - accountOf(genesis, account).nonce + 1;
  return (
    earlier.length === expected &&
    earlier.every(
      ({ operations, cancellations, recoveries }) =>
        recoveries.length > 0 || operations.length === 1 || (operations.length > 1 && cancellations.length > 0),
    )
  );
}

/** Submits a cancellation after the operation that it cancels; skips conflicting operations without a cancellation. */
function submissionsOf({ operations, cancellations, recoveries }: SubmissionGroup): readonly UntimedInput[] {
  const first = operations.length === 1 || cancellations.length > 0 ? operations.slice(0, 1) : [];
  return [...first, ...cancellations, ...recoveries].map(({ signed }) => ({
    type: "submit",
    client: "client",
    submission: signed,
  }));
}

function decisionOf(system: System, group: SubmissionGroup): Demand {
  const { account, nonce, operations, cancellations, recoveries } = group;
  const asking = operations.length === 1 ? operations : [];
  const names = [...asking, ...cancellations, ...recoveries].map(({ name }) => name);
  const { hashes } = system.compiled.commons.shared;
  const ids = operations.map(({ signed }) => hashes.operationId(signed));
  const waitingEntry = ({ ledger }: ValidatorState): AuthorisedOperation | undefined =>
    ids.map((id) => findAuthorised(ledger, id)).find((entry) => entry !== undefined);
  return {
    name: `nonce ${nonce} of ${system.compiled.directory.nameOf(account)} (requested by ${names.join(", ")})`,
    slot: (state) => slotKey(slotOfEffect(state, waitingEntry(state)) ?? nextSlot(state, account)),
    isMet: (state) =>
      hasLeftExploration(system, state) ||
      (accountOf(state.ledger, account).nonce > nonce ? waitingEntry(state) === undefined : isExcused(state, group)),
    ...(asking.length === 0 && cancellations.length === 0 && { isTriggered: (state) => isBlocked(state, group) }),
  };
}

/** Returns true if a round of the nonce's slot is under way at this validator, or has led to a decision. */
function isBlocked(state: ValidatorState, { account, nonce }: SubmissionGroup): boolean {
  const next = accountOf(state.ledger, account).nonce;
  if (next !== nonce) return next > nonce;
  const record = state.slots.records.get(slotKey(nextSlot(state, account)));
  return record !== undefined && (record.round > 0 || record.votes.length > 0);
}

/** Returns the token slot that executes an authorised operation. */
function slotOfEffect({ ledger }: ValidatorState, entry: AuthorisedOperation | undefined): Slot | undefined {
  const target = entry && effectSlotOf(entry.signed);
  if (target?.kind !== "token") return undefined;
  return { kind: "token", token: target.token, version: versionOf(ledger, target.token) };
}

/** Returns true if a closing has transferred the ledger to validators outside the exploration. */
function hasLeftExploration({ honest, byzantine }: System, { environment }: ValidatorState): boolean {
  const keys = [...honest, byzantine].map(({ key }) => key);
  return environment.committee.members.some((member) => !keys.includes(member));
}

/**
 * Returns true if this validator's ledger refuses all operations of the nonce, and no recovery gives a valid reason.
 */
function isExcused(state: ValidatorState, { account, operations, recoveries }: SubmissionGroup): boolean {
  const { ledger: rules, validator } = state.environment.rules;
  const isRefused = ({ signed }: NamedOperation<SignedOperation>): boolean =>
    rules.check(state.ledger, barrierOf(state), signed, rules).answer === "refuse";
  const slot = nextSlot(state, account);
  const counts = ({ signed }: NamedOperation<Recovery>): boolean => {
    const reason: SlotReason = { kind: "equivocation", proof: signed.evidence };
    return validator.isReasonValid(state, slot, reason);
  };
  return operations.every(isRefused) && !recoveries.some(counts);
}
