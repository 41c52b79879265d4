/** Generated scenario of one seed: network, faults, Byzantine validators, clients, tokens and operations. */
import { findBug } from "../../bugs/catalogue.ts";
import { VALIDATORS_DEFAULT } from "../../scenario/declarations.ts";
import type { Rng, WeightedItem } from "../../scenario/rng.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import type { Step } from "../../scenario/schema/step.ts";
import { drawByzantine } from "./draw-byzantine.ts";
import { drawFaults } from "./draw-faults.ts";
import { aimsAtCheckpoints, drawGenesis, drawGovernance } from "./draw-genesis.ts";
import { drawClients, drawNetwork } from "./draw-network.ts";
import type { ACT_NAMES, GeneratorName } from "./generators.ts";
import { rngFor, type Section } from "./rng.ts";
import { drawRoles, GUARD, type Roles } from "./roles.ts";
import { StepBuilder } from "./step-builder.ts";
import { addIssue, addMetadataChanges, addRestriction, addRoleChanges, addSupplyChanges } from "./steps-authority.ts";
import { addBridgeOperations } from "./steps-bridges.ts";
import { addBurns } from "./steps-burns.ts";
import { addInvalidSubmission, addPayments, addWorkload, spendCredit } from "./steps-clients.ts";
import { addCombination } from "./steps-combinations.ts";
import { addConflict, secondSubmission } from "./steps-conflicts.ts";
import { addCrowd } from "./steps-crowds.ts";
import { addInteraction } from "./steps-meetings.ts";
import { addMultisigStep } from "./steps-multisig.ts";
import { addCancellation, addCrossingPayments, raceCancellation } from "./steps-races.ts";
import { drawSwarm, LIMITS, type Profile, type ProfileName, type Swarm, type SwarmKind } from "./swarm.ts";

type StepGenerator = (rng: Rng, roles: Roles, builder: StepBuilder) => void;

type Act = readonly [name: (typeof ACT_NAMES)[number], StepGenerator];

const ACTS: readonly Act[] = [
  ["payments", addPayments],
  ["credits", spendCredit],
  ["conflicts", addConflict],
  ["cancellations", addCancellation],
  ["races", raceCancellation],
  ["seconds", secondSubmission],
  ["oddities", addInvalidSubmission],
  ["workload", addWorkload],
  ["supply", addSupplyChanges],
  ["burns", addBurns],
  ["bridges", addBridgeOperations],
  ["restrictions", addRestriction],
  ["roles", addRoleChanges],
  ["metadata", addMetadataChanges],
  ["issues", addIssue],
  ["multisigs", addMultisigStep],
];

/** Step generators for scenarios in which an epoch may close. */
const CROSSING: readonly Act[] = [
  ["races", addCrossingPayments],
  ["govern", addCrossingPayments],
];

/** Drawn scenario, and the generators that added steps to it. */
export interface DrawnWorld {
  readonly scenario: Scenario;
  readonly drawn: ReadonlySet<GeneratorName>;
}

/** Limits of a caller that draws less than everything; never more than f Byzantine validators. */
export interface DrawLimits {
  /** Kinds that may be drawn. */
  readonly kinds: readonly SwarmKind[];
  /** In place of those of the profile. */
  readonly sizes: Partial<Profile>;
}

/** Weight factor of a kind at extreme intensity. */
const EXTREME = 4;

/**
 * Draws the scenario of a seed, and says which generators added steps to it. It ends with healing, so that liveness is
 * demanded; where Byzantine validators and lost disks leave no quorum, no progress is demanded, and with more than f
 * Byzantine ones only invariants that hold beyond f. `bug`: the known-bad variant that runs in it; the scenario differs
 * only by the part that such a variant gives to the last validator.
 */
export function drawWorld(seed: string, profileName: ProfileName, bug?: string, limits?: DrawLimits): DrawnWorld {
  const rng = (part: Section): Rng => rngFor(seed, profileName, part);
  const profile = { ...LIMITS[profileName], ...limits?.sizes };
  const swarm = drawSwarm(rng("swarm"), limits?.kinds);
  const lastIsByzantine = bug !== undefined && findBug(bug)?.attack !== undefined;
  const roles = drawRoles(rng("cast"), profile, swarm, { lastIsByzantine, isWithinF: limits !== undefined });
  const builder = new StepBuilder();
  drawByzantine(rng("liars"), roles, builder);
  drawTraffic(rng("traffic"), roles, builder);
  builder.draw("govern", () => drawGovernance(rng("govern"), roles, builder));
  drawFaults(rng("faults"), roles, builder);
  const bare: Scenario = {
    name: `drawn from seed ${seed}, profile ${profileName}`,
    ...(bug === undefined ? {} : { bug }),
    network: drawNetwork(rng("network"), roles),
    ...(limits !== undefined || swarm.crowds > 0 || roles.isStaged ? {} : drawRareSchedule(rng("schedule"))),
    genesis: drawGenesis(rng("genesis"), roles),
    steps: sortByTime(builder.steps),
  };
  const scenario: Scenario = {
    ...bare,
    events: eventLimit(roles.validators.length, profile, swarm),
    allow_idle: true,
    clients: drawClients(rng("clients"), roles, bare, builder),
    ...drawEnd(rng("end"), roles, builder),
  };
  return { scenario, drawn: builder.drawn };
}

/**
 * Returns the event limit. Every validator sends to every other, so it grows with the square of the committee; the
 * profile's limit is for the default committee. A meeting may be a flood, and a crowd is one. The file contains it, so that a campaign and a run of the saved file
 * end at the same event.
 */
function eventLimit(validators: number, { events }: Profile, { meetings, crowds }: Swarm): number {
  const more = Math.max(1, validators / VALIDATORS_DEFAULT);
  return Math.ceil((meetings + crowds > 0 ? 2 : 1) * events * more * more);
}

/** Adds the steps of clients and authorities. */
function drawTraffic(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const { profile, swarm } = roles;
  const [least, most] = profile.acts;
  const count = roles.isStaged || swarm.combinations === 2 ? 0 : rng.integer(least, most);
  if (roles.startsPaused)
    builder.submit(GUARD, { unpause: { from: GUARD, token: "USD" } }, { at: rng.split("unpause").pickSkewed(0, 60) });
  const closes = swarm.govern > 0 || (aimsAtCheckpoints(swarm) && swarm.epochs > 0);
  const acts = [...ACTS, ...(closes ? CROSSING : [])].flatMap((act): readonly WeightedItem<Act>[] => {
    const level = swarm[act[0]];
    return level === 0 ? [] : [[level === 2 ? EXTREME : 1, act]];
  });
  if (swarm.meetings > 0) addInteraction(rng.split("meetings"), roles, builder);
  if (swarm.combinations > 0)
    builder.draw("combination", () => addCombination(rng.split("combinations"), roles, builder));
  if (swarm.crowds > 0) builder.draw("crowd", () => addCrowd(rng.split("crowds"), roles, builder));
  for (let index = 0; index < count; index++) {
    if (index > 0)
      builder.at = Math.min(profile.span, builder.at + rng.pickSkewed(0, Math.ceil((2 * profile.span) / most)));
    const [name, act] = rng.pickWeighted(...acts);
    builder.draw(name, () => act(rng.split(`${index}`), roles, builder));
  }
}

/** Draws healing and expectations. */
function drawEnd(
  rng: Rng,
  { isBeyond, lacksQuorum, hurries, isStaged }: Roles,
  { healsAt, neverHeals }: StepBuilder,
): Pick<Scenario, "healing" | "expect"> {
  // Always satisfied: the invariants alone judge the file, with those excused that do not hold beyond f.
  if (isBeyond || lacksQuorum || neverHeals) return { healing: { none: true }, expect: [{ epoch: { at_least: 0 } }] };
  if (healsAt !== undefined) return { healing: { at: healsAt }, expect: [{ violation: "none" }] };
  return {
    // A Byzantine proposer that stays silent does so after the healing too, and what is kept from others stays so.
    ...(!hurries && rng.chance(1, isStaged ? 4 : 2) ? { healing: { everywhere: true } } : {}),
    expect: [{ violation: "none" }],
  };
}

/** Sorts steps by time; triggered steps keep their positions. */
export function sortByTime(steps: readonly Step[]): readonly Step[] {
  let at = 0;
  const placed = steps.map((step, index) => {
    at = step.at ?? at;
    return { step, at, index };
  });
  return placed.sort((a, b) => a.at - b.at || a.index - b.index).map(({ step }) => step);
}

/** Draws a schedule in one of eight scenarios. */
function drawRareSchedule(rng: Rng): Pick<Scenario, "schedule"> {
  return rng.chance(1, 8) ? { schedule: drawSchedule(rng) } : {};
}

/** Draws the section `schedule`. */
export function drawSchedule(rng: Rng): NonNullable<Scenario["schedule"]> {
  const common = { steps: rng.integer(5, 60), window_ms: rng.pickSkewed(5, 200) };
  if (rng.chance(1, 4)) return { method: "delay-bounded", deviations: rng.integer(1, 8), ...common };
  return { method: "pct", depth: rng.integer(2, 4), ...common };
}
