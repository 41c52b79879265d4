/** `quorumlab replay`: bit-exact replay of a recording or of a saved run, and the first difference of two. */

import { secp256k1 } from "../core/crypto/secp256k1.ts";
import type { Recording } from "../live/recording.ts";
import { type ReplayDifference, type Replayed, replay } from "../live/replay.ts";
import { runScenario } from "../run/run.ts";
import type { RunResult } from "../run/verdict.ts";
import { DEFAULT_SEED } from "../scenario/limits.ts";
import { createParser } from "../scenario/parse.ts";
import { type Args, type Command, EXIT, type ExitCode, textOf, UsageError } from "./command.ts";
import { isScenario, recordingIn, savedFacts, scenarioIn } from "./files.ts";
import { type Io, painterFor } from "./io.ts";
import { flagOption, JSON_OPTION, textArgument, textOption } from "./options.ts";
import { jsonLine } from "./output.ts";
import { versions } from "./reproduce.ts";

/** Events listed before a difference. */
const LINES_SHOWN = 40;

export const replayCommand: Command = {
  usage: "replay <recording>",
  description: "replay a recording of `serve`, or a saved run, and compare it bit for bit",
  examples: [
    ["$0 replay state.ndjson", "replay a served network"],
    ["$0 replay state.ndjson --until 5000 --step", "every event of the first five virtual seconds"],
    ["$0 replay a.ndjson --diff b.ndjson", "the first event in which two recordings differ"],
    ["$0 replay small.yaml --diff small.passing.yaml", "the first event in which two scenario files differ"],
  ],
  positionals: { recording: textArgument("a file written by serve; or a scenario file, with its saved seed, else 1") },
  options: {
    until: textOption("stop at this virtual time in milliseconds"),
    step: flagOption("print every event"),
    diff: textOption("another file to compare with"),
    json: JSON_OPTION,
  },
  run: async (args, io) => {
    const path = textOf(args, "recording") ?? "";
    const until = untilOf(textOf(args, "until"));
    if (isScenario(path)) return replaySaved(path, { ...args, ...until }, io);
    const recording = recordingIn(path, io);
    if (recording === undefined) return EXIT.usage;
    const { quorumlab, node } = recording.head;
    const ours = versions();
    if (quorumlab !== ours.quorumlab || node !== ours.node)
      io.err(`recorded by quorumlab ${quorumlab} on Node ${node}; this is ${ours.quorumlab} on Node ${ours.node}\n`);
    const other = textOf(args, "diff");
    if (other !== undefined) return compare(recording, other, until, io);
    const isStepped = args["step"] === true;
    const replayed = replay(recording, secp256k1, { ...until, record: isStepped });
    if (isStepped) for (const line of replayed.run.world.lines()) io.out(`${line}\n`);
    return tellReplayed(path, recording, replayed, args["json"] === true, io);
  },
};

function untilOf(text: string | undefined): { readonly until?: number } {
  if (text === undefined) return {};
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`--until: expected virtual milliseconds, got "${text}"`);
  return { until: Number(text) };
}

function tellReplayed(path: string, recording: Recording, replayed: Replayed, json: boolean, io: Io): ExitCode {
  const { run, differs, roots, certificates } = replayed;
  const { hash, steps, now } = run.world;
  const { finals } = run.archive;
  const violations = run.findings.map(({ invariant, at, step, detail }) => ({
    invariant,
    step,
    virtual_ms: at,
    detail,
  }));
  const isSame = differs === undefined;
  if (json) {
    const found = { hash, steps, virtual_ms: now, final: finals, roots, certificates, violations };
    const where =
      differs === undefined ? null : { virtual_ms: differs.point.at, recorded: differs.point.hash, got: differs.hash };
    io.out(jsonLine({ type: "replay", recording: path, same: isSame, differs: where, ...found, ...versions() }));
  } else {
    const paint = painterFor(io);
    if (differs === undefined)
      io.out(`${paint("good", "same")}  ${steps} events, ${now} ms virtual, ${finals} final\n`);
    else {
      const { point, hash: got, steps: events, met } = differs;
      io.out(
        `${paint("bad", "differs")}  at ${point.at} ms virtual: ${point.hash} after ${point.steps} events was recorded, `,
      );
      io.out(`now ${got} after ${events}\n`);
      io.out(
        `same until ${met.at} ms virtual, ${met.steps} events; the first that differs is among these events of this replay:\n`,
      );
      for (const line of linesBetween(recording, differs)) io.out(`  ${line}\n`);
    }
    io.out(`hash          ${hash}\n`);
    for (const { node, root } of roots) io.out(`root ${node.padEnd(8)} ${root}\n`);
    io.out(`certificates  ${certificates}\n`);
    for (const { invariant, virtual_ms, detail } of violations)
      io.out(`${paint("bad", invariant)} at ${virtual_ms} ms: ${detail}\n`);
  }
  return isSame && violations.length === 0 ? EXIT.expected : EXIT.failed;
}

/** Returns the replayed events since the last verification point that was met; the recorded ones are not stored. */
function linesBetween(recording: Recording, { met, point }: ReplayDifference): readonly string[] {
  const again = replay(recording, secp256k1, { until: point.at, record: true });
  const lines = again.run.world.lines();
  const from = lines.findIndex((line) => Number(/^(\d+) /.exec(line)?.[1] ?? 0) > met.steps);
  const all = from < 0 ? [] : lines.slice(from);
  return all.length <= LINES_SHOWN ? all : [...all.slice(0, LINES_SHOWN), `and ${all.length - LINES_SHOWN} lines more`];
}

/** Prints the first event in which two recordings differ. */
function compare(first: Recording, path: string, until: { readonly until?: number }, io: Io): ExitCode {
  const second = recordingIn(path, io);
  if (second === undefined) return EXIT.usage;
  const [left = [], right = []] = [first, second].map((one) =>
    replay(one, secp256k1, { ...until, record: true }).run.world.lines(),
  );
  return printFirstDifference(left, right, io);
}

interface Again {
  readonly result: RunResult;
  /** A line of every event. */
  readonly lines: readonly string[];
  /** Hash saved beside the file. */
  readonly saved: string | undefined;
}

/** Replays it; `--step` prints every event, `--until` those to a virtual time, `--diff` compares with another file. */
function replaySaved(path: string, args: Args, io: Io): ExitCode {
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
  return tellAgain(path, first, args["json"] === true, io);
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

function tellAgain(path: string, { result, saved }: Again, json: boolean, io: Io): ExitCode {
  const { seed, hash, steps, virtualMs, finals, verdict, reason } = result;
  const isSame = saved === undefined || saved === hash;
  if (json) {
    const found = { seed, verdict, reason, hash, steps, virtual_ms: virtualMs, final: finals.length };
    const differs = isSame ? null : { recorded: saved, got: hash };
    io.out(jsonLine({ type: "replay", recording: path, same: isSame, differs, ...found, ...versions() }));
  } else {
    const paint = painterFor(io);
    const facts = `${steps} events, ${virtualMs} ms virtual, ${finals.length} final, ${verdict}`;
    if (saved === undefined) io.out(`ran  ${facts}; no hash was saved to compare with\n`);
    else if (isSame) io.out(`${paint("good", "same")}  ${facts}\n`);
    else io.out(`${paint("bad", "differs")}  ${saved} was saved; now ${facts}\n`);
    io.out(`hash          ${hash}\n`);
    if (reason !== "") io.out(`${reason}\n`);
  }
  return isSame ? EXIT.expected : EXIT.failed;
}

/** Lines of context before it. */
const BEFORE = 3;

/** Compares the lines of every event; the exit code is 0 if they are equal. */
function printFirstDifference(left: readonly string[], right: readonly string[], io: Io): ExitCode {
  const at = left.findIndex((line, index) => line !== right[index]);
  if (at < 0 && left.length === right.length) {
    io.out(`same  ${left.length} lines of events\n`);
    return EXIT.expected;
  }
  const place = at < 0 ? left.length : at;
  for (const line of left.slice(Math.max(0, place - BEFORE), place)) io.out(`  ${line}\n`);
  io.out(`- ${left[place] ?? "(the end)"}\n+ ${right[place] ?? "(the end)"}\n`);
  return EXIT.failed;
}
