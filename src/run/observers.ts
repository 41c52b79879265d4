/** Observers of one world: checkpoint chain, translator and oracles, wired in one way for every kind of run. */
import { type Finding, type Judge, judge } from "../invariants/judge.ts";
import type { ObservedEvent } from "../invariants/observation.ts";
import type { Compiled } from "../scenario/compile/compile.ts";
import type { WorldListener } from "../simulator/listener.ts";
import { type CheckpointChain, createCheckpointChain } from "./checkpoint-chain.ts";
import { createTranslator, type Translator } from "./translate.ts";

/** Receivers of what is observed, beside the oracles. */
interface Receivers {
  /** Called with each record, before the oracles judge it. */
  readonly observed?: (record: ObservedEvent) => void;
  /** Called with each violation. */
  readonly violated?: (finding: Finding) => void;
}

export interface Observers {
  readonly chain: CheckpointChain;
  readonly oracles: Judge;
  /** The listener to give to the world: it feeds the chain and the oracles. */
  readonly translator: Translator;
}

/** The observers of a world of this scenario, before its first event. */
export function observersOf(compiled: Compiled, { observed, violated }: Receivers = {}): Observers {
  const oracles = judge(compiled.setting);
  const { shared, plain } = compiled.commons;
  const chain = createCheckpointChain(shared.genesis, plain.ledger);
  const translator = createTranslator(compiled, chain, (record) => {
    observed?.(record);
    for (const finding of oracles.observe(record)) violated?.(finding);
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
  crashed: true,
  restarted: true,
  submitted: true,
  replyReceived: true,
  acted: true,
  healed: true,
} satisfies Record<Callback, true>) as readonly Callback[];

/** A listener that passes each call to all that listen to it, in order; a callback without a listener is absent. */
export function joined(...listeners: readonly WorldListener[]): WorldListener {
  const all: Partial<Record<Callback, (...args: readonly unknown[]) => void>> = {};
  for (const name of CALLBACKS) {
    const calls = listeners.flatMap((one) => {
      const call = one[name] as ((...args: readonly unknown[]) => void) | undefined;
      return call === undefined ? [] : [call.bind(one)];
    });
    const [first] = calls;
    if (first === undefined) continue;
    const each = (...args: readonly unknown[]): void => {
      for (const call of calls) call(...args);
    };
    all[name] = calls.length === 1 ? first : each;
  }
  return all;
}
