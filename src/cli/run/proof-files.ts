/** Certificates and proofs of a run as the files of `run --out` (protocol 6.1). */
import { type Epoch, nextCount } from "../../core/base/ids.ts";
import type { ClosingValue } from "../../core/base/slot.ts";
import type { Scheme } from "../../core/crypto/scheme.ts";
import { certificateFile, committeeFile } from "../../proofs/certificate-file.ts";
import { balanceProof, operationProof, receiptProof, receiptsOf } from "../../proofs/inclusion.ts";
import type { RunResult } from "../../run/verdict.ts";
import { type Directory, directoryOf } from "../../scenario/directory.ts";
import { CHAIN_ID_DEFAULT } from "../../scenario/parameters.ts";
import type { Scenario } from "../../scenario/scenario.ts";

/** Name of a file, and its text. */
export type NamedText = readonly [name: string, text: string];

/** Returns the files of a run; those of operations without a name are named by hash. */
export function proofFilesOf(scenario: Scenario, result: RunResult, scheme: Scheme): readonly NamedText[] {
  const directory = directoryOf(scenario, scheme);
  const chainId = scenario.genesis?.chain_id ?? CHAIN_ID_DEFAULT;
  const validators = directory.validators.map((name) => directory.validator(name));
  return [
    jsonFile("committee", committeeFile(chainId, 0 as Epoch, validators, scheme)),
    ...closingsOf(result).map(({ epoch, next: opened }) => {
      const members = opened.validators.map(({ key }) => key);
      return jsonFile(`committee-${epoch + 1}`, committeeFile(chainId, nextCount(epoch), members, scheme));
    }),
    ...result.finals.map(({ id, name, certificate }) =>
      jsonFile(
        name === undefined || /^committee(-\d+)?$/.test(name) ? id : name,
        certificateFile(chainId, certificate),
      ),
    ),
    ...checkpointProofs(directory, result),
  ];
}

function closingsOf({ checkpoints }: Pick<RunResult, "checkpoints">): readonly ClosingValue[] {
  return checkpoints.flatMap(({ content: { value } }) => (value.type === "closing" ? [value] : []));
}

/** Proofs of each listed operation's effect and receipt, and of each account's balances. */
function checkpointProofs(directory: Directory, { checkpoints, finals }: RunResult): readonly NamedText[] {
  // A checkpoint finalized by a closing has no certificate of its own for proofs.
  const archive = checkpoints.filter(({ hash, certificate }) => hash === certificate.value);
  const names = new Map(finals.map(({ id, name }) => [id, name ?? id]));
  const effects = archive.flatMap((link) =>
    receiptsOf(link).flatMap(({ id }, index) => {
      const name = names.get(id);
      if (name === undefined) return [];
      return [
        jsonFile(`${name}.inclusion`, operationProof(link, index)),
        jsonFile(`${name}.receipt`, receiptProof(link, index)),
      ];
    }),
  );
  const last = archive.at(-1);
  if (last === undefined) return effects;
  // After an epoch has closed, validators have accounts with shares of the fees.
  const holders = closingsOf({ checkpoints }).length === 0 ? [] : directory.nodes;
  const balances = [...directory.accounts, ...holders].flatMap((account) =>
    [...directory.tokens].map(([token, { address }]) =>
      jsonFile(`${account}.${token}.balance`, balanceProof(last, directory.account(account), address)),
    ),
  );
  return [...effects, ...balances];
}

function jsonFile(name: string, data: object): NamedText {
  return [`${name}.json`, `${JSON.stringify(data, null, 2)}\n`];
}
