/** Archive outside all nodes: final checkpoints and closings of a run with the applications of their listed slots. */
import { assert, requireDefined } from "../core/base/assert.ts";
import type { Hash } from "../core/base/ids.ts";
import type { Receipt } from "../core/base/refusal.ts";
import { chainSlotOf, type LedgerSlot, type LedgerValue, slotKey } from "../core/base/slot.ts";
import { Trie } from "../core/base/trie.ts";
import type { FinalityCertificate } from "../core/consensus/message.ts";
import type { ReplayRules } from "../core/ledger/checkpoint.ts";
import type { LedgerState } from "../core/ledger/state.ts";
import { valueHash } from "../core/ledger/value.ts";
import { type ChainContent, type Content, listedSlots } from "../core/validator/content.ts";

/** A listed slot with its receipts. */
export interface ListedApplication {
  readonly event: {
    readonly slot: LedgerSlot;
    readonly value: LedgerValue;
    readonly content: Content;
    readonly receipts: readonly Receipt[];
  };
}

export interface ChainLink {
  readonly hash: Hash;
  /** Its own certificate, or that of the closing that builds on it. */
  readonly certificate: FinalityCertificate;
  readonly content: ChainContent;
  readonly applications: readonly ListedApplication[];
  /**
   * The state after it; of a closing, the first state of the next epoch. That of an old link is without accounts and
   * balances if the chain keeps those of the newest links only.
   */
  readonly state: LedgerState;
}

/** A link with the states that lead to it. */
export interface ReplayedLink extends ChainLink {
  readonly applications: readonly (ListedApplication & { readonly after: LedgerState })[];
}

/** Links that a chain has dropped, by their numbers. O(operations of the link). */
export type OldLinks = (number: number) => ChainLink | undefined;

const NO_LINKS: OldLinks = () => undefined;

/** State of a chain. */
export interface ChainState {
  /** Number of links that were dropped. */
  readonly dropped: number;
  readonly links: readonly ChainLink[];
  /** By hash, with the children of a parent that has two. */
  readonly known: ReadonlyMap<Hash, ChainLink>;
  /** The links with all their states, without the old ones. */
  readonly replayed: ReadonlyMap<Hash, ReplayedLink>;
}

/** The hash of a link. Computed for a locked checkpoint, which only the certificate of a closing covers. */
export function chainLinkHash({ slot, value: decided }: FinalityCertificate, value: ChainContent["value"]): Hash {
  return slotKey(slot) === slotKey(chainSlotOf(value)) ? decided : valueHash(value);
}

/** Links from the genesis on: so many that were dropped, then these. */
interface ChainPath {
  readonly dropped: number;
  readonly kept: readonly ChainLink[];
}

/** Chain of the final links of a run. */
export class CheckpointChain {
  /** The links stored first, in order, without those that were dropped. */
  links: ChainLink[] = [];
  #known = new Map<Hash, ChainLink>();
  /** The links with all their states, without the old ones. */
  #replayed = new Map<Hash, ReplayedLink>();
  readonly #genesis: LedgerState;
  readonly #rules: ReplayRules;
  readonly #whole: number;
  readonly #old: OldLinks;
  #dropped = 0;

  /** An empty chain from the genesis. `whole`: number of newest links whose accounts and balances stay; default: all. */
  constructor(
    genesis: LedgerState,
    rules: ReplayRules,
    whole: number = Number.MAX_SAFE_INTEGER,
    old: OldLinks = NO_LINKS,
  ) {
    this.#genesis = genesis;
    this.#rules = rules;
    this.#whole = whole;
    this.#old = old;
  }

  /** Number of links, with those that were dropped. */
  get length(): number {
    return this.#dropped + this.links.length;
  }

  /** Returns a link by its number, from 1. */
  at(number: number): ChainLink | undefined {
    return number <= this.#dropped ? this.#old(number) : this.links[number - 1 - this.#dropped];
  }

  /** Drops the links up to a number from memory: they are asked of `old` from now on. */
  drop(upTo: number): void {
    const dropped = this.links.splice(0, upTo - this.#dropped);
    for (const { hash } of dropped) {
      this.#known.delete(hash);
      this.#replayed.delete(hash);
    }
    this.#dropped += dropped.length;
  }

  /**
   * Stores a final link; ignores one without a stored parent. With more than f Byzantine validators a parent may have
   * two children.
   * @throws AssertionError if a listed slot does not replay
   */
  add(certificate: FinalityCertificate, content: ChainContent): void {
    const { value } = content;
    if (value.header.number <= this.#dropped) return;
    const hash = chainLinkHash(certificate, value);
    const parent = this.#known.get(value.header.parentHash);
    if (this.#known.has(hash) || (parent === undefined && value.header.number !== 1)) return;
    const replayed = { hash, certificate, content, ...this.#replay(content, this.#stateAfter(parent)) };
    this.#known.set(hash, replayed);
    this.#replayed.set(hash, replayed);
    if (this.links.at(-1) === parent) this.links.push(replayed);
    this.#dropStates(this.length - 1 - this.#whole);
  }

  /** Returns a copy of its lists; the links are immutable. O(links). */
  capture(): ChainState {
    return {
      dropped: this.#dropped,
      links: [...this.links],
      known: new Map(this.#known),
      replayed: new Map(this.#replayed),
    };
  }

  /** Returns to a captured state, which stays as it is. O(links). */
  restore({ dropped, links, known, replayed }: ChainState): void {
    this.#dropped = dropped;
    this.links = [...links];
    this.#known = new Map(known);
    this.#replayed = new Map(replayed);
  }

  /** Drops the accounts of an old link: another record takes its place, since copies of the chain keep this one. */
  #dropStates(at: number): void {
    const old = this.links[at - this.#dropped];
    if (old === undefined || !this.#replayed.delete(old.hash)) return;
    const link: ChainLink = {
      ...old,
      applications: old.applications.map(({ event }) => ({ event })),
      state: { ...old.state, accounts: Trie.empty(), balances: Trie.empty() },
    };
    this.links[at - this.#dropped] = link;
    this.#known.set(link.hash, link);
  }

  /** The links from the genesis to this one, replayed; none if no node has applied it. O(operations before it). */
  *upTo(value: ChainContent["value"]): Iterable<ReplayedLink> {
    const path = this.#path(this.#linkOf(value));
    const kept = path.kept.flatMap(({ hash }) => this.#replayed.get(hash) ?? []);
    // Two replays share no records: all states of one answer are of one replay, so that only changes differ.
    if (path.dropped === 0 && kept.length === path.kept.length) {
      yield* kept;
      return;
    }
    let ledger = this.#genesis;
    for (const { hash, certificate, content } of this.#linksOn(path)) {
      const replayed = { hash, certificate, content, ...this.#replay(content, ledger) };
      yield replayed;
      ledger = replayed.state;
    }
  }

  #linkOf(value: ChainContent["value"]): ChainLink | undefined {
    const hash = valueHash(value);
    const { number } = value.header;
    const link = number <= this.#dropped ? this.#old(number) : this.#known.get(hash);
    return link?.hash === hash ? link : undefined;
  }

  /** A link whose parent is old has a sibling, or more than f validators are Byzantine: that is worth a replay. */
  #stateAfter(link: ChainLink | undefined): LedgerState {
    if (link === undefined) return this.#genesis;
    if (this.#replayed.has(link.hash)) return link.state;
    let ledger = this.#genesis;
    for (const { content } of this.#linksOn(this.#path(link))) ledger = this.#replay(content, ledger).state;
    return ledger;
  }

  /** Returns the links that lead to one, the dropped ones by their number. */
  #path(last: ChainLink | undefined): ChainPath {
    const kept: ChainLink[] = [];
    let link = last;
    for (; link !== undefined && link.content.value.header.number > this.#dropped; ) {
      kept.push(link);
      link = this.#known.get(link.content.value.header.parentHash);
    }
    const first = kept.at(-1) ?? link;
    const isLast = kept.length === 0;
    const number = first?.content.value.header.number ?? 0;
    return { dropped: isLast ? number : number - 1, kept: kept.reverse() };
  }

  *#linksOn({ dropped, kept }: ChainPath): Iterable<ChainLink> {
    for (let number = 1; number <= dropped; number++)
      yield requireDefined(this.#old(number), `dropped checkpoint ${number}`);
    yield* kept;
  }

  #replay({ value, operations }: ChainContent, before: LedgerState): Pick<ReplayedLink, "applications" | "state"> {
    const rules = this.#rules;
    let ledger = before;
    const parts = requireDefined(
      listedSlots(value.listed, operations),
      `operations of checkpoint ${value.header.number}`,
    );
    const applications = parts.map((part) => {
      const operation = part.value.type === "operation" ? part.operations[0] : undefined;
      const applied = rules.apply(ledger, part.slot, part.value, operation, rules);
      assert(applied.outcome === "applied", `checkpoint ${value.header.number} does not replay`);
      ledger = applied.state;
      const content: Content = { value: part.value, operations: part.operations, certificates: [] };
      const { receipts, state: after } = applied;
      return { event: { slot: part.slot, value: part.value, content, receipts }, after };
    });
    if (value.type === "closing") ledger = rules.openNext(ledger, value.next, value.header.number);
    return { applications, state: ledger };
  }
}
