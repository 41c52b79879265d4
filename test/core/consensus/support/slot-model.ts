/**
 * A few honest members and f Byzantine ones in one slot. Every signature ever made is in one pool, from which any
 * message may be delivered to any member in any order, or never. The Byzantine members sign anything, and make
 * certificates and proposals from the pool.
 */
import type { Hash } from "../../../../src/core/base/ids.ts";
import { slotKey } from "../../../../src/core/base/slot.ts";
import { finalityOf, lockOf } from "../../../../src/core/consensus/certificate.ts";
import type {
  Commit,
  ConsensusMessage,
  LockCertificate,
  RoundChange,
  Vote,
} from "../../../../src/core/consensus/message.ts";
import type { ConsensusRules } from "../../../../src/core/consensus/rules.ts";
import { roundValueIn, type SlotEffect } from "../../../../src/core/consensus/slot-state.ts";
import { type Kit, sealOf, X, Y } from "./kit.ts";
import { Seat } from "./seat.ts";

const ROUNDS = 4;
const VALUES: readonly Hash[] = [X, Y];

/** Choice of the test: a kind of event, and small numbers that select receiver and message. */
export interface Choice {
  readonly act: "spread" | "vote" | "leave" | "propose" | "lie" | "assemble";
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

export class SlotModel {
  private readonly kit: Kit;
  private readonly seats: readonly Seat[];
  private readonly byzantine: readonly number[];
  private readonly pool: ConsensusMessage[] = [];
  private readonly known = new Set<string>();
  /** Proposals that honest proposers owe. */
  private readonly asked = new Map<number, Extract<SlotEffect, { type: "propose" }>>();

  constructor(kit: Kit, rules: ConsensusRules) {
    this.kit = kit;
    const { faulty, members } = kit.committee;
    this.seats = members.slice(faulty).map((_, at) => new Seat(kit, at + faulty, rules));
    this.byzantine = Array.from({ length: faulty }, (_, at) => at);
  }

  step({ act, a, b, c }: Choice): void {
    const chosen = this.seats.map((_, at) => at).filter((at) => (a >> at) % 2 === 1);
    switch (act) {
      case "spread": {
        const message = this.pick(b, c);
        for (const at of chosen) if (message !== undefined) this.give(at, message);
        return;
      }
      case "vote":
        // Round 0 takes any value that is valid here, later rounds only what is proposed and justified.
        for (const at of chosen)
          if (this.seat(at).state.round === 0) this.carryOut(at, this.seat(at).vote(0, VALUES[b % 2] as Hash));
        return;
      case "leave":
        for (const at of chosen) this.leave(at);
        return;
      case "propose":
        for (const at of chosen) this.propose(at, VALUES[b % 2] as Hash);
        return;
      case "lie":
        this.misbehave(a, b, c);
        return;
      case "assemble":
        this.assemble(a, b);
    }
  }

  /**
   * Returns the values for which all signatures that exist, or that Byzantine members can make, contain a finality
   * certificate.
   */
  finals(): ReadonlySet<Hash> {
    const found = new Set<Hash>();
    for (let round = 0; round < ROUNDS; round++)
      for (const value of VALUES) if (this.commits(round, value).size >= this.kit.committee.quorum) found.add(value);
    return found;
  }

  /** Returns the rounds in which two values could be locked. */
  doubleLocks(): readonly number[] {
    return Array.from({ length: ROUNDS }, (_, round) => round).filter(
      (round) => VALUES.filter((value) => this.lockIn(round, value) !== undefined).length > 1,
    );
  }

  /** Progress: the highest round of any member. */
  highestRound(): number {
    return Math.max(...this.seats.map(({ state }) => state.round));
  }

  private seat(at: number): Seat {
    return this.seats[at] as Seat;
  }

  private leave(at: number): void {
    const { round } = this.seat(at).state;
    if (round < ROUNDS - 1) this.carryOut(at, round === 0 ? this.seat(at).leave(1) : this.seat(at).timeOut(round));
  }

  /** Mostly something new, and rarely what would end the slot: certificates that remain hidden are the harder case. */
  private pick(b: number, c: number): ConsensusMessage | undefined {
    const isEnding = ({ type }: ConsensusMessage): boolean => type === "commit" || type === "finality";
    const open = c % 16 === 0 ? this.pool : this.pool.filter((message) => !isEnding(message));
    const from = (c >> 4) % 2 === 0 ? open : open.slice(-6);
    return from[b % Math.max(1, from.length)];
  }

  private give(at: number, message: ConsensusMessage): void {
    const seat = this.seat(at);
    const before = seat.state.round;
    this.carryOut(at, seat.take(message));
    if (message.type !== "proposal" || seat.standing === "ignored" || message.round < before) return;
    const kept = seat.state.round === message.round && roundValueIn(seat.state.votes, message.round) === undefined;
    if (kept) this.carryOut(at, seat.vote(message.round, message.value));
  }

  private carryOut(at: number, effects: readonly SlotEffect[]): void {
    const member = at + this.byzantine.length;
    for (const effect of effects) {
      switch (effect.type) {
        case "vote":
          this.add(this.kit.vote(member, effect.round, effect.value));
          break;
        case "commit":
          this.add(this.kit.commit(member, effect.lock.round, effect.lock.value));
          break;
        case "changeRound":
          this.add(this.kit.change(member, effect.round, effect.lock));
          break;
        case "locked":
          this.add(effect.lock);
          break;
        case "decided":
          this.add(effect.certificate);
          break;
        case "propose":
          this.asked.set(at, effect);
      }
    }
  }

  private propose(at: number, preferred: Hash): void {
    const asked = this.asked.get(at);
    if (asked === undefined || this.seat(at).state.round !== asked.round) return;
    this.asked.delete(at);
    this.add(this.kit.proposal(asked.round, asked.forced ?? preferred, asked.justification));
  }

  private misbehave(a: number, b: number, c: number): void {
    const member = this.byzantine[a % Math.max(1, this.byzantine.length)];
    if (member === undefined) return;
    const round = b % ROUNDS;
    const value = VALUES[(b >> 2) % 2] as Hash;
    switch (c % 4) {
      case 0:
        this.add(this.kit.vote(member, round, value));
        return;
      case 1: {
        const locks = this.pool.filter(
          (message): message is LockCertificate => message.type === "lock" && message.round < round,
        );
        this.add(this.kit.change(member, round, locks[(c >> 3) % (locks.length + 1)]));
        return;
      }
      default:
        this.proposeFalsely(value, b >> 3, c >> 2);
    }
  }

  /**
   * In a round that a Byzantine member leads, justified by round changes of its choice: those with the highest locks
   * come last.
   */
  private proposeFalsely(value: Hash, which: number, skip: number): void {
    const led = Array.from({ length: ROUNDS }, (_, round) => round).filter((round) => this.isLed(round));
    const round = led[which % Math.max(1, led.length)];
    if (round === undefined) return;
    const { quorum } = this.kit.committee;
    const changes = this.pool.filter(
      (message): message is RoundChange => message.type === "roundChange" && message.round === round,
    );
    const mine = this.byzantine.map((at) => this.kit.change(at, round));
    const bySigner = new Map([...changes, ...mine].map((change) => [change.signer, change]));
    const choice = [...bySigner.values()].sort((a, b) => (a.lock?.round ?? -1) - (b.lock?.round ?? -1));
    const start = skip % Math.max(1, choice.length - quorum + 1);
    if (choice.length >= quorum) this.add(this.kit.proposal(round, value, choice.slice(start, start + quorum)));
  }

  private isLed(round: number): boolean {
    return round > 0 && this.byzantine.includes(this.kit.proposer(round));
  }

  private assemble(a: number, b: number): void {
    const round = a % ROUNDS;
    const value = VALUES[b % 2] as Hash;
    const lock = this.lockIn(round, value);
    if (lock !== undefined) this.add(lock);
    const commits = this.commits(round, value);
    if (commits.size < this.kit.committee.quorum) return;
    const [first] = commits.values();
    if (first !== undefined) this.add(finalityOf(first, [...commits.values()].map(sealOf)));
  }

  private lockIn(round: number, value: Hash): LockCertificate | undefined {
    const votes = this.ballots("vote", round, value);
    for (const member of this.byzantine) votes.set(this.kit.member(member), this.kit.vote(member, round, value));
    if (votes.size < this.kit.committee.quorum) return undefined;
    return lockOf([...votes.values()][0] as Vote, [...votes.values()].map(sealOf));
  }

  private commits(round: number, value: Hash): ReadonlyMap<string, Commit> {
    const commits = this.ballots("commit", round, value) as Map<string, Commit>;
    for (const member of this.byzantine) commits.set(this.kit.member(member), this.kit.commit(member, round, value));
    return commits;
  }

  private ballots(type: "vote" | "commit", round: number, value: Hash): Map<string, Vote | Commit> {
    const found = new Map<string, Vote | Commit>();
    for (const message of this.pool)
      if (message.type === type && message.round === round && (message as Vote).value === value)
        found.set((message as Vote).signer, message as Vote);
    return found;
  }

  private add(message: ConsensusMessage): void {
    const key = `${slotKey(message.slot)} ${JSON.stringify(message)}`;
    if (this.known.has(key)) return;
    this.known.add(key);
    this.pool.push(message);
  }
}
