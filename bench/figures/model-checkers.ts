/** Other model checkers on an equal model of what `explore` searches (bench/models/README.md). */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { digits } from "../page/statistics.ts";
import { type ProgramRun, ROOT, runNode, runProgram } from "../support/cpu.ts";

const QUINT = `${ROOT}bench/references/node_modules/@informalsystems/quint/dist/src/cli.js`;
/** Path of TLC's `tla2tools.jar`. */
const TLC = process.env["TLA2TOOLS"];
const SAMPLES = 1_000;
const STEPS = 20;

/** Result of one check. */
export interface Checked {
  readonly cpuMs: number;
  readonly states: number;
  /** Further counts as text. */
  readonly also: string;
}

/** Model checker that may be installed. */
export interface ModelChecker {
  readonly name: string;
  /** Meaning of a state in its count. */
  readonly counts: string;
  readonly isInstalled: boolean;
  /** Checks the model once. @throws Error where it does not run here, or finds a violation */
  readonly check: () => Checked;
}

export const MODEL_CHECKERS: readonly ModelChecker[] = [
  {
    name: "Quint",
    counts: "states of random runs, each as often as it is met",
    isInstalled: existsSync(QUINT),
    check: () => {
      const words = ["run", "bench/models/slot.qnt", "--backend", "typescript", "--invariant", "agreement"];
      const sizes = ["--max-samples", String(SAMPLES), "--max-steps", String(STEPS), "--verbosity", "2"];
      const { cpuMs, output } = runNode(QUINT, ...words, ...sizes);
      const steps = numberIn(output, /average=([\d.]+)/);
      const samples = digits((1_000 * SAMPLES) / cpuMs);
      return { cpuMs, states: SAMPLES * steps, also: `${samples} runs/s of ${digits(steps)} states` };
    },
  },
  {
    name: "TLC",
    counts: "distinct states up to symmetry",
    isInstalled: TLC !== undefined && existsSync(TLC),
    check: () => {
      const { cpuMs, output } = inFolder((folder) =>
        runProgram("java", "-jar", TLC ?? "", "-workers", "1", "-metadir", folder, "bench/models/Slot.tla"),
      );
      const states = numberIn(output, /([\d,]+) distinct states found/);
      return { cpuMs, states, also: `${states} states` };
    },
  },
];

function inFolder(run: (folder: string) => ProgramRun): ProgramRun {
  const folder = mkdtempSync(join(tmpdir(), "quorumlab-bench-"));
  try {
    return run(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the last number that matches. @throws Error with the output if none does */
function numberIn(output: string, pattern: RegExp): number {
  const found = [...output.matchAll(new RegExp(pattern, "g"))].at(-1)?.[1];
  if (found === undefined) throw new Error(`expected ${pattern} in the output:\n${output}`);
  return Number(found.replaceAll(",", ""));
}
