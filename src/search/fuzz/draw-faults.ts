/**
 * Generated crashes, lost disks, clock offsets and link faults, at given times or triggered by the progress of an
 * operation.
 */
import type { Crash, Step } from "../../scenario/scenario.ts";
import type { Name } from "../../scenario/scenario-words.ts";
import { drawMoment } from "./acts-races.ts";
import { drawGroups } from "./asked.ts";
import { type Cast, FIRST_WRITE_MS, WALLETS } from "./cast.ts";
import type { Dice } from "./dice.ts";
import { drawRules } from "./draw-rules.ts";
import type { Script } from "./script.ts";
import type { Level } from "./swarm.ts";

/** Adds all faults; requires the operations to be drawn already. */
export function drawFaults(dice: Dice, cast: Cast, script: Script): void {
  const { swarm, profile } = cast;
  const count = (part: Dice, level: Level): number =>
    level === 0 ? 0 : part.between(1, level === 1 ? Math.ceil(profile.faults / 2) : 2 * profile.faults);
  const each = (label: string, level: Level, draw: (one: Dice) => void): void => {
    const part = dice.part(label);
    for (let left = count(part, level); left > 0; left--) draw(part);
  };
  each("crashes", swarm.crashes, (one) => crash(one, cast, script));
  for (const node of cast.wiped) wipe(dice.part("wipes"), node, cast, script);
  if (swarm.absences > 0) absence(dice.part("absences"), cast, script);
  each("clocks", swarm.clocks, (one) => clock(one, cast, script));
  each("partitions", swarm.partitions, (one) => partition(one, cast, script));
  each("cuts", swarm.cuts, (one) => cut(one, cast, script));
  each("uneven", swarm.uneven, (one) => uneven(one, cast, script));
  drawRules(dice.part("holds"), "hold", count(dice.part("holds"), swarm.holds), cast, script);
  drawRules(dice.part("drops"), "drop", count(dice.part("drops"), swarm.drops), cast, script);
}

/** Draws a time within the active span. */
export function drawTime(dice: Dice, { profile }: Cast, script: Script): number {
  if (script.known.length > 0 && dice.chance(2, 3)) return dice.pick(script.known).at + dice.skewed(0, 400);
  return dice.between(0, profile.span);
}

function crash(dice: Dice, cast: Cast, script: Script): void {
  const nodes = [...cast.validators, ...cast.spares].filter((name) => !cast.wiped.includes(name));
  if (nodes.length === 0) return;
  const node = dice.pick(nodes);
  const back = dice.chance(7, 8) ? { restart_after_ms: dice.skewed(1, 6_000) } : {};
  const how: Partial<Crash> = dice.weighted<Partial<Crash>>([
    [3, {}],
    [2, { after_output: dice.pick(["persist", "sign", "send", "erase"] as const) }],
    [1, { outputs: dice.skewed(0, 30) }],
  ]);
  const what: Pick<Step, "crash"> = { crash: { node, ...how, ...back } };
  const known = script.known.length > 0 && dice.chance(1, 3) ? dice.pick(script.known) : undefined;
  const least = cast.swarm.disks === 0 ? 0 : FIRST_WRITE_MS;
  if (known === undefined) script.does(Math.max(least, drawTime(dice, cast, script)), what);
  else script.follows(drawMoment(dice, known, cast), what);
}

/** Adds a validator that misses more checkpoints than others keep, and receives few snapshots on its return. */
function absence(dice: Dice, cast: Cast, script: Script): void {
  const nodes = cast.validators.filter((name) => !cast.wiped.includes(name) && !cast.liars.includes(name));
  if (nodes.length === 0) return;
  const node = dice.pick(nodes);
  const away = dice.between(2_000, 6_000);
  const at = dice.between(FIRST_WRITE_MS, 600);
  script.does(at, { crash: { node, restart_after_ms: away } });
  const mix = [{ payment: { token: "USD", value: "0.01..1" } }];
  const count = dice.between(25, 60);
  script.does(at, { workload: { id: "meanwhile", accounts: WALLETS, count, every_ms: "20..120", mix } });
  const others = cast.validators.filter((name) => name !== node && !cast.liars.includes(name));
  if (others.length === 0 || dice.chance(1, 2)) return;
  const rule = script.rule();
  script.does(at + away - 50, { drop: { rule, kinds: ["snapshot"], from: others, to: [node] } });
  script.does(at + away + dice.between(1_000, 3_000), { undrop: rule });
}

/** Wipes a disk; the validator restarts soon or only with the healing. */
function wipe(dice: Dice, node: Name, cast: Cast, script: Script): void {
  const at = drawTime(dice, cast, script);
  script.does(at, { wipe: node });
  if (dice.chance(3, 4)) script.does(at + dice.skewed(1, 1_000), { restart: node });
}

function clock(dice: Dice, cast: Cast, script: Script): void {
  const ahead = dice.weighted([
    [3, dice.between(1, 4_900)],
    [1, dice.between(5_000, 60_000)],
    [1, 3_600_000],
  ]);
  const node = dice.pick(cast.validators);
  script.does(dice.chance(2, 3) ? 0 : drawTime(dice, cast, script), {
    clock: { node, ahead_ms: dice.chance(1, 2) ? ahead : -ahead },
  });
}

function partition(dice: Dice, cast: Cast, script: Script): void {
  const nodes = [...cast.validators, ...cast.spares];
  if (nodes.length < 2) return;
  const groups = drawGroups(
    dice,
    nodes,
    dice.weighted([
      [4, 2],
      [1, 3],
    ]),
  );
  const at = drawTime(dice, cast, script);
  script.does(at, { partition: groups });
  if (dice.chance(5, 6)) script.does(at + dice.skewed(50, 6_000), { heal: true });
}

function cut(dice: Dice, cast: Cast, script: Script): void {
  const nodes = [...cast.validators, ...cast.spares];
  if (nodes.length < 2) return;
  const [from = [], to = []] = drawGroups(dice, nodes, 2);
  const at = drawTime(dice, cast, script);
  script.does(at, { cut: { from: dice.some(from, dice.between(1, from.length)), to } });
  if (dice.chance(5, 6)) script.does(at + dice.skewed(50, 6_000), { heal: true });
}

/** Makes some links much slower or lossier than the others. */
function uneven(dice: Dice, cast: Cast, script: Script): void {
  const ends = dice.some(cast.validators, dice.between(1, cast.validators.length));
  const side = dice.chance(1, 2) ? { from: ends } : { to: ends };
  const at = dice.chance(1, 2) ? 0 : drawTime(dice, cast, script);
  switch (dice.pick(["delay", "loss", "duplicate", "reorder"] as const)) {
    case "delay":
      script.does(at, { delay: { ...side, ms: `${dice.between(10, 300)}..${dice.between(300, 1_500)}` } });
      return;
    case "loss":
      script.does(at, { loss: { ...side, chance: dice.pick(["1/3", "3/4"]) } });
      return;
    case "duplicate":
      script.does(at, { duplicate: { ...side, chance: "1/2" } });
      return;
    case "reorder":
      script.does(at, { reorder: { ...side, chance: "1/2" } });
      return;
  }
}
