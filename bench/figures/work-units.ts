/** Units of work of one payment that do not depend on the machine: counted by the test that pins them. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Section } from "../page/section.ts";
import { digits } from "../page/statistics.ts";
import { table } from "../page/table.ts";
import { ROOT, runNode } from "../support/cpu.ts";

const TEST = "test/properties/work-units.test.ts";
const VITEST = `${ROOT}node_modules/vitest/vitest.mjs`;

interface Counted {
  readonly name: string;
  readonly validators: number;
  readonly units: Readonly<Record<string, number>>;
}

export async function workUnitFigures(): Promise<Section> {
  const counted = countedByTest();
  const units = Object.keys(counted[0]?.units ?? {});
  const rows = counted.map(({ name, units: own }) => [name, ...units.map((unit) => digits(own[unit] ?? Number.NaN))]);
  return {
    title: "Units of work of one payment",
    text: [
      `Counted, so equal on every machine; \`${TEST}\` pins the first row. One signature of a payment is its client's. Checks are the signatures of others that reach validators: one in a process of its own makes each once. Recoveries, keccaks, encodings and encoded bytes are of the whole process, whose validators share them.`,
      table(["network", ...units.map((unit) => (unit === "encodedBytes" ? "encoded bytes" : unit))], rows),
    ],
  };
}

function countedByTest(): readonly Counted[] {
  const folder = mkdtempSync(join(tmpdir(), "quorumlab-bench-"));
  const file = join(folder, "work-units.json");
  try {
    process.env["WORK_UNITS"] = file;
    runNode(VITEST, "run", "--config", "test/vitest.config.ts", "--root", ".", TEST);
    return JSON.parse(readFileSync(file, "utf8")) as readonly Counted[];
  } finally {
    delete process.env["WORK_UNITS"];
    rmSync(folder, { recursive: true });
  }
}
