/** Checks of expectations: names exist, and extra members belong to the kind. */
import type { Declared } from "../names.ts";
import { type Issue, issueAtKey, type Path } from "../problem.ts";
import type { Scenario } from "../scenario.ts";
import type { Expectation } from "../schema/expect.ts";
import { checkCheckpointNumbers, checkEpochNumbers, checkKeyNames, checkNames } from "./name-check.ts";

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
  return [
    ...ID_LISTS.flatMap((key) =>
      expected[key] === true ? [] : checkNames(declared, "operation", [...path, key], expected[key]),
    ),
    ...ID_TABLES.flatMap((key) => checkKeyNames(declared, "operation", [...path, key], expected[key])),
    ...checkKeyNames(declared, "holder", [...path, "balance"], expected.balance),
    ...Object.entries(expected.balance ?? {}).flatMap(([name, tokens]) =>
      checkKeyNames(declared, "token", [...path, "balance", name], tokens),
    ),
    ...checkKeyNames(declared, "account", [...path, "nonce"], expected.nonce),
    ...checkKeyNames(declared, "token", [...path, "pool"], expected.pool),
    ...checkKeyNames(declared, "token", [...path, "token"], expected.token),
    ...checkNames(declared, "account", [...path, "blocked"], expected.blocked),
    ...checkKeyNames(declared, "node", [...path, "reported"], expected.reported),
    ...checkNames(declared, "node", [...path, "faulty"], expected.faulty),
    ...OF_CHECKPOINTS.flatMap((key) =>
      expected[key] === undefined ? [] : checkCheckpointNumbers(declared, path, key),
    ),
    ...OF_EPOCHS.flatMap((key) => (expected[key] === undefined ? [] : checkEpochNumbers(declared, path, key))),
    ...checkNames(declared, "member", [...path, "committee"], expected.committee),
    ...extras(expected, path),
  ];
}

function extras(expected: Expectation, path: Path): readonly Issue[] {
  const issues: Issue[] = [];
  if (expected.within_ms !== undefined && expected.final === undefined && expected.checkpointed === undefined)
    issues.push(issueAtKey(path, "within_ms", "`within_ms` goes with `final` and `checkpointed`"));
  if (expected.faulty !== undefined && expected.violation === undefined)
    issues.push(issueAtKey(path, "faulty", "`faulty` goes with `violation`"));
  for (const key of AT_END_ONLY) {
    if (expected.at !== undefined && expected[key] !== undefined)
      issues.push(issueAtKey(path, "at", `\`${key}\` is judged at the end`));
  }
  return issues;
}
