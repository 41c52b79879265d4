/** Checks of expectations: names exist, and extra members belong to the kind. */
import { type Declared, namesOf } from "../names.ts";
import type { Issue, Path } from "../problem.ts";
import type { Scenario } from "../scenario.ts";
import type { Expectation } from "../schema/expect.ts";
import type { OneOrMoreNames } from "../schema/scalars.ts";
import {
  checkAccountName,
  checkCheckpointNumbers,
  checkEpochNumbers,
  checkHolderName,
  checkKeyNames,
  checkMemberName,
  checkNodeName,
  checkNodeNames,
  checkOperationName,
  checkTokenName,
} from "./name-check.ts";

/** The issues of `expect`. */
export function checkExpectations(scenario: Scenario, declared: Declared): readonly Issue[] {
  return (scenario.expect ?? []).flatMap((expected, index) => checkOne(expected, ["expect", index], declared));
}

const ID_LISTS = [
  "final",
  "superseded",
  "pending",
  "undecided",
  "stalled",
  "checkpointed",
  "unlisted",
  "void",
] as const;
const ID_TABLES = ["refused", "failed", "fee"] as const;
const OF_CHECKPOINTS = ["checkpointed", "unlisted", "checkpoints"] as const;
const OF_EPOCHS = ["void"] as const;
const AT_END_ONLY = ["violation", "stalled", "nothing_final", "all_final"] as const;

function checkOne(expected: Expectation, path: Path, declared: Declared): readonly Issue[] {
  const operation = (at: Path, name: string): readonly Issue[] => checkOperationName(declared, at, name);
  const account = (at: Path, name: string): readonly Issue[] => checkAccountName(declared, at, name);
  const token = (at: Path, name: string): readonly Issue[] => checkTokenName(declared, at, name);
  return [
    ...ID_LISTS.flatMap((key) =>
      expected[key] === undefined || expected[key] === true ? [] : eachName(expected[key], [...path, key], operation),
    ),
    ...ID_TABLES.flatMap((key) => checkKeyNames(expected[key], [...path, key], operation)),
    ...checkKeyNames(expected.balance, [...path, "balance"], (at, name) => checkHolderName(declared, at, name)),
    ...Object.entries(expected.balance ?? {}).flatMap(([name, tokens]) =>
      checkKeyNames(tokens, [...path, "balance", name], token),
    ),
    ...checkKeyNames(expected.nonce, [...path, "nonce"], account),
    ...checkKeyNames(expected.pool, [...path, "pool"], token),
    ...checkKeyNames(expected.token, [...path, "token"], token),
    ...(expected.blocked === undefined ? [] : eachName(expected.blocked, [...path, "blocked"], account)),
    ...checkKeyNames(expected.reported, [...path, "reported"], (at, name) => checkNodeName(declared, at, name)),
    ...checkNodeNames(declared, [...path, "faulty"], expected.faulty),
    ...OF_CHECKPOINTS.flatMap((key) =>
      expected[key] === undefined ? [] : checkCheckpointNumbers(declared, path, key),
    ),
    ...OF_EPOCHS.flatMap((key) => (expected[key] === undefined ? [] : checkEpochNumbers(declared, path, key))),
    ...(expected.committee ?? []).flatMap((name, index) =>
      checkMemberName(declared, [...path, "committee", index], name),
    ),
    ...extras(expected, path),
  ];
}

function eachName(
  names: OneOrMoreNames,
  path: Path,
  check: (path: Path, name: string) => readonly Issue[],
): readonly Issue[] {
  return namesOf(names).flatMap((name, index) => check(typeof names === "string" ? path : [...path, index], name));
}

function extras(expected: Expectation, path: Path): readonly Issue[] {
  const issues: Issue[] = [];
  if (expected.within_ms !== undefined && expected.final === undefined && expected.checkpointed === undefined)
    issues.push({
      path: [...path, "within_ms"],
      atKey: true,
      message: "`within_ms` goes with `final` and `checkpointed`",
    });
  if (expected.faulty !== undefined && expected.violation === undefined)
    issues.push({ path: [...path, "faulty"], atKey: true, message: "`faulty` goes with `violation`" });
  for (const key of AT_END_ONLY) {
    if (expected.at !== undefined && expected[key] !== undefined)
      issues.push({ path: [...path, "at"], atKey: true, message: `\`${key}\` is judged at the end` });
  }
  return issues;
}
