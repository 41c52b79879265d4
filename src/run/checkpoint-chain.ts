/** Archive outside all nodes: final checkpoints and closings of a run with the applications of their listed slots. */
import { assert, required } from "../core/base/assert.ts";
import type { Hash } from "../core/base/ids.ts";
import type { Receipt } from "../core/base/refusal.ts";
import { chainSlotOf, type LedgerSlot, type LedgerValue, slotKey } from "../core/base/slot.ts";
import type { FinalityCertificate } from "../core/consensus/message.ts";
import type { LedgerRules } from "../core/ledger/rules.ts";
import type { LedgerState } from "../core/ledger/state.ts";
import { valueHash } from "../core/ledger/value.ts";
import { type ChainContent, type Content, listedSlots } from "../core/validator/content.ts";

/** The ledger rules that replay a chain. */
export type Replay = Pick<LedgerRules, "apply" | "openNext">;

/** A listed slot with its receipts and the state after it. */
export interface ListedApplication {
  readonly event: {
    readonly slot: LedgerSlot;
    readonly value: LedgerValue;
    readonly content: Content;
    readonly receipts: readonly Receipt[];
  };
  readonly after: LedgerState;
}

export interface ChainLink {
  readonly hash: Hash;
  /** Its own certificate, or that of the closing that builds on it. */
  readonly certificate: FinalityCertificate;
  readonly content: ChainContent;
  readonly applications: readonly ListedApplication[];
  /** The state after it; of a closing, the first state of the next epoch. */
  readonly state: LedgerState;
}

export interface CheckpointChain {
  /**
   * Stores a final link; ignores one without a stored parent. With more than f Byzantine validators a parent may have
   * two children.
   * @throws AssertionError if a listed slot does not replay
   */
  add(certificate: FinalityCertificate, content: ChainContent): void;
  /** The chain of the links stored first, in order. */
  readonly links: readonly ChainLink[];
  /** The links from the genesis to this one; empty if no node has applied it. O(links). */
  upTo(value: ChainContent["value"]): readonly ChainLink[];
}

/** The hash of a link. Computed for a locked checkpoint, which only the certificate of a closing covers. */
export function chainLinkHash({ slot, value: decided }: FinalityCertificate, value: ChainContent["value"]): Hash {
  return slotKey(slot) === slotKey(chainSlotOf(value)) ? decided : valueHash(value);
}

/** An empty chain from the genesis. */
export function createCheckpointChain(genesis: LedgerState, { apply, openNext }: Replay): CheckpointChain {
  const links: ChainLink[] = [];
  const known = new Map<Hash, ChainLink>();
  return {
    links,
    add(certificate, checkpoint) {
      const { value, operations } = checkpoint;
      const hash = chainLinkHash(certificate, value);
      const parent = known.get(value.header.parentHash);
      if (known.has(hash) || (parent === undefined && value.header.number !== 1)) return;
      let ledger = parent?.state ?? genesis;
      const parts = required(listedSlots(value.listed, operations), `operations of checkpoint ${value.header.number}`);
      const applications = parts.map((part): ListedApplication => {
        const operation = part.value.type === "operation" ? part.operations[0] : undefined;
        const applied = apply(ledger, part.slot, part.value, operation);
        assert(applied.outcome === "applied", `checkpoint ${value.header.number} does not replay`);
        ledger = applied.state;
        const content: Content = { value: part.value, operations: part.operations, certificates: [] };
        return {
          event: { slot: part.slot, value: part.value, content, receipts: applied.receipts },
          after: applied.state,
        };
      });
      if (value.type === "closing") ledger = openNext(ledger, value.next, value.header.number);
      const link: ChainLink = { hash, certificate, content: checkpoint, applications, state: ledger };
      known.set(hash, link);
      if (links.at(-1) === parent) links.push(link);
    },
    upTo(value) {
      const path: ChainLink[] = [];
      for (let link = known.get(valueHash(value)); link !== undefined; ) {
        path.push(link);
        link = known.get(link.content.value.header.parentHash);
      }
      return path.reverse();
    },
  };
}
