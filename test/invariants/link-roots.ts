/** Roots of the chain links of a stream, from the reference ledger: a link has them unless a test names others. */
import type { Hash } from "../../src/core/base/ids.ts";
import type { SignedOperation } from "../../src/core/base/operation.ts";
import { type ChainValue, type SlotKey, slotKey } from "../../src/core/base/slot.ts";
import { listedSlots } from "../../src/invariants/history/content.ts";
import {
  type CodedReceipt,
  partsAfter,
  partsOf,
  receiptsRootOf,
  stateRootOf,
} from "../../src/invariants/oracles/checkpoints/chain-roots.ts";
import { applyClosing } from "../../src/invariants/reference/epoch.ts";
import { applySlot, type ModelReceipt } from "../../src/invariants/reference/ledger.ts";
import type { JudgedGenesis } from "../../src/invariants/reference/policy.ts";
import { genesisLedger } from "../../src/invariants/reference/state.ts";
import { RECEIPTS_ROOT, stateRootNamed } from "./closings.ts";

type Roots = Readonly<{ stateRoot: Hash; receiptsRoot: Hash }>;

export class LinkRoots {
  readonly #ledger;
  readonly #known = new Map<number, Roots>();
  #parts;

  constructor(genesis: JudgedGenesis) {
    this.#ledger = genesisLedger(genesis);
    this.#parts = partsOf(this.#ledger);
  }

  /** Returns the link with the roots of the first one of its number where it has none of its own. */
  of<V extends ChainValue>(value: V, operations: readonly SignedOperation[]): V {
    const { number, stateRoot, receiptsRoot } = value.header;
    const roots = this.#known.get(number) ?? this.#after(value, operations);
    this.#known.set(number, roots);
    const header = {
      ...value.header,
      ...(stateRoot === stateRootNamed(number) ? { stateRoot: roots.stateRoot } : {}),
      ...(receiptsRoot === RECEIPTS_ROOT ? { receiptsRoot: roots.receiptsRoot } : {}),
    };
    return { ...value, header };
  }

  #after(value: ChainValue, operations: readonly SignedOperation[]): Roots {
    const receipts: CodedReceipt[] = [];
    for (const { slot, value: decided, operations: own } of listedSlots(value.listed, operations)) {
      const outcome = applySlot(this.#ledger, slot, decided, own);
      receipts.push(...outcome.receipts.map((receipt) => coded(receipt, slotKey(slot))));
      this.#parts = partsAfter(this.#parts, this.#ledger, slot);
    }
    if (value.type === "closing") {
      applyClosing(this.#ledger, value);
      this.#parts = partsAfter(this.#parts, this.#ledger, undefined);
    }
    const isFunded = [...this.#parts.balances.values()].every((amount) => amount >= 0n);
    const stateRoot = isFunded ? stateRootOf(this.#parts, this.#ledger) : value.header.stateRoot;
    return { stateRoot, receiptsRoot: receiptsRootOf(receipts) };
  }
}

function coded(receipt: ModelReceipt, slot: SlotKey): CodedReceipt {
  return { ...receipt, code: receipt.reasons[0], slot };
}
