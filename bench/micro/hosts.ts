/** A step of a run by the place of its validators: in this process, in a module, in WebAssembly, in processes. */
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programsOf } from "../../src/external/nodes.ts";
import type { MicroGroup, MicroRow } from "./harness.ts";
import { passing } from "./runs.ts";

const NATIVE_FILE = "rules/epochs/epoch-closes-by-governance";
/** A file that validators with a protocol of their own pass, too. */
const OPAQUE_FILE = "rules/payments/payment";
const OPAQUE_REFERENCE = "opaque, in WebAssembly";

export const hostsGroup: MicroGroup = {
  name: "hosts",
  about: "one input of a validator in a run with all oracles, by the place of the validators.",
  rows: () => {
    const folder = mkdtempSync(join(tmpdir(), "native-node-"));
    execFileSync(process.execPath, ["tools/native-node/build.mjs", folder]);
    return [
      rowOf("in this process", NATIVE_FILE),
      rowOf("native, in a module", NATIVE_FILE, `native:${join(folder, "node.cjs")}`),
      rowOf("native, in processes", NATIVE_FILE, `native:'${process.execPath}' ${join(folder, "process.cjs")}`),
      ...[
        rowOf(OPAQUE_REFERENCE, OPAQUE_FILE, "examples/fastpay/node.wasm"),
        rowOf("opaque, in processes of Python", OPAQUE_FILE, "python3 examples/fastpay/node.py"),
      ].map((row) => ({ ...row, reference: OPAQUE_REFERENCE })),
    ];
  },
};

function rowOf(name: string, file: string, command?: string): MicroRow {
  const programs = programsOf(command === undefined ? undefined : { commands: { "": command }, silentMs: 60_000 });
  return {
    name,
    run: () => {
      let steps = 0;
      passing(file, { programs, watch: () => ({ stepped: () => void steps++ }) });
      return steps;
    },
  };
}
