/** Runs each test with every guard on, then with each of the guards in question off that it meets, until it fails. */
import { setMaxListeners } from "node:events";
import type { RunnerTestCase } from "vitest";
import { VitestTestRunner } from "vitest/runners";
import { getFn } from "vitest/suite";
import { budgetFor, seen, start, WORK_MAX, workDone } from "./switch.ts";

/** Work of one guard in the tests of one file: the files before it take nothing from the one that notices the guard. */
const FILE_WORK_MAX = WORK_MAX / 5;

/** Work that is left in this file for each guard without a killer, by its number; the worker lives as long as the run. */
const open = new Map((process.env["GUARDS"] ?? "").split(",").map((number) => [Number(number), FILE_WORK_MAX]));
let file = "";

export default class GuardRunner extends VitestTestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    const run = getFn(test);
    // Each run of it listens for its end.
    setMaxListeners(0, test.context.signal);
    if (test.file.filepath !== file) for (const number of open.keys()) open.set(number, FILE_WORK_MAX);
    file = test.file.filepath;
    start(-1, Number.POSITIVE_INFINITY);
    await run();
    const work = workDone();
    const met = [...open].filter(([number, left]) => seen[number] === true && left > 0);
    const kills: number[] = [];
    for (const [number, left] of met) {
      open.set(number, left - work);
      start(number, budgetFor(work));
      const failed = await fails(run);
      start(-1, Number.POSITIVE_INFINITY);
      if (!failed) continue;
      // A failure that the run has left behind for the next shows nothing about the guard: then the test fails.
      await run();
      open.delete(number);
      kills.push(number);
    }
    Object.assign(test.meta, { kills });
  }
}

async function fails(run: () => unknown): Promise<boolean> {
  try {
    await run();
    return false;
  } catch {
    return true;
  }
}
