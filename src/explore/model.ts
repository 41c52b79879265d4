/** What is explored: the parts of a state, what leads from one state to the next, and what must hold in each. */
import type { Scenario } from "../scenario/scenario.ts";
import { type Arena, type ArenaOptions, arenaOf } from "./arena.ts";
import { type Checking, type Failed, failedInLife, failedInSaid } from "./checks.ts";
import { Clients } from "./clients.ts";
import { Closings } from "./closings.ts";
import { type Fact, factsOf } from "./facts.ts";
import { Fingerprints } from "./fingerprint.ts";
import { eventsIn, Journal } from "./journal.ts";
import type { NumberSaying } from "./life.ts";
import { WORDS } from "./limits.ts";
import { Liveness, type LivenessMode } from "./liveness.ts";
import { Lives } from "./lives.ts";
import type { NeedTree } from "./need.ts";
import type { PathStep } from "./path-step.ts";
import { stageOf, stimuliOf } from "./repertoire.ts";
import { Sayings } from "./sayings.ts";
import { type Outlook, Silence } from "./silence.ts";
import { Situation, Situations } from "./situations.ts";
import type { KnownValue, Stage } from "./stage.ts";
import { Stimuli } from "./stimulus.ts";
import { alikeIn } from "./symmetry.ts";
import { accountValues } from "./values.ts";
import type { Way } from "./way.ts";

/** What happens to a validator that just crashes, in words. */
export const CRASHED = "a crash";

/** Who hands operations in, as a path names them. */
export const CLIENTS = "the clients";

export interface ModelOptions extends ArenaOptions {
  /** Whether memories are brought into normal form (forget.ts); default: yes. */
  readonly forgets?: boolean;
  /** Whether states count once that differ only in which of some interchangeable validators is which (symmetry.ts); default: yes. */
  readonly symmetric?: boolean;
  /** Whether silent steps wait until their validator signs something (silence.ts); default: yes. */
  readonly delays?: boolean;
  /** Which states are continued (liveness.ts); default: none. */
  readonly liveness?: LivenessMode;
}

/** Of what is kept: where the steps of validators stand, behind two counts. */
const STEPS_AT = 2;

/** The honest validators and, last, the clients: a state is one number for each. */
export class Model {
  readonly arena: Arena;
  readonly sayings: Sayings = new Sayings();
  readonly #journal = new Journal();
  readonly stimuli: Stimuli = new Stimuli(this.#journal);
  readonly lives: readonly Lives[];
  readonly #silences: readonly Silence<Failed>[];
  readonly #situations = new Situations();
  readonly #clients: Clients;
  readonly #closings = new Closings();
  readonly #values: readonly KnownValue[];
  readonly #alike: readonly number[];
  readonly #situation: Situation = new Situation(noWords(), this.stimuli.trees);
  /** The same signatures, while the Byzantine validator is silent. */
  readonly #silent: Situation = new Situation(this.#situation.signed, this.stimuli.silentTrees);
  readonly #liveness: Liveness | undefined;
  readonly #mode: LivenessMode;
  #stage: Stage;
  #facts: readonly Fact[] = [];
  #factTrees: readonly NeedTree[] = [];
  #learned = -1;

  /** @throws NotExplorable for a scenario of which an exploration does not know enough. */
  constructor(scenario: Scenario, options: ModelOptions) {
    this.arena = arenaOf(scenario, options);
    const { crashes } = options.bounds;
    const liveness = new Liveness(this.arena, this.sayings);
    this.#mode = liveness.isOwed ? (options.liveness ?? "off") : "off";
    this.#liveness = this.#mode === "off" ? undefined : liveness;
    const fingerprints = new Fingerprints(this.sayings, crashes > 0);
    const kin = new Map<string, number>();
    const { stimuli } = this;
    const drain = (): void => this.learn();
    this.lives = this.arena.honest.map((participant, by) => {
      const number: NumberSaying = (message) => this.sayings.numberOf(by, message);
      return new Lives(by, participant, {
        journal: this.#journal,
        number,
        fingerprints,
        kin,
        stimuli,
        crashes,
        forgets: options.forgets ?? true,
        drain,
      });
    });
    this.#silences = this.lives.map(
      (lives, by) =>
        new Silence(lives, options.delays ?? true, (life, signed) =>
          failedInLife(this.#known(by), lives.life(life), signed),
        ),
    );
    this.#clients = new Clients(this.arena, this.sayings);
    this.#values = accountValues(this.arena, this.#clients.release);
    this.#stage = stageOf(this.arena, this.sayings, this.#values, this.#closings);
    this.#alike = options.symmetric === false ? [] : alikeIn(this.arena);
    this.learn();
  }

  /** How its lives came to be, what is known of them, and by what another program is told, as numbers. */
  keep(): readonly Int32Array[] {
    return [this.#signs(), this.#journal.ints(), ...this.lives.map((one) => one.ways())];
  }

  /** Goes on from what was kept, right after `first()`. @throws RangeError for what another program kept. */
  resume([signs, journal, ...ways]: readonly Int32Array[]): void {
    for (const event of eventsIn(journal ?? noWords())) {
      if (event.type === "built") this.stimuli.inputs(event.stimulus, event.signed);
      else this.#livesOf(event.by).again(event);
    }
    for (const [by, lives] of this.lives.entries())
      lives.resume(ways[by] ?? new Int32Array(0), signs?.[STEPS_AT + by] ?? 0);
    if (String(this.#signs()) !== String(signs)) throw new RangeError("its lives are not those of this program");
  }

  /** Counts, then the steps of each validator, then checksums. */
  #signs(): Int32Array {
    const counts = [this.sayings.all.length, this.stimuli.all.length];
    return Int32Array.from([
      ...counts,
      ...this.lives.map(({ steps }) => steps),
      ...this.lives.flatMap(({ size, checksum }) => [size, checksum]),
    ]);
  }

  /** Writes the same numbers for states that differ in nothing but in which of some interchangeable validators is which. */
  canonical(state: Int32Array, key: Int32Array): void {
    for (let part = 0; part < state.length; part++) key[part] = state[part] as number;
    const alike = this.#alike;
    // Sorted as they are put in: there are a handful, and this runs for every state that is looked up.
    for (let place = 0; place < alike.length; place++) {
      const by = alike[place] as number;
      const kin = this.#livesOf(by).kinOf(state[by] as number);
      let at = place;
      for (; at > 0 && (key[alike[at - 1] as number] as number) > kin; at--)
        key[alike[at] as number] = key[alike[at - 1] as number] as number;
      key[alike[at] as number] = kin;
    }
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

  /** Turns to a state: what follows is asked of where this much is signed. */
  look(state: Int32Array): void {
    this.signedIn(state, this.#situation.signed);
    this.#find();
  }

  /** What follows for one part of the state that is looked at, worked out by all that is known in the end. */
  outlook(by: number, part: number): Outlook<Failed> {
    for (;;) {
      const learned = this.#learned;
      const outlook = this.#outlookIn(this.#situation, by, part);
      if (learned === this.#learned) return outlook;
      this.#find();
    }
  }

  #outlookIn(situation: Situation, by: number, part: number): Outlook<Failed> {
    const silence = this.#silences[by];
    if (silence === undefined) return { turns: this.#clients.turns(part, situation.signed), failed: undefined };
    return silence.outlook(part, situation);
  }

  /** Operations that are owed and not decided from the state that is looked at, in a fair run without further faults (liveness.ts). */
  stallIn(state: Int32Array): Failed | undefined {
    if (this.#liveness === undefined || (this.#mode === "resting" && !this.#isAtRest(state))) return undefined;
    const lives = this.lives.map((one, by) => one.life(state[by] as number));
    const words = this.#liveness.stallOf(lives, this.#stage.values);
    return words === undefined ? undefined : { check: "liveness", words };
  }

  /** True if nobody honest can sign anything more while the Byzantine validator is silent. */
  #isAtRest(state: Int32Array): boolean {
    for (;;) {
      const learned = this.#learned;
      this.#find();
      this.#silent.look(this.#factTrees, this.#situations);
      const isResting = (part: number, by: number): boolean =>
        this.#outlookIn(this.#silent, by, part).turns.every(({ isCrash }) => isCrash);
      const isAtRest = state.every(isResting);
      if (learned === this.#learned) return isAtRest;
    }
  }

  /** The steps that lead from one number of a part to another in the state that is looked at, in words. */
  steps(by: number, from: number, to: number): readonly PathStep[] {
    const who = this.nameOf(by);
    const silence = this.#silences[by];
    if (silence === undefined) return [{ who, what: this.#clients.told(from, to), cut: undefined }];
    return silence.strides(from, to, this.#situation).map(({ way }) => ({ who, what: this.#told(way), cut: way.cut }));
  }

  /** Tells the ways on for one part of a state, each step by itself. */
  onwards(by: number, part: number, signed: Int32Array, heard: (way: Way) => void): void {
    this.#situation.signed.set(signed);
    this.#find();
    if (by === this.lives.length) this.#clients.onwards(part, signed, heard);
    else this.#livesOf(by).onwards(part, this.#situation, heard);
  }

  /** What fails in a state that differs from one before it in the part `by`. `words` is scratch. */
  check(state: Int32Array, by: number, from: number, words: Int32Array): Failed | undefined {
    if (by === this.lives.length) return undefined;
    const lives = this.#livesOf(by);
    const to = state[by] as number;
    this.signedIn(state, words);
    const said = lives.saidAlike(from, to)
      ? undefined
      : failedInSaid(this.#known(by), lives.life(from), lives.life(to), words);
    return said ?? failedInLife(this.#known(by), lives.life(to), words);
  }

  #known(by: number): Checking {
    const [stage, facts] = [this.#stage, this.#facts];
    return { stage, facts, clients: this.#clients, name: this.nameOf(by) };
  }

  nameOf(by: number): string {
    return by === this.lives.length ? CLIENTS : (this.arena.honest[by] as Arena["honest"][number]).name;
  }

  /** What led to a life, in words: the label of a stimulus where there is one. */
  #told({ stimuli }: Way): string {
    const stimulus = stimuli.find((number) => this.#situation.allows(number));
    return stimulus === undefined ? CRASHED : (this.stimuli.all[stimulus]?.label ?? "");
  }

  /** Something new may have been said: then more can be delivered, and more can be final. */
  learn(): void {
    this.arena.compiled.log.drain();
    if (this.#learned === this.sayings.all.length) return;
    this.#learned = this.sayings.all.length;
    this.#stage = stageOf(this.arena, this.sayings, this.#values, this.#closings);
    this.#facts = factsOf(this.#stage);
    this.#factTrees = this.#facts.map(({ tree }) => tree);
    this.#clients.learn(this.#stage, this.#facts);
    this.stimuli.learn(stimuliOf(this.#stage, this.#clients.release));
    if (this.#mode === "resting") this.stimuli.learnSilent(stimuliOf(this.#silentStage(), this.#clients.release));
    this.#situations.forget();
    for (const silence of this.#silences) silence.forget();
  }

  #silentStage(): Stage {
    return stageOf(this.arena, this.sayings, this.#values, this.#closings, true);
  }

  /** By all that is known now. */
  #find(): void {
    this.#situation.look(this.#factTrees, this.#situations);
  }

  #livesOf(by: number): Lives {
    const lives = this.lives[by];
    if (lives === undefined) throw new RangeError(`no validator has the place ${by}`);
    return lives;
  }
}

/** Words for all sayings. */
export function noWords(): Int32Array {
  return new Int32Array(WORDS);
}
