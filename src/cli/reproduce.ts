/** Commands that reproduce and explain a run, and the versions and commit of the program that made it. */

import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { definedMembers } from "../core/base/defined-members.ts";
import type { NodeSettings } from "../external/nodes.ts";
import type { RunReport } from "../report/run-report.ts";
import { packageVersion } from "../run/version.ts";

/** Commands that start validators of others. */
type StartedNodes = Pick<NodeSettings, "commands" | "areInFile">;

type DrawnWorld = Readonly<{ profile: string; bug?: string | undefined; nodes?: StartedNodes | undefined }>;

/** Returns the command that reproduces a run, of the validators of `--node` if there are some. */
export function reproduceCommandLine(file: string, seed: string, nodes?: StartedNodes): string {
  return `quorumlab run ${quoteForShell(file)} --seed ${quoteForShell(seed)}${nodesText(nodes)}`;
}

/** Returns the command that explains a run. */
export function explainCommandLine(file: string, seed: string, nodes?: StartedNodes): string {
  return `quorumlab explain ${quoteForShell(file)} --seed ${quoteForShell(seed)}${nodesText(nodes)}`;
}

/** Returns the command that draws and runs a seed again. `from`: files whose neighbours are drawn. */
export function drawCommandLine(
  { profile, bug, nodes }: DrawnWorld,
  seed: string,
  from: readonly string[] = [],
): string {
  const variant = bug === undefined ? "" : ` --bug ${bug}`;
  return `quorumlab fuzz --seed ${seed} --seeds 1 --profile ${profile}${fromText(from)}${variant}${nodesText(nodes)}`;
}

/** Returns the report of a run of a file. */
export function reportOfRun(
  run: Pick<RunReport, "id" | "file" | "result" | "wallMs">,
  nodes: StartedNodes | undefined,
): RunReport {
  const { file, result } = run;
  const replay = reproduceCommandLine(file, result.seed, nodes);
  return { ...run, versions: versions(), replay, explain: explainCommandLine(file, result.seed, nodes) };
}

/** Returns the options for the validators, each with a space before it. */
export function nodesText(nodes: StartedNodes | undefined): string {
  const started = Object.entries(nodes?.commands ?? {}).map(
    ([name, command]) => ` --node ${quoteForShell(name === "" ? command : `${name}=${command}`)}`,
  );
  return [...started, ...(nodes?.areInFile === true ? [" --allow-commands"] : [])].join("");
}

/** Returns the options for the files whose neighbours are drawn, each with a space before it. */
export function fromText(paths: readonly string[]): string {
  return paths.map((path) => ` --from ${quoteForShell(path)}`).join("");
}

/** Returns a word quoted for a POSIX shell. */
export function quoteForShell(word: string): string {
  return /^[A-Za-z0-9_./:@%+=,~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The format of run lines and saved runs. */
export const FORMAT = 6;

let ownVersions: RunReport["versions"] | undefined;

/** Returns the versions in run lines, so that a replay elsewhere can report a difference. Files are read once. */
export function versions(): RunReport["versions"] {
  ownVersions ??= {
    quorumlab: packageVersion(),
    ...definedMembers({ commit: commitOfProgram() }),
    format: FORMAT,
    node: process.versions.node,
  };
  return ownVersions;
}

/** Folder of package.json, two above this file in sources and build alike. */
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Returns the full hash of the commit checked out at `root`; `undefined` for an installed package. Ignores uncommitted
 * changes. Reads two to four small files.
 */
export function commitOfProgram(root: string = ROOT): string | undefined {
  const folder = gitFolder(join(root, ".git"));
  const head = folder && line(join(folder, "HEAD"));
  if (folder === undefined || head === undefined) return undefined;
  const reference = /^ref: (.+)$/.exec(head)?.[1];
  if (reference === undefined) return head;
  // A worktree shares the branches of its clone.
  const common = line(join(folder, "commondir"));
  const refs = common === undefined ? folder : resolve(folder, common);
  return line(join(refs, reference)) ?? packedReference(join(refs, "packed-refs"), reference);
}

/** Returns the Git folder: in a worktree `.git` is a file that names it. */
function gitFolder(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  if (statSync(path).isDirectory()) return path;
  const named = /^gitdir: (.+)$/.exec(line(path) ?? "")?.[1];
  return named === undefined ? undefined : resolve(path, "..", named);
}

function packedReference(path: string, reference: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.find((entry) => entry.endsWith(` ${reference}`))?.split(" ")[0];
}

/** Returns the first line of a file, or `undefined` if it does not exist. */
function line(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n")[0] : undefined;
}
