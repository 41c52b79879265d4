/** The archive outside all nodes: every final checkpoint and closing of a run, and what each slot that it lists did. */
import { assert, present } from "../core/base/assert.ts";
import type { Hash } from "../core/base/ids.ts";
import type { Receipt } from "../core/base/receipt.ts";
import { chainSlotOf, type LedgerSlot, type LedgerValue, slotKey } from "../core/base/slot.ts";
import type { FinalityCertificate } from "../core/consensus/message.ts";
import type { LedgerRules } from "../core/ledger/rules.ts";
import type { LedgerState } from "../core/ledger/state.ts";
import { valueHash } from "../core/ledger/value.ts";
import { partsOf } from "../core/validator/checkpoint-content.ts";
import type { ChainContent, Content } from "../core/validator/content.ts";

/** How one decided slot changes a ledger, and how the next epoch begins: of the rules that the run is under. */
export type Replay = Pick<LedgerRules, "apply" | "openNext">;

/** One listed slot as it took effect. */
export interface ListedApplication {
  readonly event: {
    readonly slot: LedgerSlot;
    readonly value: LedgerValue;
    readonly content: Content;
    readonly receipts: readonly Receipt[];
  };
  readonly after: LedgerState;
}

export interface Link {
  readonly hash: Hash;
  /** Of it, or of the closing that builds on it. */
  readonly certificate: FinalityCertificate;
  readonly content: ChainContent;
  readonly applications: readonly ListedApplication[];
  /** The state after it: of a closing, the one with which the next epoch begins. */
  readonly state: LedgerState;
}

export interface CheckpointChain {
  /** Keeps a final link; the first one of each number counts. Nodes apply them in order, so none is missing. */
  add(certificate: FinalityCertificate, content: ChainContent): void;
  /** All of them, in order. */
  readonly links: readonly Link[];
  /** The links from 1 to this number. @throws AssertionError where one was never seen. */
  upTo(number: number): readonly Link[];
}

/** The hash of a link: what its certificate decides, unless a closing made a checkpoint final that was only locked. */
export function linkHash({ slot, value: decided }: FinalityCertificate, value: ChainContent["value"]): Hash {
  return slotKey(slot) === slotKey(chainSlotOf(value)) ? decided : valueHash(value);
}

/** A chain that begins with the genesis. */
export function createCheckpointChain(genesis: LedgerState, { apply, openNext }: Replay): CheckpointChain {
  const links: Link[] = [];
  let ledger = genesis;
  return {
    links,
    add(certificate, checkpoint) {
      const { value, operations } = checkpoint;
      if (value.header.number !== links.length + 1) return;
      const parts = present(partsOf(value.listed, operations), `operations of checkpoint ${value.header.number}`);
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
      links.push({ hash: linkHash(certificate, value), certificate, content: checkpoint, applications, state: ledger });
    },
    upTo(number) {
      assert(number <= links.length, `checkpoint ${number} was never seen`);
      return links.slice(0, number);
    },
  };
}
