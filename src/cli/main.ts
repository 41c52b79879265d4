#!/usr/bin/env node
/** Executable: connects the process to the command line and its exit code to the shell. */
import module from "node:module";
import { setImmediate } from "node:timers/promises";
import { printable } from "../report/paint.ts";
import { EXIT } from "./command.ts";
import type { Io } from "./io.ts";
import { optimiseLater, staySmall } from "./optimise-later.ts";

let stop = false;

// Without a handler the first process of a container would not end at SIGTERM.
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    // A second signal does not wait for work in progress.
    if (stop) process.exit(EXIT.interrupted);
    stop = true;
  });
// The reader of the results may close the pipe: `quorumlab run … | head`.
process.stdout.on("error", (error: NodeJS.ErrnoException) =>
  process.exit(error.code === "EPIPE" ? EXIT.expected : EXIT.internal),
);

const io: Io = {
  out: (text) => void process.stdout.write(printable(text)),
  err: (text) => void process.stderr.write(printable(text)),
  env: process.env,
  outIsTerminal: process.stdout.isTTY === true,
  errIsTerminal: process.stderr.isTTY === true,
  get errColumns() {
    return process.stderr.columns;
  },
  now: () => performance.now(),
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
  interrupted: async () => {
    await setImmediate();
    return stop;
  },
};

optimiseLater();
if (process.argv[2] === "serve") staySmall();
// From Node 22.8 on: compiled code is kept between processes. Everything else is loaded after this.
(module as { readonly enableCompileCache?: () => unknown }).enableCompileCache?.();
const { runCli } = await import("./app.ts");
process.exitCode = await runCli(process.argv.slice(2), io);
