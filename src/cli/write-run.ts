/** What `run --out` writes: the certificate of each final operation, and the committee to check it against. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Epoch } from "../core/base/ids.ts";
import type { Scheme } from "../core/crypto/scheme.ts";
import { certificateFile, committeeFile } from "../harness/certificate-file.ts";
import { directoryOf } from "../harness/directory.ts";
import { CHAIN_ID_DEFAULT } from "../harness/genesis-of.ts";
import type { Scenario } from "../harness/scenario.ts";
import type { RunResult } from "../harness/verdict.ts";

export interface Written {
  readonly scenario: Scenario;
  readonly result: RunResult;
  readonly scheme: Scheme;
}

/** Writes below `<out>/<id>`; operations without a name are called by their hash. */
export function writeRun(out: string, id: string, { scenario, result, scheme }: Written): void {
  const folder = join(out, id);
  mkdirSync(folder, { recursive: true });
  const directory = directoryOf(scenario, scheme);
  const chainId = scenario.genesis?.chain_id ?? CHAIN_ID_DEFAULT;
  const validators = directory.validators.map((name) => directory.validator(name));
  write(join(folder, "committee.json"), committeeFile(chainId, 0 as Epoch, validators, scheme));
  for (const { id: operation, name, certificate } of result.finals) {
    write(
      join(folder, `${name === undefined || name === "committee" ? operation : name}.json`),
      certificateFile(chainId, certificate),
    );
  }
}

function write(path: string, data: object): void {
  writeFileSync(path, `${JSON.stringify(data, null, 2)}\n`);
}
