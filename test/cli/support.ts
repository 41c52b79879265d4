/** The command line without a process: what it prints, and its exit code. */
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { runCli } from "../../src/cli/app.ts";
import type { ExitCode } from "../../src/cli/command.ts";
import type { Io } from "../../src/cli/io.ts";
import { GENESIS, PAYMENT } from "../run/support.ts";

export interface CommandOutput {
  readonly code: ExitCode;
  readonly out: string;
  readonly err: string;
  /** The lines of `out` as JSON. */
  readonly lines: readonly Record<string, unknown>[];
}

/** Runs one command line. */
export async function runCommand(argv: readonly string[], more: Partial<Io> = {}): Promise<CommandOutput> {
  let out = "";
  let err = "";
  const io: Io = {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    env: {},
    outIsTerminal: false,
    errIsTerminal: false,
    now: () => 0,
    cpu: () => 0,
    interrupted: async () => false,
    ...more,
  };
  const code = await runCli(argv, io);
  const isJson = out.startsWith('{"');
  return {
    code,
    out,
    err,
    lines: isJson
      ? out
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line) as Record<string, unknown>)
      : [],
  };
}

/** The outcome of a command line that is used wrongly: these words on stderr, and nothing else. */
export function refusalOf(words: string | RegExp): unknown {
  const err: unknown = typeof words === "string" ? expect.stringContaining(words) : expect.stringMatching(words);
  return { code: 2, out: "", err, lines: [] };
}

/** Lets a server listen on a free port of this machine, and returns its address. */
export async function listening(server: Server): Promise<string> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A folder with these files in it. */
export function folder(files: Readonly<Record<string, string>>): string {
  const path = mkdtempSync(join(tmpdir(), "quorumlab-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}

export const GOOD = `name: good\n${GENESIS}${PAYMENT}expect:\n  - { final: x }\n`;
export const UNMET: string = GOOD.replace("{ final: x }", '{ balance: { bob: { USD: "11" } } }');
export const BAD = "name: bad\nstpes: []\n";
