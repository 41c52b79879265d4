/** Translation of world events into the observations that the oracles read. */

import { assert } from "../core/base/assert.ts";
import type { SignedProposal } from "../core/base/epoch.ts";
import type { Address, Hash, Millis, Signature } from "../core/base/ids.ts";
import { MemoTable } from "../core/base/memo-table.ts";
import { isRecovery, type OperationId, type SignedOperation, type Submission } from "../core/base/operation.ts";
import { slotKey } from "../core/base/slot.ts";
import type { Close, StatementContent } from "../core/consensus/message.ts";
import { submissionId } from "../core/ledger/identity.ts";
import { stateRoots } from "../core/ledger/roots.ts";
import type { LedgerState } from "../core/ledger/state.ts";
import { proposalDigest } from "../core/ledger/value.ts";
import { type Cause, type Content, isChainContent, isClosing } from "../core/validator/content.ts";
import type { ClientName, Reason } from "../core/validator/message.ts";
import type { DurableRecord, Output, Reply, Snapshot, ValidatorEvent } from "../core/validator/output.ts";
import type { Input } from "../core/validator/step.ts";
import type {
  AtNode,
  Change,
  Claim,
  ClientReply,
  ClosingCause,
  Event,
  NodeName,
  ObservedEvent,
  Statement,
} from "../invariants/observation.ts";
import type { CompiledScenario } from "../scenario/compile/compile.ts";
import type { NodeView, WorldListener } from "../simulator/listener.ts";
import { type ChainLink, type CheckpointChain, chainLinkHash } from "./checkpoint-chain.ts";
import { contentsInInput, contentsInOutput, durableStatementsIn, keysOf, reasonedSlotIn } from "./contents-in.ts";
import { AppliedChanges, type AppliedState, changesBetween, type LedgerMove, movesLedger } from "./ledger-changes.ts";
import { DecisionProofs } from "./unproven.ts";

/** State of a translator between two events. */
export interface TranslatorState {
  readonly step: number;
  readonly at: Millis;
  readonly applied: AppliedState;
  /** Contents that were reported, by value hash. */
  readonly known: ReadonlyMap<Hash, { readonly content: Content; readonly kept: boolean }>;
}

type RecordSink = (record: ObservedEvent) => void;

/** A listener that turns world events into records, with an entry for the last records of a run. */
export class Translator implements WorldListener {
  readonly #commons: CompiledScenario["commons"];
  readonly #operator: Address;
  readonly #isOpaque: boolean;
  readonly #sink: RecordSink;
  readonly #honest: ReadonlyMap<NodeName, boolean>;
  readonly #applied: AppliedChanges;
  readonly #proofs: DecisionProofs;
  #known = new Map<Hash, { readonly content: Content; readonly kept: boolean }>();
  /** Contents that were reported: a cache of what `#known` says of them, so that a restored run may begin without it. */
  #seen = new MemoTable<Content, boolean>();
  readonly #chain: CheckpointChain;
  readonly #genesis: LedgerState;
  #step = 0;
  #at = 0 as Millis;

  /** Of one world, before its first event; `chain` receives the final checkpoints in order. */
  constructor({ setting, commons, log }: CompiledScenario, chain: CheckpointChain, sink: RecordSink) {
    this.#commons = commons;
    this.#operator = setting.genesis.operator;
    this.#isOpaque = setting.isOpaque;
    this.#chain = chain;
    this.#genesis = commons.shared.genesis;
    this.#sink = sink;
    this.#honest = new Map(setting.nodes.map(({ node, honest }) => [node, honest]));
    this.#applied = new AppliedChanges(this.#genesis, log);
    this.#proofs = new DecisionProofs(commons);
  }

  /**
   * Adds a record of the run itself: roots and the end. Copies it to add step and time; frequent records avoid that cost
   * and go to the sink directly.
   */
  push(happening: Event): void {
    this.#sink({ ...happening, step: this.#step, at: this.#at });
  }

  /** Forgets contents that were decided long ago: one that comes again is reported again. */
  forget(values: readonly Hash[]): void {
    for (const value of values) this.#known.delete(value);
    this.#seen = new MemoTable();
  }

  /** Returns a copy of its state. O(contents so far). */
  capture(): TranslatorState {
    return { step: this.#step, at: this.#at, applied: this.#applied.capture(), known: new Map(this.#known) };
  }

  /** Returns to a captured state, which stays as it is. O(contents so far). */
  restore({ step, at, applied, known }: TranslatorState): void {
    this.#step = step;
    this.#at = at;
    this.#applied.restore(applied);
    this.#known = new Map(known);
    this.#seen = new MemoTable();
  }

  /** Sets step and time of the records that follow. */
  eventBegins(step: number, at: Millis): void {
    this.#step = step;
    this.#at = at;
  }

  signed(view: NodeView, body: StatementContent, _digest: Hash, reason?: Reason): void {
    const { name: node, key } = view;
    const honest = this.#isHonest(view);
    const statement = statementOf(body, reason);
    this.#sink({ type: "signed", node, key, honest, statement, step: this.#step, at: this.#at });
  }

  stepped(view: NodeView, input: Input, outputs: readonly Output[]): void {
    if (input.type === "submit") {
      const id = submissionId(input.submission, this.#commons.hashes.operationId);
      this.#sink({
        type: "submissionReceived",
        node: view.name,
        honest: this.#isHonest(view),
        id,
        client: input.client,
        step: this.#step,
        at: this.#at,
      });
    }
    if (input.type === "govern") {
      const { signed } = input;
      const [proposal, authentic] = [signed.proposal, this.#isAuthentic(signed)];
      this.push({ type: "proposalReceived", node: view.name, honest: this.#isHonest(view), proposal, authentic });
    }
    for (const content of contentsInInput(input)) this.#content(content, false);
    const honest = this.#isHonest(view);
    let moves: LedgerMove[] | undefined;
    for (const output of outputs) {
      for (const content of contentsInOutput(output)) this.#content(content, honest);
      if (output.type === "reply" && output.reply.status !== "pending")
        this.push({ type: "replyMade", node: view.name, honest, id: output.id, client: output.client });
      // Not in carriedOut: a node may crash in between and restart from the snapshot that it has written.
      if (output.type !== "event") continue;
      const { event } = output;
      if (event.type === "checkpointed" || event.type === "closed") this.#chain.add(event.certificate, event.content);
      if (!movesLedger(event)) continue;
      moves ??= [];
      moves.push(event);
    }
    this.#applied.follow(view, moves ?? NO_MOVES);
  }

  carriedOut(view: NodeView, output: Output): void {
    if (output.type !== "event" && output.type !== "report" && output.type !== "reply") return;
    const honest = this.#isHonest(view);
    const unproven = honest && !this.#isOpaque ? this.#proofs.faultOf(output) : undefined;
    if (unproven !== undefined) this.push({ type: "unproven", node: view.name, honest, ...unproven });
    if (output.type === "event") this.#translateEvent({ node: view.name, honest }, output.event);
    else if (output.type === "report") {
      const { peer, misbehaviour, slot } = output;
      this.push({ type: "reported", node: view.name, honest, signer: peer, misbehaviour, slot });
    } else {
      const { client, id, reply } = output;
      const answer = answerOf(reply);
      this.#sink({ type: "replied", node: view.name, honest, id, client, answer, step: this.#step, at: this.#at });
    }
  }

  crashed(node: NodeView): void {
    this.#applied.forget(node.name);
    this.push({ type: "crashed", node: node.name });
  }

  restarted(view: NodeView, records: readonly (readonly [string, DurableRecord])[], wiped: boolean): void {
    this.#applied.forget(view.name);
    const reasoned = records.flatMap(([, record]) => reasonedSlotIn(record));
    this.push({
      type: "restarted",
      node: view.name,
      wiped,
      durableStatements: records.flatMap(([, record]) => durableStatementsIn(record)),
      ...(reasoned.length === 0 ? {} : { reasoned }),
    });
    for (const [, record] of records) {
      if (record.of !== "snapshot") continue;
      this.#reportApplications({ node: view.name, honest: this.#isHonest(view) }, record);
      this.#applied.resume(view.name, record.state);
    }
  }

  /** Reports the applications up to a checkpoint or closing as if the node had carried them out. */
  #reportApplications(at: AtNode, { content }: Pick<Snapshot, "content">): void {
    let ledger = this.#genesis;
    for (const link of isChainContent(content) ? this.#chain.upTo(content.value) : []) {
      for (const { event, after } of link.applications) {
        const { slot, value: decided, receipts } = event;
        const { operations } = event.content;
        const changes = changesBetween(ledger, after);
        this.push({ type: "applied", ...at, slot, value: decided, operations, changes, receipts });
        ledger = after;
      }
      this.push(linkRecord(at, link, changesBetween(ledger, link.state)));
      ledger = link.state;
    }
  }

  submitted(client: ClientName, id: OperationId, submission: Submission, to: NodeName, correct: boolean): void {
    const { authenticator, hashes } = this.#commons;
    const signed = keysOf(submission, authenticator.verifier, hashes.digest);
    const signatures = signed.length === 0 ? {} : { signed };
    this.#sink({
      type: "submitted",
      client,
      id,
      submission,
      to,
      correct,
      ...signatures,
      ...(signaturesIn(submission).some((copy) => this.#isForged(copy)) ? { isForged: true } : {}),
      step: this.#step,
      at: this.#at,
    });
  }

  replyReceived(client: ClientName, id: OperationId, from: NodeName, reply: Reply, quorum: number): void {
    const certificate = reply.status === "final" ? reply.certificate : undefined;
    const slot = certificate === undefined ? undefined : slotKey(certificate.slot);
    const value = certificate?.value;
    const answer = answerOf(reply);
    this.#sink({
      type: "replyReceived",
      client,
      id,
      from,
      answer,
      slot,
      value,
      quorum,
      step: this.#step,
      at: this.#at,
    });
  }

  healed(core: readonly NodeName[]): void {
    this.push({ type: "healed", core });
  }

  /** True for an operation of one key whose signature is not its sender's. */
  #isForged({ operation, sender, signature }: SignedOperation): boolean {
    if (operation.account !== undefined) return false;
    const { authenticator, hashes } = this.#commons;
    return authenticator.verifier.recover(hashes.digest(operation), signature as Signature) !== sender;
  }

  /** True if the operator signed the proposal. */
  #isAuthentic({ proposal, signature }: SignedProposal): boolean {
    return this.#commons.authenticator.verifier.recover(proposalDigest(proposal), signature) === this.#operator;
  }

  #isHonest(node: NodeView): boolean {
    return this.#honest.get(node.name) ?? node.honest;
  }

  #translateEvent({ node, honest }: AtNode, event: ValidatorEvent): void {
    const step = this.#step;
    const at = this.#at;
    if (event.type === "decided") {
      const { epoch, slot, round, value, seals } = event.certificate;
      const signers = seals.map(({ signer }): Address => signer);
      this.#sink({ type: "decided", node, honest, epoch, slot, round, value, signers, step, at });
      return;
    }
    if (event.type === "checkpointed" || event.type === "closed") {
      const { certificate, content, state } = event;
      const changes = event.type === "closed" ? this.#applied.next(node) : [];
      this.push(
        linkRecord({ node, honest }, { hash: chainLinkHash(certificate, content.value), content, state }, changes),
      );
      return;
    }
    if (event.type === "joined") {
      this.push({ type: "restarted", node, wiped: false, durableStatements: [] });
      this.#reportApplications({ node, honest }, event);
      return;
    }
    if (event.type === "halted") {
      this.push({ type: "halted", node, honest, slot: slotKey(event.slot), reason: event.reason });
      return;
    }
    const { slot, value, receipts } = event;
    const { operations } = event.content;
    const changes = this.#applied.next(node);
    this.#sink({ type: "applied", node, honest, slot, value, operations, changes, receipts, step, at });
  }

  /**
   * Reports a content once for each computed value hash. A value hash does not cover its whole content, so content that
   * an honest node kept replaces received content.
   */
  #content(content: Content, kept: boolean): void {
    const before = this.#seen.get(content);
    if (before === true || before === kept) return;
    this.#seen.set(content, kept);
    for (const locked of content.closing?.locked ?? NO_CONTENTS) this.#content(locked, kept);
    const { value, operations } = content;
    const hash = this.#commons.hashes.value(value);
    const known = this.#known.get(hash);
    if (known !== undefined && (known.kept || !kept)) return;
    this.#known.set(hash, { content, kept });
    if (known !== undefined && areSameOperations(known.content.operations, operations)) return;
    this.#sink({ type: "content", hash, value, operations, step: this.#step, at: this.#at });
  }
}

/** The operation that is submitted, or both of a proof. */
function signaturesIn(submission: Submission): readonly SignedOperation[] {
  return isRecovery(submission) ? Object.values(submission.evidence) : [submission];
}

const NO_CONTENTS: readonly Content[] = [];
const NO_MOVES: readonly LedgerMove[] = [];

function areSameOperations(first: readonly SignedOperation[], second: readonly SignedOperation[]): boolean {
  return first.length === second.length && first.every((operation, index) => operation === second[index]);
}

/** The record of an applied chain link. `changes`: of a closing, those of the fee shares. */
function linkRecord(
  at: AtNode,
  { hash, content, state }: Pick<ChainLink, "hash" | "content" | "state">,
  changes: readonly Change[],
): Event {
  const { operations } = content;
  const { root, parts } = stateRoots(state);
  if (isClosing(content)) {
    const { value, closing } = content;
    return { type: "closed", ...at, hash, value, cause: causeOf(closing.cause), operations, changes, root, parts };
  }
  const { value } = content;
  assert(value.type === "checkpoint", "a closing shows its closes");
  return { type: "checkpointed", ...at, hash, value, operations, root, parts };
}

function causeOf(cause: Cause): ClosingCause {
  if (cause.kind === "proposal") return { kind: "proposal", proposal: cause.signed.proposal };
  const { slot } = cause.certificate;
  assert(slot.kind === "checkpoint", "an epoch is due after a checkpoint");
  return { kind: "checkpoint", number: slot.number };
}

/** Returns a statement as the oracles read it. */
export function statementOf(body: StatementContent, reason: Reason | undefined): Statement {
  const { epoch, round } = body;
  const slot = slotKey(body.slot);
  switch (body.type) {
    case "roundChange": {
      const lock = body.lock === undefined ? undefined : { round: body.lock.round, value: body.lock.value };
      const change = { kind: "roundChange", epoch, slot, round, lock } as const;
      return reason === undefined ? change : { ...change, hasReason: true };
    }
    case "close":
      return { kind: "close", epoch, slot, round, claims: body.claims.map(claimOf) };
    default:
      return { kind: body.type, epoch, slot, round, value: body.value };
  }
}

function claimOf({ type, slot, round, value }: Close["claims"][number]): Claim {
  return { slot: slotKey(slot), round, value, final: type === "finality" };
}

function answerOf(reply: Reply): ClientReply {
  return reply.status === "final" ? { status: "final", receipt: reply.receipt } : reply;
}
