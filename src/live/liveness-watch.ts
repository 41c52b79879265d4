/**
 * Records of virtual time and of faults for the liveness oracle of a served network (protocol 13.4). They depend on the
 * events of the world alone, not on when anybody looks: a replay makes the same ones between the same events.
 */
import type { Millis } from "../core/base/ids.ts";
import type { Translator } from "../run/translate.ts";
import { type FaultState, HARMLESS } from "../simulator/faults-in-force.ts";
import type { WorldListener } from "../simulator/listener.ts";
import type { Action } from "../simulator/plan.ts";

/** Virtual milliseconds between two judgements. */
export const JUDGED_EVERY_MS = 1_000;

/** Start of the obligation to decide, and the faults that suspend it. */
export interface LivenessStatus extends FaultState {
  /** Virtual time from which on decisions are owed; `undefined` while a fault is in force, or its end not yet noticed. */
  readonly owedFrom: Millis | undefined;
}

/** State of a watch. */
export interface WatchState {
  /** Events so far. */
  readonly steps: number;
  /** Next time at which to judge. */
  readonly next: number;
  readonly owedFrom: Millis | undefined;
}

export class LivenessWatch implements WorldListener {
  readonly #translator: Translator;
  readonly #faults: () => FaultState;
  /** Events so far, and the next time at which to judge. */
  #steps = 0;
  #next = JUDGED_EVERY_MS;
  #owedFrom: Millis | undefined;

  /** `faults`: returns those of the world at the time of a record. */
  constructor(translator: Translator, faults: () => FaultState) {
    this.#translator = translator;
    this.#faults = faults;
  }

  get status(): LivenessStatus {
    return { owedFrom: this.#owedFrom, ...this.#faults() };
  }

  /** The translator must see the event after this. */
  eventBegins(step: number, at: Millis): void {
    this.passTo(at);
    this.#steps = step;
  }

  acted(action: Action): void {
    if (!HARMLESS.has(action.do)) this.#disturb();
  }

  crashed(): void {
    this.#disturb();
  }

  /** Makes the records of all times before this one: no event can come any more that belongs before them. */
  passTo(now: Millis): void {
    for (; this.#next < now; this.#next += JUDGED_EVERY_MS) this.#pass(this.#next as Millis);
  }

  /** Returns a copy of its state. */
  capture(): WatchState {
    return { steps: this.#steps, next: this.#next, owedFrom: this.#owedFrom };
  }

  /** Returns to a captured state. */
  restore({ steps, next, owedFrom }: WatchState): void {
    this.#steps = steps;
    this.#next = next;
    this.#owedFrom = owedFrom;
  }

  #pass(at: Millis): void {
    this.#translator.eventBegins(this.#steps, at);
    if (this.#owedFrom === undefined) this.#heal(at);
    else this.#translator.push({ type: "timePassed" });
  }

  #disturb(): void {
    if (this.#owedFrom === undefined) return;
    this.#owedFrom = undefined;
    this.#translator.push({ type: "disturbed" });
  }

  #heal(at: Millis): void {
    const { correct, inForce } = this.#faults();
    if (inForce.length > 0) return;
    this.#owedFrom = at;
    this.#translator.push({ type: "healed", core: correct });
  }
}
