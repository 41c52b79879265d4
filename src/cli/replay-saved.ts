/** `quorumlab replay` of a scenario file: run with its saved seed, compared with its saved hash. */

import { painter } from "../report/paint.ts";
import { runScenario } from "../run/run.ts";
import type { RunResult } from "../run/verdict.ts";
import { DEFAULT_SEED } from "../scenario/limits.ts";
import { createParser } from "../scenario/parse.ts";
import { type Args, textOf } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { printFirstDifference } from "./first-difference.ts";
import { type Io, wantsColours } from "./io.ts";
import { savedFacts, scenarioIn } from "./saved-run.ts";
import { versions } from "./version.ts";

/** Returns true for the name of a scenario file. */
export function isScenario(path: string): boolean {
  return /\.ya?ml$/i.test(path);
}

interface Again {
  readonly result: RunResult;
  /** A line of every event. */
  readonly lines: readonly string[];
  /** Hash saved beside the file. */
  readonly saved: string | undefined;
}

/** Replays it; `--step` prints every event, `--until` those to a virtual time, `--diff` compares with another file. */
export function replaySaved(path: string, args: Args, io: Io): ExitCode {
  const until = typeof args["until"] === "number" ? args["until"] : Number.POSITIVE_INFINITY;
  const other = textOf(args, "diff");
  const keepsLines = other !== undefined || args["step"] === true;
  const first = again(path, keepsLines, until, io);
  if (first === undefined) return EXIT.usage;
  if (other !== undefined) {
    const second = again(other, keepsLines, until, io);
    return second === undefined ? EXIT.usage : printFirstDifference(first.lines, second.lines, io);
  }
  for (const line of first.lines) io.out(`${line}\n`);
  return tell(path, first, args["json"] === true, io);
}

function again(path: string, record: boolean, until: number, io: Io): Again | undefined {
  const scenario = scenarioIn(path, createParser(), io);
  if (scenario === undefined) return undefined;
  const { seed = DEFAULT_SEED, hash, quorumlab, node } = savedFacts(path);
  const ours = versions();
  if (quorumlab !== undefined && (quorumlab !== ours.quorumlab || node !== ours.node))
    io.err(`saved by quorumlab ${quorumlab} on Node ${node}; this is ${ours.quorumlab} on Node ${ours.node}\n`);
  let lines: readonly string[] = [];
  const result = runScenario(scenario, {
    seed,
    record,
    ended: (_compiled, _ledgers, world) => {
      lines = world.lines();
    },
  });
  return { result, lines: upTo(lines, until), saved: hash };
}

/** Splits the record into events: a line with number and time, followed by indented lines. */
function upTo(lines: readonly string[], until: number): readonly string[] {
  const end = lines.findIndex((line) => Number(/^\d+ (\d+) /.exec(line)?.[1] ?? -1) > until);
  return end < 0 ? lines : lines.slice(0, end);
}

function tell(path: string, { result, saved }: Again, json: boolean, io: Io): ExitCode {
  const { seed, hash, steps, virtualMs, finals, verdict, reason } = result;
  const isSame = saved === undefined || saved === hash;
  if (json) {
    const found = { seed, verdict, reason, hash, steps, virtual_ms: virtualMs, final: finals.length };
    const differs = isSame ? null : { recorded: saved, got: hash };
    io.out(`${JSON.stringify({ type: "replay", recording: path, same: isSame, differs, ...found, ...versions() })}\n`);
  } else {
    const paint = painter(wantsColours(io));
    const facts = `${steps} events, ${virtualMs} ms virtual, ${finals.length} final, ${verdict}`;
    if (saved === undefined) io.out(`ran  ${facts}; no hash was saved to compare with\n`);
    else if (isSame) io.out(`${paint("good", "same")}  ${facts}\n`);
    else io.out(`${paint("bad", "differs")}  ${saved} was saved; now ${facts}\n`);
    io.out(`hash          ${hash}\n`);
    if (reason !== "") io.out(`${reason}\n`);
  }
  return isSame ? EXIT.expected : EXIT.failed;
}
