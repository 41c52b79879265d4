/**
 * Generated crashes, suspensions, lost and restored disks, clock offsets, link faults, and rules that hold or drop messages, at given times or
 * triggered by the progress of an operation.
 */

import { drawEnds, drawGroups, RULED_KINDS } from "../../scenario/chaos.ts";
import type { CrashSpec } from "../../scenario/faults/nodes.ts";
import type { Rng, WeightedItem } from "../../scenario/rng.ts";
import type { Name } from "../../scenario/schema/scalars.ts";
import type { Step } from "../../scenario/schema/step.ts";
import type { PatternSpec, TriggerSpec } from "../../scenario/schema/trigger.ts";
import type { MessageKind } from "../../simulator/plan.ts";
import { aimsAtCheckpoints, drawRenewal } from "./draw-genesis.ts";
import type { GeneratorName } from "./generators.ts";
import { MINTER, PAYERS, type Roles, WALLETS } from "./roles.ts";
import type { KnownOperation, StepBuilder } from "./step-builder.ts";
import { drawPayment } from "./steps-clients.ts";
import { drawTrigger } from "./steps-races.ts";
import type { Intensity } from "./swarm.ts";

/** Adds all faults; requires the operations to be drawn already. */
export function drawFaults(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const { swarm, profile } = roles;
  const count = (part: Rng, level: Intensity): number =>
    level === 0 ? 0 : part.integer(1, level === 1 ? Math.ceil(profile.faults / 2) : 2 * profile.faults);
  const drawEach = (
    name: GeneratorName,
    level: Intensity,
    draw: (one: Rng, roles: Roles, builder: StepBuilder) => void,
    label: string = name,
  ): void => {
    const part = rng.split(label);
    builder.draw(name, () => {
      for (let left = count(part, level); left > 0; left--) draw(part, roles, builder);
    });
  };
  const drawFor = (name: GeneratorName, nodes: readonly Name[], draw: NodeFault): void => {
    const part = rng.split(name);
    builder.draw(name, () => {
      for (const node of nodes) draw(part, node, roles, builder);
    });
  };
  drawEach("crashes", swarm.crashes, addCrash);
  const dark = rng.split("blackouts");
  if (swarm.crashes > 0 && dark.chance(1, 3)) builder.draw("blackouts", () => addBlackout(dark, roles, builder));
  drawFor("wipes", roles.wiped, addWipe);
  drawFor("restores", roles.restored, addRestore);
  if (swarm.absences > 0) builder.draw("absences", () => addAbsence(rng.split("absences"), roles, builder));
  drawEach("suspensions", swarm.suspensions, addSuspension);
  drawEach("clocks", swarm.clocks, addClockFault);
  drawEach("partitions", swarm.partitions, addPartition);
  drawEach("cuts", swarm.cuts, addCut);
  drawEach("uneven links", swarm.uneven, addUnevenLinks, "uneven");
  for (const [name, verb] of [
    ["holds", "hold"],
    ["drops", "drop"],
  ] as const)
    builder.draw(name, () => drawRules(rng.split(name), verb, count(rng.split(name), swarm[name]), roles, builder));
}

type NodeFault = (rng: Rng, node: Name, roles: Roles, builder: StepBuilder) => void;

/** Draws a time within the active span. */
function drawTime(rng: Rng, { profile }: Roles, builder: StepBuilder): number {
  if (builder.known.length > 0 && rng.chance(2, 3)) return rng.pick(builder.known).at + rng.pickSkewed(0, 400);
  return rng.integer(0, profile.span);
}

function addCrash(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const nodes = [...roles.validators, ...roles.spares].filter((name) => !roles.wiped.includes(name));
  if (nodes.length === 0) return;
  const node = rng.pick(nodes);
  const back = rng.chance(7, 8) ? { restart_after_ms: rng.pickSkewed(1, 6_000) } : {};
  const moment: Partial<CrashSpec> = rng.pickWeighted<Partial<CrashSpec>>(
    [3, {}],
    [2, { after_output: rng.pick(["persist", "sign", "send", "erase"] as const) }],
    [1, { outputs: rng.pickSkewed(0, 30) }],
  );
  const step: Pick<Step, "crash"> = { crash: { node, ...moment, ...back } };
  const known = builder.known.length > 0 && rng.chance(1, 3) ? rng.pick(builder.known) : undefined;
  if (known === undefined) builder.addAt(drawTime(rng, roles, builder), step);
  else builder.addAfter(drawTrigger(rng, known, roles), step);
}

/** Suspends a validator; it goes on soon, or only with the healing. */
function addSuspension(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const nodes = [...roles.validators, ...roles.spares].filter((name) => !roles.wiped.includes(name));
  if (nodes.length === 0) return;
  const node = rng.pick(nodes);
  const known = builder.known.length > 0 && rng.chance(1, 2) ? rng.pick(builder.known) : undefined;
  const lasting = rng.pickSkewed(1, 6_000);
  if (known !== undefined) {
    builder.addAfter(drawTrigger(rng, known, roles), { suspend: { node, resume_after_ms: lasting } });
    return;
  }
  const ending = rng.pick(["alone", "step", "healing"] as const);
  const at = drawTime(rng, roles, builder);
  builder.addAt(at, { suspend: ending === "alone" ? { node, resume_after_ms: lasting } : { node } });
  if (ending === "step") builder.addAt(at + lasting, { resume: node });
}

/** Crashes all validators at once: what goes on afterwards follows from their durable records alone. */
function addBlackout(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const at = drawTime(rng, roles, builder);
  const wide = rng.pickSkewed(1, 3_000);
  for (const node of [...roles.validators, ...roles.spares])
    if (!roles.wiped.includes(node)) builder.addAt(at, { crash: { node, restart_after_ms: rng.integer(1, wide) } });
}

/** Adds a validator that misses more checkpoints than others keep, and receives few snapshots on its return. */
function addAbsence(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const { validators, spares, joins } = roles;
  const nodes = (joins ? spares : validators).filter(
    (name) => !roles.wiped.includes(name) && !roles.byzantine.includes(name),
  );
  if (nodes.length === 0) return;
  const node = rng.pick(nodes);
  const away = joins ? rng.integer(10_000, 16_000) : rng.integer(2_000, 6_000);
  // A transfer then takes longer than from one checkpoint to the next.
  if (joins) for (const side of ["to", "from"]) builder.addAt(0, { delay: { [side]: [node], ms: SLOW_LINK_MS } });
  const at = rng.integer(0, 600);
  const parted = rng.split("cut off");
  if (nodes.length > 1 && parted.chance(1, 3)) isolateNode(parted, node, [at, at + away], roles, builder);
  else builder.addAt(at, { crash: { node, restart_after_ms: away } });
  const payment = { token: "USD", value: "0.01..1" };
  // A burn uses a slot and no nonce: a transferred state then holds different numbers of the two.
  const burn = { from: MINTER, token: "USD", value: "0.5..1", accounts: WALLETS };
  const mix = rng.split("burns").chance(1, 2) ? [{ weight: 6, payment }, { burn }] : [{ payment }];
  const few = { count: rng.integer(25, 60), every_ms: "20..120" };
  const orders = roles.isLarge ? { to_fillers: true, count: 3 * few.count, every_ms: "5..40" } : few;
  builder.addAt(at, { workload: { id: "meanwhile", accounts: WALLETS, ...orders, mix } });
  const others = roles.validators.filter((name) => name !== node && !roles.byzantine.includes(name));
  if (others.length === 0 || rng.chance(1, 2)) return;
  const rule = builder.newRule();
  builder.addAt(at + away - 50, { drop: { rule, kinds: ["snapshot"], from: others, to: [node] } });
  builder.addAt(at + away + rng.integer(1_000, 3_000), { undrop: rule });
}

/** Delay of the links of a validator that fetches a large state, in virtual milliseconds. */
const SLOW_LINK_MS = 100;

/** Parts a validator from the others, so that it keeps what it holds: operations of clients among it. */
function isolateNode(
  rng: Rng,
  node: Name,
  [from, until]: readonly [number, number],
  roles: Roles,
  builder: StepBuilder,
): void {
  const others = [...roles.validators, ...roles.spares].filter((name) => name !== node);
  for (const payer of rng.pickSome(PAYERS, rng.integer(1, 3)))
    builder.submit(payer, drawPayment(rng, payer), { only: [node], at: from + rng.integer(0, 400) });
  builder.addAt(from, { partition: [[node], others] });
  builder.addAt(until, { heal: true });
}

/** Wipes a disk; the validator restarts soon or only with the healing, and sometimes gets a new key. */
function addWipe(rng: Rng, node: Name, roles: Roles, builder: StepBuilder): void {
  const at = drawTime(rng, roles, builder);
  builder.addAt(at, { wipe: node });
  if (rng.chance(3, 4)) builder.addAt(at + rng.pickSkewed(1, 1_000), { restart: node });
  if (roles.swarm.govern === 0 && rng.chance(1, 3)) drawRenewal(rng, at + rng.pickSkewed(100, 3_000), roles, builder);
}

/** Returns a disk to a backup, mostly after the validator has signed more, and starts it again. */
function addRestore(rng: Rng, node: Name, roles: Roles, builder: StepBuilder): void {
  const at = drawTime(rng, roles, builder);
  if (rng.chance(4, 5)) builder.addAt(Math.max(0, at - rng.pickSkewed(1, 1_000)), { backup: node });
  const known = builder.known.length > 0 && rng.chance(2, 3) ? rng.pick(builder.known) : undefined;
  const event = rng.pick(["voted", "committed"] as const);
  if (known === undefined) builder.addAt(at + rng.pickSkewed(1, 1_000), { restore: node });
  else builder.addAfter({ [event]: known.id, by: node, plus_ms: rng.pickSkewed(0, 50) }, { restore: node });
  builder.addAfter({ crashed: node, plus_ms: rng.pickSkewed(1, 500) }, { restart: node });
}

function addClockFault(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const ahead = rng.pickWeighted([3, rng.integer(1, 4_900)], [1, rng.integer(5_000, 60_000)], [1, 3_600_000]);
  const node = rng.pick(roles.validators);
  builder.addAt(rng.chance(2, 3) ? 0 : drawTime(rng, roles, builder), {
    clock: { node, ahead_ms: rng.chance(1, 2) ? ahead : -ahead },
  });
}

function addPartition(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const nodes = [...roles.validators, ...roles.spares];
  if (nodes.length < 2) return;
  const groups = drawGroups(rng, nodes, rng.pickWeighted([4, 2], [1, 3]));
  const at = drawTime(rng, roles, builder);
  builder.addAt(at, { partition: groups });
  if (rng.chance(5, 6)) builder.addAt(at + rng.pickSkewed(50, 6_000), { heal: true });
}

function addCut(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const nodes = [...roles.validators, ...roles.spares];
  if (nodes.length < 2) return;
  const [from = [], to = []] = drawGroups(rng, nodes, 2);
  const at = drawTime(rng, roles, builder);
  builder.addAt(at, { cut: { from: rng.pickSome(from, rng.integer(1, from.length)), to } });
  if (rng.chance(5, 6)) builder.addAt(at + rng.pickSkewed(50, 6_000), { heal: true });
}

/** Makes some links much slower or lossier than the others. */
function addUnevenLinks(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const ends = rng.pickSome(roles.validators, rng.integer(1, roles.validators.length));
  const side = rng.chance(1, 2) ? { from: ends } : { to: ends };
  const at = rng.chance(1, 2) ? 0 : drawTime(rng, roles, builder);
  switch (rng.pick(["delay", "loss", "duplicate", "reorder"] as const)) {
    case "delay":
      builder.addAt(at, { delay: { ...side, ms: `${rng.integer(10, 300)}..${rng.integer(300, 1_500)}` } });
      return;
    case "loss":
      builder.addAt(at, { loss: { ...side, chance: rng.pick(["1/3", "3/4"]) } });
      return;
    case "duplicate":
      builder.addAt(at, { duplicate: { ...side, chance: "1/2" } });
      return;
    case "reorder":
      builder.addAt(at, { reorder: { ...side, chance: "1/2" } });
      return;
  }
}

/** Kinds that are sent only if epochs close. */
const OF_EPOCHS: readonly WeightedItem<readonly MessageKind[]>[] = [
  [5, ["close"]],
  [2, ["disclosure"]],
];

/** Subject of a rule, and the time at which it begins. */
interface RuleSubject {
  readonly part: Pick<PatternSpec, "of" | "account" | "token" | "checkpoint" | "epoch">;
  readonly at: number;
  readonly known: KnownOperation | undefined;
}

/** Adds `count` rules of one verb. */
function drawRules(rng: Rng, verb: "hold" | "drop", count: number, roles: Roles, builder: StepBuilder): void {
  for (let left = count; left > 0; left--) {
    const { part, at, known } = drawAbout(rng, roles, builder);
    const rule = builder.newRule();
    const groups = roles.swarm.govern + roles.swarm.epochs > 0 ? [...RULED_KINDS, ...OF_EPOCHS] : RULED_KINDS;
    const kinds = rng.chance(1, 8) ? {} : { kinds: rng.pickWeighted(...groups) };
    const limit = verb === "drop" && rng.chance(1, 3) ? { count: rng.pickSkewed(1, 20) } : {};
    const from = Math.max(0, at - rng.pickSkewed(0, 50));
    builder.addAt(from, {
      [verb]: { rule, ...part, ...kinds, ...drawEnds(rng, [...roles.validators, ...roles.spares]), ...limit },
    });
    const end = verb === "hold" ? { release: rule } : { undrop: rule };
    if (rng.chance(1, 6)) continue;
    const trigger = rng.chance(1, 4) ? drawRuleEnd(rng, known) : undefined;
    if (trigger === undefined) builder.addAt(at + rng.pickSkewed(20, 5_000), end);
    else builder.addAfter(trigger, end);
  }
}

function drawAbout(rng: Rng, { swarm, profile }: Roles, builder: StepBuilder): RuleSubject {
  const known = builder.known.length === 0 ? undefined : rng.pick(builder.known);
  const at = known === undefined ? rng.integer(0, profile.span) : known.at;
  const everything: RuleSubject = { part: {}, at, known };
  const choices: WeightedItem<RuleSubject>[] = [[2, everything]];
  if (known !== undefined) {
    choices.push(
      [4, { part: { of: known.id }, at, known }],
      [4, { part: { account: known.account ?? known.from }, at, known }],
    );
    if (known.token !== undefined) choices.push([2, { part: { token: known.token }, at, known }]);
  }
  if (aimsAtCheckpoints(swarm)) choices.push([3, { part: { checkpoint: rng.integer(1, 5) }, at: 0, known: undefined }]);
  if (swarm.govern > 0 || (aimsAtCheckpoints(swarm) && swarm.epochs > 0))
    choices.push([3, { part: { epoch: rng.integer(0, 1) }, at: rng.integer(0, profile.span), known: undefined }]);
  return rng.pickWeighted(...choices);
}

function drawRuleEnd(rng: Rng, known: KnownOperation | undefined): TriggerSpec | undefined {
  if (known === undefined) return undefined;
  if (rng.chance(1, 2)) return { round_change: known.account ?? known.from, times: rng.integer(1, 5) };
  return { [rng.pick(["decided", "applied", "committed"] as const)]: known.id, plus_ms: rng.pickSkewed(0, 500) };
}
