/** Command line from arguments to exit code, without access to the process. */
import yargs, { type Argv } from "yargs";
import { packageVersion } from "../run/version.ts";
import {
  type Args,
  type Command,
  type CommandGroup,
  commandName,
  EXIT,
  type ExitCode,
  type Subcommand,
  UsageError,
  withArguments,
} from "./command.ts";
import type { Io } from "./io.ts";

/** Command as `--help` lists it; its own file, loaded when it is named, says the rest. */
interface CommandEntry extends Pick<Subcommand, "usage" | "description"> {
  readonly load: () => Promise<Command | CommandGroup>;
}

/** Commands in the order of the help text. */
const COMMANDS: readonly CommandEntry[] = [
  {
    usage: "run <files..>",
    description: "run scenario files, and compare each run with what its file expects",
    load: async () => (await import("./run/run.ts")).runCommand,
  },
  {
    usage: "fuzz",
    description: "run many seeds with random networks, workloads and faults, and save the failures",
    load: async () => (await import("./fuzz/fuzz.ts")).fuzzCommand,
  },
  {
    usage: "campaign",
    description: "fuzz over many threads and machines: start, work, watch, results, …",
    load: async () => (await import("./campaign/campaign.ts")).campaignCommand,
  },
  {
    usage: "hunt [bugs..]",
    description: "measure how many seeds it takes to detect each known-bad variant",
    load: async () => (await import("./hunt/hunt.ts")).huntCommand,
  },
  {
    usage: "twins",
    description: "run every partition schedule of a network with twins that share one key, up to renaming",
    load: async () => (await import("./twins.ts")).twinsCommand,
  },
  {
    usage: "explore <file>",
    description: "check every order of events in a small network with one Byzantine validator",
    load: async () => (await import("./explore/explore.ts")).exploreCommand,
  },
  {
    usage: "shrink <file>",
    description: "minimize a failing scenario, and write it as a scenario file and as a test",
    load: async () => (await import("./shrink.ts")).shrinkCommand,
  },
  {
    usage: "why <file>",
    description: "name the causes of a failure: without them it does not come",
    load: async () => (await import("./why.ts")).whyCommand,
  },
  {
    usage: "serve",
    description: "serve a network to real clients over HTTP and websockets",
    load: async () => (await import("./serve/serve.ts")).serveCommand,
  },
  {
    usage: "send <kind>",
    description: "sign an operation with the key of a ready account, and send it to a served network",
    load: async () => (await import("./send/send.ts")).sendCommand,
  },
  {
    usage: "admin",
    description: "faults, time and cheats on a served network: crash, partition, advance, snapshot, …",
    load: async () => (await import("./admin/admin.ts")).adminCommand,
  },
  {
    usage: "bench",
    description: "put a load on a served network: rate, finality, errors, thresholds",
    load: async () => (await import("./bench/bench.ts")).benchCommand,
  },
  {
    usage: "replay <recording>",
    description: "replay a recording of `serve`, or a saved run, and compare it bit for bit",
    load: async () => (await import("./replay.ts")).replayCommand,
  },
  {
    usage: "conform [files..]",
    description: "score a validator of yours by the scenario files that it can take part in",
    load: async () => (await import("./conform.ts")).conformCommand,
  },
  {
    usage: "check <files..>",
    description: "check scenario files without running them",
    load: async () => (await import("./check.ts")).checkCommand,
  },
  {
    usage: "schema",
    description: "print the JSON Schema of scenario files",
    load: async () => (await import("./check.ts")).schemaCommand,
  },
  {
    usage: "verify <file>",
    description: "check a finality certificate or an inclusion proof offline: 0 valid, 1 refused, 2 malformed",
    load: async () => (await import("./verify.ts")).verifyCommand,
  },
  {
    usage: "report <run>",
    description: "write a run as an HTML page: diagram of its messages, time travel, narrative, measures",
    load: async () => (await import("./report.ts")).reportCommand,
  },
  {
    usage: "explain [what]",
    description: "explain a name (code, invariant, verb, strategy, variant, …) or a run",
    load: async () => (await import("./explain.ts")).explainCommand,
  },
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

/** Loads a command, and beside it the quick keccak, which most commands use. */
async function loadCommand({ load }: CommandEntry): Promise<Command | CommandGroup> {
  const keccak = import("../backends/keccak.ts").then(({ loadQuickKeccak }) => loadQuickKeccak());
  const [command] = await Promise.all([load(), keccak]);
  return command;
}

/** Returns the words with paths in place of those behind `--`, which may begin with a dash. @throws UsageError for `-`. */
function withPathsAfterDashes(argv: readonly string[]): readonly string[] {
  const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
  const [words, names] = [argv.slice(0, end), argv.slice(end + 1)];
  if ([...words, ...names].includes("-"))
    throw new UsageError('no command reads standard input: expected a name or a value in place of "-"');
  return [...words, ...names.map((name) => (name.startsWith("-") ? `./${name}` : name))];
}

async function dispatch(words: readonly string[], io: Io): Promise<ExitCode> {
  const argv = withPathsAfterDashes(words);
  // Later words are arguments, though one may be the name of another command.
  const [namedEntry] = argv.flatMap((word) => COMMANDS.find(({ usage }) => commandName(usage) === word) ?? []);
  const namedCommand = namedEntry === undefined ? undefined : await loadCommand(namedEntry);
  const actions: (() => Promise<ExitCode>)[] = [];
  // Commands only record their action, so that their errors are thrown outside the parser.
  const recordAction: ActionRecorder = (command, args) => void actions.push(() => command.run(args, io));
  const parser = withoutCachedHelp(baseParser(io));
  for (const entry of COMMANDS) {
    if (entry === namedEntry && namedCommand !== undefined) register(parser, entry, namedCommand, io, recordAction);
    else parser.command(entry.usage, entry.description);
  }
  let output = "";
  await parser.parseAsync([...argv], {}, (_error: unknown, _args: unknown, text: string) => {
    output = text;
  });
  if (output !== "") io.out(`${output}\n`);
  const work = actions.at(-1);
  if (work !== undefined) return work();
  if (output === "") throw new UsageError("expected a command; quorumlab --help lists them");
  return EXIT.expected;
}

type ActionRecorder = (command: Command, args: Args) => void;

function register(
  yargs: Argv,
  { usage, description }: Omit<CommandEntry, "load">,
  command: Command | CommandGroup,
  io: Io,
  recordAction: ActionRecorder,
): void {
  yargs.command(
    usage,
    // One of the overloads takes a text, another one a boolean.
    description as string,
    (argv) => {
      const built = withArguments(argv, command, io.env);
      if ("run" in command) return built;
      for (const subcommand of command.subcommands) register(built, subcommand, subcommand, io, recordAction);
      return built.demandCommand(1, `expected an action; quorumlab ${usage} --help lists them`);
    },
    (args) => {
      if ("run" in command) recordAction(command, args);
    },
  );
}

/**
 * The parser writes the help of each command that it has run, for a parse after this one: with the many options of
 * `serve` that took a tenth of its start.
 */
function withoutCachedHelp(parser: Argv): Argv {
  const internal = parser as Argv & {
    getInternalMethods(): { getUsageInstance(): { cacheHelpMessage: () => void } };
  };
  internal.getInternalMethods().getUsageInstance().cacheHelpMessage = () => undefined;
  return parser;
}

function baseParser(io: Io): Argv {
  return yargs()
    .scriptName("quorumlab")
    .usage("$0 <command>\n\nDeterministic simulator and test harness of a stablecoin ledger network.")
    .parserConfiguration({ "parse-numbers": false, "parse-positional-numbers": false, "camel-case-expansion": false })
    .strict()
    .recommendCommands()
    .demandCommand(1, "expected a command; quorumlab --help lists them")
    .completion("completion", "print a script for shell completion: quorumlab completion >> ~/.bashrc")
    .example("$0 run scenarios", "run every scenario below a folder")
    .epilogue(
      "Exit codes: 0 as expected, 1 a violation, stall or unmet expectation, 2 wrong usage or input, 3 an internal error, 130 interrupted (serve and campaign work: 0).\nEvery option can also stand in the environment as QUORUMLAB_<NAME>.",
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
