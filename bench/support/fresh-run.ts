/** A program of its own: one short run in a fresh process. Prints messages and CPU milliseconds as JSON. */
import { loadQuickKeccak } from "../../src/backends/keccak.ts";
import { optimiseLater } from "../../src/cli/optimise-later.ts";
import { cpuMsOf } from "./cpu.ts";
import { messagesOf, payments } from "./payments.ts";

// As the command does.
optimiseLater();
await loadQuickKeccak();
const count = Number(process.argv[2]);
const work = payments({ count });
let messages = 0;
const runMs = cpuMsOf(() => {
  messages = messagesOf(work, count);
});
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ messages, runMs, processMs: (user + system) / 1_000 }));
