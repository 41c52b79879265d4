/** A step of a run by the place of its validators: in this process, or native nodes in a module and in processes. */
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programsOf } from "../../src/external/nodes.ts";
import type { MicroGroup, MicroRow } from "./harness.ts";
import { passing } from "./runs.ts";

const FILE = "rules/epochs/epoch-closes-by-governance";

export const hostsGroup: MicroGroup = {
  name: "hosts",
  about: "one input of a validator in a run with all oracles, by the place of the validators.",
  rows: () => {
    const folder = mkdtempSync(join(tmpdir(), "native-node-"));
    execFileSync(process.execPath, ["tools/native-node/build.mjs", folder]);
    return [
      rowOf("in this process"),
      rowOf("native, in a module", `native:${join(folder, "node.cjs")}`),
      rowOf("native, in processes", `native:'${process.execPath}' ${join(folder, "process.cjs")}`),
    ];
  },
};

function rowOf(name: string, command?: string): MicroRow {
  const programs = programsOf(command === undefined ? undefined : { commands: { "": command }, silentMs: 60_000 });
  return {
    name,
    run: () => {
      let steps = 0;
      passing(FILE, { programs, watch: () => ({ stepped: () => void steps++ }) });
      return steps;
    },
  };
}
