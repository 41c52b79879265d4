/** `quorumlab replay`: a recording of a served network again, bit for bit. */
import { secp256k1 } from "../core/crypto/secp256k1.ts";
import { readText } from "../harness/files.ts";
import { RECORDING_BYTES } from "../harness/live/limits.ts";
import { type Recording, readRecording } from "../harness/live/recording.ts";
import { type Replayed, replay } from "../harness/live/replay.ts";
import { painter } from "../report/paint.ts";
import { type Command, textOf } from "./command.ts";
import { EXIT, type ExitCode, UsageError } from "./exit-code.ts";
import { type Io, wantsColours } from "./io.ts";
import { fromEnv, JSON_OPTION } from "./options.ts";
import { versions } from "./version.ts";

export const replayCommand: Command = {
  usage: "replay <recording>",
  description: "run a recording of `serve` again: the same hash, roots and certificates, or where they differ",
  examples: [
    ["$0 replay state.ndjson", "what a served network did, again"],
    ["$0 replay state.ndjson --until 5000 --step", "every event of the first five virtual seconds"],
    ["$0 replay a.ndjson --diff b.ndjson", "the first event in which two recordings differ"],
  ],
  build: (yargs, env) =>
    yargs
      .positional("recording", { type: "string", demandOption: true, description: "a file that serve wrote" })
      .option(
        "until",
        fromEnv(env, "until", { type: "string", requiresArg: true, description: "stop at this virtual millisecond" }),
      )
      .option("step", fromEnv(env, "step", { type: "boolean", default: false, description: "print every event" }))
      .option(
        "diff",
        fromEnv(env, "diff", { type: "string", requiresArg: true, description: "another recording to compare with" }),
      )
      .option("json", fromEnv(env, "json", JSON_OPTION)),
  run: async (args, io) => {
    const path = textOf(args, "recording") ?? "";
    const recording = load(path, io);
    const until = untilOf(textOf(args, "until"));
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
    return tell(path, replayed, args["json"] === true, io);
  },
};

function untilOf(text: string | undefined): { readonly until?: number } {
  if (text === undefined) return {};
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`--until: expected virtual milliseconds, got "${text}"`);
  return { until: Number(text) };
}

function load(path: string, io: Io): Recording | undefined {
  const text = readText(path, RECORDING_BYTES);
  if (!text.ok) {
    io.err(`${path}: ${text.error.message}\n`);
    return undefined;
  }
  const read = readRecording(text.value);
  if (read.ok) return read.value;
  io.err(`${path}: ${read.error}\n`);
  return undefined;
}

function tell(path: string, { run, differs, roots, certificates }: Replayed, json: boolean, io: Io): ExitCode {
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
      differs === undefined ? null : { virtual_ms: differs.mark.at, recorded: differs.mark.hash, got: differs.hash };
    io.out(
      `${JSON.stringify({ type: "replay", recording: path, same: isSame, differs: where, ...found, ...versions() })}\n`,
    );
  } else {
    const paint = painter(wantsColours(io));
    if (differs === undefined)
      io.out(`${paint("good", "same")}  ${steps} events, ${now} ms virtual, ${finals} final\n`);
    else {
      const { mark, hash: got, steps: events } = differs;
      io.out(
        `${paint("bad", "differs")}  at ${mark.at} ms virtual: ${mark.hash} after ${mark.steps} events was recorded, `,
      );
      io.out(`now ${got} after ${events}\n`);
    }
    io.out(`hash          ${hash}\n`);
    for (const { node, root } of roots) io.out(`root ${node.padEnd(8)} ${root}\n`);
    io.out(`certificates  ${certificates}\n`);
    for (const { invariant, virtual_ms, detail } of violations)
      io.out(`${paint("bad", invariant)} at ${virtual_ms} ms: ${detail}\n`);
  }
  return isSame && violations.length === 0 ? EXIT.expected : EXIT.failed;
}

/** The first event in which two recordings differ. */
function compare(first: Recording, path: string, until: { readonly until?: number }, io: Io): ExitCode {
  const second = load(path, io);
  if (second === undefined) return EXIT.usage;
  const [a, b] = [first, second].map((one) => replay(one, secp256k1, { ...until, record: true }).run.world.lines());
  const [left = [], right = []] = [a, b];
  const at = left.findIndex((line, index) => line !== right[index]);
  if (at < 0 && left.length === right.length) {
    io.out(`same  ${left.length} lines of events\n`);
    return EXIT.expected;
  }
  const place = at < 0 ? left.length : at;
  for (const line of left.slice(Math.max(0, place - 3), place)) io.out(`  ${line}\n`);
  io.out(`- ${left[place] ?? "(the end)"}\n+ ${right[place] ?? "(the end)"}\n`);
  return EXIT.failed;
}
