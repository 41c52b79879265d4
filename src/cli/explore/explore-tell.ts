/** Output of `explore`: levels, bounds, and the counterexample with its path. */
import type { ToldBounds } from "../../explore/bounds-told.ts";
import { CHECKS } from "../../explore/checks.ts";
import type { Confirmed } from "../../explore/confirm.ts";
import type { DoneLevel, Level } from "../../explore/deepen.ts";
import { CLIENTS, CRASHED } from "../../explore/model.ts";
import type { PathStep } from "../../explore/path-step.ts";
import type { Breach } from "../../explore/walk.ts";
import type { Paint } from "../../report/paint.ts";

/** Counterexample in the output. */
export interface ToldBreach {
  readonly breach: Breach;
  readonly confirmed: Confirmed;
  readonly file: string;
  readonly replay: string;
}

/** Result of an exploration. */
export interface ToldExplore {
  readonly id: string;
  readonly bug: string | undefined;
  readonly levels: readonly Level[];
  readonly done: readonly DoneLevel[];
  readonly bounds: ToldBounds;
  readonly exhausted: boolean;
  readonly found: ToldBreach | undefined;
  readonly wallMs: number;
}

/** Returns the line of a finished level. */
export function levelText(level: Level, wallMs: number, perSecond: number, paint: Paint): string {
  const { bounds, states, transitions, exhausted, breach } = level;
  const word =
    breach !== undefined
      ? paint("bad", "violation")
      : exhausted
        ? paint("good", "exhausted")
        : paint("bad", "not exhausted");
  const rate = perSecond > 0 ? `, ${perSecond} a second` : "";
  const counts = `${String(states).padStart(10)} states ${String(transitions).padStart(11)} transitions`;
  return `${word}  ${boundsName(bounds)} ${counts} ${paint("dim", `in ${(wallMs / 1_000).toFixed(1)} s${rate}`)}\n`;
}

export function boundsName({ rounds, crashes }: { readonly rounds: number; readonly crashes: number }): string {
  const crashing = crashes === 0 ? "no crash" : crashes === 1 ? "1 crash" : `${crashes} crashes`;
  return `rounds 0..${rounds}, ${crashing}`;
}

/** Returns the frontier of a stopped search, and `again`, the command that resumes it. */
export function leftText({ states, left, isFull }: Level, again: string, paint: Paint): string {
  if (left === undefined) return "";
  const why = isFull ? `; out of memory after ${states} states` : "";
  const what = `frontier: ${left.frontier} states, depth <= ${left.depth} visible steps${why}`;
  return `    ${what}\n    ${paint("dim", "resume:")} ${again}\n`;
}

/** Returns the summary for people. */
export function exploreText(told: ToldExplore, paint: Paint): string {
  const lines = told.found === undefined ? [] : [...breachLines(told.found, paint)];
  const { bounds, exhausted, found } = told;
  const states = [...told.done, ...told.levels].map((level) => level.states).reduce((sum, count) => sum + count, 0);
  const verdict = found !== undefined ? "violation" : exhausted ? "no violation" : "no violation, not exhausted";
  lines.push("");
  lines.push(`${told.id}: ${states} states, ${verdict}`);
  lines.push(
    paint(
      "dim",
      `${bounds.validators} validators, of which ${bounds.byzantine} is Byzantine; values: ${bounds.values.join(", ")}`,
    ),
  );
  if (bounds.interchangeable.length > 0)
    lines.push(paint("dim", `symmetry: ${bounds.interchangeable.join(", ")} are interchangeable`));
  lines.push(paint("dim", `checked in each state: ${bounds.checks.join(", ")}`));
  for (const sentence of bounds.model) lines.push(paint("dim", `bound: ${sentence}`));
  return `${lines.join("\n")}\n`;
}

/** Result of a liveness path whose continuation without normalization does not stall. */
export const DECIDED = "all demands are met";

/** Returns the lines of a counterexample: failed check, path, and the validation by the ordinary oracles. */
export function breachLines({ breach, confirmed, file, replay }: ToldBreach, paint: Paint): readonly string[] {
  const lines = [`    ${paint("bad", breach.check)} (protocol ${CHECKS[breach.check]}): ${breach.words}`];
  for (const [place, step] of breach.path.entries())
    lines.push(`    ${String(place + 1).padStart(3)}. ${stepText(step)}`);
  lines.push(`    ${paint("dim", "the same path by validators without normalization:")}`);
  if (confirmed.impossible !== undefined) lines.push(`      not enabled: ${stepText(confirmed.impossible)}`);
  for (const { invariant, detail } of confirmed.violations) lines.push(`      ${paint("bad", invariant)}: ${detail}`);
  if (confirmed.stall !== undefined) lines.push(`      ${paint("bad", "liveness")}: ${confirmed.stall}`);
  else if (breach.check === "liveness") lines.push(`      ${DECIDED}`);
  else if (confirmed.violations.length === 0) lines.push("      no oracle reports a violation");
  if (file !== "") lines.push(`    ${paint("dim", "saved:")} ${file}`);
  if (replay !== "") lines.push(`    ${paint("dim", "reproduce:")} ${replay}`);
  return lines;
}

/** Returns one step of a path as text. */
export function stepText({ who, what, cut }: PathStep): string {
  if (who === CLIENTS) return what;
  if (what === CRASHED) return `${who} crashes and restarts`;
  return `${who} receives ${what}${cut === undefined ? "" : `, crashes after output ${cut.outputs} of input ${cut.input + 1}, and restarts`}`;
}

/** Returns the JSON line. */
export function exploreLine({ id, bug, levels, done, bounds, exhausted, found, wallMs }: ToldExplore): string {
  const last = levels.at(-1) ?? done.at(-1);
  const violations = found === undefined ? [] : [violationOf(found)];
  return `${JSON.stringify({
    type: "explore",
    scenario: id,
    ...(bug === undefined ? {} : { bug }),
    states: last?.states ?? 0,
    transitions: last?.transitions ?? 0,
    exhausted,
    bounds,
    levels: [
      ...done,
      ...levels.map((level) => ({
        ...level.bounds,
        states: level.states,
        transitions: level.transitions,
        exhausted: level.exhausted,
        ...(level.left === undefined ? {} : { frontier: level.left.frontier, depth: level.left.depth }),
      })),
    ],
    violations,
    wall_ms: Math.round(wallMs * 10) / 10,
  })}\n`;
}

function violationOf({ breach, confirmed, file, replay }: ToldBreach): object {
  return {
    check: breach.check,
    section: CHECKS[breach.check],
    detail: breach.words,
    path: breach.path.map(stepText),
    stall: confirmed.stall ?? null,
    oracles: confirmed.violations.map(({ invariant, detail, blame }) => ({ invariant, detail, blame })),
    impossible: confirmed.impossible === undefined ? null : stepText(confirmed.impossible),
    file,
    replay,
  };
}
