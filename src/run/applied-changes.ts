/** Ledger changes of applications and closings: computed after a step, consumed when its outputs are carried out. */
import { slotKey } from "../core/base/slot.ts";
import type { LedgerState } from "../core/ledger/state.ts";
import type { Output, ValidatorEvent } from "../core/validator/output.ts";
import type { Change, NodeName } from "../invariants/observation.ts";
import type { NodeView } from "../simulator/listener.ts";
import { type ApplicationLog, ledgerOf } from "../simulator/nodes/program.ts";
import { changesBetween, realChangesBetween } from "./ledger-changes.ts";

export class AppliedChanges {
  readonly #genesis: LedgerState;
  readonly #log: ApplicationLog;
  readonly #ledgers = new Map<NodeName, LedgerState>();
  /** Changes of outputs not carried out yet: a disk write may lie between. */
  readonly #due = new Map<NodeName, (readonly Change[])[]>();

  /** `genesis`: the initial state of every node. */
  constructor(genesis: LedgerState, log: ApplicationLog) {
    this.#genesis = genesis;
    this.#log = log;
  }

  /** Computes the changes of the applications of a step, in order. */
  follow(node: NodeView, outputs: readonly Output[]): void {
    const applications = this.#log.drain();
    const end = ledgerOf(node.state);
    let ledger = this.#ledgers.get(node.name) ?? this.#genesis;
    this.#ledgers.set(node.name, end);
    const events = movesIn(outputs);
    if (events.length === 0) return;
    const due = this.#due.get(node.name) ?? [];
    this.#due.set(node.name, due);
    let next = 0;
    for (const [place, event] of events.entries()) {
      if (event.type === "joined") {
        ledger = event.state;
        continue;
      }
      let after: LedgerState;
      if (event.type === "closed") after = event.state;
      else {
        const slot = slotKey(event.slot);
        while (next < applications.length && applications[next]?.slot !== slot) next++;
        after = applications[next++]?.after ?? ledger;
      }
      // The oracles judge the node's actual state, whatever the application log says.
      if (place === events.length - 1) after = end;
      due.push((event.type === "closed" ? realChangesBetween : changesBetween)(ledger, after));
      ledger = after;
    }
  }

  /** Sets the state of a node that starts from a snapshot. */
  resume(node: NodeName, state: LedgerState): void {
    this.#ledgers.set(node, state);
  }

  /** Removes and returns the changes of the application or closing that is carried out next. */
  next(node: NodeName): readonly Change[] {
    return this.#due.get(node)?.shift() ?? [];
  }

  /** Drops the state of a crashed node. */
  forget(node: NodeName): void {
    this.#ledgers.delete(node);
    this.#due.delete(node);
  }
}

type Move = Extract<ValidatorEvent, { readonly type: "applied" | "joined" | "closed" }>;

/** The events that change a ledger. */
function movesIn(outputs: readonly Output[]): readonly Move[] {
  let moves: Move[] | undefined;
  for (const output of outputs) {
    if (output.type !== "event") continue;
    const { event } = output;
    if (event.type !== "applied" && event.type !== "joined" && event.type !== "closed") continue;
    moves ??= [];
    moves.push(event);
  }
  return moves ?? NOTHING;
}

const NOTHING: readonly Move[] = [];
