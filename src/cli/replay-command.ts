/** `quorumlab replay`: bit-exact replay of a recording or of a saved run. */

import { secp256k1 } from "../core/crypto/secp256k1.ts";
import type { Recording } from "../live/recording.ts";
import { type ReplayDifference, type Replayed, replay } from "../live/replay.ts";
import { painter } from "../report/paint.ts";
import { type Command, textOf } from "./command.ts";
import { EXIT, type ExitCode, UsageError } from "./exit-code.ts";
import { printFirstDifference } from "./first-difference.ts";
import { type Io, wantsColours } from "./io.ts";
import { flagOption, JSON_OPTION, textOption, withOptions } from "./options.ts";
import { isScenario, replaySaved } from "./replay-saved.ts";
import { recordingIn } from "./saved-run.ts";
import { versions } from "./version.ts";

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
  build: (yargs, env) =>
    withOptions(
      yargs.positional("recording", {
        type: "string",
        demandOption: true,
        description: "a file written by serve; or a scenario file, with its saved seed, else 1",
      }),
      env,
      {
        until: textOption("stop at this virtual time in milliseconds"),
        step: flagOption("print every event"),
        diff: textOption("another file to compare with"),
        json: JSON_OPTION,
      },
    ),
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
    return tell(path, recording, replayed, args["json"] === true, io);
  },
};

function untilOf(text: string | undefined): { readonly until?: number } {
  if (text === undefined) return {};
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`--until: expected virtual milliseconds, got "${text}"`);
  return { until: Number(text) };
}

function tell(path: string, recording: Recording, replayed: Replayed, json: boolean, io: Io): ExitCode {
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
    io.out(
      `${JSON.stringify({ type: "replay", recording: path, same: isSame, differs: where, ...found, ...versions() })}\n`,
    );
  } else {
    const paint = painter(wantsColours(io));
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
