/** Speed of whole runs with every oracle on, and the shares of hashing, queue, core and oracles. */
import { readFileSync } from "node:fs";
import { searchStates } from "../src/explore/search/search.ts";
import { scenario } from "../src/library/scenario.ts";
import { runToEnd } from "../src/run/interruptible.ts";
import { runScenario } from "../src/run/run.ts";
import type { Scenario } from "../src/scenario/scenario.ts";
import { drawWorld } from "../src/search/fuzz/draw.ts";
import { cpuMsOf } from "./support/cpu.ts";
import { GARBAGE, type Part, partsOf, REST } from "./support/parts.ts";
import { MessageCount, payments } from "./support/payments.ts";

/** Repetitions of the same work, in seconds of a core; the quickest counts, since outliers are slow ones. */
const TIMES = 3;
const PAYMENTS_MADE = 1_000;
const WORLDS = 40;
const VALIDATORS = 4;
/** States of a level that is explored. */
const STATES = 300_000;

const HASHING: Part = {
  name: "hashing: stand-in signatures, hashes of values and roots",
  paths: ["/core/crypto/", "/@noble/hashes/"],
};
const VALIDATORS_STEP: Part = {
  name: "the validators: agreement and ledger",
  paths: ["/core/consensus/", "/core/ledger/", "/core/validator/"],
};

/** The first that fits counts. What is in none of them, the containers of core/base above all, counts for its caller. */
const RUN_PARTS: readonly Part[] = [
  HASHING,
  { name: "rolling hash over every event", paths: ["/simulator/digest", "/simulator/mix", "/simulator/trace"] },
  { name: "queue and schedule", paths: ["/simulator/queue", "/simulator/schedule/"] },
  VALIDATORS_STEP,
  { name: "oracles", paths: ["/src/invariants/"] },
  { name: "observations, coverage, transcript", paths: ["/src/run/", "/src/scenario/"] },
  { name: "the world: links, disks, timers, clients, Byzantine nodes", paths: ["/src/simulator/"] },
];

const EXPLORE_PARTS: readonly Part[] = [
  HASHING,
  VALIDATORS_STEP,
  { name: "the set of states", paths: ["/explore/state-set", "/explore/bits"] },
  { name: "local states: fingerprints, forgetting", paths: ["/explore/fingerprint", "/explore/forget", "/simulator/"] },
  {
    name: "checks of each state",
    paths: ["/explore/checks", "/explore/facts", "/explore/offence", "/explore/closings", "/src/invariants/"],
  },
  { name: "ways from state to state", paths: ["/src/explore/", "/src/run/", "/src/scenario/"] },
];

/** Something whose speed is asked: `run` says how much of each unit it did, the one that is asked first. */
interface Work {
  readonly name: string;
  readonly parts: readonly Part[];
  readonly run: () => Readonly<Record<string, number>>;
}

/** The first worlds of the default profile that have four validators. */
function drawnWorlds(): readonly (readonly [seed: string, Scenario])[] {
  const worlds: (readonly [string, Scenario])[] = [];
  for (let seed = 1; worlds.length < WORLDS; seed++) {
    const drawn = drawWorld(`${seed}`, "default").scenario;
    if (drawn.network?.validators === VALIDATORS) worlds.push([`${seed}`, drawn]);
  }
  return worlds;
}

/** Runs worlds with all oracles; a failure is no speed. @throws Error */
function run(worlds: readonly (readonly [seed: string, Scenario])[]): Readonly<Record<string, number>> {
  const messages = new MessageCount();
  let events = 0;
  for (const [seed, world] of worlds) {
    const result = runScenario(world, { seed, watch: () => messages.listener });
    if (result.verdict !== "pass" && result.reason !== "empty")
      throw new Error(`${world.name}: ${result.verdict} ${result.reason}`);
    events += result.steps;
  }
  return { "delivered messages": messages.delivered, events };
}

/** The first states of a level, or all that it has. @throws Error where something breaks */
function explored(file: string, rounds: number): Work {
  const read = scenario(readFileSync(`scenarios/explore/${file}.yaml`, "utf8"));
  const options = { bounds: { rounds, crashes: 0 }, byzantine: undefined, variant: undefined, states: STATES };
  return {
    name: `explore ${file}, rounds up to ${rounds}`,
    parts: EXPLORE_PARTS,
    run: () => {
      const { states, transitions, counterexample: breach } = runToEnd(searchStates(read, options));
      if (breach !== undefined) throw new Error(`${file}: ${breach.text}`);
      return { states, transitions };
    },
  };
}

async function ask({ name, parts, run: work }: Work): Promise<void> {
  let seconds = Number.POSITIVE_INFINITY;
  let done: Readonly<Record<string, number>> = {};
  for (let time = 0; time < TIMES; time++) {
    const cpuMs = cpuMsOf(() => {
      done = work();
    });
    seconds = Math.min(seconds, cpuMs / 1_000);
  }
  console.log(`\n${name}`);
  const [first] = Object.entries(done);
  if (first === undefined) throw new Error(`${name} did nothing`);
  const rates = Object.entries(done).map(
    ([unit, count]) => `${Math.round(count / seconds).toLocaleString("en")} ${unit} a second`,
  );
  console.log(`  ${rates.join(", ")} of a core's time (${seconds.toFixed(2)} s)`);
  const [unit, count] = first;
  const { totalMs, of } = await partsOf(parts, () => void work());
  console.log(`  us for each of the ${unit}, of ${((seconds * 1e6) / count).toFixed(1)}:`);
  for (const part of [...parts.map(({ name: own }) => own), GARBAGE, REST]) {
    const share = (of.get(part) ?? 0) / totalMs;
    console.log(
      `  ${((share * seconds * 1e6) / count).toFixed(2).padStart(8)}  ${(share * 100).toFixed(1).padStart(5)} %  ${part}`,
    );
  }
}

/** Prints speed and shares of each work. */
export async function printParts(): Promise<void> {
  const drawn = drawnWorlds();
  const works: readonly Work[] = [
    {
      name: `${VALIDATORS} validators, ${PAYMENTS_MADE} payments without faults, all oracles`,
      parts: RUN_PARTS,
      run: () => run([["1", payments({ count: PAYMENTS_MADE })]]),
    },
    {
      name: `${WORLDS} drawn worlds of ${VALIDATORS} validators, all oracles`,
      parts: RUN_PARTS,
      run: () => run(drawn),
    },
    explored("conflict-and-cancellation", 1),
    explored("pause-and-payment", 1),
  ];
  for (const work of works) await ask(work);
}
