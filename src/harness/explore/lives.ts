/** The lives of one validator: each once, with what every stimulus makes of it. */

import type { Arena } from "./arena.ts";
import { hasBit, setBit } from "./bits.ts";
import type { Fingerprints } from "./fingerprint.ts";
import { forget } from "./forget.ts";
import { born, type Cut, type Life, live, NOTHING, type NumberSaying, type Timeless } from "./life.ts";
import { WORDS } from "./limits.ts";
import { isMet } from "./need.ts";
import type { Has } from "./stage.ts";
import type { Stimuli } from "./stimulus.ts";

/** A way from one life to another. */
export interface Way {
  readonly life: number;
  /** Where a crash strikes on it. */
  readonly cut: Cut | undefined;
  /** Any of these leads there; none where the crash is all that happens. */
  readonly stimuli: number[];
}

interface Known {
  readonly life: Life;
  /** Each other life that one step leads to, with and without a crash. */
  readonly ways: Way[];
  /** Stimuli that were not possible yet wherever this life was looked at. */
  untried: number[];
  /** How many stimuli it has heard of. */
  heard: number;
  /** Whether it is known where a crash leads. */
  hasCrashed: boolean;
}

export class Lives {
  readonly #participant: Arena["honest"][number];
  readonly #number: NumberSaying;
  readonly #fingerprints: Fingerprints;
  readonly #kin: Map<string, number>;
  readonly #kinOf: number[] = [];
  readonly #stimuli: Stimuli;
  readonly #crashes: number;
  readonly #forgets: boolean;
  readonly #ids = new Map<string, number>();
  readonly #known: Known[] = [];
  readonly #drain: () => void;
  #said = new Int32Array(64 * WORDS);
  steps = 0;

  constructor(
    participant: Arena["honest"][number],
    parts: {
      readonly number: NumberSaying;
      readonly fingerprints: Fingerprints;
      /** Numbers of texts that lives of all validators share. */
      readonly kin: Map<string, number>;
      readonly stimuli: Stimuli;
      readonly crashes: number;
      readonly forgets: boolean;
      readonly drain: () => void;
    },
  ) {
    this.#participant = participant;
    this.#number = parts.number;
    this.#fingerprints = parts.fingerprints;
    this.#kin = parts.kin;
    this.#stimuli = parts.stimuli;
    this.#crashes = parts.crashes;
    this.#forgets = parts.forgets;
    this.#drain = parts.drain;
  }

  get size(): number {
    return this.#known.length;
  }

  /** The life that everything begins with. */
  first(): number {
    return this.#intern(born(this.#participant, this.#number));
  }

  life(id: number): Life {
    return this.#entry(id).life;
  }

  /** The same number for lives of different validators that differ in nothing else. */
  kinOf(id: number): number {
    return this.#kinOf[id] as number;
  }

  crashesOf(id: number): number {
    return this.#entry(id).life.crashes;
  }

  /** Adds the bits of what a life has said. */
  addSaid(id: number, words: Int32Array): void {
    const start = id * WORDS;
    for (let word = 0; word < WORDS; word++)
      words[word] = (words[word] as number) | (this.#said[start + word] as number);
  }

  /** Whether two lives have said the same. */
  saidAlike(one: number, other: number): boolean {
    for (let word = 0; word < WORDS; word++)
      if (this.#said[one * WORDS + word] !== this.#said[other * WORDS + word]) return false;
    return true;
  }

  /** What can come of a life where this much is signed: told way by way, in a fixed order. */
  onwards(id: number, signed: Int32Array, heard: (way: Way) => void): void {
    const known = this.#entry(id);
    const { masks } = this.#stimuli;
    for (; known.heard < masks.length; known.heard++) known.untried.push(known.heard);
    if (known.untried.length > 0) this.#try(id, known, signed);
    if (!known.hasCrashed && known.life.crashes < this.#crashes) this.#crashAtRest(id, known);
    for (const way of known.ways) {
      if (way.stimuli.length === 0) heard(way);
      for (const stimulus of way.stimuli) {
        if (!isMet(masks[stimulus] as Int32Array, signed)) continue;
        heard(way);
        break;
      }
    }
  }

  /** Tries what is possible here for the first time; what changes nothing is never looked at again. */
  #try(id: number, known: Known, signed: Int32Array): void {
    const has: Has = (saying) => hasBit(signed, saying);
    const left: number[] = [];
    for (const stimulus of known.untried) {
      if (isMet(this.#stimuli.masks[stimulus] as Int32Array, signed)) this.#outcomes(id, known, stimulus, has);
      else left.push(stimulus);
    }
    known.untried = left;
  }

  #outcomes(id: number, known: Known, stimulus: number, has: Has): void {
    const inputs = this.#stimuli.inputs(stimulus, has);
    const whole = this.#live(known.life, inputs, undefined);
    const next = isUntouched(known.life, whole.life) ? id : this.#intern(whole.life);
    if (next !== id) lead(known, next, undefined, stimulus);
    if (known.life.crashes >= this.#crashes) return;
    for (const cut of whole.cuts) lead(known, this.#intern(this.#live(known.life, inputs, cut).life), cut, stimulus);
  }

  #live(life: Life, inputs: readonly Timeless[], cut: Cut | undefined): ReturnType<typeof live> {
    this.steps += inputs.length;
    const lived = live(this.#participant, this.#number, life, inputs, cut);
    this.#drain();
    return lived;
  }

  #crashAtRest(id: number, known: Known): void {
    known.hasCrashed = true;
    const cut: Cut = { input: 0, outputs: 0 };
    const struck = this.#intern(this.#live(known.life, [NOTHING], cut).life);
    if (struck !== id) known.ways.push({ life: struck, cut, stimuli: [] });
  }

  #entry(id: number): Known {
    const known = this.#known[id];
    if (known === undefined) throw new RangeError(`no life has the number ${id}`);
    return known;
  }

  #intern(lived: Life): number {
    const life = this.#forgets ? { ...lived, state: forget(lived.state) } : lived;
    const text = this.#fingerprints.of(life);
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const id = this.#known.length;
    this.#ids.set(text, id);
    const kin = this.#kin.get(text) ?? this.#kin.size;
    this.#kin.set(text, kin);
    this.#kinOf.push(kin);
    this.#known.push({ life, ways: [], untried: [], heard: 0, hasCrashed: false });
    this.#note(id, life.said);
    return id;
  }

  #note(id: number, said: readonly number[]): void {
    const start = id * WORDS;
    if (this.#said.length < start + WORDS) {
      const larger = new Int32Array(this.#said.length * 2);
      larger.set(this.#said);
      this.#said = larger;
    }
    for (const saying of said) setBit(this.#said, saying, start);
  }
}

/** Notes that a stimulus leads to a life: by whichever it is reached, it is one way. */
function lead({ ways }: Known, life: number, cut: Cut | undefined, stimulus: number): void {
  const way = ways.find((one) => one.life === life && (one.cut === undefined) === (cut === undefined));
  if (way === undefined) ways.push({ life, cut, stimuli: [stimulus] });
  else if (way.stimuli.length > 0 && !way.stimuli.includes(stimulus)) way.stimuli.push(stimulus);
}

/** Whether nothing at all has changed: quicker to see than that the normal form is the same. */
function isUntouched(before: Life, after: Life): boolean {
  if (before.said.length !== after.said.length || before.disk.size !== after.disk.size) return false;
  for (const [key, record] of after.disk) if (before.disk.get(key) !== record) return false;
  const [old, now] = [before.state, after.state];
  return (Object.keys(now) as (keyof typeof now)[]).every((key) => Object.is(old[key], now[key]));
}
