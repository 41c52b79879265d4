/** Whether a name was declared, and what to say where it was not. */
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

/** A node, or an account that has a client. */
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

/** Whatever speaks of checkpoints needs a genesis that has them formed; `key` is what does. */
export function knownCheckpoints({ formsCheckpoints }: Declared, path: Path, key: string): readonly Issue[] {
  if (formsCheckpoints) return NONE;
  const message = `\`${key}\` speaks of checkpoints, and none are formed: expected \`checkpoints\` in the genesis`;
  return [{ path: [...path, key], atKey: true, message }];
}

/** Whatever speaks of the closing of an epoch needs something that closes one. */
export function knownEpochs({ closesEpochs }: Declared, path: Path, key: string): readonly Issue[] {
  if (closesEpochs) return NONE;
  const message = `\`${key}\` speaks of an epoch's closing, and none closes: expected \`epochs\` in the genesis, or a step \`govern\``;
  return [{ path: [...path, key], atKey: true, message }];
}

/** A validator's key: of a validator that exists. */
export function knownKey(declared: Declared, path: Path, name: string): readonly Issue[] {
  const known = knownValidator(declared, path, nodeOf(name));
  return known.length > 0 || !name.endsWith("'")
    ? known
    : [{ path, message: `${name} is a twin, which has the key of ${nodeOf(name)}: expected that name` }];
}

/** The same of one that stands in the committee of some epoch. */
export function knownMember(declared: Declared, path: Path, name: string): readonly Issue[] {
  const unknown = knownKey(declared, path, name);
  return unknown.length > 0 ? unknown : known("key of a validator", declared.keys, path, name);
}

/** An account, or a validator's name for the account that gets its share of the fees. */
export function knownHolder(declared: Declared, path: Path, name: string): readonly Issue[] {
  return declared.validators.has(name) ? NONE : knownAccount(declared, path, name);
}

export function knownProposal(declared: Declared, path: Path, name: string): readonly Issue[] {
  return known("proposal", declared.proposals, path, name);
}

/** The same for the keys of a table. */
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
