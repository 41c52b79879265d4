/** Generated scenario of one seed: network, faults, Byzantine validators, clients, tokens and operations. */
import { findBug } from "../../bugs/catalogue.ts";
import { VALIDATORS_DEFAULT } from "../../scenario/declared.ts";
import type { Scenario, Step } from "../../scenario/scenario.ts";
import { issue, metadata, restrict, roles, supply } from "./acts-authority.ts";
import { burn } from "./acts-burns.ts";
import { lean } from "./acts-credits.ts";
import { odd } from "./acts-odd.ts";
import { conflict, pay, second } from "./acts-payments.ts";
import { cancel, cross, race } from "./acts-races.ts";
import { work } from "./acts-workload.ts";
import { type Cast, drawCast } from "./cast.ts";
import type { Dice, Weighted } from "./dice.ts";
import { drawClients } from "./draw-clients.ts";
import { drawFaults } from "./draw-faults.ts";
import { drawGenesis, formsCheckpoints } from "./draw-genesis.ts";
import { drawGovernance } from "./draw-governance.ts";
import { drawLiars } from "./draw-liars.ts";
import { drawNetwork } from "./draw-network.ts";
import { drawSchedule } from "./draw-schedule.ts";
import { diceFor, type Part } from "./lineage.ts";
import { type Profile, type ProfileName, profileOf } from "./profile.ts";
import { Script } from "./script.ts";
import { drawSwarm, type Kind } from "./swarm.ts";

type Act = (dice: Dice, cast: Cast, script: Script) => void;

const ACTS: readonly (readonly [Kind, Act])[] = [
  ["payments", pay],
  ["credits", lean],
  ["conflicts", conflict],
  ["cancellations", cancel],
  ["races", race],
  ["seconds", second],
  ["oddities", odd],
  ["workload", work],
  ["supply", supply],
  ["burns", burn],
  ["restrictions", restrict],
  ["roles", roles],
  ["metadata", metadata],
  ["issues", issue],
];

/** Step generators for scenarios in which an epoch may close. */
const CROSSING: readonly (readonly [Kind, Act])[] = [
  ["races", cross],
  ["govern", cross],
];

/** Weight factor of a kind at extreme intensity. */
const EXTREME = 4;

/**
 * Draws the scenario of a seed. It ends with healing, so that liveness is demanded; with more than f Byzantine
 * validators no progress and only invariants that hold beyond f are demanded. `bug`: the known-bad variant that runs in
 * it; the scenario differs only by the part that such a variant gives to the last validator.
 */
export function drawScenario(seed: string, profileName: ProfileName, bug?: string): Scenario {
  const dice = (part: Part): Dice => diceFor(seed, profileName, part);
  const profile = profileOf(profileName);
  const swarm = drawSwarm(dice("swarm"));
  const lastLies = bug !== undefined && findBug(bug)?.attack !== undefined;
  const cast = drawCast(dice("cast"), profile, swarm, { lastLies });
  const script = new Script();
  drawLiars(dice("liars"), cast, script);
  drawTraffic(dice("traffic"), cast, script);
  drawGovernance(dice("govern"), cast, script);
  drawFaults(dice("faults"), cast, script);
  const bare: Scenario = {
    name: `drawn from seed ${seed}, profile ${profileName}`,
    ...(bug === undefined ? {} : { bug }),
    network: drawNetwork(dice("network"), cast),
    ...drawSchedule(dice("schedule")),
    genesis: drawGenesis(dice("genesis"), cast),
    steps: inOrder(script.steps),
  };
  return {
    ...bare,
    events: eventsOf(cast.validators.length, profile),
    clients: drawClients(dice("clients"), cast, bare, script.scripted),
    ...drawEnd(dice("end"), cast),
  };
}

/**
 * Returns the event limit. Every validator sends to every other, so it grows with the square of the committee; the
 * profile's limit is for the default committee. The file contains it, so that a campaign and a run of the saved file
 * end at the same event.
 */
function eventsOf(validators: number, { events }: Profile): number {
  const more = Math.max(1, validators / VALIDATORS_DEFAULT);
  return Math.ceil(events * more * more);
}

/** Adds the steps of clients and authorities. */
function drawTraffic(dice: Dice, cast: Cast, script: Script): void {
  const { profile, swarm } = cast;
  const [least, most] = profile.acts;
  const count = dice.between(least, most);
  const closes = swarm.govern > 0 || (formsCheckpoints(swarm) && swarm.epochs > 0);
  const acts = [...ACTS, ...(closes ? CROSSING : [])].flatMap(([kind, act]): readonly Weighted<Act>[] => {
    const level = swarm[kind];
    return level === 0 ? [] : [[level === 2 ? EXTREME : 1, act]];
  });
  for (let index = 0; index < count; index++) {
    if (index > 0) script.at = Math.min(profile.span, script.at + dice.skewed(0, Math.ceil((2 * profile.span) / most)));
    dice.weighted(acts)(dice.part(`${index}`), cast, script);
  }
}

/** Draws healing and expectations. */
function drawEnd(dice: Dice, { isBeyond }: Cast): Pick<Scenario, "healing" | "expect"> {
  // Always satisfied: the invariants alone judge the file, with those excused that do not hold beyond f.
  if (isBeyond) return { healing: { none: true }, expect: [{ epoch: { at_least: 0 } }] };
  return {
    ...(dice.chance(1, 2) ? { healing: { everywhere: true } } : {}),
    expect: [{ violation: "none" }],
  };
}

/** Sorts steps by time; triggered steps keep their positions. */
function inOrder(steps: readonly Step[]): readonly Step[] {
  let at = 0;
  const placed = steps.map((step, index) => {
    at = step.at ?? at;
    return { step, at, index };
  });
  return placed.sort((a, b) => a.at - b.at || a.index - b.index).map(({ step }) => step);
}
