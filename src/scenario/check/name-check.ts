/** Checks that names are declared, with suggestions. */

import { issueAtKey, lazyIssue, listFirst, type Path, type ScenarioIssue, suggestion } from "../../schema/problem.ts";
import { type Declarations, isAddress, nodeOf } from "../names.ts";
import type { OneOrMoreNames } from "../schema/scalars.ts";

interface NameRule {
  /** Its name in messages. */
  readonly called: string;
  /** The names that a message suggests. */
  readonly known: (declared: Declarations) => Pick<ReadonlyMap<string, unknown>, "has" | "keys">;
  /** True for further names. */
  readonly isKnown?: (name: string, declared: Declarations) => boolean;
}

const KINDS = {
  /** A validator, twins included. */
  node: { called: "validator", known: ({ nodes }) => nodes },
  validator: { called: "validator", known: ({ validators }) => validators },
  party: {
    called: "validator or account",
    known: ({ nodes }) => nodes,
    isKnown: (name, { accounts }) => accounts.has(name),
  },
  account: { called: "account", known: ({ accounts }) => accounts, isKnown: isAddress },
  /** An account, or a validator, whose reward account has its name. */
  holder: {
    called: "account",
    known: ({ accounts }) => accounts,
    isKnown: (name, { validators }) => isAddress(name) || validators.has(name),
  },
  token: { called: "token", known: ({ tokens }) => tokens, isKnown: isAddress },
  operation: { called: "operation", known: ({ operations }) => operations },
  rule: { called: "rule", known: ({ rules }) => rules },
  proposal: { called: "proposal", known: ({ proposals }) => proposals },
  /** A key of a validator. */
  key: { called: "validator", known: ({ validators }) => validators },
  /** A key that is in some committee. */
  member: { called: "key of a validator", known: ({ keys }) => keys },
} as const satisfies Readonly<Record<string, NameRule>>;

export type NameKind = keyof typeof KINDS;

/** The issues of a name or of each name of a list; none where it is absent. */
export function checkNames(
  declared: Declarations,
  kind: NameKind,
  path: Path,
  names: OneOrMoreNames | undefined,
): readonly ScenarioIssue[] {
  if (names === undefined) return [];
  if (typeof names === "string") return checkName(declared, kind, path, names);
  return names.flatMap((name, index) => checkName(declared, kind, [...path, index], name));
}

/** The issues of the keys of a table. */
export function checkKeyNames(
  declared: Declarations,
  kind: NameKind,
  path: Path,
  table: Readonly<Record<string, unknown>> | undefined,
): readonly ScenarioIssue[] {
  return Object.keys(table ?? {}).flatMap((name) =>
    checkName(declared, kind, [...path, name], name).map((issue) => lazyIssue(issue.path, () => issue.message, true)),
  );
}

function checkName(declared: Declarations, kind: NameKind, path: Path, name: string): readonly ScenarioIssue[] {
  if (kind === "key") return checkKeyName(declared, path, name);
  const unknown = kind === "member" ? checkKeyName(declared, path, name) : [];
  return unknown.length > 0 ? unknown : checkDeclared(declared, kind, path, name);
}

function checkKeyName(declared: Declarations, path: Path, name: string): readonly ScenarioIssue[] {
  const unknown = checkDeclared(declared, "validator", path, nodeOf(name));
  if (unknown.length > 0 || !name.endsWith("'")) return unknown;
  return [{ path, message: `${name} is a twin, which has the key of ${nodeOf(name)}: expected that name` }];
}

function checkDeclared(declared: Declarations, kind: NameKind, path: Path, name: string): readonly ScenarioIssue[] {
  const { called, known, isKnown }: NameRule = KINDS[kind];
  const names = known(declared);
  if (names.has(name) || isKnown?.(name, declared) === true) return [];
  const message = (): string => {
    const words = [...names.keys()];
    const hint = suggestion(name, words);
    const list = words.length === 0 ? "; the file declares none" : `: the file declares ${listFirst(words)}`;
    return `no ${called} is called "${name}"${hint === "" ? list : hint}`;
  };
  return [lazyIssue(path, message)];
}

/** The issue of a `key` about checkpoints in a scenario that forms none. */
export function checkCheckpointNumbers(
  { formsCheckpoints }: Declarations,
  path: Path,
  key: string,
): readonly ScenarioIssue[] {
  if (formsCheckpoints) return [];
  const message = `\`${key}\` needs checkpoints, but none are formed: expected \`checkpoints\` in the genesis`;
  return [issueAtKey(path, key, message)];
}

/** The issue of a `key` about closings in a scenario in which no epoch closes. */
export function checkEpochNumbers({ closesEpochs }: Declarations, path: Path, key: string): readonly ScenarioIssue[] {
  if (closesEpochs) return [];
  const message = `\`${key}\` needs an epoch that closes, but none does: expected \`epochs\` in the genesis, or a step \`govern\``;
  return [issueAtKey(path, key, message)];
}
