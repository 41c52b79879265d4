/**
 * Links between parties, one for each ordered pair, and the rules that hold or drop what travels on them. Links are
 * made when first used. A fork shares all links and each side copies the ones that it changes: O(parties) to fork.
 */

import type { Parcel } from "../listener.ts";
import type { LinkSettings, MessagePattern, Party } from "../plan.ts";
import type { Stream } from "../random.ts";
import { matchesParcel } from "./pattern.ts";

/** The named streams of one link. */
interface LinkStreams {
  readonly delay: Stream;
  readonly copy: Stream;
  readonly loss: Stream;
  readonly duplicate: Stream;
  readonly reorder: Stream;
}

export interface Link {
  /** Whose changes need no copy. */
  readonly owner: object;
  readonly streams: LinkStreams;
  settings: LinkSettings;
  isCut: boolean;
  /** Parcels sent so far: numbers them, and with them the choices about them. */
  sent: number;
  /** No parcel in order arrives before this. */
  lastArrival: number;
}

export interface Held {
  readonly rule: string;
  readonly from: Party;
  readonly to: Party;
  readonly number: number;
  readonly parcel: Parcel;
  /** Of the event that brought it: the order in which `release` delivers. */
  readonly sequence: number;
}

export interface HoldRule {
  readonly rule: string;
  readonly messages: MessagePattern;
}

export interface DropRule extends HoldRule {
  /** How many more it may drop. */
  readonly left: number;
}

interface Row {
  readonly owner: object;
  readonly links: (Link | undefined)[];
}

export class Network {
  readonly #parties: readonly Party[];
  readonly #makeLink: (from: number, to: number, owner: object) => Link;
  #rows: (Row | undefined)[];
  #owner: object = {};
  holds: readonly HoldRule[] = [];
  drops: readonly DropRule[] = [];
  held: readonly Held[] = [];
  /** Faults spare links whose two ends are both in it. */
  spared: ReadonlySet<Party> = new Set();

  constructor(parties: readonly Party[], makeLink: (from: number, to: number, owner: object) => Link) {
    this.#parties = parties;
    this.#makeLink = makeLink;
    this.#rows = parties.map(() => undefined);
  }

  /** The link from one party to another, to be changed. */
  link(from: number, to: number): Link {
    const row = this.#row(from);
    const link = row.links[to];
    if (link?.owner === this.#owner) return link;
    const made = link === undefined ? this.#makeLink(from, to, this.#owner) : { ...link, owner: this.#owner };
    row.links[to] = made;
    return made;
  }

  /** Whether nothing passes between these two, in this direction. Makes no link. */
  isCut(from: number, to: number): boolean {
    return this.#rows[from]?.links[to]?.isCut ?? false;
  }

  /** Every link that was ever used or changed. */
  *used(): IterableIterator<readonly [from: number, to: number]> {
    for (const [from, row] of this.#rows.entries()) {
      for (const [to, link] of row?.links.entries() ?? []) if (link !== undefined) yield [from, to];
    }
  }

  isSpared(from: Party, to: Party): boolean {
    return this.spared.has(from) && this.spared.has(to);
  }

  /** The rule that holds this parcel, if any. */
  holder(from: Party, to: Party, parcel: Parcel): string | undefined {
    if (this.holds.length === 0 || this.isSpared(from, to)) return undefined;
    return this.holds.find(({ messages }) => matchesParcel(messages, from, to, parcel))?.rule;
  }

  /** Whether a rule drops this parcel; counts it. */
  drop(from: Party, to: Party, parcel: Parcel): boolean {
    if (this.drops.length === 0 || this.isSpared(from, to)) return false;
    const rule = this.drops.find(({ left, messages }) => left > 0 && matchesParcel(messages, from, to, parcel));
    if (rule === undefined) return false;
    this.drops = this.drops.map((one) => (one === rule ? { ...one, left: one.left - 1 } : one));
    return true;
  }

  /** Takes out what `chosen` picks of the held parcels, in the order of sending. */
  take(chosen: (held: Held) => boolean): Held[] {
    const taken = this.held.filter(chosen).sort((a, b) => a.sequence - b.sequence);
    this.held = this.held.filter((held) => !chosen(held));
    return taken;
  }

  fork(): Network {
    const copy = new Network(this.#parties, this.#makeLink);
    copy.#rows = this.#rows.slice();
    // Both sides must copy from now on: neither owns what they share.
    this.#owner = {};
    copy.holds = this.holds;
    copy.drops = this.drops;
    copy.held = this.held;
    copy.spared = this.spared;
    return copy;
  }

  #row(from: number): Row {
    const row = this.#rows[from];
    if (row?.owner === this.#owner) return row;
    const made = { owner: this.#owner, links: row?.links.slice() ?? new Array<Link | undefined>(this.#parties.length) };
    this.#rows[from] = made;
    return made;
  }
}
