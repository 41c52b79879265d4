/** Options of several commands, and the readers of their values. */
import { availableParallelism } from "node:os";
import type { Options, PositionalOptions } from "yargs";
import { BACKENDS, realScheme } from "../backends/secp256k1.ts";
import { BUGS } from "../bugs/catalogue.ts";
import type { KnownBadVariant } from "../bugs/known-bad-variant.ts";
import type { Scheme } from "../core/crypto/scheme.ts";
import { NODE_SILENT_MS, type NodeSettings } from "../external/nodes.ts";
import { DEFAULT_SEED } from "../scenario/limits.ts";
import { MIXED_LEVELS, mixesLevels } from "../scenario/node-commands.ts";
import { suggestion } from "../schema/problem.ts";
import { PROFILES, type ProfileName } from "../search/fuzz/swarm.ts";
import { type Args, textOf, texts, UsageError } from "./command.ts";
import type { Io } from "./io.ts";
import type { ReportedPath, ReportedRun } from "./report-file.ts";

/** Returns a positional argument with a text value; the usage says whether it is required, and whether there may be several. */
export function textArgument(description: string): PositionalOptions {
  return { type: "string", description };
}

/** Returns an option with a text value, which commands parse themselves. */
export function textOption(description: string, usual?: string | number): Options {
  const option: Options = { type: "string", requiresArg: true, description };
  return usual === undefined ? option : { ...option, default: String(usual) };
}

export const JUNIT_OPTION: Options = textOption("a file for the results as JUnit XML");

/** Option `--report` of commands that make runs. */
export function reportOption(of: string): Options {
  return textOption(`file for a report (HTML) of ${of}`);
}

/** Writes the report of a run to the file of `--report`, where there are both, and says so on stderr. */
export async function reportRun(args: Args, run: ReportedRun | ReportedPath | undefined, io: Io): Promise<void> {
  const out = textOf(args, "report");
  if (out !== undefined && run !== undefined) (await import("./report-file.ts")).reportOn(run, out, io);
}

/** Returns an option without a value. One that is on by default is switched off by `--no-<name>`. */
export function flagOption(description: string, isOn = false): Options {
  return { type: "boolean", default: isOn, description };
}

/** Option of commands that draw worlds. */
export const GUIDED_OPTION: Options = flagOption(
  "half of the worlds mutate earlier ones with rare coverage points; --no-guided: each seed is a world of its own",
  true,
);

export const JSON_OPTION: Options = flagOption("print one JSON object a line");
export const QUIET_OPTION: Options = flagOption("print failures and nothing else");
export const PROGRESS_OPTION: Options = {
  type: "string",
  choices: ["auto", "plain", "none"],
  default: "auto",
  description: "progress on stderr: on a terminal only (auto), as lines (plain), or none",
};
/** Options of what a command prints: `outputOf` reads them. */
export const OUTPUT_OPTIONS: Readonly<Record<"json" | "quiet" | "progress", Options>> = {
  json: JSON_OPTION,
  quiet: QUIET_OPTION,
  progress: PROGRESS_OPTION,
};
export const SEED_OPTION: Options = textOption("seed of all random choices", DEFAULT_SEED);
/** Option `--seed` of commands that run files. */
export const FILE_SEED_OPTION: Options = textOption("seed of all random choices; default: that of the file, else 1");
export const FIRST_SEED_OPTION: Options = textOption("the number of the first seed", DEFAULT_SEED);
export const OUT_OPTION: Options = textOption("a folder for what the command writes");

/** Returns the scheme of `--crypto`. @throws UsageError for an unknown name, and where that one does not load here. */
export function realSchemeOf(name: string): Scheme {
  const backend = BACKENDS.find((known) => known === name);
  if (backend === undefined && name !== "real")
    throw new UsageError(`--crypto: expected real, ${BACKENDS.join(", ")}; got "${name}"`);
  try {
    return realScheme(backend);
  } catch (error) {
    throw new UsageError(`--crypto ${name}: ${(error as Error).message}`);
  }
}

/** Seeds of one call. */
export const SEEDS_MAX = 100_000_000;

/** Returns an integer option; `undefined` if absent. @throws UsageError for anything else. */
export function wholeNumber(args: Args, name: string, least: number, most: number): number | undefined {
  const text = textOf(args, name);
  return text === undefined ? undefined : wholeNumberIn(name, text, least, most);
}

/** Returns the integer that is the text of an option. @throws UsageError for anything else. */
export function wholeNumberIn(name: string, text: string, least: number, most: number): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`--${name}: expected a whole number from ${least} to ${most}, got "${text}"`);
}

/** Returns the number of the first seed. @throws UsageError for anything else. */
export function firstSeedOf(args: Args): bigint {
  const text = textOf(args, "seed") ?? DEFAULT_SEED;
  if (/^\d{1,30}$/.test(text)) return BigInt(text);
  throw new UsageError(`--seed: expected the number of the first seed, got "${text}"`);
}

/** Option `--node` of commands that run worlds. */
export const NODE_OPTION: Options = {
  ...textOption(
    "a command that starts a validator of yours in place of each of ours, or v2=COMMAND for one of them; native:COMMAND if it speaks our protocol",
  ),
  array: true,
};

/** Option `--allow-commands` of commands that run a scenario file. */
export const ALLOW_COMMANDS_OPTION: Options = flagOption("start the validators that the file names by their commands");

/**
 * Returns the validators of `--node`, or those of the files where `--allow-commands` says so; `undefined` without both.
 * @throws UsageError for both, for two commands of one validator, and for both levels
 */
export function nodesOption(args: Args): NodeSettings | undefined {
  const given = texts(args, "node");
  const areInFile = args["allow-commands"] === true;
  if (areInFile && given.length > 0)
    throw new UsageError("--allow-commands: expected no --node, which takes the place of the commands of a file");
  if (areInFile) return { commands: {}, silentMs: NODE_SILENT_MS, areInFile };
  if (given.length === 0) return undefined;
  const commands: Record<string, string> = {};
  for (const text of given) {
    const [, name = "", command = ""] = /^(?:(v\d+'?)=)?(.+)$/s.exec(text) ?? [];
    if (command.trim() === "") throw new UsageError(`--node: expected a command or v2=COMMAND, got "${text}"`);
    if (Object.hasOwn(commands, name))
      throw new UsageError(`--node: two commands for ${name === "" ? "all validators" : name}`);
    commands[name] = command;
  }
  if (mixesLevels(commands)) throw new UsageError(`--node: ${MIXED_LEVELS}`);
  return { commands, silentMs: NODE_SILENT_MS };
}

/** Option `--bug` of commands that can run a variant. */
export const BUG_OPTION: ReturnType<typeof textOption> = textOption(
  "known-bad variant that runs instead of the real program (docs/bugs.md)",
);

/** Returns the variant with this name; `option` is named in the error. @throws UsageError for an unknown name. */
export function variantFor(name: string, option?: string): KnownBadVariant {
  const bug = BUGS.find((variant) => variant.name === name);
  if (bug !== undefined) return bug;
  const where = option === undefined ? "" : `${option}: `;
  const hint = suggestion(
    name,
    BUGS.map((variant) => variant.name),
  );
  const all = `quorumlab explain variant lists all ${BUGS.length}`;
  throw new UsageError(`${where}no known-bad variant is called "${name}"${hint}; ${all}`);
}

/** Returns the name after `--bug`; `undefined` if absent. @throws UsageError for an unknown name. */
export function variantOption(args: Args): string | undefined {
  const name = textOf(args, "bug");
  return name === undefined ? undefined : variantFor(name, "--bug").name;
}

const PROFILE_DEFAULT: ProfileName = "default";

/** Option `--profile` of commands that draw worlds. */
export const PROFILE_OPTION: Options = {
  ...textOption("size of the generated scenarios", PROFILE_DEFAULT),
  choices: PROFILES,
};

/** Returns the requested profile; yargs rejects all other values. */
export function profileIn(args: Args): ProfileName {
  return PROFILES.find((name) => name === textOf(args, "profile")) ?? PROFILE_DEFAULT;
}

/** Maximum and default number of threads. */
const THREADS_MAX = 256;
const THREADS_DEFAULT = 8;

/** Returns `--workers`; default: the available parallelism, up to a limit. @throws UsageError for too many. */
export function threadsOf(args: Args): number {
  return wholeNumber(args, "workers", 1, THREADS_MAX) ?? Math.min(THREADS_DEFAULT, availableParallelism());
}
