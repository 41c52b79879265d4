/** Checks that names are declared, with suggestions. */
import { type Declared, isAddress, nodeOf } from "../names.ts";
import { firstFew, type Issue, type Path, suggestion } from "../problem.ts";

const NONE: readonly Issue[] = [];

export function checkNodeName(declared: Declared, path: Path, name: string): readonly Issue[] {
  return checkName("validator", declared.nodes, path, name);
}

function checkValidatorName(declared: Declared, path: Path, name: string): readonly Issue[] {
  return checkName("validator", declared.validators, path, name);
}

export function checkNodeNames(declared: Declared, path: Path, names: readonly string[] | undefined): readonly Issue[] {
  return (names ?? []).flatMap((name, index) => checkNodeName(declared, [...path, index], name));
}

/** The issues of a name that is neither a node nor an account. */
export function checkPartyName(declared: Declared, path: Path, name: string): readonly Issue[] {
  return declared.accounts.has(name) ? NONE : checkName("validator or account", declared.nodes, path, name);
}

export function checkPartyNames(
  declared: Declared,
  path: Path,
  names: readonly string[] | undefined,
): readonly Issue[] {
  return (names ?? []).flatMap((name, index) => checkPartyName(declared, [...path, index], name));
}

export function checkAccountName(declared: Declared, path: Path, name: string): readonly Issue[] {
  return isAddress(name) ? NONE : checkName("account", declared.accounts, path, name);
}

export function checkTokenName(declared: Declared, path: Path, name: string): readonly Issue[] {
  return isAddress(name) ? NONE : checkName("token", new Set(declared.tokens.keys()), path, name);
}

export function checkOperationName(declared: Declared, path: Path, name: string): readonly Issue[] {
  return checkName("operation", new Set(declared.operations.keys()), path, name);
}

export function checkRuleName(declared: Declared, path: Path, name: string): readonly Issue[] {
  return checkName("rule", declared.rules, path, name);
}

/** The issue of a `key` about checkpoints in a scenario that forms none. */
export function checkCheckpointNumbers({ formsCheckpoints }: Declared, path: Path, key: string): readonly Issue[] {
  if (formsCheckpoints) return NONE;
  const message = `\`${key}\` needs checkpoints, but none are formed: expected \`checkpoints\` in the genesis`;
  return [{ path: [...path, key], atKey: true, message }];
}

/** The issue of a `key` about closings in a scenario in which no epoch closes. */
export function checkEpochNumbers({ closesEpochs }: Declared, path: Path, key: string): readonly Issue[] {
  if (closesEpochs) return NONE;
  const message = `\`${key}\` needs an epoch that closes, but none does: expected \`epochs\` in the genesis, or a step \`govern\``;
  return [{ path: [...path, key], atKey: true, message }];
}

/** The issues of a key whose validator is not declared. */
export function checkKeyName(declared: Declared, path: Path, name: string): readonly Issue[] {
  const known = checkValidatorName(declared, path, nodeOf(name));
  return known.length > 0 || !name.endsWith("'")
    ? known
    : [{ path, message: `${name} is a twin, which has the key of ${nodeOf(name)}: expected that name` }];
}

/** The issues of a key that is in no committee. */
export function checkMemberName(declared: Declared, path: Path, name: string): readonly Issue[] {
  const unknown = checkKeyName(declared, path, name);
  return unknown.length > 0 ? unknown : checkName("key of a validator", declared.keys, path, name);
}

/** The issues of a name that is neither an account nor a validator, whose reward account has its name. */
export function checkHolderName(declared: Declared, path: Path, name: string): readonly Issue[] {
  return declared.validators.has(name) ? NONE : checkAccountName(declared, path, name);
}

export function checkProposalName(declared: Declared, path: Path, name: string): readonly Issue[] {
  return checkName("proposal", declared.proposals, path, name);
}

/** The issues of the keys of a table. */
export function checkKeyNames(
  table: Readonly<Record<string, unknown>> | undefined,
  path: Path,
  check: (path: Path, name: string) => readonly Issue[],
): readonly Issue[] {
  return Object.keys(table ?? {}).flatMap((name) =>
    check([...path, name], name).map((issue) => ({ ...issue, atKey: true })),
  );
}

function checkName(kind: string, names: ReadonlySet<string>, path: Path, name: string): readonly Issue[] {
  if (names.has(name)) return NONE;
  const all = [...names];
  const hint = suggestion(name, all);
  const list = all.length === 0 ? "; the file declares none" : `: the file declares ${firstFew(all)}`;
  return [{ path, message: `no ${kind} is called "${name}"${hint === "" ? list : hint}` }];
}
