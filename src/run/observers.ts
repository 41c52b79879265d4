/** Observers of one world: checkpoint chain, translator and oracles, wired in one way for every kind of run. */
import { type Finding, type Judge, judge } from "../invariants/judge.ts";
import type { ObservedEvent } from "../invariants/observation.ts";
import type { Compiled } from "../scenario/compile/compile.ts";
import { type CheckpointChain, createCheckpointChain } from "./checkpoint-chain.ts";
import { createTranslator, type Translator } from "./translate.ts";

/** Receivers of what is observed, beside the oracles. */
export interface Receivers {
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
