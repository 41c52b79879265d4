/** View of a served network that its interfaces read. */
import type { Millis } from "../core/base/ids.ts";
import type { OperationId, Submission } from "../core/base/operation.ts";
import type { Refusal } from "../core/base/refusal.ts";
import type { Result } from "../core/base/result.ts";
import type { FinalityCertificate } from "../core/consensus/message.ts";
import type { LedgerState } from "../core/ledger/state.ts";
import type { HashCache } from "../core/validator/hash-cache.ts";
import type { Finding } from "../invariants/judge.ts";
import type { NodeName } from "../simulator/settings.ts";
import type { Archive, FinalRecord } from "./archive.ts";
import type { LivenessStatus } from "./liveness-watch.ts";
import type { Setup } from "./recording.ts";

/** Read-only view of a served network for routes. */
export interface LiveNetwork {
  readonly setup: Setup;
  readonly chainId: number;
  /** Virtual milliseconds. */
  readonly now: Millis;
  readonly steps: number;
  readonly hash: string;
  readonly nodes: readonly NodeName[];
  readonly archive: Archive;
  /** Names of operations and of their copies, each computed once. */
  readonly hashes: Pick<HashCache, "copy" | "digest" | "operationId">;
  /** Invariants that are judged, each in one sentence. */
  readonly invariants: readonly { readonly name: string; readonly sentence: string }[];
  /** Violations of invariants so far. */
  readonly findings: readonly Finding[];
  /** Start of the obligation to decide, and the faults that suspend it. O(links). */
  readonly liveness: LivenessStatus;
  /** Returns the current ledger of a node; `undefined` while the node is down. @throws RangeError for an unknown node. */
  ledgerOf(node: NodeName): LedgerState | undefined;
  /** Returns the number of the last checkpoint that this node has applied; 0 at the genesis, and while it is down. */
  checkpointOf(node: NodeName): number;
  /** Returns true if this node has applied the slot of an operation's effect. */
  hasApplied(node: NodeName, final: Pick<FinalRecord, "receipt">): boolean;
  /** Returns a certificate of the archive with the signatures of its validators, which it may only name. */
  withSignatures(certificate: FinalityCertificate): FinalityCertificate;
  /** Returns true if the operation is pending at this node. */
  isPendingAt(node: NodeName, id: OperationId): boolean;
  /** Returns why this node refuses a disclosed pending operation; `undefined` if it does not, or knows no such one. */
  barAt(node: NodeName, id: OperationId): Refusal | undefined;
  /** Returns whether a running node admits a submission as it is now. A refusal changes nothing. */
  admissionOf(node: NodeName, submission: Submission): Result<Admission, Refusal>;
  /** Number of pending operations over all nodes. */
  readonly pending: number;
  /** Number of final operations. */
  readonly finals: number;
}

/** Submission that its entry validator admits; worthless after the next event. */
export interface Admission {
  readonly node: NodeName;
  readonly submission: Submission;
  /** Events of the network before it. */
  readonly steps: number;
}
