/**
 * Links between parties, one for each ordered pair, and the rules that hold or drop parcels. Links are made on first
 * use.
 */
import type { Arrival, Parcel } from "../listener.ts";
import type { MessagePattern } from "../plan.ts";
import type { Stream } from "../random.ts";
import type { LinkSettings, Party } from "../settings.ts";
import { matchesParcel } from "./pattern.ts";

/** Named streams of one link. */
type LinkStreams = Readonly<Record<"delay" | "copy" | "loss" | "duplicate" | "reorder", Stream>>;

export interface Link {
  readonly streams: LinkStreams;
  settings: LinkSettings;
  isCut: boolean;
  /** Number of parcels sent: numbers them and their choices. */
  sent: number;
  /** Earliest arrival of a parcel in order. */
  lastArrival: number;
}

export interface HeldParcel {
  readonly rule: string;
  readonly arrival: Arrival;
  /** Sequence number of its arrival event: the order in which `release` delivers. */
  readonly sequence: number;
}

export interface HoldRule {
  readonly rule: string;
  readonly messages: MessagePattern;
}

export interface DropRule extends HoldRule {
  /** Number of parcels that it may still drop. */
  readonly left: number;
}

/** State of a link. */
interface LinkState extends Omit<Link, "streams"> {
  readonly from: number;
  readonly to: number;
}

/** State of all links that were ever used or changed, and of the rules. */
export interface NetworkState extends Pick<Network, "holds" | "drops" | "spared"> {
  readonly links: readonly LinkState[];
  readonly held: readonly HeldParcel[];
}

function linkState({ settings, isCut, sent, lastArrival }: Link, from: number, to: number): LinkState {
  return { from, to, settings, isCut, sent, lastArrival };
}

export class Network {
  readonly #makeLink: (from: number, to: number) => Link;
  /** By sender, then by receiver. */
  #links: (Link | undefined)[][];
  holds: readonly HoldRule[] = [];
  drops: readonly DropRule[] = [];
  held: HeldParcel[] = [];
  /** Faults do not affect links with both ends in it. */
  spared: ReadonlySet<Party> = new Set();

  constructor(parties: readonly Party[], makeLink: (from: number, to: number) => Link) {
    this.#makeLink = makeLink;
    this.#links = parties.map(() => []);
  }

  /** Returns the link from one party to another, for changes. */
  link(from: number, to: number): Link {
    const row = this.#links[from] as (Link | undefined)[];
    const link = row[to] ?? this.#makeLink(from, to);
    row[to] = link;
    return link;
  }

  /** Returns true if the link is cut in this direction. Makes no link. */
  isCut(from: number, to: number): boolean {
    return this.#links[from]?.[to]?.isCut ?? false;
  }

  /** Iterates over every link that was ever used or changed. */
  *usedLinks(): IterableIterator<readonly [from: number, to: number, link: Link]> {
    for (const [from, row] of this.#links.entries()) {
      for (const [to, link] of row.entries()) if (link !== undefined) yield [from, to, link];
    }
  }

  isSpared(from: Party, to: Party): boolean {
    return this.spared.has(from) && this.spared.has(to);
  }

  /** Returns the rule that holds this parcel, if any. */
  holder(from: Party, to: Party, parcel: Parcel): string | undefined {
    if (this.holds.length === 0 || this.isSpared(from, to)) return undefined;
    return this.holds.find(({ messages }) => matchesParcel(messages, from, to, parcel))?.rule;
  }

  /** Returns the rule that drops this parcel, if any; counts it. */
  dropByRule(from: Party, to: Party, parcel: Parcel): string | undefined {
    if (this.drops.length === 0 || this.isSpared(from, to)) return undefined;
    const rule = this.drops.find(({ left, messages }) => left > 0 && matchesParcel(messages, from, to, parcel));
    if (rule === undefined) return undefined;
    this.drops = this.drops.map((dropRule) =>
      dropRule === rule ? { ...dropRule, left: dropRule.left - 1 } : dropRule,
    );
    return rule.rule;
  }

  /** Removes and returns the held parcels that match, in the order of sending. */
  takeHeld(chosen: (held: HeldParcel) => boolean): HeldParcel[] {
    const taken = this.held.filter(chosen).sort((a, b) => a.sequence - b.sequence);
    this.held = this.held.filter((held) => !chosen(held));
    return taken;
  }

  /** Returns a copy of its state. O(links). */
  capture(): NetworkState {
    const links = this.#links.flatMap((row, from) =>
      row.flatMap((link, to) => (link === undefined ? [] : [linkState(link, from, to)])),
    );
    const { holds, drops, held, spared } = this;
    return { links, holds, drops, held: held.slice(), spared };
  }

  /** Returns to a captured state, which stays as it is. O(links). */
  restore({ links, held, ...rules }: NetworkState): void {
    this.#links = this.#links.map(() => []);
    Object.assign(this, rules);
    this.held = held.slice();
    for (const { from, to, ...state } of links) Object.assign(this.link(from, to), state);
  }
}
