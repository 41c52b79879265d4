/** A host without validators: what is submitted is admitted or not as a test says, and decided when it says so. */
import type { Genesis } from "../../../../src/core/base/epoch.ts";
import type { Address, Epoch, Hash, Millis, Signature } from "../../../../src/core/base/ids.ts";
import { isRecovery, type OperationId, type Submission } from "../../../../src/core/base/operation.ts";
import type { Refusal } from "../../../../src/core/base/refusal.ts";
import { err, ok } from "../../../../src/core/base/result.ts";
import type { FinalityCertificate } from "../../../../src/core/consensus/message.ts";
import { genesisCheckpoint } from "../../../../src/core/ledger/checkpoint.ts";
import { genesisState } from "../../../../src/core/ledger/genesis-state.ts";
import { copyOf, operationId, submissionId, transactionHash } from "../../../../src/core/ledger/identity.ts";
import { digestOf } from "../../../../src/core/ledger/layout.ts";
import { ledgerRules } from "../../../../src/core/ledger/rules.ts";
import type { LedgerState } from "../../../../src/core/ledger/state.ts";
import { valueHash } from "../../../../src/core/ledger/value.ts";
import type { ArchivedSubmission, FinalRecord, OperationStatus } from "../../../../src/live/archive.ts";
import type { Archive } from "../../../../src/live/archive-writer.ts";
import type { ServedNetwork } from "../../../../src/live/network.ts";
import type { Notification } from "../../../../src/live/notifications.ts";
import type { Admission } from "../../../../src/live/recording.ts";
import type { ChainLink } from "../../../../src/run/checkpoint-chain.ts";
import type { RunEvent } from "../../../../src/run/events/run-event.ts";
import { ConditionWaits, type HostResponse } from "../../../../src/server/host/pending-requests.ts";
import type { Host } from "../../../../src/server/host/real-host.ts";
import { Turns } from "../../../../src/server/host/turns.ts";

/** The copy that a submission is. */
export function copyOfSubmission(submission: Submission): ArchivedSubmission {
  const id = submissionId(submission);
  return { id, hash: isRecovery(submission) ? id : transactionHash(submission), submission };
}

export class FakeHost implements Host {
  readonly network: ServedNetwork;
  readonly turns = new Turns(() => false);
  /** Replies to the next submissions. */
  answer: HostResponse | Promise<HostResponse> = { status: "pending" };
  /** Instead of the ledger's own judgement. */
  judge: ((submission: Submission) => Refusal | undefined) | undefined;
  /** Why the entry validator refuses what is pending. */
  bar: Refusal | undefined;
  ledger: LedgerState | undefined;
  readonly submitted: Submission[] = [];
  /** Operations that the queried validator has applied. */
  readonly #applied = new Set<OperationId>();
  readonly #links: ChainLink[] = [];
  readonly #copies = new Map<string, ArchivedSubmission>();
  readonly #progress = new Map<OperationId, OperationStatus>();
  readonly #listeners = new Set<(news: Notification) => void>();
  readonly #waits = new ConditionWaits();

  constructor(genesis: Genesis) {
    const state = genesisState(genesis);
    this.ledger = state;
    this.network = this.#network(genesis, state);
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  runDueEvents(): void {}

  async submit({ submission }: Admission): Promise<HostResponse> {
    this.submitted.push(submission);
    const answer = await this.answer;
    if (answer.status === "pending") this.admit(submission);
    return answer;
  }

  waitUntil(condition: () => boolean, ms: number): Promise<boolean> {
    return this.#waits.wait(condition, ms);
  }

  subscribe(listener: (news: Notification) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  notify(news: Notification): void {
    for (const listener of this.#listeners) listener(news);
    this.#waits.look();
  }

  /** Some validator has admitted it. */
  admit(submission: Submission): ArchivedSubmission {
    const copy = copyOfSubmission(submission);
    this.#copies.set(copy.hash, copy);
    if (!this.#progress.has(copy.id)) this.#progress.set(copy.id, { status: "pending" });
    this.notify({ type: "submitted", copy, node: "v1" });
    return copy;
  }

  /** It has come so far. */
  mark(id: OperationId, progress: OperationStatus): void {
    this.#progress.set(id, progress);
    this.#waits.look();
  }

  /** It is final, and applied here where `here`. */
  finish(id: OperationId, here = true): FinalRecord {
    const final = finalOf(id);
    if (here) this.#applied.add(id);
    this.mark(id, { status: "final", final, place: undefined });
    this.notify({ type: "final", id, final });
    return final;
  }

  /** A checkpoint that lists these. */
  link(ids: readonly OperationId[]): ChainLink {
    const { genesisLink } = this.network.archive;
    const number = this.#links.length + 1;
    const value = { ...genesisLink.value, header: { ...genesisLink.value.header, number } };
    const receipts = ids.map((id) => finalOf(id).receipt);
    const hash = `0x${String(number).padStart(64, "0")}` as Hash;
    const link = {
      hash,
      content: { value },
      applications: [{ event: { receipts } }],
      state: this.ledger,
    } as unknown as ChainLink;
    this.#links.push(link);
    return link;
  }

  /** Outcome of the next calls for events. */
  traced: readonly RunEvent[] | undefined | "busy" = [];

  eventsOf(): Promise<readonly RunEvent[] | undefined> | "busy" {
    return this.traced === "busy" ? "busy" : Promise.resolve(this.traced);
  }

  #network(genesis: Genesis, state: LedgerState): ServedNetwork {
    const value = genesisCheckpoint(state);
    const archive: Archive = {
      find: (hash) => this.#copies.get(hash),
      finals: 0,
      hasEnded: (hash) => this.#copies.has(hash),
      copyOf: (id) => [...this.#copies.values()].find((copy) => copy.id === id),
      progressOf: (id) => this.#progress.get(id),
      link: (number) => this.#links[number - 1],
      genesisLink: { hash: valueHash(value), value },
      linkByHash: (hash) => this.#links.find((link) => link.hash === hash),
      epochs: [{ epoch: 0 as Epoch, parameters: state.parameters, opening: undefined }],
      finalCertificates: () => [],
    };
    const network = {
      chainId: genesis.chainId,
      now: 1_500 as Millis,
      steps: 7,
      hash: "0x00",
      nodes: ["v1", "v2"],
      archive,
      hashes: { copy: copyOf, digest: digestOf, operationId },
      findings: [],
      pendingCount: 0,
      ledgerOf: () => this.ledger,
      checkpointOf: () => 0,
      hasApplied: (_node: string, final: Pick<FinalRecord, "receipt">) => this.#applied.has(final.receipt.id),
      freeNonceAt: () => 0,
      isPendingAt: (_node: string, id: OperationId) => this.#progress.get(id)?.status === "pending",
      barAt: () => this.bar,
      admissionOf: (node: string, submission: Submission) => {
        const refusal = this.judge === undefined ? judged(this.ledger ?? state, submission) : this.judge(submission);
        return refusal === undefined ? ok({ node, submission, steps: 7 }) : err(refusal);
      },
    };
    return network as unknown as ServedNetwork;
  }
}

function judged(ledger: LedgerState, submission: Submission): Refusal | undefined {
  if (isRecovery(submission)) return undefined;
  const verdict = ledgerRules.check(ledger, [], submission, ledgerRules);
  if (verdict.answer === "accept") return undefined;
  return verdict.answer === "wait" ? verdict.missing : verdict.refusal;
}

function finalOf(id: OperationId): FinalRecord {
  const slot = { kind: "account", address: `0x${"11".repeat(20)}` as Address, sequence: 0 };
  const certificate = {
    type: "finality",
    epoch: 0 as Epoch,
    slot,
    round: 0,
    value: id,
    seals: [{ signer: slot.address, signature: `0x${"22".repeat(64)}00` as Signature }],
  } as unknown as FinalityCertificate;
  const receipt = { id, success: true, fee: 2n, feeToken: undefined, error: undefined, slot: "account/0" };
  return { receipt, certificate, content: {}, at: 0 } as unknown as FinalRecord;
}
