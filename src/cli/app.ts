/** Command line from arguments to exit code, without access to the process. */
import yargs, { type Argv } from "yargs";
import { packageVersion } from "../run/version.ts";
import { adminCommand } from "./admin/admin.ts";
import { checkCommand, schemaCommand } from "./check.ts";
import { type Args, type Command, EXIT, type ExitCode, missingSubcommand, UsageError } from "./command.ts";
import { corpusCommand } from "./corpus.ts";
import { explainCommand } from "./explain.ts";
import { exploreCommand } from "./explore/explore.ts";
import { fuzzCommand } from "./fuzz/fuzz.ts";
import { mergeCommand } from "./fuzz/merge.ts";
import { huntCommand } from "./hunt/hunt.ts";
import type { Io } from "./io.ts";
import { withArguments } from "./options.ts";
import { replayCommand } from "./replay.ts";
import { runCommand } from "./run.ts";
import { sendCommand } from "./send/send.ts";
import { serveCommand } from "./serve/serve.ts";
import { shrinkCommand } from "./shrink.ts";
import { twinsCommand } from "./twins.ts";
import { verifyCommand } from "./verify.ts";

const COMMANDS: readonly Command[] = [
  ...[runCommand, fuzzCommand, mergeCommand, huntCommand, twinsCommand, exploreCommand, shrinkCommand, corpusCommand],
  ...[serveCommand, sendCommand, adminCommand, replayCommand],
  ...[checkCommand, schemaCommand, verifyCommand, explainCommand],
];

/** Runs one command line. Never throws: errors go to stderr and into the exit code. */
export async function runCli(argv: readonly string[], io: Io): Promise<ExitCode> {
  try {
    return await dispatch(argv, io);
  } catch (error) {
    if (error instanceof UsageError) {
      io.err(`quorumlab: ${error.message}\n`);
      return EXIT.usage;
    }
    io.err(`quorumlab: internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return EXIT.internal;
  }
}

async function dispatch(argv: readonly string[], io: Io): Promise<ExitCode> {
  let code: ExitCode = EXIT.expected;
  const parser = commandLine(io, (command, args) => async () => {
    code = await command.run(args, io);
  });
  let output = "";
  let work: (() => Promise<void>) | undefined;
  parser.later = (job) => {
    work = job;
  };
  await parser.yargs.parseAsync([...argv], {}, (_error: unknown, _args: unknown, text: string) => {
    output = text;
  });
  if (output !== "") io.out(`${output}\n`);
  if (work !== undefined) await work();
  else if (output === "") throw new UsageError("expected a command; quorumlab --help lists them");
  return code;
}

interface CommandLine {
  readonly yargs: Argv;
  later: (job: () => Promise<void>) => void;
}

type Job = (command: Command, args: Args) => () => Promise<void>;

/** Commands only record their action, so that their errors are thrown outside the parser. */
function commandLine(io: Io, job: Job): CommandLine {
  const line: CommandLine = { yargs: baseParser(io), later: () => undefined };
  const note: Note = (command, args) => line.later(job(command, args));
  for (const command of COMMANDS) register(line.yargs, command, io, note);
  return line;
}

type Note = (command: Command, args: Args) => void;

function register(yargs: Argv, command: Command, io: Io, note: Note): void {
  yargs.command(
    command.usage,
    command.description,
    (one) => {
      const { subcommands } = command;
      const built = withArguments(one, command, io.env);
      for (const below of subcommands ?? []) register(built, below, io, note);
      return subcommands === undefined ? built : built.demandCommand(1, missingSubcommand(command));
    },
    (args) => note(command, args),
  );
}

function baseParser(io: Io): Argv {
  return yargs()
    .scriptName("quorumlab")
    .usage("$0 <command>\n\nDeterministic simulator and test harness of a stablecoin ledger network.")
    .parserConfiguration({
      "parse-numbers": false,
      "parse-positional-numbers": false,
      "camel-case-expansion": false,
    })
    .strict()
    .recommendCommands()
    .demandCommand(1, "expected a command; quorumlab --help lists them")
    .completion("completion", "print a script for shell completion: quorumlab completion >> ~/.bashrc")
    .example("$0 run scenarios", "run every scenario below a folder")
    .epilogue(
      "Exit codes: 0 as expected, 1 a violation, stall or unmet expectation, 2 wrong usage or input, 3 an internal error, 130 interrupted.\nEvery option can also stand in the environment as QUORUMLAB_<NAME>.",
    )
    .version(packageVersion())
    .help()
    .alias("help", "h")
    .wrap(Math.min(120, Number(io.env["COLUMNS"] ?? 100) || 100))
    .exitProcess(false)
    .showHelpOnFail(false)
    .fail((message: string | undefined, error: unknown) => {
      // Thrown, since yargs would run the command's handler even after an error.
      if (error instanceof Error && error.name !== "YError") throw error;
      throw new UsageError(`${message ?? String(error)}\nquorumlab --help says more`);
    });
}
