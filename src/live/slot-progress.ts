/** Progress of the agreement on each open slot, by operation. */
import type { Address, Hash } from "../core/base/ids.ts";
import type { OperationId } from "../core/base/operation.ts";
import { isChainSlot, type SlotKey, slotKey, type Value } from "../core/base/slot.ts";
import type { StatementContent } from "../core/consensus/message.ts";
import type { Content } from "../core/validator/content.ts";
import type { HashCache } from "../core/validator/hash-cache.ts";
import type { NodeView } from "../simulator/listener.ts";
import type { Notification } from "./notifications.ts";

interface Counted {
  readonly voters: Set<Address>;
  isLocked: boolean;
}

export class SlotProgress {
  readonly #hashes: Pick<HashCache, "value">;
  readonly #tell: (notification: Notification) => void;
  /** By slot, then by round and value: dropped when the slot is applied. */
  readonly #open = new Map<SlotKey, Map<string, Counted>>();
  /** Operations that a value decides, by its hash; dropped with its slot. */
  readonly #named = new Map<Hash, readonly OperationId[]>();
  readonly #applied: (slot: SlotKey) => boolean;

  constructor(
    hashes: Pick<HashCache, "value">,
    applied: (slot: SlotKey) => boolean,
    tell: (notification: Notification) => void,
  ) {
    this.#hashes = hashes;
    this.#applied = applied;
    this.#tell = tell;
  }

  /** Records the content of a value hash. */
  shown({ value }: Content): void {
    const ids = idsOf(value);
    if (ids.length > 0) this.#named.set(this.#hashes.value(value), ids);
  }

  /** Counts a signature of a validator. `validators`: size of its committee. */
  signed({ key }: NodeView, body: StatementContent, validators: number): void {
    if ((body.type !== "vote" && body.type !== "commit") || isChainSlot(body.slot)) return;
    const ids = this.#named.get(body.value) ?? [];
    const slot = slotKey(body.slot);
    if (ids.length === 0 || this.#applied(slot)) return;
    const { round } = body;
    const counted = this.#countedIn(slot, `${round} ${body.value}`);
    if (body.type === "vote" && !counted.voters.has(key)) {
      counted.voters.add(key);
      for (const id of ids) this.#tell({ type: "signed", id, signers: counted.voters.size, validators, round });
    } else if (body.type === "commit" && !counted.isLocked) {
      counted.isLocked = true;
      for (const id of ids) this.#tell({ type: "locked", id, round });
    }
  }

  /** Stops counting in a slot that is decided and applied. */
  settled(slot: SlotKey): void {
    for (const key of this.#open.get(slot)?.keys() ?? []) this.#named.delete(key.split(" ")[1] as Hash);
    this.#open.delete(slot);
  }

  #countedIn(slot: SlotKey, key: string): Counted {
    const ofSlot = this.#open.get(slot) ?? new Map<string, Counted>();
    this.#open.set(slot, ofSlot);
    const counted = ofSlot.get(key) ?? { voters: new Set(), isLocked: false };
    ofSlot.set(key, counted);
    return counted;
  }
}

function idsOf(value: Value): readonly OperationId[] {
  if (value.type === "list") return value.ids;
  return value.type === "checkpoint" || value.type === "closing" ? [] : [value.id];
}
