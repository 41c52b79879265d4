/** Changes of ledger states, in the vocabulary of the oracles: between two states, and of the steps of a validator. */
import { type Amount, ZERO } from "../core/base/amount.ts";
import type { Address, Nonce, Sequence, Version } from "../core/base/ids.ts";
import { type OperationId, ROLES } from "../core/base/operation.ts";
import { slotKey } from "../core/base/slot.ts";
import type { Trie } from "../core/base/trie.ts";
import { listsOf, membersOf } from "../core/ledger/lists.ts";
import { type Account, type LedgerState, tokenOf } from "../core/ledger/state.ts";
import type { ValidatorEvent } from "../core/validator/output.ts";
import type { Change, NodeName, ObservedToken } from "../invariants/observation.ts";
import type { NodeView } from "../simulator/listener.ts";
import { type ApplicationLog, ledgerOf } from "../simulator/nodes/program.ts";

/** All changes from one state to another. O(differences): shared subtrees are skipped. */
export function changesBetween(before: LedgerState, after: LedgerState): readonly Change[] {
  if (before === after) return [];
  const changes: Change[] = [];
  for (const { key, before: was, after: is } of sortedDifferences(before.balances, after.balances)) {
    const [address, token] = key.split("/") as [Address, Address];
    changes.push({ of: "balance", address, token, before: was ?? 0n, after: is ?? 0n });
  }
  for (const { key, after: account } of sortedDifferences(before.accounts, after.accounts)) {
    const unused: Account = { nonce: 0 as Nonce, sequence: 0 as Sequence };
    const { nonce, sequence, bridgeNonce = 0, multisig } = account ?? unused;
    const created = multisig === undefined ? {} : { multisig };
    changes.push({ of: "account", address: key as Address, nonce, sequence, bridgeNonce, ...created });
  }
  for (const token of changedTokens(before, after)) {
    const is = observedToken(after, token);
    if (is !== undefined) changes.push({ of: "token", token, after: is });
  }
  changes.push(
    ...amountChanges("pool", before.pools, after.pools),
    ...amountChanges("burned", before.burned, after.burned),
  );
  for (const { key, after: entry } of sortedDifferences(before.authorisedKeys, after.authorisedKeys)) {
    changes.push({ of: "authorised", id: key as OperationId, present: entry !== undefined });
  }
  return changes;
}

/**
 * The changes without equal records. The state of a closing is replayed from its checkpoint, so it shares no records
 * with the state before it. Amounts are never equal.
 */
function realChangesBetween(before: LedgerState, after: LedgerState): readonly Change[] {
  const undone = new Set(changesBetween(after, before).map(changeText));
  return changesBetween(before, after).filter((change) => !undone.has(changeText(change)));
}

function changeText(change: Change): string {
  return JSON.stringify(change, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
}

/** Returns the tokens of which the policy, the list or the source transactions differ, in order. */
function changedTokens(before: LedgerState, after: LedgerState): readonly Address[] {
  const parts = ["tokens", "listed", "bridged"] as const;
  const keys = parts.flatMap((part) =>
    sortedDifferences<unknown>(before[part], after[part]).map(({ key }) => key.split("/")[0]),
  );
  return [...new Set(keys as Address[])].sort();
}

/** The token's policy as plain lists; `undefined` before its issue takes effect. */
function observedToken(ledger: LedgerState, address: Address): ObservedToken | undefined {
  const token = tokenOf(ledger, address);
  if (token === undefined) return undefined;
  const { version, symbol, name, uri, additional, decimals } = token;
  const { masterAuthority, isPrivate, isPaused, clawbackEnabled, minted } = token;
  const roles = ROLES.flatMap((role) =>
    [...token.roles[role].entries()].map(([address, allowance]) => ({ role, address: address as Address, allowance })),
  );
  return {
    version: version as Version,
    symbol,
    name,
    uri,
    additional,
    decimals,
    masterAuthority,
    isPrivate,
    isPaused,
    clawbackEnabled,
    minted,
    roles,
    ...listsOf(ledger, address),
    bridged: membersOf(ledger.bridged, address),
  };
}

function amountChanges(of: "pool" | "burned", before: Trie<Amount>, after: Trie<Amount>): readonly Change[] {
  return sortedDifferences(before, after).map(({ key, before: was, after: is }) => ({
    of,
    token: key as Address,
    before: was ?? ZERO,
    after: is ?? ZERO,
  }));
}

/** Sorts by key: the order of `differences` depends on the shapes of the tries. */
function sortedDifferences<V>(before: Trie<V>, after: Trie<V>): ReturnType<Trie<V>["differences"]> {
  if (before === after) return NO_DIFFERENCES;
  return before.differences(after).sort((a, b) => (a.key < b.key ? -1 : 1));
}

const NO_DIFFERENCES: [] = [];

/** State of `AppliedChanges`, by node. */
export interface AppliedState {
  readonly ledgers: ReadonlyMap<NodeName, LedgerState>;
  readonly due: ReadonlyMap<NodeName, readonly (readonly Change[])[]>;
}

function copyOfDue(due: AppliedState["due"]): Map<NodeName, (readonly Change[])[]> {
  return new Map([...due].map(([node, changes]) => [node, [...changes]]));
}

export class AppliedChanges {
  readonly #genesis: LedgerState;
  readonly #log: ApplicationLog;
  #ledgers = new Map<NodeName, LedgerState>();
  /** Changes of outputs not carried out yet: a disk write may lie between. */
  #due = new Map<NodeName, (readonly Change[])[]>();

  /** `genesis`: the initial state of every node. */
  constructor(genesis: LedgerState, log: ApplicationLog) {
    this.#genesis = genesis;
    this.#log = log;
  }

  /**
   * Computes the changes of the applications of a step, in order. What changed without an event, such as what differs
   * from the state that a node has joined or restarted with, counts as a change of the next application.
   */
  follow(node: NodeView, events: readonly LedgerMove[]): void {
    const applications = this.#log.drain();
    if (events.length === 0) return;
    const end = ledgerOf(node.state);
    let ledger = this.#ledgers.get(node.name) ?? this.#genesis;
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
    this.#ledgers.set(node.name, ledger);
  }

  /** Sets the state of a node that starts from a snapshot. */
  resume(node: NodeName, state: LedgerState): void {
    this.#ledgers.set(node, state);
  }

  /** Removes and returns the changes of the application or closing that is carried out next. */
  next(node: NodeName): readonly Change[] {
    return this.#due.get(node)?.shift() ?? [];
  }

  /** Returns a copy of its state. O(nodes, and changes that are due). */
  capture(): AppliedState {
    return { ledgers: new Map(this.#ledgers), due: copyOfDue(this.#due) };
  }

  /** Returns to a captured state, which stays as it is. */
  restore({ ledgers, due }: AppliedState): void {
    this.#ledgers = new Map(ledgers);
    this.#due = copyOfDue(due);
  }

  /** Drops the state of a crashed node. */
  forget(node: NodeName): void {
    this.#ledgers.delete(node);
    this.#due.delete(node);
  }
}

/** An event that changes a ledger. */
export type LedgerMove = Extract<ValidatorEvent, { readonly type: "applied" | "joined" | "closed" }>;

/** True for an event that changes a ledger. */
export function movesLedger(event: ValidatorEvent): event is LedgerMove {
  return event.type === "applied" || event.type === "joined" || event.type === "closed";
}
