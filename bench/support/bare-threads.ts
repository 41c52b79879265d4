/** A program of its own: a loop that needs nothing but a core, shared by so many threads. It says what two workers could gain. */
import { fileURLToPath } from "node:url";
import { isMainThread, Worker } from "node:worker_threads";

const TURNS = 4e8;

function turn(turns: number): number {
  let x = 1;
  for (let at = 0; at < turns; at++) x = (Math.imul(x, 1_103_515_245) + at) | 0;
  return x;
}

const threads = Number(process.argv[2]);
if (isMainThread && threads > 1)
  for (let at = 0; at < threads; at++) new Worker(fileURLToPath(import.meta.url), { argv: [String(threads)] });
// The result is used, or the loop could be left out.
else if (turn(TURNS / threads) === 0) console.log("zero");
