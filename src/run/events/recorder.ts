/** Recorder of a run: turns the calls of a world's listener into events. It changes nothing in the run. */
import { unreachable } from "../../core/base/assert.ts";
import type { SignedProposal } from "../../core/base/epoch.ts";
import type { OperationId, Submission } from "../../core/base/operation.ts";
import type { StatementContent } from "../../core/consensus/message.ts";
import { proposalDigest } from "../../core/ledger/value.ts";
import type { Content } from "../../core/validator/content.ts";
import type { DurableRecord, Output, Reply, ValidatorEvent } from "../../core/validator/output.ts";
import type { Input } from "../../core/validator/step.ts";
import type { CompiledScenario } from "../../scenario/compile/compile.ts";
import type { LossCause, NodeView, Parcel, WorldEvent, WorldListener } from "../../simulator/listener.ts";
import type { Action } from "../../simulator/plan.ts";
import type { NodeName, Party } from "../../simulator/settings.ts";
import { contentsInInput, contentsInOutput } from "../contents-in.ts";
import { EventNames, type NewOperation } from "./names.ts";
import { actionRef, epochRef, messageRef, responseRef, signedRef } from "./references.ts";
import type { RunEvent, RunEventKind, SlotRef, UndatedEvent } from "./run-event.ts";

/** Options of a recorder. */
interface RecorderOptions {
  /** Kinds of events; default: all. `operation` events are always made. */
  readonly kinds?: ReadonlySet<RunEventKind> | undefined;
  /** Receives each event as it happens. */
  readonly observe: (event: RunEvent) => void;
}

/** The parts of a compiled scenario that name what a run refers to. */
export type NamingContext = Pick<CompiledScenario, "directory" | "operations" | "commons" | "setting">;

/** The events of one run so far. */
export interface EventLog {
  readonly events: readonly RunEvent[];
  /** Makes the listener that fills the log. */
  readonly watch: (compiled: NamingContext) => WorldListener;
}

/** Selection of the events that a log keeps; default: all. */
export interface LogOptions extends Pick<RecorderOptions, "kinds"> {
  readonly keeps?: (event: RunEvent) => boolean;
}

/** An empty log of at most `most` events. */
export function eventLog(most: number, { kinds, keeps = () => true }: LogOptions = {}): EventLog {
  const events: RunEvent[] = [];
  const observe = (event: RunEvent): void => void (events.length < most && keeps(event) && events.push(event));
  return { events, watch: (compiled) => new Recorder(compiled, { observe, kinds }) };
}

/** A listener for a world of the compiled scenario, from its first event on. */
export class Recorder implements Required<Omit<WorldListener, "dropped" | "intercepted" | "postponed">> {
  readonly #names: EventNames;
  readonly #observe: RecorderOptions["observe"];
  readonly #kinds: RecorderOptions["kinds"];
  readonly #isOperators: (signed: SignedProposal) => boolean;
  #step = 0;
  #at = 0;
  #begun: WorldEvent | undefined;
  /** Arrivals that wait, with the rules that hold them. */
  readonly #held = new Map<WorldEvent, string>();
  #sent: { readonly parcel: Parcel; readonly to: Party; readonly number: number } | undefined;

  constructor(compiled: NamingContext, { kinds, observe }: RecorderOptions) {
    const { verifier } = compiled.commons.authenticator;
    const { operator } = compiled.setting.genesis;
    this.#names = new EventNames(compiled);
    this.#kinds = kinds;
    this.#observe = observe;
    this.#isOperators = ({ proposal, signature }) => verifier.recover(proposalDigest(proposal), signature) === operator;
  }

  eventBegins(step: number, at: number, begun: WorldEvent): void {
    this.#step = step;
    this.#at = at;
    this.#begun = begun;
    if (this.#held.size > 0) this.#held.delete(begun);
    // Nothing can prevent the effect of these; a loss or a rule may still prevent that of an arrival.
    if (begun.type === "written") this.#emit({ kind: "written", party: begun.node });
    else if (begun.type === "order") this.#emit({ kind: "ordered", workload: begun.workload, number: begun.number });
    else if (begun.type === "timer" && this.#wants("timerExpired"))
      this.#emit({ kind: "timerExpired", party: begun.node, timer: this.#names.timer(begun.name) });
    else if (begun.type === "clientTimeout")
      this.#emit({ kind: "clientTimeout", party: begun.client, operation: this.#names.operation(begun.id) });
  }

  signed({ name }: NodeView, body: StatementContent): void {
    if (this.#wants("signed")) this.#emit({ kind: "signed", party: name, ...signedRef(body, this.#names) });
  }

  stepped({ name }: NodeView, input: Input, outputs: readonly Output[]): void {
    this.#learn(contentsInInput(input));
    for (const output of outputs) this.#learn(contentsInOutput(output));
    if (input.type === "start") this.#emit({ kind: "started", party: name });
    else if (input.type === "message") this.#emitDelivery();
    else if (input.type === "submit") {
      this.#define(this.#names.learnSubmission(input.submission));
      if (input.admitted === true) this.#emitDirectDelivery(name, input);
      else this.#emitDelivery();
    } else if (input.type === "govern" && this.#wants("proposalDelivered")) {
      const { epoch, next } = input.signed.proposal;
      const proposed = { epoch, next: epochRef(next, this.#names), authentic: this.#isOperators(input.signed) };
      this.#emit({ kind: "proposalDelivered", party: name, ...proposed });
    }
  }

  carriedOut({ name }: NodeView, output: Output): void {
    const event = this.#outputEvent(name, output);
    if (event !== undefined) this.#emit(event);
  }

  /** Returns `undefined` where no event tells of an output, or none that is wanted. */
  #outputEvent(party: NodeName, output: Output): UndatedEvent | undefined {
    const names = this.#names;
    switch (output.type) {
      case "persist":
        return this.#wants("persisted") ? { kind: "persisted", party, ...recordRef(output, names) } : undefined;
      case "erase":
        return { kind: "erased", party, ...slotMember(output.key, names) };
      case "setTimer":
        if (!this.#wants("timerSet")) return undefined;
        return { kind: "timerSet", party, timer: names.timer(output.name), due: output.at };
      case "cancelTimer":
        if (!this.#wants("timerCancelled")) return undefined;
        return { kind: "timerCancelled", party, timer: names.timer(output.name) };
      case "reply": {
        const { client, id, reply } = output;
        return { kind: "replied", party, client, operation: names.operation(id), ...responseRef(reply, names) };
      }
      case "event":
        return validatorEvent(party, output.event, names);
      case "report": {
        const { peer, misbehaviour, slot, detail } = output;
        const reported = { kind: "reported", party, peer: names.directory.nameOf(peer), misbehaviour } as const;
        return { ...reported, ...slotMember(slot, names), ...(detail === undefined ? {} : { detail }) };
      }
      case "coverage":
        return { kind: "coverage", party, point: output.point };
      case "sign":
      case "send":
        return undefined;
      default:
        return unreachable(output);
    }
  }

  sent(from: Party, to: Party, parcel: Parcel, number: number, arrivesAt: number): void {
    if (!this.#wants("sent")) return;
    const last = this.#sent;
    const isCopy = last?.parcel === parcel && last.to === to && last.number === number;
    this.#sent = { parcel, to, number };
    const message = messageRef(parcel, this.#names);
    this.#emit({ kind: "sent", from, to, number, message, arrivesAt, ...(isCopy ? { duplicate: true } : {}) });
  }

  lost(from: Party, to: Party, parcel: Parcel, number: number, cause: LossCause): void {
    if (!this.#wants("lost")) return;
    this.#emit({ kind: "lost", from, to, number, message: messageRef(parcel, this.#names), cause });
  }

  held(from: Party, to: Party, parcel: Parcel, rule: string): void {
    if (this.#begun !== undefined) this.#held.set(this.#begun, rule);
    const number = this.#begun?.type === "arrival" ? this.#begun.number : 0;
    this.#emit({ kind: "held", from, to, number, message: messageRef(parcel, this.#names), rule });
  }

  crashed({ name }: NodeView): void {
    this.#emit({ kind: "crashed", party: name });
  }

  restarted({ name }: NodeView, records: readonly unknown[], wiped: boolean): void {
    this.#emit({ kind: "restarted", party: name, records: records.length, wiped });
  }

  submitted(client: Party, id: OperationId, submission: Submission, to: NodeName): void {
    this.#define(this.#names.learnSubmission(submission));
    this.#emit({ kind: "submitted", party: client, to, operation: this.#names.operation(id) });
  }

  replyReceived(client: Party, id: OperationId, from: NodeName, reply: Reply): void {
    this.#emitDelivery();
    const operation = this.#names.operation(id);
    this.#emit({ kind: "responded", party: client, from, operation, ...responseRef(reply, this.#names) });
  }

  acted(action: Action): void {
    const released = action.do === "release" ? this.#release(action.rule) : 0;
    this.#emit({ kind: "action", action: actionRef(action, this.#names, released) });
  }

  healed(core: readonly NodeName[]): void {
    this.#emit({ kind: "healed", core });
  }

  /** Forgets what a rule holds, or every one; returns the number of messages. */
  #release(rule: string | undefined): number {
    const released = [...this.#held].filter(([, holder]) => rule === undefined || holder === rule);
    for (const [arrival] of released) this.#held.delete(arrival);
    return released.length;
  }

  /** Reports the delivery of the message that the current world event brings. */
  #emitDelivery(): void {
    if (this.#begun?.type !== "arrival" || !this.#wants("delivered")) return;
    const { from, to, number, parcel } = this.#begun;
    this.#emit({ kind: "delivered", from, to, number, message: messageRef(parcel, this.#names) });
  }

  #emitDirectDelivery(to: NodeName, { client, submission }: Extract<Input, { type: "submit" }>): void {
    const message = { type: "submit", operation: this.#names.submissionRef(submission) } as const;
    if (this.#wants("delivered")) this.#emit({ kind: "delivered", from: client, to, number: 0, message });
  }

  #learn(contents: readonly Content[]): void {
    for (const content of contents) this.#define(this.#names.learn(content));
  }

  #define(operations: readonly NewOperation[]): void {
    for (const operation of operations) this.#emit({ kind: "operation", ...operation });
  }

  #wants(kind: RunEventKind): boolean {
    return this.#kinds === undefined || kind === "operation" || this.#kinds.has(kind);
  }

  #emit(event: UndatedEvent): void {
    if (this.#wants(event.kind)) this.#observe({ step: this.#step, at: this.#at, ...event });
  }
}

type PersistOutput = Extract<Output, { type: "persist" }>;

/** The slot of a key; nothing for a key that names no slot. */
function slotMember(key: string, names: EventNames): { readonly slot?: SlotRef } {
  return /\/\d{16}$/.test(key) ? { slot: names.slotOf(key) } : {};
}

function recordRef(
  { key, record }: PersistOutput,
  names: EventNames,
): { record: DurableRecord["of"]; slot?: SlotRef; round?: number } {
  if (record.of !== "slot") return { record: record.of };
  return { record: "slot", slot: names.slotOf(key), round: record.round };
}

function validatorEvent(party: string, event: ValidatorEvent, names: EventNames): UndatedEvent {
  switch (event.type) {
    case "decided": {
      const { epoch, slot, round, value, seals } = event.certificate;
      const signers = seals.map(({ signer }) => names.directory.nameOf(signer)).sort();
      const place = { epoch, slot: names.slot(slot), round };
      return { kind: "decided", party, ...place, value: names.value(value), signers };
    }
    case "applied": {
      const effects = event.receipts.map(({ id, error }) => {
        const operation = names.operation(id);
        return error === undefined ? { operation } : { operation, failure: error.code };
      });
      const value = names.valueOf(event.value);
      return { kind: "applied", party, slot: names.slot(event.slot), value, effects };
    }
    case "checkpointed":
      return { kind: "checkpointApplied", party, number: event.content.value.header.number };
    case "closed": {
      const { epoch, header, next } = event.content.value;
      return { kind: "epochClosed", party, epoch, number: header.number, next: epochRef(next, names) };
    }
    case "joined":
      return { kind: "stateTransferred", party, slot: names.slot(event.certificate.slot) };
    case "halted":
      return { kind: "halted", party, slot: names.slot(event.slot), reason: event.reason };
    default:
      return unreachable(event);
  }
}
