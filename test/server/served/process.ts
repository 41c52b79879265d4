/** `quorumlab serve` as a process of its own, from the sources as they are. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** The compiled program, in a folder that a test throws away. */
export interface Program {
  readonly folder: string;
  readonly main: string;
  remove(): void;
}

/** Contents of the ready line. */
export interface Ready {
  readonly url: string;
  readonly accounts: readonly { readonly name: string; readonly address: string; readonly key: string }[];
  readonly tokens: readonly { readonly symbol: string; readonly address: string }[];
}

export interface Process {
  readonly child: ChildProcess;
  readonly ready: Ready;
  /** Ends it at once, with nothing written after. */
  kill(): Promise<void>;
}

/** Compiles the sources beside what they need to run. */
export function compile(): Program {
  const folder = mkdtempSync(join(tmpdir(), "quorumlab-served-"));
  const outDir = join(folder, "dist");
  // Types are checked elsewhere; nobody imports this or steps through it.
  const bare = [
    "noCheck",
    "declaration false",
    "emitDeclarationOnly false",
    "isolatedDeclarations false",
    "sourceMap false",
  ];
  const flags = bare.flatMap((flag) => `--${flag}`.split(" "));
  execFileSync(process.execPath, ["node_modules/typescript-native/bin/tsc", "-p", "src", "--outDir", outDir, ...flags]);
  copyFileSync("package.json", join(folder, "package.json"));
  symlinkSync(realpathSync("node_modules"), join(folder, "node_modules"));
  return { folder, main: join(outDir, "cli", "main.js"), remove: () => rmSync(folder, { recursive: true }) };
}

/** Runs `serve` with these arguments until it is ready. @throws Error where it ends before. */
export async function start({ folder, main }: Program, args: readonly string[]): Promise<Process> {
  const file = join(folder, "ready.json");
  rmSync(file, { force: true });
  const child = spawn(
    process.execPath,
    [main, "serve", "--port", "0", "--admin-port", "none", "--quiet", "--ready-file", file, ...args],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  let output = "";
  child.stderr?.on("data", (piece) => {
    output += String(piece);
  });
  const text = (): string => (existsSync(file) ? readFileSync(file, "utf8") : "");
  while (!text().endsWith("\n")) {
    if (child.exitCode !== null) throw new Error(`serve ended with ${child.exitCode}: ${output}`);
    await sleep(20);
  }
  return {
    child,
    ready: JSON.parse(text()) as Ready,
    kill: async () => {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}
