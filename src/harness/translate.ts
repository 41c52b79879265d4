/** From what a world shows to what the oracles judge: the one place that knows both vocabularies. */
import type { Address, Hash, Millis } from "../core/base/ids.ts";
import type { SignedOperation } from "../core/base/operation.ts";
import { slotKey, type Value } from "../core/base/slot.ts";
import type { Unsigned } from "../core/consensus/message.ts";
import { submissionId } from "../core/ledger/identity.ts";
import { stateRoot } from "../core/ledger/roots.ts";
import type { LedgerState } from "../core/ledger/state.ts";
import type { CheckpointContent, Content } from "../core/validator/content.ts";
import type { Event, Output, Reply, Snapshot } from "../core/validator/output.ts";
import type { Answer, Change, Happening, NodeName, Observed, Setting, Statement } from "../invariants/observation.ts";
import type { NodeView, WorldListener } from "../simulator/listener.ts";
import type { CheckpointChain } from "./checkpoint-chain.ts";
import { contentsInInput, contentsInOutput } from "./contents-in.ts";
import { changesBetween } from "./ledger-changes.ts";
import { type ApplicationLog, ledgerOf } from "./program.ts";

type Restarted = Parameters<NonNullable<WorldListener["restarted"]>> extends [unknown, ...infer Rest] ? Rest : never;

/** What the translator is built from. */
export interface Translation {
  readonly setting: Setting;
  /** The state that every node starts from. */
  readonly genesis: LedgerState;
  readonly log: ApplicationLog;
  readonly valueHash: (value: Value) => Hash;
  /** Filled with the final checkpoints, in order. */
  readonly chain: CheckpointChain;
  readonly sink: (record: Observed) => void;
}

/** A listener that turns a world's events into records, and the records that a run ends with. */
export interface Translator extends WorldListener {
  /** A record that the run itself makes: roots, and the end. */
  push(happening: Happening): void;
}

/** A translator for one world, from its first event on. */
export function createTranslator(translation: Translation): Translator {
  return new WorldTranslator(translation);
}

class WorldTranslator implements Translator {
  readonly #translation: Translation;
  readonly #honest: ReadonlyMap<NodeName, boolean>;
  readonly #ledgers = new Map<NodeName, LedgerState>();
  /** What each node's events stand for, until they are carried out: a disk write may lie between. */
  readonly #due = new Map<NodeName, Happening[][]>();
  readonly #known = new Map<Hash, { readonly content: Content; readonly kept: boolean }>();
  readonly #seen = new WeakMap<Content, boolean>();
  readonly #chain: CheckpointChain;
  #step = 0;
  #at = 0 as Millis;

  constructor(translation: Translation) {
    this.#translation = translation;
    this.#chain = translation.chain;
    this.#honest = new Map(translation.setting.nodes.map(({ node, honest }) => [node, honest]));
  }

  push(happening: Happening): void {
    this.#translation.sink({ ...happening, step: this.#step, at: this.#at });
  }

  eventBegins(step: number, at: Millis): void {
    this.#step = step;
    this.#at = at;
  }

  signed(node: NodeView, body: Unsigned): void {
    this.push({
      type: "signed",
      node: node.name,
      key: node.key,
      honest: this.#isHonest(node),
      statement: statementOf(body),
    });
  }

  stepped(
    node: NodeView,
    input: Parameters<NonNullable<WorldListener["stepped"]>>[1],
    outputs: readonly Output[],
  ): void {
    if (input.type === "submit") {
      const id = submissionId(input.submission);
      this.push({ type: "asked", node: node.name, honest: this.#isHonest(node), id });
    }
    for (const content of contentsInInput(input)) this.#content(content, false);
    for (const output of outputs) {
      for (const content of contentsInOutput(output)) this.#content(content, this.#isHonest(node));
    }
    const events = outputs.flatMap((output) => (output.type === "event" ? [output.event] : []));
    const told = this.#follow(node, events);
    if (told.length > 0) this.#due.set(node.name, [...(this.#due.get(node.name) ?? []), ...told]);
  }

  carriedOut(node: NodeView, output: Output): void {
    const honest = this.#isHonest(node);
    if (output.type === "event") {
      for (const happening of this.#due.get(node.name)?.shift() ?? []) this.push(happening);
    } else if (output.type === "report") {
      const { peer, misbehaviour, slot } = output;
      this.push({ type: "reported", node: node.name, honest, blamed: peer, misbehaviour, slot });
    } else if (output.type === "reply") {
      const { id, reply } = output;
      this.push({ type: "replied", node: node.name, honest, id, answer: answerOf(reply) });
    }
  }

  crashed(node: NodeView): void {
    this.#ledgers.delete(node.name);
    this.#due.delete(node.name);
    this.push({ type: "crashed", node: node.name });
  }

  restarted(node: NodeView, ...[records, wiped]: Restarted): void {
    this.#ledgers.delete(node.name);
    this.push({ type: "restarted", node: node.name, wiped });
    for (const [, record] of records) {
      if (record.of !== "snapshot") continue;
      for (const happening of this.#resumed(node, record)) this.push(happening);
      this.#ledgers.set(node.name, record.state);
    }
  }

  /** What leads to the state of a checkpoint, told as if the node had applied it all; and whatever the state has besides. */
  #resumed(node: NodeView, { content, state }: Pick<Snapshot, "content" | "state">): readonly Happening[] {
    const honest = this.#isHonest(node);
    const { value } = content;
    const told: Happening[] = [];
    let ledger = this.#translation.genesis;
    for (const link of value.type === "checkpoint" ? this.#chain.upTo(value.header.number) : []) {
      for (const { event, after } of link.applications) {
        told.push(...appliedAt(node.name, honest, event, changesBetween(ledger, after)));
        ledger = after;
      }
      told.push(checkpointedAt(node.name, honest, link.hash, link.content, ledger));
    }
    for (const change of changesBetween(ledger, state)) told.push({ type: "changed", node: node.name, honest, change });
    return told;
  }

  submitted(...[client, id, submission, to, correct]: Parameters<NonNullable<WorldListener["submitted"]>>): void {
    this.push({ type: "submitted", client, id, submission, to, correct });
  }

  answered(...[client, id, from, reply, quorum]: Parameters<NonNullable<WorldListener["answered"]>>): void {
    const certificate = reply.status === "final" ? reply.certificate : undefined;
    const slot = certificate === undefined ? undefined : slotKey(certificate.slot);
    this.push({ type: "answered", client, id, from, answer: answerOf(reply), slot, value: certificate?.value, quorum });
  }

  healed(core: readonly NodeName[]): void {
    this.push({ type: "healed", core });
  }

  #isHonest(node: NodeView): boolean {
    return this.#honest.get(node.name) ?? node.honest;
  }

  /** What each decision and application of a step stands for, in their order; each application with what it changed. */
  #follow(node: NodeView, events: readonly Event[]): readonly Happening[][] {
    const applications = this.#translation.log.drain();
    const honest = this.#isHonest(node);
    const end = ledgerOf(node.state);
    const told: Happening[][] = [];
    let ledger = this.#ledgers.get(node.name) ?? this.#translation.genesis;
    let left = events.filter(({ type }) => type === "applied").length;
    let next = 0;
    for (const event of events) {
      if (event.type === "decided") {
        told.push([decidedAt(node.name, honest, event)]);
        continue;
      }
      if (event.type === "checkpointed") {
        const { certificate, content, state } = event;
        this.#chain.add(certificate, content);
        told.push([checkpointedAt(node.name, honest, certificate.value, content, state)]);
        continue;
      }
      if (event.type === "joined") {
        told.push([{ type: "restarted", node: node.name, wiped: false }, ...this.#resumed(node, event)]);
        ledger = event.state;
        continue;
      }
      const key = slotKey(event.slot);
      while (next < applications.length && applications[next]?.slot !== key) next++;
      left--;
      // The last one shows whatever the node really holds now, however it came to hold it.
      const after = left === 0 ? end : (applications[next++]?.after ?? ledger);
      told.push(appliedAt(node.name, honest, event, changesBetween(ledger, after)));
      ledger = after;
    }
    for (const change of changesBetween(ledger, end)) this.push({ type: "changed", node: node.name, honest, change });
    this.#ledgers.set(node.name, end);
    return told;
  }

  /**
   * Once for each value, by what hashes to it and not by what anybody says it is. A value does not name all of its
   * content: what an honest node kept counts more than what somebody showed before.
   */
  #content(content: Content, kept: boolean): void {
    const before = this.#seen.get(content);
    if (before === true || before === kept) return;
    this.#seen.set(content, kept);
    const hash = this.#translation.valueHash(content.value);
    const known = this.#known.get(hash);
    if (known !== undefined && (known.kept || !kept)) return;
    this.#known.set(hash, { content, kept });
    if (known !== undefined && areSame(known.content.operations, content.operations)) return;
    this.push({ type: "content", hash, value: content.value, operations: content.operations });
  }
}

function areSame(some: readonly SignedOperation[], others: readonly SignedOperation[]): boolean {
  return some.length === others.length && some.every((one, place) => one === others[place]);
}

function decidedAt(node: NodeName, honest: boolean, { certificate }: Extract<Event, { type: "decided" }>): Happening {
  const { epoch, slot, round, value, seals } = certificate;
  const signers = seals.map(({ signer }): Address => signer);
  return { type: "decided", node, honest, epoch, slot, round, value, signers };
}

function appliedAt(
  node: NodeName,
  honest: boolean,
  { slot, value, content, receipts }: Omit<Extract<Event, { type: "applied" }>, "type">,
  changes: readonly Change[],
): Happening[] {
  return [
    { type: "applied", node, honest, slot, value, operations: content.operations },
    ...changes.map((change): Happening => ({ type: "changed", node, honest, change })),
    ...receipts.map((receipt): Happening => ({ type: "receipt", node, honest, receipt })),
  ];
}

function checkpointedAt(
  node: NodeName,
  honest: boolean,
  hash: Hash,
  { value, operations }: CheckpointContent,
  state: LedgerState,
): Happening {
  return { type: "checkpointed", node, honest, hash, value, operations, root: stateRoot(state) };
}

function statementOf(body: Unsigned): Statement {
  const { epoch, round } = body;
  const slot = slotKey(body.slot);
  if (body.type !== "roundChange") return { kind: body.type, epoch, slot, round, value: body.value };
  const lock = body.lock === undefined ? undefined : { round: body.lock.round, value: body.lock.value };
  return { kind: "roundChange", epoch, slot, round, lock };
}

function answerOf(reply: Reply): Answer {
  return reply.status === "final" ? { status: "final", receipt: reply.receipt } : reply;
}
