/** References from events to operations, slots and values, by the names of the scenario. */
import { unreachable } from "../../core/base/assert.ts";
import { definedMembers } from "../../core/base/defined-members.ts";
import type { Address, Hash } from "../../core/base/ids.ts";
import { isRecovery, type OperationId, type SignedOperation, type Submission } from "../../core/base/operation.ts";
import { parseSlotKey, type Slot, type SlotKey, slotKey, slotNumber, type Value } from "../../core/base/slot.ts";
import { submissionId } from "../../core/ledger/identity.ts";
import { hasMemo } from "../../core/ledger/layout.ts";
import type { Content } from "../../core/validator/content.ts";
import { timerOf } from "../../core/validator/timer.ts";
import type { CompiledScenario } from "../../scenario/compile/compile.ts";
import type { Directory } from "../../scenario/directory.ts";
import { formOf } from "../../scenario/submission-form.ts";
import { OPAQUE_TIMER } from "../../simulator/plan.ts";
import type { OperationRef, RunEventOf, SlotPattern, SlotRef, TimerRef, ValueRef } from "./run-event.ts";

/** An operation seen for the first time. */
export type NewOperation = Omit<RunEventOf<"operation">, "step" | "at" | "kind">;

/** References to what a run names. A value is known if it is a named operation, or once a content is learned. */
export class EventNames {
  readonly directory: Directory;
  readonly #hashes: CompiledScenario["commons"]["hashes"];
  readonly #operations: Map<OperationId, string>;
  readonly #known = new Set<OperationId>();
  readonly #values = new Map<Hash, ValueRef>();
  readonly #slots = new Map<SlotKey, SlotRef>();
  readonly #learned = new WeakSet<Content>();

  constructor({ directory, operations, commons }: Pick<CompiledScenario, "directory" | "operations" | "commons">) {
    this.directory = directory;
    this.#hashes = commons.hashes;
    this.#operations = new Map([...operations].map(([name, id]) => [id, name]));
    for (const id of operations.values()) this.#learnValue({ type: "operation", id });
  }

  /** Learns the values and operations of a content; returns the new operations. */
  learn(content: Content): readonly NewOperation[] {
    if (this.#learned.has(content)) return NONE;
    this.#learned.add(content);
    this.#learnValue(content.value);
    return content.operations.flatMap((signed) => this.#learnOperation(signed, this.#hashes.operationId(signed)));
  }

  /** Learns the operation of a submission; returns it if it is new. */
  learnSubmission(submission: Submission): readonly NewOperation[] {
    const id = submissionId(submission, this.#hashes.operationId);
    if (!isRecovery(submission)) return this.#learnOperation(submission, id);
    return this.#define(id, submission.account, "recovery", submission.nonce);
  }

  /** The operation of a submission. */
  submissionRef(submission: Submission): OperationRef {
    return this.operation(submissionId(submission, this.#hashes.operationId));
  }

  operation(id: OperationId): OperationRef {
    return this.#operations.get(id) ?? id;
  }

  slot(slot: Slot): SlotRef {
    const key = slotKey(slot);
    const slotRef = this.#slots.get(key) ?? this.#slotRef(slot);
    this.#slots.set(key, slotRef);
    return slotRef;
  }

  slotOf(key: SlotKey): SlotRef {
    return this.#slots.get(key) ?? this.slot(parseSlotKey(key));
  }

  /** The slots of a key or of a prefix of one. */
  slots(prefix: string): SlotPattern {
    const [kind, owner, number] = prefix.split("/") as [SlotRef["kind"], string?, string?];
    const isOwned = kind === "account" || kind === "token";
    const last = isOwned ? number : owner;
    return {
      kind,
      ...(isOwned && owner !== undefined && owner !== "" ? { owner: this.directory.nameOf(owner as Address) } : {}),
      ...(last === undefined || last === "" ? {} : { number: Number(last) }),
    };
  }

  value(hash: Hash): ValueRef {
    return this.#values.get(hash) ?? { type: "unknown", hash };
  }

  valueOf(value: Value): ValueRef {
    this.#learnValue(value);
    return this.value(this.#hashes.value(value));
  }

  /** Returns what the timer of a name waits for. */
  timer(name: string): TimerRef {
    if (name.startsWith(OPAQUE_TIMER)) return { type: name.slice(OPAQUE_TIMER.length) };
    const timer = timerOf(name);
    const type = timer.kind;
    switch (timer.kind) {
      case "sync":
      case "transfer":
        return { type };
      case "burn":
      case "turn":
        return { type, account: this.directory.nameOf(timer.account) };
      case "cancel":
        return { type, operation: this.operation(timer.id) };
      case "wait": {
        const [slot = "", value = ""] = timer.waiting.split(" ");
        return { type, slot: this.slotOf(slot), operation: this.operation(value as OperationId) };
      }
      case "round":
        return { type, slot: this.slotOf(timer.slot), detail: String(timer.round) };
      default:
        return { type, slot: this.slotOf(timer.slot) };
    }
  }

  #learnValue(value: Value): void {
    const hash = this.#hashes.value(value);
    if (!this.#values.has(hash)) this.#values.set(hash, this.#valueRef(value, hash));
  }

  #learnOperation(signed: SignedOperation, id: OperationId): readonly NewOperation[] {
    if (this.#known.has(id)) return NONE;
    const { sender, operation } = signed;
    const memo = hasMemo(operation) ? operation.memo?.data : undefined;
    const { from: _signer, ...members } = formOf(signed, this.directory)?.members ?? {};
    return this.#define(id, sender, operation.kind, operation.nonce, definedMembers({ memo, members }));
  }

  #define(
    id: OperationId,
    account: Address,
    type: string,
    nonce: number,
    content: Partial<Pick<NewOperation, "memo" | "members">> = {},
  ): readonly NewOperation[] {
    if (this.#known.has(id)) return NONE;
    this.#known.add(id);
    return [{ operation: this.operation(id), id, account: this.directory.nameOf(account), type, nonce, ...content }];
  }

  #slotRef(slot: Slot): SlotRef {
    const number = slotNumber(slot);
    if (slot.kind === "account") return { kind: "account", owner: this.directory.nameOf(slot.address), number };
    if (slot.kind === "token") return { kind: "token", owner: this.directory.nameOf(slot.token), number };
    return { kind: slot.kind, number };
  }

  #valueRef(value: Value, hash: Hash): ValueRef {
    switch (value.type) {
      case "operation":
        return { type: "operation", operation: this.operation(value.id) };
      case "burn":
        return { type: "burn", operation: this.operation(value.id), outcome: value.outcome };
      case "skip":
        return { type: "skip", by: value.by, operation: this.operation(value.id) };
      case "list":
        return { type: "list", operations: value.ids.map((id) => this.operation(id)) };
      case "checkpoint":
        return { type: "checkpoint", number: value.header.number, slots: value.listed.length, hash };
      case "closing":
        return { type: "closing", epoch: value.epoch, slots: value.listed.length, hash };
      default:
        return unreachable(value);
    }
  }
}

const NONE: readonly NewOperation[] = [];
