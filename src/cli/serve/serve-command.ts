/** `quorumlab serve`: a network behind its HTTP and websocket interface, until interrupted. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import type { Finding } from "../../invariants/judge.ts";
import { publishedAccounts } from "../../server/accounts/shown-accounts.ts";
import { readyLine, type Urls } from "../../server/setup/ready-line.ts";
import { startupText } from "../../server/setup/startup-text.ts";
import type { Served } from "../../server/start.ts";
import { type Args, type Command, textOf } from "../command.ts";
import { shellQuoted } from "../commands.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { loggerOf } from "../logger.ts";
import { buildServe } from "./serve-options.ts";
import { startServed } from "./start-served.ts";
import { type StartingPoint, startingPoint } from "./starting-point.ts";

/** Interval of checks for signals, in milliseconds. */
const LOOK_MS = 50;

export const serveCommand: Command = {
  usage: "serve",
  description: "the network behind its HTTP and websocket interface, for real clients",
  examples: [
    ["$0 serve", "four validators, ten accounts and a token, on port 18555"],
    ["$0 serve --profile clients --port 0 --json", "as the suites of published clients expect it, on any free port"],
    ["$0 serve --state network.ndjson", "survives restarts, and can be replayed"],
    [
      "$0 serve --scenario scenarios/attacks/agreement/equivocating-client-and-double-voter.yaml",
      "with the steps of a scenario",
    ],
  ],
  build: buildServe,
  run: async (args, io) => {
    const beginning = startingPoint(args, Date.now());
    const log = loggerOf(args, io);
    let code: ExitCode | undefined;
    const served = await startServed(args, beginning, log, () => {
      code = EXIT.internal;
    });
    const save = saver(args, beginning, log, io);
    served.host.watch((news) => {
      // After the recording contains the violation.
      if (news.type === "violation") setImmediate(() => save(news.finding));
    });
    announce(args, beginning, served, io);
    while (code === undefined && !(await io.interrupted())) await setTimeout(LOOK_MS);
    await served.stop();
    const dump = textOf(args, "dump");
    if (dump !== undefined) write(dump, beginning.recording());
    return code ?? EXIT.interrupted;
  },
};

/** Prints the startup text or the ready line, and writes the line to `--ready-file`. The last line means ready. */
function announce(args: Args, { setup, notes }: StartingPoint, served: Served, io: Io): void {
  const socket = served.url.replace(/^http/, "ws");
  const others: [string, string][] = [
    ["websocket", `${socket}/ws`],
    ["documentation", `${served.url}/docs`],
    ...[...served.urls].slice(1).map(([node, url]): [string, string] => [node, url]),
  ];
  const urls: Urls = { url: served.url, adminUrl: served.adminUrl, others };
  const accounts = publishedAccounts(setup);
  const line = readyLine(setup, accounts, urls);
  for (const note of notes) io.err(`${note}\n`);
  if (args["json"] !== true && args["quiet"] !== true) io.out(`${startupText(setup, accounts, urls)}\n`);
  io.out(args["json"] === true ? `${line}\n` : "ready\n");
  const file = textOf(args, "ready-file");
  if (file !== undefined) write(file, `${line}\n`);
}

/** Reports a violation, saves its recording, and prints the command that reproduces it. */
function saver(args: Args, { recording }: StartingPoint, log: Logger, io: Io): (finding: Finding) => void {
  const folder = textOf(args, "out") ?? "reports";
  let count = 0;
  return ({ invariant, at, step, detail }) => {
    count += 1;
    const path = join(folder, `violation-${Date.now()}-${count}.ndjson`);
    write(path, recording());
    log.error({ invariant, virtual_ms: at, step, detail, recording: path }, "violation of an invariant");
    io.err(
      `violation  ${invariant}: ${detail} (at ${at} ms, step ${step})\n    reproduce: quorumlab replay ${shellQuoted(path)}\n`,
    );
  };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
