/** Observers of one world: checkpoint chain, translator and oracles, wired in one way for every kind of run. */
import type { Oracle } from "../invariants/fold.ts";
import { createJudge, type Finding, type Judge, type JudgeState } from "../invariants/judge.ts";
import type { ObservedEvent } from "../invariants/observation.ts";
import type { CompiledScenario } from "../scenario/compile/compile.ts";
import type { WorldListener } from "../simulator/listener.ts";
import { type ChainState, CheckpointChain, type OldLinks } from "./checkpoint-chain.ts";
import { Translator, type TranslatorState } from "./translate.ts";

/** Receivers of what is observed, beside the oracles. */
interface Receivers {
  /** Called with each record, before the oracles judge it. */
  readonly observed?: (record: ObservedEvent) => void;
  /** Number of records that are judged at once, if it is not the usual one, and who hears of violations. */
  readonly judging?: Deferral;
  /** The oracles, if they are not those of a run that ends. */
  readonly invariants?: readonly Oracle[];
  /** Number of newest links of the chain that keep their accounts and balances; default: all. */
  readonly whole?: number;
  /** Links that the chain drops. */
  readonly old?: OldLinks;
}

export interface Observers {
  readonly chain: CheckpointChain;
  readonly oracles: Findings;
  /** The listener to give to the world: it feeds the chain and the oracles. */
  readonly translator: Translator;
}

/** State of the observers of a world. */
export interface ObserversState {
  readonly chain: ChainState;
  readonly judge: JudgeState;
  readonly translator: TranslatorState;
}

/** Judges all that was observed, and returns a copy of the state of all observers. O(state). */
export function captureObservers({ chain, oracles, translator }: Observers): ObserversState {
  return { chain: chain.capture(), judge: oracles.capture(), translator: translator.capture() };
}

/** Returns observers of the same setting to a captured state, which stays as it is. O(state). */
export function restoreObservers({ chain, oracles, translator }: Observers, captured: ObserversState): void {
  chain.restore(captured.chain);
  oracles.restore(captured.judge);
  translator.restore(captured.translator);
}

/** The observers of a world of this scenario, before its first event. */
export function observersOf(
  compiled: CompiledScenario,
  { observed, judging, invariants, whole, old }: Receivers = {},
): Observers {
  const oracles = createDeferredJudge(createJudge(compiled.setting, invariants), judging);
  const chain = new CheckpointChain(compiled.commons.shared.genesis, compiled.commons.plain.ledger, whole, old);
  const translator = new Translator(compiled, chain, (record) => {
    observed?.(record);
    oracles.observe(record);
  });
  return { chain, oracles, translator };
}

type Callback = keyof WorldListener;

/** Every callback; the compiler asks for a new one. */
const CALLBACKS = Object.keys({
  eventBegins: true,
  signed: true,
  stepped: true,
  carriedOut: true,
  sent: true,
  lost: true,
  held: true,
  dropped: true,
  intercepted: true,
  crashed: true,
  postponed: true,
  restarted: true,
  submitted: true,
  replyReceived: true,
  acted: true,
  healed: true,
} satisfies Record<Callback, true>) as readonly Callback[];

type CallbackFunction = (...args: readonly unknown[]) => void;

/** No callback has more than five parameters, and passing them by name makes no array for each call. */
function callInTurn(calls: readonly CallbackFunction[]): CallbackFunction {
  return (a: unknown, b: unknown, c: unknown, d: unknown, e: unknown) => {
    for (const call of calls) call(a, b, c, d, e);
  };
}

/**
 * A listener that passes calls to another one while somebody wants them. That one is made when it is wanted, and again
 * after `renewed` events, so that it forgets what it has learned.
 */
export function listenWhileWanted(isWanted: () => boolean, renewed: number, make: () => WorldListener): WorldListener {
  let current: WorldListener | undefined;
  let remaining = 0;
  const all: Partial<Record<Callback, CallbackFunction>> = {};
  for (const name of CALLBACKS)
    all[name] = (a: unknown, b: unknown, c: unknown, d: unknown, e: unknown) => {
      if (current !== undefined) (current[name] as CallbackFunction | undefined)?.call(current, a, b, c, d, e);
    };
  const begins = all.eventBegins as CallbackFunction;
  all.eventBegins = (step, at, event) => {
    if (!isWanted()) current = undefined;
    else if (current === undefined || remaining === 0) [current, remaining] = [make(), renewed];
    remaining -= 1;
    begins(step, at, event);
  };
  return all;
}

/** A listener that passes each call to all that listen to it, in order; a callback without a listener is absent. */
export function joinListeners(...listeners: readonly WorldListener[]): WorldListener {
  const all: Partial<Record<Callback, CallbackFunction>> = {};
  for (const name of CALLBACKS) {
    const calls = listeners.flatMap((listener) => {
      const call = listener[name] as CallbackFunction | undefined;
      return call === undefined ? [] : [call.bind(listener)];
    });
    const [first] = calls;
    if (first === undefined) continue;
    all[name] = calls.length === 1 ? first : callInTurn(calls);
  }
  return all;
}

/** Findings of the oracles; reading or capturing them judges all that was observed until then, `restore` drops it. */
export interface Findings extends Omit<Judge, "observe"> {
  /** Judges all that was observed until now. */
  catchUp(): void;
}

interface DeferredJudge extends Findings {
  observe(record: ObservedEvent): void;
}

export interface Deferral {
  /** Records judged at once. */
  readonly kept: number;
  /** Called with each violation when its record is judged. */
  readonly violated?: ((finding: Finding) => void) | undefined;
}

/**
 * Simulator and oracles, record by record in turn, displace each other from the caches of the processor: the oracles
 * then took up to twice their time. Past some dozens nothing more is gained.
 */
export const USUAL_DEFERRAL: Deferral = { kept: 128 };

/** The same findings as those of `judge`, for records that never change. An exception of an oracle comes later. */
export function createDeferredJudge(judge: Judge, { kept: most, violated }: Deferral = USUAL_DEFERRAL): DeferredJudge {
  let kept: ObservedEvent[] = [];
  const catchUp = (): void => {
    const records = kept;
    kept = [];
    for (const record of records) {
      for (const finding of judge.observe(record)) violated?.(finding);
    }
  };
  return {
    catchUp,
    observe(record) {
      kept.push(record);
      if (kept.length >= most) catchUp();
    },
    capture() {
      catchUp();
      return judge.capture();
    },
    restore(captured) {
      kept = [];
      judge.restore(captured);
    },
    get findings() {
      catchUp();
      return judge.findings;
    },
    get count() {
      catchUp();
      return judge.count;
    },
    get scope() {
      catchUp();
      return judge.scope;
    },
  };
}
