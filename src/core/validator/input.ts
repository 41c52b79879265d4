import type { SignedProposal } from "../base/epoch.ts";
import type { Millis } from "../base/ids.ts";
import type { Submission } from "../base/operation.ts";
import type { ClientName, Peer, PeerMessage } from "./message.ts";
import type { DurableRecord } from "./output.ts";

/**
 * Input of one validator with its virtual time, by which timers run. `clock` is the reading of the validator's own
 * clock, if it differs: only timestamps of checkpoints depend on it (protocol 6.1).
 */
export type Input = { readonly at: Millis; readonly clock?: Millis } & (
  | { readonly type: "start" }
  | { readonly type: "message"; readonly from: Peer; readonly message: PeerMessage }
  | { readonly type: "submit"; readonly client: ClientName; readonly submission: Submission }
  /** The operator's proposal; any client may submit it. */
  | { readonly type: "govern"; readonly signed: SignedProposal }
  | { readonly type: "timer"; readonly name: string }
  /** After a crash, on a fresh state: the durable records in key order. */
  | { readonly type: "restart"; readonly records: readonly (readonly [key: string, record: DurableRecord])[] }
);
