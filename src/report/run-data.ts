/** Data of the report of a run (docs/guides/read-a-report.md): plain JSON, from which the page draws all that it shows. */
import { stringify } from "yaml";
import { openingBalances } from "../core/base/fillers.ts";
import type { Address } from "../core/base/ids.ts";
import type { Scheme } from "../core/crypto/scheme.ts";
import type { ObservedEvent } from "../invariants/observation.ts";
import type { Recording } from "../live/recording.ts";
import { replayRecording } from "../live/replay.ts";
import type { Why } from "../run/events/causes.ts";
import type { NarrativeLine } from "../run/events/narrative.ts";
import { eventLog } from "../run/events/recorder.ts";
import type { RunEvent } from "../run/events/run-event.ts";
import { joinListeners, observersOf } from "../run/observers.ts";
import { type RunOptions, runScenario } from "../run/run.ts";
import type { NamedViolation } from "../run/verdict.ts";
import { byzantineValidators, type CompiledScenario } from "../scenario/compile/compile.ts";
import { decimalText } from "../scenario/decimal.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { WorldListener } from "../simulator/listener.ts";
import {
  type Narrative,
  type NarrativeEnd,
  narrativeOfPath,
  narrativeOfReplay,
  narrativeOfRun,
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

/** Data of one run. */
export interface RunData {
  readonly type: "quorumlab run";
  readonly format: typeof RUN_DATA_FORMAT;
  readonly title: string;
  /** The configuration in one line. */
  readonly parties: string;
  readonly seed: string;
  readonly validators: readonly string[];
  readonly clients: readonly string[];
  readonly byzantine: readonly string[];
  readonly end: NarrativeEnd;
  /** Narrative up to the first violation. */
  readonly lines: readonly NarrativeLine[];
  /** In the order of their steps. */
  readonly violations: readonly NamedViolation[];
  /** The violated invariants in sentences. */
  readonly demands: readonly string[];
  /** Steps without which the first violation does not come, where a search has found them. */
  readonly essential?: readonly number[] | undefined;
  /** All events in order, up to a limit. */
  readonly events: readonly RunEvent[];
  /** False for a path of the explorer, whose events have an order alone; default: true. */
  readonly isTimed?: boolean | undefined;
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
  const log = eventLog(EVENTS);
  const balances = new BalanceLog();
  let named: CompiledScenario | undefined;
  const result = runScenario(scenario, {
    seed: source.seed,
    programs: source.programs,
    watch: (compiled) => {
      named = compiled;
      balances.begin(compiled);
      return log.watch(compiled);
    },
    observed: (record) => balances.observe(record),
  });
  const members = {
    validators: named?.setting.nodes.map(({ node }) => node) ?? [],
    clients: named?.plan.clients.map(({ name }) => name) ?? [],
    byzantine: [...byzantineValidators(scenario)],
  };
  return dataOf(members, narrativeOfRun(scenario, result, log.events), log.events, balances.all, source);
}

/** Replays a recording of a served network. `scheme`: of its signatures. @throws RangeError for an invalid genesis */
export function recordingDataOf(
  recording: Recording,
  scheme: Scheme,
  source: Pick<RunSource, "commands" | "versions" | "most">,
): RunData {
  const log = eventLog(EVENTS);
  const balances = new BalanceLog();
  const watcher = (compiled: CompiledScenario): WorldListener => {
    balances.begin(compiled);
    const observed = (record: ObservedEvent): void => balances.observe(record);
    return joinListeners(observersOf(compiled, { observed, invariants: [] }).translator, log.watch(compiled));
  };
  const replayed = replayRecording(recording, scheme, { listeners: { watcher } });
  const { setting } = replayed.run.compiled;
  const { scenario, seed } = recording.head.setup;
  const members = {
    validators: setting.nodes.map(({ node }) => node),
    clients: [],
    byzantine: setting.nodes.filter(({ honest }) => !honest).map(({ node }) => node),
  };
  const narrative = narrativeOfReplay(recording, replayed, log.events);
  return dataOf(members, narrative, log.events, balances.all, { ...source, seed, text: stringify(scenario) });
}

/** Watches a path of the explorer, and returns its data after its end. */
export function watchPath() {
  const log = eventLog(EVENTS);
  const balances = new BalanceLog();
  let named: CompiledScenario | undefined;
  return {
    watch: (compiled: CompiledScenario): WorldListener => {
      named = compiled;
      balances.begin(compiled);
      return log.watch(compiled);
    },
    observed: (record: ObservedEvent): void => balances.observe(record),
    data: (scenario: Scenario, end: PathEnd, source: Omit<RunSource, "seed" | "text">): RunData => {
      const events = dropUndelivered(log.events);
      const members = {
        validators: named?.setting.nodes.map(({ node }) => node) ?? [],
        clients: named?.plan.clients.map(({ name }) => name) ?? [],
        byzantine: [end.byzantine],
      };
      const about = { ...source, seed: "none, a path of the explorer", text: stringify(scenario) };
      const path = dataOf(members, narrativeOfPath(scenario, end, events), events, balances.all, about);
      return { ...path, isTimed: false };
    },
  };
}

/** Events without the messages that do not arrive: the explorer says nothing of their end. */
function dropUndelivered(events: readonly RunEvent[]): readonly RunEvent[] {
  const arrived = new Set(events.map((event) => (event.kind === "delivered" ? event.number : -1)));
  return events.filter((event) => event.kind !== "sent" || arrived.has(event.number));
}

/** Returns the data of a run. `observed`: all its events. */
function dataOf(
  members: Pick<RunData, "validators" | "clients" | "byzantine">,
  { title, parties, lines, violations, demands, end }: Narrative,
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
    ...{ end, lines, violations, demands, events },
    isCut: events.length < observed.length,
    balances: balances.filter(({ step }) => step <= last),
    scenario: text,
    ...{ commands, versions },
  };
}

/** Most events that are read. */
const EVENTS = 2_000_000;

/** Balances of one run, in the order of their changes. */
class BalanceLog {
  readonly #all: BalanceRef[] = [];
  #names: Names | undefined;

  get all(): readonly BalanceRef[] {
    return this.#all;
  }

  /** Notes the genesis. Called before the first event. */
  begin(compiled: CompiledScenario): void {
    this.#names = namesOf(compiled);
    this.#all.push(...openingRefs(compiled, this.#names));
  }

  observe(record: ObservedEvent): void {
    if (this.#names === undefined || (record.type !== "applied" && record.type !== "closed")) return;
    for (const change of record.changes)
      if (change.of === "balance")
        this.#all.push({ step: record.step, party: record.node, ...balanceRef(change, change.after, this.#names) });
  }
}

interface Names {
  readonly account: (address: Address) => string;
  readonly token: (address: Address) => { readonly name: string; readonly decimals: number };
}

function namesOf({ directory }: CompiledScenario): Names {
  const tokens = new Map([...directory.tokens].map(([name, { address, decimals }]) => [address, { name, decimals }]));
  const unknown = (address: Address) => ({ name: directory.nameOf(address), decimals: 0 });
  return { account: directory.nameOf, token: (address) => tokens.get(address) ?? unknown(address) };
}

/** Filler accounts have no row until they are paid. */
function openingRefs({ setting: { genesis } }: CompiledScenario, names: Names): readonly BalanceRef[] {
  return openingBalances({ ...genesis, fillers: undefined })
    .entries()
    .map(([key, amount]) => {
      const [address, token] = key.split("/") as [Address, Address];
      return { step: 0, ...balanceRef({ address, token }, amount, names) };
    });
}

function balanceRef({ address, token }: BalanceKey, amount: bigint, names: Names): Omit<BalanceRef, "step"> {
  const { name, decimals } = names.token(token);
  return { account: names.account(address), token: name, value: decimalText(amount, decimals) };
}

interface BalanceKey {
  readonly address: Address;
  readonly token: Address;
}
