/** `quorumlab replay`: bit-exact replay of a recording or of a saved run, and the first difference of two. */

import { realScheme } from "../backends/secp256k1.ts";
import type { Recording } from "../live/recording.ts";
import { type ReplayDifference, type Replayed, replay } from "../live/replay.ts";
import { eventText } from "../run/events/event-text.ts";
import { type EventLog, eventLog } from "../run/events/recorder.ts";
import { operationLabels } from "../run/events/reference-text.ts";
import type { RunEvent } from "../run/events/run-event.ts";
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

/** Events listed of those among which a recording differs. */
const EVENTS_SHOWN = 40;
/** Most events of a run that are kept. */
const EVENTS_KEPT = 2_000_000;
/** Events of context before the first difference of two runs. */
const BEFORE = 3;

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
    const json = args["json"] === true;
    const { events, watch } = eventLog(EVENTS_KEPT);
    const listeners = args["step"] === true ? { watcher: watch } : {};
    const replayed = replay(recording, realScheme(), { ...until, listeners });
    printEvents(events, json, io);
    return tellReplayed(path, recording, replayed, json, io);
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
      for (const line of eventsBetween(recording, differs)) io.out(`  ${line}\n`);
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
function eventsBetween(recording: Recording, { met, point }: ReplayDifference): readonly string[] {
  const lines = linesOf(stepped(recording, { until: point.at }).events.filter(({ step }) => step > met.steps));
  if (lines.length <= EVENTS_SHOWN) return lines;
  return [...lines.slice(0, EVENTS_SHOWN), `and ${lines.length - EVENTS_SHOWN} events more`];
}

/** Every event of a run, and its hash. */
interface Stepped {
  readonly events: readonly RunEvent[];
  readonly hash: string;
}

function stepped(recording: Recording, until: { readonly until?: number }): Stepped {
  const { events, watch } = eventLog(EVENTS_KEPT);
  const { run } = replay(recording, realScheme(), { ...until, listeners: { watcher: watch } });
  return { events, hash: run.world.hash };
}

/** Prints the first event in which two recordings differ. */
function compare(first: Recording, path: string, until: { readonly until?: number }, io: Io): ExitCode {
  const second = recordingIn(path, io);
  return second === undefined ? EXIT.usage : printDifference(stepped(first, until), stepped(second, until), io);
}

/** A run of a scenario file; its events only if they are asked for. */
interface Again extends Stepped {
  readonly result: RunResult;
  /** Hash saved beside the file. */
  readonly saved: string | undefined;
}

/** Replays it; `--step` prints every event, `--until` those to a virtual time, `--diff` compares with another file. */
function replaySaved(path: string, args: Args, io: Io): ExitCode {
  const until = typeof args["until"] === "number" ? args["until"] : Number.POSITIVE_INFINITY;
  const other = textOf(args, "diff");
  const json = args["json"] === true;
  const keepsEvents = other !== undefined || args["step"] === true;
  const first = again(path, keepsEvents, until, io);
  if (first === undefined) return EXIT.usage;
  if (other !== undefined) {
    const second = again(other, keepsEvents, until, io);
    return second === undefined ? EXIT.usage : printDifference(first, second, io);
  }
  printEvents(first.events, json, io);
  return tellAgain(path, first, json, io);
}

function again(path: string, keepsEvents: boolean, until: number, io: Io): Again | undefined {
  const scenario = scenarioIn(path, createParser(), io);
  if (scenario === undefined) return undefined;
  const { seed = DEFAULT_SEED, hash, quorumlab, node } = savedFacts(path);
  const ours = versions();
  if (quorumlab !== undefined && (quorumlab !== ours.quorumlab || node !== ours.node))
    io.err(`saved by quorumlab ${quorumlab} on Node ${node}; this is ${ours.quorumlab} on Node ${ours.node}\n`);
  const log: EventLog | undefined = keepsEvents ? eventLog(EVENTS_KEPT) : undefined;
  const result = runScenario(scenario, { seed, ...(log === undefined ? {} : { watch: log.watch }) });
  return {
    result,
    hash: until === Number.POSITIVE_INFINITY ? result.hash : "",
    events: (log?.events ?? []).filter(({ at }) => at <= until),
    saved: hash,
  };
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

/** Prints each event: as JSON, or as a line of step, virtual time and text. */
function printEvents(events: readonly RunEvent[], json: boolean, io: Io): void {
  const lines = json
    ? events.map((event) => jsonLine({ type: "event", event }))
    : linesOf(events).map((line) => `${line}\n`);
  for (const line of lines) io.out(line);
  if (events.length === EVENTS_KEPT) io.err(`only the first ${EVENTS_KEPT} events are listed\n`);
}

function linesOf(events: readonly RunEvent[]): readonly string[] {
  const labels = operationLabels(events);
  return events.map((event) => `${event.step} ${event.at} ms  ${eventText(event, labels)}`);
}

/** Compares every event of two runs, and their hashes; the exit code is 0 if they are equal. */
function printDifference(first: Stepped, second: Stepped, io: Io): ExitCode {
  const [left, right] = [first.events, second.events];
  const count = Math.max(left.length, right.length);
  const place = Array.from({ length: count }, (_, at) => at).find(
    (at) => JSON.stringify(left[at]) !== JSON.stringify(right[at]),
  );
  if (place === undefined && first.hash !== second.hash) {
    io.out(
      `differs  in the bytes of a message or record: ${first.hash}, ${second.hash}; none of ${count} events differs\n`,
    );
    return EXIT.failed;
  }
  if (place === undefined) {
    io.out(`same  ${count} events\n`);
    return EXIT.expected;
  }
  const [mine, others] = [left, right].map((events) => linesOf(events.slice(0, place + 1)));
  for (const line of mine?.slice(Math.max(0, place - BEFORE), place) ?? []) io.out(`  ${line}\n`);
  io.out(`- ${mine?.[place] ?? "(the end)"}\n+ ${others?.[place] ?? "(the end)"}\n`);
  return EXIT.failed;
}
