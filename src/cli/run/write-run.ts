/** Files of `run --out`: certificates, proofs against checkpoints, and the committee of each epoch. */
import { join } from "node:path";
import { type Epoch, nextCount } from "../../core/base/ids.ts";
import type { ClosingValue } from "../../core/base/slot.ts";
import type { Scheme } from "../../core/crypto/scheme.ts";
import { certificateFile, committeeFile } from "../../proofs/certificate-file.ts";
import { archiveLink, balanceProof, effectProofs } from "../../proofs/inclusion.ts";
import type { RunResult } from "../../run/verdict.ts";
import { type Directory, directoryOf } from "../../scenario/directory.ts";
import { CHAIN_ID_DEFAULT } from "../../scenario/parameters.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { writeInFolder } from "../files.ts";

export type RunToWrite = Readonly<{ scenario: Scenario; result: RunResult; scheme: Scheme }>;

/** Writes below `<out>/<id>`; files of operations without a name are named by hash. */
export function writeRun(out: string, id: string, { scenario, result, scheme }: RunToWrite): void {
  const folder = join(out, id);
  const directory = directoryOf(scenario, scheme);
  const chainId = scenario.genesis?.chain_id ?? CHAIN_ID_DEFAULT;
  const validators = directory.validators.map((name) => directory.validator(name));
  writeJson(join(folder, "committee.json"), committeeFile(chainId, 0 as Epoch, validators, scheme));
  for (const { epoch, next: opened } of closingsOf(result)) {
    const members = opened.validators.map(({ key }) => key);
    writeJson(join(folder, `committee-${epoch + 1}.json`), committeeFile(chainId, nextCount(epoch), members, scheme));
  }
  for (const { id: operation, name, certificate } of result.finals) {
    writeJson(
      join(folder, `${name === undefined || /^committee(-\d+)?$/.test(name) ? operation : name}.json`),
      certificateFile(chainId, certificate),
    );
  }
  writeProofs(folder, directory, result);
}

function closingsOf({ checkpoints }: Pick<RunResult, "checkpoints">): readonly ClosingValue[] {
  return checkpoints.flatMap(({ content: { value } }) => (value.type === "closing" ? [value] : []));
}

/** Writes proofs of each listed operation's effect and receipt, and of each account's balances. */
function writeProofs(folder: string, directory: Directory, { checkpoints, finals }: RunResult): void {
  // A checkpoint finalized by a closing has no certificate of its own for proofs.
  const archive = checkpoints.filter(({ hash, certificate }) => hash === certificate.value).map(archiveLink);
  for (const { id, name } of finals) {
    for (const one of archive) {
      const proofs = effectProofs(one, id);
      if (proofs === undefined) continue;
      writeJson(join(folder, `${name ?? id}.inclusion.json`), proofs.operation);
      writeJson(join(folder, `${name ?? id}.receipt.json`), proofs.receipt);
    }
  }
  const last = archive.at(-1);
  if (last === undefined) return;
  // After an epoch has closed, validators have accounts with shares of the fees.
  const holders = closingsOf({ checkpoints }).length === 0 ? [] : directory.nodes;
  for (const account of [...directory.accounts, ...holders]) {
    for (const [token, { address }] of directory.tokens) {
      const proof = balanceProof(last, directory.account(account), address);
      writeJson(join(folder, `${account}.${token}.balance.json`), proof);
    }
  }
}

function writeJson(path: string, data: object): void {
  writeInFolder(path, `${JSON.stringify(data, null, 2)}\n`);
}
