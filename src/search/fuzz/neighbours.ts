/**
 * Neighbours of a written scenario: a few of its times, entry validators, values, rules or links are others, or a fault
 * or an operation more is there. What one schedule misses, one beside it may see.
 */
import { bounds } from "../../invariants/history/quorum.ts";
import { drawEnds, RULED_KINDS } from "../../scenario/chaos.ts";
import { byzantineValidators } from "../../scenario/compile/compile.ts";
import { validatorNames } from "../../scenario/declarations.ts";
import type { ScenarioParser } from "../../scenario/parse.ts";
import { Rng, type WeightedItem } from "../../scenario/rng.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import type { Name } from "../../scenario/schema/scalars.ts";
import type { Step } from "../../scenario/schema/step.ts";
import type { PatternSpec } from "../../scenario/schema/trigger.ts";
import { modesOf, STRATEGIES, STRATEGY_NAMES } from "../../simulator/byzantine/registry.ts";
import { type JsonTree, pathsIn, valueAt, withoutDangling, withValue } from "../shrink/json-tree.ts";
import { withConflict } from "./conflict.ts";
import { drawSchedule, sortByTime } from "./draw.ts";
import { attackerOf } from "./draw-byzantine.ts";

/** Returns the scenario with one change, or `undefined` where there is nothing to change. */
type Change = (scenario: Scenario, rng: Rng) => Scenario | undefined;

const CHANGES: readonly WeightedItem<Change>[] = [
  [6, moveTime],
  [2, exchangeTimes],
  [3, moveTrigger],
  [4, chooseEntry],
  [2, repeatSubmission],
  [2, changeValue],
  [3, changeRule],
  [2, leaveOutStep],
  [3, redrawLinks],
  [2, redrawSchedule],
  [4, addCrash],
  [3, addRule],
  [3, addChaos],
  [2, addByzantine],
  [2, withConflict],
];

/** Draws after which a change that the file does not take is left out. */
const TRIES = 8;
const SPAN_MS = 3_000;

/**
 * Returns a neighbour of a scenario, which depends on the seed alone. It is judged by the oracles: of its expectations
 * those stay that say what the oracles find, since others hold for the file's own schedule. A file that shows a known-bad
 * variant loses it.
 */
export function neighbourOf(scenario: Scenario, seed: string, parser: Pick<ScenarioParser, "takes">): Scenario {
  const rng = new Rng(seed, "neighbour");
  let neighbour = withoutOwnExpectations(scenario);
  const count = rng.pickWeighted([1, 0], [4, 1], [4, 2], [3, 3], [2, 5]);
  for (let number = 0; number < count; number++) {
    const part = rng.split(`change ${number}`);
    for (let left = TRIES; left > 0; left--) {
      const changed = part.pickWeighted(...CHANGES)(neighbour, part);
      const next = changed === undefined ? undefined : withoutDangling(changed);
      if (next === undefined || !parser.takes(next)) continue;
      neighbour = next;
      break;
    }
  }
  return hasQuorum(neighbour) ? neighbour : { ...neighbour, healing: { none: true } };
}

/** Returns false where Byzantine validators and lost disks leave no quorum: then no progress is owed. */
function hasQuorum(scenario: Scenario): boolean {
  const wiped = stepsOf(scenario).flatMap(({ wipe }) => wipe ?? []);
  const names = validatorNames(scenario);
  const lost = new Set([...byzantineValidators(scenario), ...wiped]);
  return names.filter((name) => !lost.has(name)).length >= bounds(names.length).quorum;
}

function withoutOwnExpectations({ transcript: _events, bug, expect = [], ...rest }: Scenario): Scenario {
  const found = bug === undefined ? expect : [];
  const stalls = found.some(({ stalled }) => stalled !== undefined);
  return {
    ...rest,
    allow_idle: true,
    expect: [
      ...found.filter(({ violation }) => violation !== undefined),
      ...(stalls ? [{ stalled: true as const }] : []),
      // Holds always, and a file has to expect something.
      { epoch: { at_least: 0 } },
    ],
  };
}

/** Returns the scenario with a Byzantine last validator, which the attack of a known-bad variant needs. */
export function withAttacker(scenario: Scenario): Scenario {
  const node = validatorNames(scenario).at(-1);
  if (node === undefined || stepsOf(scenario).some(({ byzantine }) => byzantine?.node === node)) return scenario;
  const { healing } = scenario;
  const core = healing?.core?.filter((name) => name !== node);
  return {
    ...withFurtherStep(scenario, { at: 0, ...attackerOf(node) }),
    ...(core === undefined ? {} : { healing: { ...healing, core } }),
  };
}

function stepsOf({ steps = [] }: Scenario): readonly Step[] {
  return steps;
}

/** Returns the scenario with another step in place of one of those that match, or `undefined` without such a step. */
function withOtherStep(
  scenario: Scenario,
  rng: Rng,
  matches: (step: Step) => boolean,
  change: (step: Step) => Step | undefined,
): Scenario | undefined {
  const steps = stepsOf(scenario);
  const places = [...steps.keys()].filter((place) => matches(steps[place] as Step));
  if (places.length === 0) return undefined;
  const chosen = rng.pick(places);
  const changed = change(steps[chosen] as Step);
  if (changed === undefined) return undefined;
  return { ...scenario, steps: sortByTime(steps.map((step, place) => (place === chosen ? changed : step))) };
}

function withFurtherStep(scenario: Scenario, ...further: readonly Step[]): Scenario {
  return { ...scenario, steps: sortByTime([...stepsOf(scenario), ...further]) };
}

/** Draws a time: mostly soon after a step of the file, and before its healing. */
function drawTime(rng: Rng, scenario: Scenario): number {
  const times = stepsOf(scenario).flatMap(({ at }) => (at === undefined ? [] : [at]));
  const at = times.length > 0 && rng.chance(3, 4) ? rng.pick(times) + rng.pickSkewed(0, 400) : rng.integer(0, SPAN_MS);
  return Math.min(at, Math.max(0, (scenario.healing?.at ?? at + 1) - 1));
}

function moveTime(scenario: Scenario, rng: Rng): Scenario | undefined {
  return withOtherStep(
    scenario,
    rng,
    ({ at }) => at !== undefined,
    ({ at = 0, ...step }) => {
      const by = rng.pickSkewed(1, 600);
      return { ...step, at: Math.max(0, rng.chance(1, 2) ? at + by : at - by) };
    },
  );
}

function exchangeTimes(scenario: Scenario, rng: Rng): Scenario | undefined {
  const steps = stepsOf(scenario);
  const places = [...steps.keys()].filter((place) => steps[place]?.at !== undefined);
  if (places.length < 2) return undefined;
  const [one = 0, other = 0] = rng.shuffle(places);
  const timeAt = (place: number): number => steps[place === one ? other : place === other ? one : place]?.at as number;
  const exchanged = steps.map((step, place) => (step.at === undefined ? step : { ...step, at: timeAt(place) }));
  return { ...scenario, steps: sortByTime(exchanged) };
}

function moveTrigger(scenario: Scenario, rng: Rng): Scenario | undefined {
  return withOtherStep(
    scenario,
    rng,
    ({ after }) => after !== undefined,
    ({ after = {}, ...step }) => {
      const { by: _any, ...anywhere } = after;
      const plus = { ...after, plus_ms: rng.pickSkewed(0, 400) };
      return { ...step, after: rng.pick([plus, plus, anywhere, { ...after, times: rng.integer(1, 3) }]) };
    },
  );
}

function drawSome(rng: Rng, scenario: Scenario): readonly Name[] {
  const names = validatorNames(scenario);
  return rng.pickSome(names, rng.integer(1, names.length));
}

function chooseEntry(scenario: Scenario, rng: Rng): Scenario | undefined {
  return withOtherStep(
    scenario,
    rng,
    ({ submit }) => submit !== undefined,
    ({ only: _before, ...step }) => (rng.chance(1, 5) ? step : { ...step, only: drawSome(rng, scenario) }),
  );
}

function repeatSubmission(scenario: Scenario, rng: Rng): Scenario | undefined {
  const ids = stepsOf(scenario).flatMap(({ submit }) => (submit?.repeat === undefined ? (submit?.id ?? []) : []));
  if (ids.length === 0) return undefined;
  const submit = { repeat: rng.pick(ids) };
  return withFurtherStep(scenario, { at: drawTime(rng, scenario), submit, only: drawSome(rng, scenario) });
}

/** Gives an operation the amount of another one. */
function changeValue(scenario: Scenario, rng: Rng): Scenario | undefined {
  const tree = stepsOf(scenario) as unknown as JsonTree;
  const paths = pathsIn(tree).filter((path) => path.at(-1) === "value" && path.includes("submit"));
  if (paths.length < 2) return undefined;
  const [one = [], other = []] = rng.shuffle(paths);
  return { ...scenario, steps: withValue(tree, one, valueAt(tree, other)) as unknown as readonly Step[] };
}

/** Widens a rule of held or dropped messages by a member, or gives it other ends. */
function changeRule(scenario: Scenario, rng: Rng): Scenario | undefined {
  const change = (pattern: PatternSpec): PatternSpec => {
    const members = ["kinds", "from", "to", "of", "account", "token", "round", "count"] as const;
    const present = members.filter((member) => pattern[member] !== undefined);
    const { from: _senders, to: _receivers, ...rest } = pattern;
    if (present.length === 0 || rng.chance(1, 2)) return { ...rest, ...drawEnds(rng, validatorNames(scenario)) };
    const widened: Record<string, unknown> = { ...pattern };
    delete widened[rng.pick(present)];
    return widened as PatternSpec;
  };
  return withOtherStep(
    scenario,
    rng,
    ({ hold, drop }) => hold !== undefined || drop !== undefined,
    ({ hold, drop, ...step }) => ({
      ...step,
      ...(hold === undefined ? {} : { hold: change(hold) }),
      ...(drop === undefined ? {} : { drop: change(drop) }),
    }),
  );
}

function leaveOutStep(scenario: Scenario, rng: Rng): Scenario | undefined {
  const steps = stepsOf(scenario);
  if (steps.length < 2) return undefined;
  const left = rng.integer(0, steps.length - 1);
  return { ...scenario, steps: steps.filter((_, place) => place !== left) };
}

function redrawLinks(scenario: Scenario, rng: Rng): Scenario {
  const least = rng.pick([1, 1, 5, 10]);
  const network = rng.pick([
    { delay_ms: `${least}..${least + rng.pickSkewed(0, 300)}` },
    { client_delay_ms: `1..${rng.pickSkewed(1, 100)}` },
    { write_ms: `0..${rng.pickSkewed(1, 60)}` },
    { duplicate: rng.pick(["1/20", "1/3"]) },
    { reorder: rng.pick(["1/10", "1/2"]) },
    { loss: rng.pick(["1/30", "1/5"]) },
  ]);
  return { ...scenario, network: { ...scenario.network, ...network } };
}

function redrawSchedule(scenario: Scenario, rng: Rng): Scenario {
  return { ...scenario, schedule: drawSchedule(rng) };
}

function addCrash(scenario: Scenario, rng: Rng): Scenario {
  const node = rng.pick(validatorNames(scenario));
  const moment = rng.pick([{}, {}, { after_output: rng.pick(["persist", "sign", "send", "erase"] as const) }]);
  const crash = { node, ...moment, restart_after_ms: rng.pickSkewed(1, 3_000) };
  return withFurtherStep(scenario, { at: drawTime(rng, scenario), crash });
}

/** Holds or drops messages of some kinds for a while. */
function addRule(scenario: Scenario, rng: Rng): Scenario {
  const at = drawTime(rng, scenario);
  const end = Math.min(at + rng.pickSkewed(20, 3_000), scenario.healing?.at ?? Number.MAX_SAFE_INTEGER);
  const rule = `neighbour${stepsOf(scenario).length}`;
  const pattern = { rule, kinds: rng.pickWeighted(...RULED_KINDS), ...drawEnds(rng, validatorNames(scenario)) };
  return rng.chance(1, 2)
    ? withFurtherStep(scenario, { at, hold: pattern }, { at: end, release: rule })
    : withFurtherStep(scenario, { at, drop: pattern }, { at: end, undrop: rule });
}

function addChaos(scenario: Scenario, rng: Rng): Scenario | undefined {
  const at = drawTime(rng, scenario);
  const until = Math.min(at + rng.integer(600, SPAN_MS), scenario.healing?.at ?? Number.MAX_SAFE_INTEGER);
  return withFurtherStep(scenario, { at, chaos: { for_ms: until - at } });
}

/** Verbs by which a validator counts as Byzantine, and the change of a committee. */
const FAULTY = ["byzantine", "twin", "wipe", "restore", "disk", "govern"] as const;

/** Makes a validator Byzantine where all of them are correct and stay in the committee, so that it is one of f. */
function addByzantine(scenario: Scenario, rng: Rng): Scenario | undefined {
  const names = validatorNames(scenario);
  const isFaulty = stepsOf(scenario).some((step) => FAULTY.some((verb) => step[verb] !== undefined));
  if (names.length < 4 || isFaulty || scenario.network?.twins !== undefined) return undefined;
  const weighted = STRATEGY_NAMES.map((name) => [STRATEGIES[name].weight, name] as const);
  const strategy = rng.pickWeighted(...weighted);
  const modes = modesOf(strategy);
  const mode = modes.length > 0 && rng.chance(3, 4) ? { mode: rng.pick(modes) } : {};
  const byzantine = { node: rng.pick(names), strategy, ...mode };
  return withFurtherStep(scenario, { at: rng.chance(3, 4) ? 0 : drawTime(rng, scenario), byzantine });
}
