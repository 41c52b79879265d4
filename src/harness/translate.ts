/** From what a world shows to what the oracles judge: the one place that knows both vocabularies. */
import type { Address, Hash, Millis } from "../core/base/ids.ts";
import type { SignedOperation } from "../core/base/operation.ts";
import { slotKey } from "../core/base/slot.ts";
import type { Unsigned } from "../core/consensus/message.ts";
import { submissionId } from "../core/ledger/identity.ts";
import { stateRoot } from "../core/ledger/roots.ts";
import type { LedgerState } from "../core/ledger/state.ts";
import type { CheckpointContent, Content } from "../core/validator/content.ts";
import type { Hashes } from "../core/validator/grounds.ts";
import type { Event, Output, Reply, Snapshot } from "../core/validator/output.ts";
import type { Answer, Happening, NodeName, Observed, Setting, Statement } from "../invariants/observation.ts";
import type { NodeView, WorldListener } from "../simulator/listener.ts";
import { AppliedChanges } from "./applied-changes.ts";
import type { CheckpointChain } from "./checkpoint-chain.ts";
import { contentsInInput, contentsInOutput } from "./contents-in.ts";
import { changesBetween } from "./ledger-changes.ts";
import type { ApplicationLog } from "./program.ts";

type Restarted = Parameters<NonNullable<WorldListener["restarted"]>> extends [unknown, ...infer Rest] ? Rest : never;

/** What the translator is built from. */
export interface Translation {
  readonly setting: Setting;
  /** The state that every node starts from. */
  readonly genesis: LedgerState;
  readonly log: ApplicationLog;
  readonly hashes: Pick<Hashes, "value" | "operationId">;
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
  readonly #hashes: Translation["hashes"];
  readonly #sink: Translation["sink"];
  readonly #honest: ReadonlyMap<NodeName, boolean>;
  readonly #applied: AppliedChanges;
  readonly #known = new Map<Hash, { readonly content: Content; readonly kept: boolean }>();
  readonly #seen = new WeakMap<Content, boolean>();
  readonly #chain: CheckpointChain;
  readonly #genesis: LedgerState;
  #step = 0;
  #at = 0 as Millis;

  constructor({ setting, genesis, log, hashes, chain, sink }: Translation) {
    this.#chain = chain;
    this.#genesis = genesis;
    this.#hashes = hashes;
    this.#sink = sink;
    this.#honest = new Map(setting.nodes.map(({ node, honest }) => [node, honest]));
    this.#applied = new AppliedChanges(genesis, log);
  }

  /** Frequent records are made whole by whoever makes them: to copy one in order to add its place costs more than it. */
  push(happening: Happening): void {
    this.#sink({ ...happening, step: this.#step, at: this.#at });
  }

  eventBegins(step: number, at: Millis): void {
    this.#step = step;
    this.#at = at;
  }

  signed(view: NodeView, body: Unsigned): void {
    const { name: node, key } = view;
    const honest = this.#isHonest(view);
    const statement = statementOf(body);
    this.#sink({ type: "signed", node, key, honest, statement, step: this.#step, at: this.#at });
  }

  stepped(
    view: NodeView,
    input: Parameters<NonNullable<WorldListener["stepped"]>>[1],
    outputs: readonly Output[],
  ): void {
    if (input.type === "submit") {
      const id = submissionId(input.submission, this.#hashes.operationId);
      this.#sink({ type: "asked", node: view.name, honest: this.#isHonest(view), id, step: this.#step, at: this.#at });
    }
    for (const content of contentsInInput(input)) this.#content(content, false);
    for (const output of outputs) {
      for (const content of contentsInOutput(output)) this.#content(content, this.#isHonest(view));
      // Before it is carried out: a node may crash in between, and start again at the snapshot that it has written.
      if (output.type === "event" && output.event.type === "checkpointed") {
        this.#chain.add(output.event.certificate, output.event.content);
      }
    }
    this.#applied.follow(view, outputs);
  }

  carriedOut(view: NodeView, output: Output): void {
    if (output.type === "event") this.#happened(view, output.event);
    else if (output.type === "report") {
      const { peer, misbehaviour, slot } = output;
      this.push({ type: "reported", node: view.name, honest: this.#isHonest(view), blamed: peer, misbehaviour, slot });
    } else if (output.type === "reply") {
      const { id, reply } = output;
      const [node, honest, answer] = [view.name, this.#isHonest(view), answerOf(reply)];
      this.#sink({ type: "replied", node, honest, id, answer, step: this.#step, at: this.#at });
    }
  }

  crashed(node: NodeView): void {
    this.#applied.forget(node.name);
    this.push({ type: "crashed", node: node.name });
  }

  restarted(view: NodeView, ...[records, wiped]: Restarted): void {
    this.#applied.forget(view.name);
    this.push({ type: "restarted", node: view.name, wiped });
    for (const [, record] of records) {
      if (record.of !== "snapshot") continue;
      this.#resumed(view, record);
      this.#applied.resume(view.name, record.state);
    }
  }

  /** What leads to the state of a checkpoint, told as if the node had applied it all. */
  #resumed(view: NodeView, { content: { value } }: Pick<Snapshot, "content">): void {
    const [node, honest] = [view.name, this.#isHonest(view)];
    let ledger = this.#genesis;
    for (const link of value.type === "checkpoint" ? this.#chain.upTo(value.header.number) : []) {
      for (const { event, after } of link.applications) {
        const { slot, value: decided, receipts } = event;
        const { operations } = event.content;
        const changes = changesBetween(ledger, after);
        this.push({ type: "applied", node, honest, slot, value: decided, operations, changes, receipts });
        ledger = after;
      }
      this.push(checkpointedAt(node, honest, link.hash, link.content, ledger));
    }
  }

  submitted(...[client, id, submission, to, correct]: Parameters<NonNullable<WorldListener["submitted"]>>): void {
    this.#sink({ type: "submitted", client, id, submission, to, correct, step: this.#step, at: this.#at });
  }

  answered(...[client, id, from, reply, quorum]: Parameters<NonNullable<WorldListener["answered"]>>): void {
    const certificate = reply.status === "final" ? reply.certificate : undefined;
    const slot = certificate === undefined ? undefined : slotKey(certificate.slot);
    const value = certificate?.value;
    const answer = answerOf(reply);
    this.#sink({ type: "answered", client, id, from, answer, slot, value, quorum, step: this.#step, at: this.#at });
  }

  healed(core: readonly NodeName[]): void {
    this.push({ type: "healed", core });
  }

  #isHonest(node: NodeView): boolean {
    return this.#honest.get(node.name) ?? node.honest;
  }

  /** A decision or an application was carried out. */
  #happened(view: NodeView, event: Event): void {
    const [node, honest, step, at] = [view.name, this.#isHonest(view), this.#step, this.#at];
    if (event.type === "decided") {
      const { epoch, slot, round, value, seals } = event.certificate;
      const signers = seals.map(({ signer }): Address => signer);
      this.#sink({ type: "decided", node, honest, epoch, slot, round, value, signers, step, at });
      return;
    }
    if (event.type === "checkpointed") {
      const { certificate, content, state } = event;
      this.push(checkpointedAt(node, honest, certificate.value, content, state));
      return;
    }
    if (event.type === "joined") {
      this.push({ type: "restarted", node, wiped: false });
      this.#resumed(view, event);
      return;
    }
    const { slot, value, receipts } = event;
    const { operations } = event.content;
    const changes = this.#applied.next(node);
    this.#sink({ type: "applied", node, honest, slot, value, operations, changes, receipts, step, at });
  }

  /**
   * Once for each value, by what hashes to it and not by what anybody says it is. A value does not name all of its
   * content: what an honest node kept counts more than what somebody showed before.
   */
  #content(content: Content, kept: boolean): void {
    const before = this.#seen.get(content);
    if (before === true || before === kept) return;
    this.#seen.set(content, kept);
    const { value, operations } = content;
    const hash = this.#hashes.value(value);
    const known = this.#known.get(hash);
    if (known !== undefined && (known.kept || !kept)) return;
    this.#known.set(hash, { content, kept });
    if (known !== undefined && areSame(known.content.operations, operations)) return;
    this.#sink({ type: "content", hash, value, operations, step: this.#step, at: this.#at });
  }
}

function areSame(some: readonly SignedOperation[], others: readonly SignedOperation[]): boolean {
  return some.length === others.length && some.every((one, place) => one === others[place]);
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
