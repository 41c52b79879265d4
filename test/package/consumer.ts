/** An empty project with the packed tarball, and what the documents say that one does and sees there. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { nodeOf } from "../determinism/elsewhere.ts";

/** Documents whose code blocks with a file name are the examples of one project. */
export const PAGES = ["README.md", "docs/guides/library-and-fast-check.md", "docs/guides/local-network-for-wallets.md"];

/** A code block: the words after its language, and its text. */
export interface Block {
  readonly page: string;
  readonly info: string;
  readonly text: string;
}

export interface Output {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A command of a document, and the lines that it is said to print. */
export interface Quoted {
  readonly command: string;
  readonly lines: readonly string[];
}

export function blocksOf(page: string): readonly Block[] {
  return [...readFileSync(page, "utf8").matchAll(/^```\w* ?(.*)\n([\s\S]*?)^```$/gm)].map(
    ([, info = "", text = ""]) => ({
      page,
      info,
      text,
    }),
  );
}

/** Blocks that name a file: `ts test/payment.test.ts`. */
export function examplesIn(pages: readonly string[]): readonly Block[] {
  return pages.flatMap(blocksOf).filter(({ info }) => /\.\w+$/.test(info));
}

/** Commands after a `$` in the blocks of a page. */
export function commandsIn(page: string): readonly Quoted[] {
  const sessions = blocksOf(page).filter(({ text }) => text.startsWith("$ "));
  return sessions.flatMap(({ text }) =>
    text.split(/^\$ /m).flatMap((part) => {
      const [command = "", ...lines] = part.trimEnd().split("\n");
      return command === "" ? [] : [{ command, lines }];
    }),
  );
}

/** The packages that the documents tell to install, as arguments of `npm install --save-dev`. */
export function packagesToInstall(): readonly string[] {
  const commands = PAGES.flatMap((page) => [
    ...readFileSync(page, "utf8").matchAll(/npm install --save-dev ([^`\n]+)/g),
  ]);
  return [...new Set(commands.flatMap(([, list = ""]) => list.trim().split(" ")))];
}

/** Packages that a text imports, without those of Node. */
export function importsOf(text: string): readonly string[] {
  const names = [...text.matchAll(/from "([^".][^"]*)"/g)].map(([, name = ""]) => name);
  return names
    .filter((name) => !name.startsWith("node:"))
    .map((name) => name.split("/", name.startsWith("@") ? 2 : 1).join("/"));
}

/** Runs a program under one of the two versions of Node, to its end, and returns what it printed. */
export function runUnder(
  age: "oldest" | "newest",
  folder: string,
  file: string,
  args: readonly string[],
): Promise<Output> {
  const node = nodeOf(age) ?? process.execPath;
  const path = [dirname(node), process.env["PATH"]].join(delimiter);
  // The caller's own npm and vitest hand down variables that are not the project's.
  const handed = /^(npm_|INIT_CWD$|VITEST|NODE_ENV$|NODE_OPTIONS$|FORCE_COLOR$)/;
  const inherited = Object.entries(process.env).filter(([name]) => !handed.test(name));
  const env = { ...Object.fromEntries(inherited), PATH: path, NO_COLOR: "1" };
  return new Promise((resolve) => {
    execFile(file, args, { cwd: folder, env, maxBuffer: 16_777_216 }, (error, out, err) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ code, out, err });
    });
  });
}

/** Packs the built program into a new folder. Returns the folder and the name of the file in it. */
export async function packed(): Promise<{ readonly folder: string; readonly file: string }> {
  const folder = mkdtempSync(join(tmpdir(), "quorumlab-packed-"));
  const { out, err } = await runUnder("oldest", ".", "npm", ["pack", "--ignore-scripts", "--pack-destination", folder]);
  const [file] = readdirSync(folder);
  if (file === undefined) throw new Error(`npm pack wrote no file: ${out}${err}`);
  writeFileSync(join(folder, "package.json"), `${JSON.stringify({ name: "consumer", private: true })}\n`);
  return { folder, file };
}

/** Writes the examples where their names say, and lays scenarios and programs of the package where those of a clone are. */
export function layExamples(folder: string, examples: readonly Block[]): void {
  for (const { info, text } of examples) {
    mkdirSync(dirname(join(folder, info)), { recursive: true });
    writeFileSync(join(folder, info), text);
  }
  for (const name of ["scenarios", "examples"])
    symlinkSync(join("node_modules", "quorumlab", name), join(folder, name), "dir");
}

/** Compares a text with quoted lines, in their order: `…` stands for any lines, or any rest of a line; times differ. */
export function hasQuoted(printed: string, lines: readonly string[]): boolean {
  const pattern = lines.map((line) => (line === "…" ? "(?:.*\n)*?" : `${patternOf(line)}\n`)).join("");
  return new RegExp(`^${pattern}`).test(printed.endsWith("\n") ? printed : `${printed}\n`);
}

function patternOf(line: string): string {
  return line
    .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll("…", ".*")
    .replace(/ +\d+ ms$/, " +\\d+ ms")
    .replace(/after \d+ ms/, "after \\d+ ms")
    .replace(/in \d+\\\.\d s, \d+ a second$/, "in [\\d.]+ s, \\d+ a second")
    .replace(/ in \d+\\\.\d s$/, " in [\\d.]+ s");
}
