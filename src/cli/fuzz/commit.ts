/** The commit of the program that runs, where it runs from a git clone. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder that holds package.json: three above this file, of the sources and of the built program alike. */
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * Returns the commit that is checked out at `root`, in full; `undefined` of an installed package, which is no clone.
 * Changes that were not committed do not show. Reads two to four small files.
 */
export function commitOfProgram(root: string = ROOT): string | undefined {
  const folder = gitFolder(join(root, ".git"));
  const head = folder && line(join(folder, "HEAD"));
  if (folder === undefined || head === undefined) return undefined;
  const reference = /^ref: (.+)$/.exec(head)?.[1];
  if (reference === undefined) return head;
  // The branches of a worktree are those of its clone.
  const common = line(join(folder, "commondir"));
  const refs = common === undefined ? folder : resolve(folder, common);
  return line(join(refs, reference)) ?? packed(join(refs, "packed-refs"), reference);
}

/** In a worktree `.git` is a file that names the folder. */
function gitFolder(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  if (statSync(path).isDirectory()) return path;
  const named = /^gitdir: (.+)$/.exec(line(path) ?? "")?.[1];
  return named === undefined ? undefined : resolve(path, "..", named);
}

function packed(path: string, reference: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.find((one) => one.endsWith(` ${reference}`))?.split(" ")[0];
}

/** The first line of a file; `undefined` where there is none. */
function line(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n")[0] : undefined;
}
