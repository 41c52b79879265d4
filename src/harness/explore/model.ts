/** What is explored: the parts of a state, what leads from one state to the next, and what must hold in each. */
import { parseSlotKey } from "../../core/base/slot.ts";
import { isSettled } from "../../core/validator/place.ts";
import type { Scenario } from "../scenario.ts";
import { type Arena, type ArenaOptions, arenaOf } from "./arena.ts";
import { Clients } from "./clients.ts";
import { Closings } from "./closings.ts";
import { conflictIn, type Fact, factsOf } from "./facts.ts";
import { Fingerprints } from "./fingerprint.ts";
import { decisionsOf, type NumberSaying } from "./life.ts";
import { WORDS } from "./limits.ts";
import { Lives, type Way } from "./lives.ts";
import { isMet } from "./need.ts";
import { offenceIn } from "./offence.ts";
import { stageOf, stimuliOf } from "./repertoire.ts";
import { Sayings } from "./sayings.ts";
import { type KnownValue, type Stage, slotName, valueName } from "./stage.ts";
import { Stimuli } from "./stimulus.ts";
import { alikeIn } from "./symmetry.ts";
import { accountValues } from "./values.ts";

/** What is checked in every state that is reached, and the section of the design that demands it. */
export const CHECKS = {
  /** No slot has two values with a quorum of commits each, and no closing leaves out what is final. */
  agreement: "7.1, 6",
  /** Nobody honest contradicts what it signed before. */
  amnesia: "7.6",
  /** Nobody honest takes for decided what no quorum has committed to. */
  certificate: "3.1",
  /** Nothing first handed in after a restriction was final becomes final; what is applied bars no more by itself. */
  barrier: "4.2",
} as const;

export type CheckName = keyof typeof CHECKS;

/** What happens to a validator that just crashes, in words. */
export const CRASHED = "a crash";

/** Who hands operations in, as a path names them. */
export const CLIENTS = "the clients";

/** A check that failed, in words. */
export interface Failed {
  readonly check: CheckName;
  readonly words: string;
}

export interface ModelOptions extends ArenaOptions {
  /** Whether memories are brought into normal form (forget.ts); default: yes. */
  readonly forgets?: boolean;
  /** Whether states count once that differ only in which of some interchangeable validators is which (symmetry.ts); default: yes. */
  readonly symmetric?: boolean;
}

/** The honest validators and, last, the clients: a state is one number for each. */
export class Model {
  readonly arena: Arena;
  readonly sayings: Sayings = new Sayings();
  readonly stimuli: Stimuli = new Stimuli();
  readonly lives: readonly Lives[];
  readonly #clients: Clients;
  readonly #closings = new Closings();
  readonly #values: readonly KnownValue[];
  readonly #alike: readonly number[];
  #stage: Stage;
  #facts: readonly Fact[] = [];
  #learned = -1;

  /** @throws NotExplorable for a scenario of which an exploration does not know enough. */
  constructor(scenario: Scenario, options: ModelOptions) {
    this.arena = arenaOf(scenario, options);
    const { crashes } = options.bounds;
    const fingerprints = new Fingerprints(this.sayings, crashes > 0);
    const kin = new Map<string, number>();
    const { stimuli } = this;
    const drain = (): void => this.learn();
    this.lives = this.arena.honest.map((participant, by) => {
      const number: NumberSaying = (message) => this.sayings.numberOf(by, message);
      return new Lives(participant, {
        number,
        fingerprints,
        kin,
        stimuli,
        crashes,
        forgets: options.forgets ?? true,
        drain,
      });
    });
    this.#clients = new Clients(this.arena, this.sayings);
    this.#values = accountValues(this.arena, this.#clients.release);
    this.#stage = stageOf(this.arena, this.sayings, this.#values, this.#closings);
    this.#alike = options.symmetric === false ? [] : alikeIn(this.arena);
    this.learn();
  }

  /** Writes the same numbers for states that differ in nothing but in which of some interchangeable validators is which. */
  canonical(state: Int32Array, key: Int32Array): void {
    key.set(state);
    const found = this.#alike.map((by) => this.#livesOf(by).kinOf(state[by] as number)).sort((a, b) => a - b);
    for (const [place, by] of this.#alike.entries()) key[by] = found[place] as number;
  }

  /** How many numbers a state has. */
  get width(): number {
    return this.lives.length + 1;
  }

  first(): Int32Array {
    return Int32Array.from([...this.lives.map((one) => one.first()), this.#clients.first()]);
  }

  /** Whatever honest validators have signed in a state, as words of bits. */
  signedIn(state: Int32Array, words: Int32Array): void {
    words.fill(0);
    for (let by = 0; by < this.lives.length; by++) this.#livesOf(by).addSaid(state[by] as number, words);
    this.#clients.addSaid(state[this.lives.length] as number, words);
  }

  /** How many crashes have struck in a state. */
  crashesIn(state: Int32Array): number {
    if (this.arena.bounds.crashes === 0) return 0;
    return this.lives.reduce((sum, one, by) => sum + one.crashesOf(state[by] as number), 0);
  }

  /** Tells the ways on for one part of a state. */
  onwards(by: number, part: number, signed: Int32Array, heard: (way: Way) => void): void {
    if (by === this.lives.length) this.#clients.onwards(part, signed, heard);
    else this.#livesOf(by).onwards(part, signed, heard);
  }

  /** What fails in a state that differs from one before it in the part `by`. `words` is scratch. */
  check(state: Int32Array, by: number, from: number, words: Int32Array): Failed | undefined {
    const to = state[by] as number;
    if (by === this.lives.length) return undefined;
    const lives = this.#livesOf(by);
    this.signedIn(state, words);
    return (
      (lives.saidAlike(from, to) ? undefined : this.#checkSaid(by, from, to, words)) ??
      this.#checkDecided(by, to, words) ??
      this.#checkBarriers(by, to)
    );
  }

  /** A restriction that is applied, or void, binds by the policy and no more by itself (design 4.2). */
  #checkBarriers(by: number, to: number): Failed | undefined {
    const { state } = this.#livesOf(by).life(to);
    for (const [key] of state.barriers.entries()) {
      const slot = parseSlotKey(key);
      if (!isSettled(state, slot)) continue;
      const words = `${this.nameOf(by)} is still barred by ${slotName(this.#stage, key)}, which it has applied`;
      return { check: "barrier", words };
    }
    return undefined;
  }

  #checkSaid(by: number, from: number, to: number, signed: Int32Array): Failed | undefined {
    const lives = this.#livesOf(by);
    const offence = offenceIn(this.sayings, lives.life(from).said, lives.life(to).said);
    if (offence !== undefined) return { check: "amnesia", words: `${this.nameOf(by)} ${offence}` };
    const conflict = conflictIn(this.#stage, this.#facts, signed);
    if (conflict !== undefined) return { check: "agreement", words: conflict };
    const passed = this.#clients.passed(this.#stage, this.#facts, signed);
    return passed === undefined ? undefined : { check: "barrier", words: passed };
  }

  #checkDecided(by: number, to: number, signed: Int32Array): Failed | undefined {
    for (const [slot, value] of decisionsOf(this.#livesOf(by).life(to))) {
      if (this.#facts.some((fact) => fact.slot === slot && fact.value === value && isMet(fact.masks, signed))) continue;
      const what = `${valueName(this.#stage, slot, value)} for decided in ${slotName(this.#stage, slot)}`;
      return { check: "certificate", words: `${this.nameOf(by)} takes ${what}, and no quorum has committed to it` };
    }
    return undefined;
  }

  nameOf(by: number): string {
    return by === this.lives.length ? CLIENTS : (this.arena.honest[by] as Arena["honest"][number]).name;
  }

  /** What led from one number to another, in words: the label of a stimulus where there is one. */
  told(by: number, from: number, way: Way, signed: Int32Array): string {
    if (by === this.lives.length) return this.#clients.told(from, way.life);
    const stimulus = way.stimuli.find((number) => isMet(this.stimuli.masks[number] as Int32Array, signed));
    return stimulus === undefined ? CRASHED : (this.stimuli.all[stimulus]?.label ?? "");
  }

  /** Something new may have been said: then more can be delivered, and more can be final. */
  learn(): void {
    this.arena.compiled.log.drain();
    if (this.#learned === this.sayings.all.length) return;
    this.#learned = this.sayings.all.length;
    this.#stage = stageOf(this.arena, this.sayings, this.#values, this.#closings);
    this.#facts = factsOf(this.#stage);
    this.#clients.learn(this.#stage, this.#facts);
    this.stimuli.learn(stimuliOf(this.#stage, this.#clients.release));
  }

  #livesOf(by: number): Lives {
    return this.lives[by] as Lives;
  }
}

/** Words for all sayings. */
export function noWords(): Int32Array {
  return new Int32Array(WORDS);
}
