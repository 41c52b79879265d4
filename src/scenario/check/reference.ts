/** Checks that names are declared, with suggestions. */
import { type Declared, isAddress, nodeOf } from "../declared.ts";
import type { Issue, Path } from "../problem.ts";
import { someOf, suggestion } from "../suggest.ts";

const NONE: readonly Issue[] = [];

export function knownNode(declared: Declared, path: Path, name: string): readonly Issue[] {
  return known("validator", declared.nodes, path, name);
}

function knownValidator(declared: Declared, path: Path, name: string): readonly Issue[] {
  return known("validator", declared.validators, path, name);
}

export function knownNodes(declared: Declared, path: Path, names: readonly string[] | undefined): readonly Issue[] {
  return (names ?? []).flatMap((name, index) => knownNode(declared, [...path, index], name));
}

/** The issues of a name that is neither a node nor an account. */
export function knownParty(declared: Declared, path: Path, name: string): readonly Issue[] {
  return declared.accounts.has(name) ? NONE : known("validator or account", declared.nodes, path, name);
}

export function knownParties(declared: Declared, path: Path, names: readonly string[] | undefined): readonly Issue[] {
  return (names ?? []).flatMap((name, index) => knownParty(declared, [...path, index], name));
}

export function knownAccount(declared: Declared, path: Path, name: string): readonly Issue[] {
  return isAddress(name) ? NONE : known("account", declared.accounts, path, name);
}

export function knownToken(declared: Declared, path: Path, name: string): readonly Issue[] {
  return isAddress(name) ? NONE : known("token", new Set(declared.tokens.keys()), path, name);
}

export function knownOperation(declared: Declared, path: Path, name: string): readonly Issue[] {
  return known("operation", new Set(declared.operations.keys()), path, name);
}

export function knownRule(declared: Declared, path: Path, name: string): readonly Issue[] {
  return known("rule", declared.rules, path, name);
}

/** The issue of a `key` about checkpoints in a scenario that forms none. */
export function knownCheckpoints({ formsCheckpoints }: Declared, path: Path, key: string): readonly Issue[] {
  if (formsCheckpoints) return NONE;
  const message = `\`${key}\` needs checkpoints, but none are formed: expected \`checkpoints\` in the genesis`;
  return [{ path: [...path, key], atKey: true, message }];
}

/** The issue of a `key` about closings in a scenario in which no epoch closes. */
export function knownEpochs({ closesEpochs }: Declared, path: Path, key: string): readonly Issue[] {
  if (closesEpochs) return NONE;
  const message = `\`${key}\` needs an epoch that closes, but none does: expected \`epochs\` in the genesis, or a step \`govern\``;
  return [{ path: [...path, key], atKey: true, message }];
}

/** The issues of a key whose validator is not declared. */
export function knownKey(declared: Declared, path: Path, name: string): readonly Issue[] {
  const known = knownValidator(declared, path, nodeOf(name));
  return known.length > 0 || !name.endsWith("'")
    ? known
    : [{ path, message: `${name} is a twin, which has the key of ${nodeOf(name)}: expected that name` }];
}

/** The issues of a key that is in no committee. */
export function knownMember(declared: Declared, path: Path, name: string): readonly Issue[] {
  const unknown = knownKey(declared, path, name);
  return unknown.length > 0 ? unknown : known("key of a validator", declared.keys, path, name);
}

/** The issues of a name that is neither an account nor a validator, whose reward account has its name. */
export function knownHolder(declared: Declared, path: Path, name: string): readonly Issue[] {
  return declared.validators.has(name) ? NONE : knownAccount(declared, path, name);
}

export function knownProposal(declared: Declared, path: Path, name: string): readonly Issue[] {
  return known("proposal", declared.proposals, path, name);
}

/** The issues of the keys of a table. */
export function knownKeys(
  table: Readonly<Record<string, unknown>> | undefined,
  path: Path,
  check: (path: Path, name: string) => readonly Issue[],
): readonly Issue[] {
  return Object.keys(table ?? {}).flatMap((name) =>
    check([...path, name], name).map((issue) => ({ ...issue, atKey: true })),
  );
}

function known(what: string, names: ReadonlySet<string>, path: Path, name: string): readonly Issue[] {
  if (names.has(name)) return NONE;
  const all = [...names];
  const hint = suggestion(name, all);
  const list = all.length === 0 ? "; the file declares none" : `: the file declares ${someOf(all)}`;
  return [{ path, message: `no ${what} is called "${name}"${hint === "" ? list : hint}` }];
}
