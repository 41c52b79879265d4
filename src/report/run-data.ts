/** Data of the report of a run (docs/guides/read-a-report.md): plain JSON, from which the page draws all that it shows. */
import { stringify } from "yaml";
import { openingBalances } from "../core/base/fillers.ts";
import type { Address } from "../core/base/ids.ts";
import type { Scheme } from "../core/crypto/scheme.ts";
import type { ObservedEvent } from "../invariants/observation.ts";
import type { Recording } from "../live/recording.ts";
import { replayRecording } from "../live/replay.ts";
import type { Why } from "../run/events/causes.ts";
import { eventLog } from "../run/events/recorder.ts";
import type { RunEvent } from "../run/events/run-event.ts";
import { joinListeners, observersOf } from "../run/observers.ts";
import { type RunOptions, runScenario } from "../run/run.ts";
import type { CompiledScenario } from "../scenario/compile/compile.ts";
import { decimalText } from "../scenario/decimal.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { WorldListener } from "../simulator/listener.ts";
import {
  type Narrative,
  narrativeOfPath,
  narrativeOfReplay,
  narrativeOfRun,
  PATH_SEED,
  type PathEnd,
} from "./narrative.ts";

/** Version of the format; members may be added without a new one. */
export const RUN_DATA_FORMAT = 1;

/** A balance after a change; at step 0 those of the genesis. */
export interface BalanceRef {
  readonly step: number;
  /** Validator whose ledger it is; absent at step 0, where all are equal. */
  readonly party?: string;
  readonly account: string;
  readonly token: string;
  /** In units of the token. */
  readonly value: string;
}

/** Data of one run, with its narrative up to the first violation. */
export interface RunData
  extends Pick<Narrative, "title" | "parties" | "byzantine" | "end" | "lines" | "violations" | "demands"> {
  readonly type: "quorumlab run";
  readonly format: typeof RUN_DATA_FORMAT;
  readonly seed: string;
  readonly validators: readonly string[];
  readonly clients: readonly string[];
  /** Steps without which the first violation does not come, where a search has found them. */
  readonly essential?: readonly number[] | undefined;
  /** All events in order, up to a limit. */
  readonly events: readonly RunEvent[];
  /** False for a path of the explorer, whose events have an order alone; default: true. */
  readonly isTimed?: boolean | undefined;
  /** States on a path of the explorer in its order. */
  readonly states?: readonly PathStateFacts[] | undefined;
  /** True if the limit left out later events. */
  readonly isCut: boolean;
  readonly balances: readonly BalanceRef[];
  /** The nearest passing run of a failing one, where `shrink` has found it. */
  readonly sibling?: Sibling | undefined;
  /** Causes of the first violation, where a search has found them. */
  readonly why?: Why | undefined;
  /** Text of the scenario file. */
  readonly scenario: string;
  /** Commands that repeat and explain the run. */
  readonly commands: readonly string[];
  readonly versions: Readonly<Record<string, string | number>>;
}

/** State on a path of the explorer, by its number in the search. */
export interface PathStateFacts {
  readonly state: number;
  /** Number of the path's last step before it. */
  readonly depth: number;
  /** Steps that were possible there, and the numbers of the states behind them; `null`: none was reached. */
  readonly steps: readonly { readonly text: string; readonly to: number | null }[];
}

/** Positions of two events that differ, one in each run; the number of events where a run has ended. */
export interface RunDifference {
  readonly here: number;
  readonly there: number;
}

/** A run that differs little from another one and passes. */
export interface Sibling extends Pick<RunData, "title" | "validators" | "clients" | "byzantine" | "events"> {
  /** Name of its scenario file. */
  readonly file: string;
  readonly verdict: RunData["end"]["verdict"];
  /** First event that differs; `undefined` for equal runs. */
  readonly event: RunDifference | undefined;
  /** First statement of a validator that differs. */
  readonly statement: RunDifference | undefined;
}

/** Facts of a run that its scenario does not hold. */
export interface RunSource {
  readonly seed: string;
  readonly programs?: RunOptions["programs"];
  /** Text of the scenario file. */
  readonly text: string;
  readonly commands: readonly string[];
  readonly versions: RunData["versions"];
  /** Most events of the data; those of the narrative are read beyond it. */
  readonly most: number;
}

/** Runs a scenario under stand-in signatures. Never throws: an exception in the run is the verdict `error`. */
export function runDataOf(scenario: Scenario, source: RunSource): RunData {
  const { events, balances, watch, observed, parties } = watchRun();
  const result = runScenario(scenario, { seed: source.seed, programs: source.programs, watch, observed });
  return dataOf(parties(), narrativeOfRun(scenario, result, events), events, balances, source);
}

/** Replays a recording of a served network. `scheme`: of its signatures. @throws RangeError for an invalid genesis */
export function recordingDataOf(
  recording: Recording,
  scheme: Scheme,
  source: Pick<RunSource, "commands" | "versions" | "most">,
): RunData {
  const { events, balances, watch, observed } = watchRun();
  const watcher = (compiled: CompiledScenario): WorldListener => {
    const listener = watch(compiled);
    return joinListeners(observersOf(compiled, { observed, invariants: [] }).translator, listener);
  };
  const replayed = replayRecording(recording, scheme, { listeners: { watcher } });
  const { scenario, seed } = recording.head.setup;
  const parties = { validators: replayed.run.compiled.setting.nodes.map(({ node }) => node), clients: [] };
  const narrative = narrativeOfReplay(recording, replayed, events);
  return dataOf(parties, narrative, events, balances, { ...source, seed, text: stringify(scenario) });
}

/** Watches a path of the explorer, and returns its data after its end. */
export function watchPath() {
  const { events: observedEvents, balances, watch, observed, parties } = watchRun();
  const data = (scenario: Scenario, end: PathEnd, source: Omit<RunSource, "seed" | "text">): RunData => {
    const events = dropUndelivered(observedEvents);
    const about = { ...source, seed: PATH_SEED, text: stringify(scenario) };
    return { ...dataOf(parties(), narrativeOfPath(scenario, end, events), events, balances, about), isTimed: false };
  };
  return { watch, observed, data };
}

/** Events without the messages that do not arrive: the explorer says nothing of their end. */
function dropUndelivered(events: readonly RunEvent[]): readonly RunEvent[] {
  const arrived = new Set(events.map((event) => (event.kind === "delivered" ? event.number : -1)));
  return events.filter((event) => event.kind !== "sent" || arrived.has(event.number));
}

/** Returns the data of a run. `observed`: all its events. */
function dataOf(
  members: Pick<RunData, "validators" | "clients">,
  { title, parties, byzantine, lines, violations, demands, end }: Narrative,
  observed: readonly RunEvent[],
  balances: readonly BalanceRef[],
  { seed, text, commands, versions, most }: RunSource,
): RunData {
  const events = observed.slice(0, most);
  const last = events[events.length - 1]?.step ?? 0;
  return {
    type: "quorumlab run",
    format: RUN_DATA_FORMAT,
    ...{ title, parties, seed },
    ...members,
    ...{ byzantine, end, lines, violations, demands, events },
    isCut: events.length < observed.length,
    balances: balances.filter(({ step }) => step <= last),
    scenario: text,
    ...{ commands, versions },
  };
}

/** Most events that are read. */
const EVENTS = 2_000_000;

/** Watches a run: collects its events and its balances in their order, and knows the names of its parties. */
function watchRun() {
  const log = eventLog(EVENTS);
  const balances: BalanceRef[] = [];
  let named: CompiledScenario | undefined;
  let refOf: ReturnType<typeof balanceReferences> | undefined;
  const watch = (compiled: CompiledScenario): WorldListener => {
    named = compiled;
    refOf = balanceReferences(compiled);
    // Filler accounts have no row until they are paid.
    for (const [key, amount] of openingBalances({ ...compiled.setting.genesis, fillers: undefined }).entries()) {
      const [address, token] = key.split("/") as [Address, Address];
      balances.push({ step: 0, ...refOf(address, token, amount) });
    }
    return log.watch(compiled);
  };
  const observed = (record: ObservedEvent): void => {
    if (refOf === undefined || (record.type !== "applied" && record.type !== "closed")) return;
    const { step, node: party } = record;
    for (const change of record.changes)
      if (change.of === "balance") balances.push({ step, party, ...refOf(change.address, change.token, change.after) });
  };
  const parties = () => ({
    validators: named?.setting.nodes.map(({ node }) => node) ?? [],
    clients: named?.plan.clients.map(({ name }) => name) ?? [],
  });
  return { events: log.events, balances, watch, observed, parties };
}

/** Returns what names a balance by the names of a scenario. */
function balanceReferences({ directory }: CompiledScenario) {
  const tokens = new Map([...directory.tokens].map(([name, { address, decimals }]) => [address, { name, decimals }]));
  return (address: Address, token: Address, amount: bigint): Omit<BalanceRef, "step"> => {
    const { name, decimals } = tokens.get(token) ?? { name: directory.nameOf(token), decimals: 0 };
    return { account: directory.nameOf(address), token: name, value: decimalText(amount, decimals) };
  };
}
