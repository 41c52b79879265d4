/** `quorumlab replay`: bit-exact replay of a recording or of a saved run, and the first difference of two. */

import { realScheme } from "../backends/secp256k1.ts";
import { definedMembers } from "../core/base/defined-members.ts";
import type { Recording } from "../live/recording.ts";
import { type ReplayDifference, type ReplayedRun, type ReplayOptions, replayRecording } from "../live/replay.ts";
import type { Paint } from "../report/paint.ts";
import { eventText } from "../run/events/event-text.ts";
import { eventLog } from "../run/events/recorder.ts";
import { operationLabels } from "../run/events/reference-text.ts";
import type { RunEvent } from "../run/events/run-event.ts";
import { runScenario } from "../run/run.ts";
import type { RunResult } from "../run/verdict.ts";
import { createParser } from "../scenario/parse.ts";
import { type Scenario, seedOf } from "../scenario/scenario.ts";
import { type Args, type Command, EXIT, type ExitCode, textOf, UsageError } from "./command.ts";
import { isFaultOfInput, isScenario, recordingIn, savedFacts, scenarioIn } from "./files.ts";
import { type Io, painterFor } from "./io.ts";
import { flagOption, JSON_OPTION, textArgument, textOption, wholeNumber } from "./options.ts";
import { jsonLine } from "./output.ts";
import { versions } from "./reproduce.ts";

/** Events listed of those among which a recording differs. */
const EVENTS_SHOWN = 40;
/** Most events of a run that are listed. */
const EVENTS_KEPT = 2_000_000;

export const replayCommand: Command = {
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
    const until = wholeNumber(args, "until", 0, Number.MAX_SAFE_INTEGER);
    if (isScenario(path)) return replaySaved(path, until ?? Number.POSITIVE_INFINITY, args, io);
    const recording = recordingIn(path, io);
    if (recording === undefined) return EXIT.usage;
    const { quorumlab, node } = recording.head;
    const ours = versions();
    if (quorumlab !== ours.quorumlab || node !== ours.node)
      io.err(`recorded by quorumlab ${quorumlab} on Node ${node}; this is ${ours.quorumlab} on Node ${ours.node}\n`);
    const otherPath = textOf(args, "diff");
    const options = definedMembers({ until });
    if (otherPath !== undefined) return compareRecordings([path, recording], otherPath, options, io);
    const json = args["json"] === true;
    const { events, watch } = eventLog(EVENTS_KEPT);
    const listeners = args["step"] === true ? { watcher: watch } : {};
    const replayed = replayFile(path, recording, { ...options, listeners });
    printEvents(events, json, io);
    return reportRecording(path, recording, replayed, json, io);
  },
};

/** @throws UsageError for an input that cannot be carried out */
function replayFile(path: string, recording: Recording, options: ReplayOptions): ReplayedRun {
  try {
    return replayRecording(recording, realScheme(), options);
  } catch (error) {
    if (isFaultOfInput(error)) throw new UsageError(`${path}: it cannot be repeated: ${error.message}`);
    throw error;
  }
}

/** `differs`: the two hashes, `null` if they are equal; `found`: further members of the line. */
function replayLine(recording: string, differs: object | null, found: object): string {
  return jsonLine({ type: "replay", recording, same: differs === null, differs, ...found, ...versions() });
}

function reportRecording(path: string, recording: Recording, replayed: ReplayedRun, json: boolean, io: Io): ExitCode {
  const { run, differs, roots, certificates } = replayed;
  const { hash, steps, now } = run.world;
  const { finals } = run.archive;
  const paint = painterFor(io);
  const isSame = differs === undefined;
  if (json) {
    const hashes = isSame ? null : { virtual_ms: differs.point.at, recorded: differs.point.hash, got: differs.hash };
    const violations = run.findings.map(({ invariant, at: virtual_ms, step, detail }) => {
      return { invariant, step, virtual_ms, detail };
    });
    const found = { hash, steps, virtual_ms: now, final: finals, roots, certificates, violations };
    io.out(replayLine(path, hashes, found));
  } else {
    const lines = [
      ...(isSame
        ? [`${paint("good", "same")}  ${steps} events, ${now} ms virtual, ${finals} final`]
        : differenceLines(recording, differs, paint)),
      `hash          ${hash}`,
      ...roots.map(({ node, root }) => `root ${node.padEnd(8)} ${root}`),
      `certificates  ${certificates}`,
      ...run.findings.map(({ invariant, at, detail }) => `${paint("bad", invariant)} at ${at} ms: ${detail}`),
    ];
    io.out(`${lines.join("\n")}\n`);
  }
  return isSame && run.findings.length === 0 ? EXIT.expected : EXIT.failed;
}

/** Returns the first verification point that was not met, and the events among which the difference is. */
function differenceLines(recording: Recording, differs: ReplayDifference, paint: Paint): readonly string[] {
  const { point, hash, steps, met } = differs;
  const recorded = `at ${point.at} ms virtual: ${point.hash} after ${point.steps} events was recorded`;
  return [
    `${paint("bad", "differs")}  ${recorded}, now ${hash} after ${steps}`,
    `same until ${met.at} ms virtual, ${met.steps} events; the first that differs is among these events of this replay:`,
    ...eventsBetween(recording, differs).map((line) => `  ${line}`),
  ];
}

/** Returns the replayed events since the last verification point that was met; the recorded ones are not stored. */
function eventsBetween(recording: Recording, { met, point }: ReplayDifference): readonly string[] {
  const { events, watch } = eventLog(EVENTS_KEPT, { keeps: ({ step }) => step > met.steps });
  replayRecording(recording, realScheme(), { until: point.at, listeners: { watcher: watch } });
  const lines = linesOf(events);
  if (lines.length <= EVENTS_SHOWN) return lines;
  return [...lines.slice(0, EVENTS_SHOWN), `and ${lines.length - EVENTS_SHOWN} events more`];
}

/** Compares two recordings event by event. */
function compareRecordings(
  first: readonly [string, Recording],
  path: string,
  options: ReplayOptions,
  io: Io,
): ExitCode {
  const second = recordingIn(path, io);
  if (second === undefined) return EXIT.usage;
  const compared = ([file, recording]: readonly [string, Recording]): ComparedRun => {
    const { events, watch } = eventLog(EVENTS_KEPT);
    const { run } = replayFile(file, recording, { ...options, listeners: { watcher: watch } });
    return { events, hash: run.world.hash };
  };
  return printDifference(compared(first), compared([path, second]), io);
}

/** A scenario file with the seed and the hash saved beside it. */
type SavedRun = Readonly<{ scenario: Scenario; seed: string; savedHash: string | undefined }>;

/** Replays it; `--step` prints every event, `--until` those to a virtual time, `--diff` compares with another file. */
function replaySaved(path: string, until: number, args: Args, io: Io): ExitCode {
  const otherPath = textOf(args, "diff");
  const json = args["json"] === true;
  const first = savedRunIn(path, io);
  if (first === undefined) return EXIT.usage;
  if (otherPath !== undefined) {
    const second = savedRunIn(otherPath, io);
    return second === undefined
      ? EXIT.usage
      : printDifference(comparedRun(first, until), comparedRun(second, until), io);
  }
  const { scenario, seed, savedHash } = first;
  const { events, watch } = eventLog(EVENTS_KEPT, { keeps: ({ at }) => at <= until });
  const result = runScenario(scenario, { seed, ...(args["step"] === true ? { watch } : {}) });
  printEvents(events, json, io);
  return reportSaved(path, result, savedHash, json, io);
}

function savedRunIn(path: string, io: Io): SavedRun | undefined {
  const scenario = scenarioIn(path, createParser(), io);
  if (scenario === undefined) return undefined;
  const { hash, quorumlab, node } = savedFacts(path);
  const ours = versions();
  if (quorumlab !== undefined && (quorumlab !== ours.quorumlab || node !== ours.node))
    io.err(`saved by quorumlab ${quorumlab} on Node ${node}; this is ${ours.quorumlab} on Node ${ours.node}\n`);
  return { scenario, seed: seedOf(scenario), savedHash: hash };
}

/** The run of a saved file up to a virtual time. Its hash is that of the whole run, so it counts for that only. */
function comparedRun({ scenario, seed }: SavedRun, until: number): ComparedRun {
  const { events, watch } = eventLog(EVENTS_KEPT, { keeps: ({ at }) => at <= until });
  const { hash } = runScenario(scenario, { seed, watch });
  return { events, hash: until === Number.POSITIVE_INFINITY ? hash : "" };
}

function reportSaved(path: string, result: RunResult, saved: string | undefined, json: boolean, io: Io): ExitCode {
  const { seed, hash, steps, virtualMs, finals, verdict, reason } = result;
  const paint = painterFor(io);
  const isSame = saved === undefined || saved === hash;
  const facts = `${steps} events, ${virtualMs} ms virtual, ${finals.length} final, ${verdict}`;
  const head =
    saved === undefined
      ? `ran  ${facts}; no hash was saved to compare with`
      : isSame
        ? `${paint("good", "same")}  ${facts}`
        : `${paint("bad", "differs")}  ${saved} was saved; now ${facts}`;
  const found = { seed, verdict, reason, hash, steps, virtual_ms: virtualMs, final: finals.length };
  const hashes = isSame ? null : { recorded: saved, got: hash };
  const lines = [head, `hash          ${hash}`, ...(reason === "" ? [] : [reason])];
  io.out(json ? replayLine(path, hashes, found) : `${lines.join("\n")}\n`);
  return isSame ? EXIT.expected : EXIT.failed;
}

/** Prints each event: as JSON, or as a line of step, virtual time and text. */
function printEvents(events: readonly RunEvent[], json: boolean, io: Io): void {
  const lines = json
    ? events.map((event) => jsonLine({ type: "event", event }))
    : linesOf(events).map((line) => `${line}\n`);
  for (const line of lines) io.out(line);
  if (events.length === EVENTS_KEPT) io.err(`only the first ${EVENTS_KEPT} events are listed\n`);
}

/** Events of context before the first difference. */
const BEFORE = 3;
/** Events of a run, and its hash. */
type ComparedRun = Readonly<{ events: readonly RunEvent[]; hash: string }>;

/** Prints the first event in which two runs differ, else whether their hashes do. The exit code is 0 if they are equal. */
function printDifference(first: ComparedRun, second: ComparedRun, io: Io): ExitCode {
  const length = Math.max(first.events.length, second.events.length);
  let at = 0;
  while (at < length && JSON.stringify(first.events[at]) === JSON.stringify(second.events[at])) at += 1;
  if (at === length && first.hash === second.hash) {
    io.out(`same  ${length} events\n`);
    return EXIT.expected;
  }
  if (at === length) {
    const hashes = `${first.hash}, ${second.hash}`;
    io.out(`differs  in the bytes of a message or record: ${hashes}; none of ${length} events differs\n`);
    return EXIT.failed;
  }
  const from = Math.max(0, at - BEFORE);
  const [left = [], right = []] = [first, second].map(({ events }) => linesOf(events.slice(0, at + 1), from));
  for (const line of left.slice(0, at - from)) io.out(`  ${line}\n`);
  io.out(`- ${left[at - from] ?? "(the end)"}\n+ ${right[at - from] ?? "(the end)"}\n`);
  return EXIT.failed;
}

/** Returns each event from an index on as a line of step, virtual time and text. */
function linesOf(events: readonly RunEvent[], from = 0): readonly string[] {
  const labels = operationLabels(events);
  return events.slice(from).map((event) => `${event.step} ${event.at} ms  ${eventText(event, labels)}`);
}
