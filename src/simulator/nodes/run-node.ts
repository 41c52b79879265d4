/** Execution of a validator: inputs in, outputs noted and carried out in order, crashes between any two of them. */

import { unreachable } from "../../core/base/assert.ts";
import type { Hash, Millis } from "../../core/base/ids.ts";
import { type Slot, slotNumber } from "../../core/base/slot.ts";
import { hexWord } from "../../core/crypto/words.ts";
import {
  carryOut,
  type DurableRecord,
  type Output,
  type OutputHandler,
  type OutputOf,
  type ValidatorEvent,
} from "../../core/validator/output.ts";
import type { Input } from "../../core/validator/step.ts";
import { EVENT_KIND, ownerWord, type Trace } from "../digest.ts";
import type { Engine } from "../engine.ts";
import type { WorldEvent } from "../listener.ts";
import { transmit } from "../network/transmit.ts";
import { fireTriggers } from "../network/triggers.ts";
import { applyStrategies } from "./apply-strategies.ts";
import { sendTo, signAndSend } from "./delivery.ts";
import { activeKeyAfter, activeKeyAtStart, activeKeyNow, type Node } from "./node.ts";

const NOTHING: readonly Output[] = [];

/** Feeds a running node an input and carries out its outputs. */
export function deliverInput(engine: Engine, node: Node, given: Input): void {
  const input = node.ahead === 0 ? given : { ...given, clock: (given.at + node.ahead) as Millis };
  const wanted = node.config.program.step(node.state, input);
  const outputs = node.strategies.length === 0 ? wanted : applyStrategies(engine, node, input, wanted);
  engine.listener.stepped?.(node, input, outputs);
  node.backlog = node.backlog.length === 0 ? outputs : [...node.backlog, ...outputs];
  drainBacklog(engine, node);
}

/** Starts a node for the first time or from its disk. Does nothing if it runs. */
export function startNode(engine: Engine, node: Node): void {
  if (node.running) return;
  node.running = true;
  node.incarnation += 1;
  node.state = node.config.program.start(node.keys);
  node.activeKey = activeKeyNow(node);
  if (node.incarnation === 0) {
    deliverInput(engine, node, { type: "start", at: engine.now });
    return;
  }
  const records = node.disk.records();
  node.activeKey = activeKeyAtStart(node, records);
  engine.trace.note(EVENT_KIND.restarted, node.config.index, records.length, 0, 0);
  engine.listener.restarted?.(node, records, node.isWiped);
  node.isWiped = false;
  if (engine.armed.length > 0) fireTriggers(engine, { on: "restarted", node: node.name });
  if (node.running) deliverInput(engine, node, { type: "restart", at: engine.now, records });
}

/** Keeps an event of a suspended node until it goes on; returns false for a node that is not suspended. */
export function postpone(engine: Engine, node: Node, event: WorldEvent): boolean {
  if (!node.isSuspended) return false;
  if (event.type === "timer" && node.timers.get(event.name)?.isForeground === true) engine.foreground -= 1;
  node.waiting = [...node.waiting, event.type === "arrival" ? { ...event, isReceived: true } : event];
  engine.listener.postponed?.(node.name);
  return true;
}

/** A suspended node carries out its remaining outputs, and then meets what reached it meanwhile. */
export function resumeNode(engine: Engine, node: Node): void {
  if (!node.isSuspended) return;
  endSuspension(engine, node);
  drainBacklog(engine, node);
}

/** The events that wait for a node are due now, in their order. */
function endSuspension(engine: Engine, node: Node): void {
  const { waiting } = node;
  node.isSuspended = false;
  node.waiting = [];
  for (const event of waiting) {
    const timer = event.type === "timer" ? node.timers.get(event.name) : undefined;
    const sequence = engine.schedule(engine.now, event, timer?.isForeground);
    if (event.type === "timer" && timer !== undefined) node.timers.set(event.name, { ...timer, sequence });
    if (event.type === "written") node.writing = sequence;
  }
}

/**
 * The node loses its volatile state, its timers, the waiting outputs and the unacknowledged writes; it starts again after
 * `restartAfterMs`, if that is given.
 */
export function crashNode(engine: Engine, node: Node, restartAfterMs?: number): void {
  if (!node.running) return;
  endSuspension(engine, node);
  for (const timer of node.timers.values()) if (timer.isForeground) engine.foreground -= 1;
  if (node.writing !== undefined) engine.foreground -= 1;
  node.running = false;
  node.state = undefined;
  node.timers.clear();
  forgetBacklog(node);
  node.writing = undefined;
  node.pendingCrash = undefined;
  node.disk.crash();
  engine.trace.note(EVENT_KIND.crashed, node.config.index, 0, 0, 0);
  engine.listener.crashed?.(node);
  if (engine.armed.length > 0) fireTriggers(engine, { on: "crashed", node: node.name });
  if (restartAfterMs === undefined) return;
  engine.schedule(engine.now + restartAfterMs, { type: "action", action: { do: "restart", node: node.name } });
}

/** The disk has finished a write: its records become durable one by one as the outputs are carried out. */
export function finishWrite(engine: Engine, node: Node): void {
  node.writing = undefined;
  drainBacklog(engine, node);
}

/**
 * Carries out waiting outputs, up to the next write that takes time. A write covers all records waiting when it begins.
 */
function drainBacklog(engine: Engine, node: Node): void {
  const outputs = new NodeOutputs(engine);
  while (node.running && !node.isSuspended && node.writing === undefined && node.done < node.backlog.length) {
    const output = node.backlog[node.done] as Output;
    if (output.type === "persist" && node.covered === 0 && beginWrite(engine, node)) return;
    node.done += 1;
    if (node.covered > 0) node.covered -= 1;
    const { incarnation } = node;
    carryOut(outputs, node, output);
    // A trigger may have crashed the node, and even restarted it: before the signed message left, or now.
    if (!isSameIncarnation(node, incarnation)) return;
    engine.listener.carriedOut?.(node, output);
    if (engine.armed.length > 0) fireOutputTriggers(engine, node, output);
    if (!isSameIncarnation(node, incarnation)) return;
    crashIfPending(engine, node, output);
  }
  if (!node.running || node.isSuspended || node.writing !== undefined) return;
  forgetBacklog(node);
  node.activeKey = activeKeyNow(node);
}

function isSameIncarnation(node: Node, incarnation: number): boolean {
  return node.running && node.incarnation === incarnation;
}

function forgetBacklog(node: Node): void {
  node.backlog = NOTHING;
  node.done = 0;
  node.covered = 0;
}

/** Returns true if a write takes time; then all later outputs wait. */
function beginWrite(engine: Engine, node: Node): boolean {
  const { config, disk } = node;
  const duration = engine.choices.chooseInRange(config.diskStream, disk.begin(), disk.settings.writeMs);
  if (duration === 0) return false;
  node.covered = node.backlog.length - node.done;
  node.writing = engine.schedule(engine.now + duration, { type: "written", node: node.name });
  return true;
}

function crashIfPending(engine: Engine, node: Node, output: Output): void {
  const { pendingCrash } = node;
  if (pendingCrash === undefined) return;
  const left = pendingCrash.left === undefined ? undefined : pendingCrash.left - 1;
  const isDue = left === 0 || pendingCrash.output?.type === output.type;
  if (isDue) crashNode(engine, node, pendingCrash.restartAfterMs);
  else node.pendingCrash = { ...pendingCrash, left };
}

/** Effects of outputs in the world, each with its note in the rolling hash. */
class NodeOutputs implements OutputHandler<Node> {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  persist(node: Node, { key, record }: OutputOf<"persist">): void {
    node.disk.write(key, record);
    noteRecord(this.#engine.trace, node.config.index, record);
  }

  erase(node: Node, { key }: OutputOf<"erase">): void {
    node.disk.erase(key);
    this.#engine.trace.text(EVENT_KIND.erase, node.config.index, key);
  }

  sign(node: Node, { to, message }: OutputOf<"sign">): void {
    signAndSend(this.#engine, node, to, message);
  }

  send(node: Node, { to, message }: OutputOf<"send">): void {
    sendTo(this.#engine, node, node.key, to, message);
  }

  setTimer(node: Node, { name, at, background }: OutputOf<"setTimer">): void {
    const engine = this.#engine;
    engine.trace.text(EVENT_KIND.setTimer, node.config.index, name);
    cancelTimer(engine, node, name);
    const isForeground = !background;
    const due = Math.max(at, engine.now);
    const sequence = engine.schedule(due, { type: "timer", node: node.name, name }, isForeground);
    node.timers.set(name, { sequence, isForeground });
  }

  cancelTimer(node: Node, { name }: OutputOf<"cancelTimer">): void {
    this.#engine.trace.text(EVENT_KIND.cancelTimer, node.config.index, name);
    cancelTimer(this.#engine, node, name);
  }

  /** A client outside the plan lives outside the world: the listener answers it. */
  reply(node: Node, { client: name, id, reply }: OutputOf<"reply">): void {
    const engine = this.#engine;
    const { index } = node.config;
    const digest = engine.config.digester.digestOfReply(id, reply);
    engine.trace.digest(EVENT_KIND.reply, index, digest);
    const client = engine.client(name);
    if (client !== undefined) transmit(engine, index, client.index, { type: "reply", id, reply, digest });
  }

  event(node: Node, { event }: OutputOf<"event">): void {
    noteEvent(this.#engine.trace, node.config.index, event);
    node.activeKey = activeKeyAfter(node, event);
  }

  report(node: Node, output: OutputOf<"report">): void {
    const { trace, config } = this.#engine;
    trace.digest(EVENT_KIND.report, node.config.index, config.digester.digestOf(output));
  }

  coverage(node: Node, { point }: OutputOf<"coverage">): void {
    this.#engine.trace.text(EVENT_KIND.coverage, node.config.index, point);
  }
}

function fireOutputTriggers(engine: Engine, node: Node, output: Output): void {
  const { name } = node;
  if (output.type === "persist") fireTriggers(engine, { on: "persisted", node: name });
  else if (output.type === "event") fireTriggers(engine, { on: output.event.type, node: name, event: output.event });
  else if (output.type === "coverage") fireTriggers(engine, { on: "coverage", node: name, point: output.point });
}

/** The event stays in the queue, stale; it no longer keeps the world from being quiet. */
function cancelTimer(engine: Engine, node: Node, name: string): void {
  const timer = node.timers.get(name);
  if (timer === undefined) return;
  if (timer.isForeground) engine.foreground -= 1;
  node.timers.delete(name);
}

/** Fires a timer at its event. */
export function fireTimer(engine: Engine, node: Node, name: string): void {
  cancelTimer(engine, node, name);
  engine.trace.text(EVENT_KIND.timer, node.config.index, name);
  deliverInput(engine, node, { type: "timer", at: engine.now, name });
}

function noteRecord(trace: Trace, party: number, record: DurableRecord): void {
  switch (record.of) {
    case "slot": {
      const { slot, round, votes, commits, proposed, lock, decided } = record;
      const counts = votes.length | (commits.length << 16);
      trace.note(EVENT_KIND.persist, party, ownerWord(slot), slotNumber(slot), counts);
      const isProposed = proposed === undefined ? 0 : 1 << 31;
      const lastVote = votes[votes.length - 1];
      trace.numbers(round | isProposed, lock?.round ?? -1, hashWord(lastVote?.value), hashWord(decided?.value));
      return;
    }
    case "snapshot":
      trace.note(EVENT_KIND.persist, party, 1, hashWord(record.certificate.value), 0);
      return;
    case "closed":
      trace.note(EVENT_KIND.persist, party, 3, record.close.epoch, record.close.claims.length);
      return;
    case "link":
      trace.note(EVENT_KIND.persist, party, 4, hashWord(record.link.certificate.value), 0);
      return;
    case "opaque":
      trace.text(EVENT_KIND.persist, party, record.bytes);
      return;
    default:
      unreachable(record);
  }
}

function noteEvent(trace: Trace, party: number, event: ValidatorEvent): void {
  switch (event.type) {
    case "halted":
      noteSlot(trace, party, event, event.slot, undefined);
      trace.text(EVENT_KIND.halted, party, event.reason);
      return;
    case "applied":
      noteSlot(trace, party, event, event.slot, undefined);
      for (const { id, success, fee } of event.receipts) {
        const units = Number(fee);
        trace.numbers(hashWord(id), success ? 1 : 2, units | 0, Math.floor(units / 4_294_967_296) | 0);
      }
      return;
    default:
      noteSlot(trace, party, event, event.certificate.slot, event.certificate.value);
  }
}

function noteSlot(trace: Trace, party: number, { type }: ValidatorEvent, slot: Slot, value: Hash | undefined): void {
  trace.note(EVENT_KIND[type], party, ownerWord(slot), slotNumber(slot), hashWord(value));
}

/** Returns a word of a hash; 0 without one. */
function hashWord(hash: Hash | undefined): number {
  return hash === undefined ? 0 : hexWord(hash, 2);
}
