/** Labels of the slots, values and operations of a run, with the names of its scenario. */
import { unreachable } from "../../core/base/assert.ts";
import type { Hash } from "../../core/base/ids.ts";
import type { OperationId, SignedOperation } from "../../core/base/operation.ts";
import { type Slot, slotNumber, type Value } from "../../core/base/slot.ts";
import { keyedHash } from "../../core/crypto/keyed-hash.ts";
import { operationId } from "../../core/ledger/identity.ts";
import { valueHash } from "../../core/ledger/value.ts";
import type { Content } from "../../core/validator/content.ts";
import { countText } from "../../invariants/text.ts";
import { type Directory, directoryOf } from "../../scenario/directory.ts";
import { CHAIN_ID_DEFAULT } from "../../scenario/genesis-of.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { type NamedSubmission, submissionsOf } from "../../scenario/submissions.ts";

/** Labels. A value, or an operation without a name in the file, has a label once a content that holds it is learned. */
export interface Labels {
  readonly directory: Directory;
  learn(content: Content): void;
  learnOperation(signed: SignedOperation): void;
  operation(id: OperationId): string;
  slot(slot: Slot): string;
  value(hash: Hash): string;
}

/** The labels of a scenario's runs under stand-in signatures. */
export function labelsFor(scenario: Scenario): Labels {
  const directory = directoryOf(scenario, keyedHash);
  const submissions = submissionsOf(scenario, directory, scenario.genesis?.chain_id ?? CHAIN_ID_DEFAULT);
  return labelsIn(
    directory,
    submissions.filter((one) => one !== undefined),
  );
}

/** Labels from a directory and the named submissions of a file. */
export function labelsIn(directory: Directory, submissions: readonly NamedSubmission[]): Labels {
  const known = new Map<OperationId, string>(
    submissions.flatMap(({ id, name }) => (name === undefined ? [] : [[id, name] as const])),
  );
  const values = new Map<Hash, Value>();
  const learned = new WeakSet<Content>();
  const learnOperation = (signed: SignedOperation): void => {
    const id = operationId(signed);
    if (known.has(id)) return;
    const { kind, nonce } = signed.operation;
    known.set(id, `${directory.nameOf(signed.sender)}'s ${kind} ${nonce} (${id.slice(0, 10)}…)`);
  };
  const operation = (id: OperationId): string => known.get(id) ?? `operation ${id.slice(0, 10)}…`;
  return {
    directory,
    learn: (content) => {
      if (learned.has(content)) return;
      learned.add(content);
      values.set(valueHash(content.value), content.value);
      content.operations.forEach(learnOperation);
    },
    learnOperation,
    operation,
    slot: (slot) => {
      switch (slot.kind) {
        case "account":
          return `slot ${slotNumber(slot)} of ${directory.nameOf(slot.address)}`;
        case "token":
          return `version ${slotNumber(slot)} of ${directory.nameOf(slot.token)}`;
        case "checkpoint":
          return `checkpoint ${slotNumber(slot)}`;
        case "epoch":
          return `the closing of epoch ${slotNumber(slot)}`;
        default:
          return unreachable(slot);
      }
    },
    value: (hash) => {
      const value = values.get(hash);
      if (value === undefined) return `value ${hash.slice(0, 10)}…`;
      // Validators build a recovery from two operations of one nonce, so it may have no submission.
      const isUnasked = value.type === "skip" && value.by === "recovery" && !known.has(value.id);
      return isUnasked ? "the skip by recovery" : valueText(value, hash, operation);
    },
  };
}

function valueText(value: Value, hash: Hash, operation: (id: OperationId) => string): string {
  switch (value.type) {
    case "operation":
      return operation(value.id);
    case "burn":
      return `${operation(value.id)} (${value.outcome})`;
    case "skip":
      return `the skip by ${operation(value.id)}`;
    case "list":
      return `the list of ${value.ids.map(operation).join(", ")}`;
    case "checkpoint":
      return `a checkpoint of ${countText(value.listed.length, "slot")} (${hash.slice(0, 10)}…)`;
    case "closing":
      return `a closing of ${countText(value.listed.length, "slot")} (${hash.slice(0, 10)}…)`;
    default:
      return unreachable(value);
  }
}
