/** Checks beyond the schema: undeclared names, invalid amounts, steps that can never happen, members of expectations. */

import { checksummedAddress, isChecksumRight } from "../../core/crypto/address-checksum.ts";
import { keyedHash } from "../../core/crypto/keyed-hash.ts";
import { parametersFault } from "../../core/ledger/epoch.ts";
import { stateWithoutBalances } from "../../core/ledger/genesis-state.ts";
import { issueAtKey, type Path, type ScenarioIssue } from "../../schema/problem.ts";
import { createWorld } from "../../simulator/world.ts";
import { compile } from "../compile/compile.ts";
import { declarationsOf } from "../declarations.ts";
import { directoryOf } from "../directory.ts";
import { DEFAULT_SEED } from "../limits.ts";
import type { Declarations } from "../names.ts";
import { genesisOf, parametersOf } from "../parameters.ts";
import { proposedParameters } from "../proposals.ts";
import type { Scenario } from "../scenario.ts";
import type { Expectation } from "../schema/expect.ts";
import { checkSchedule } from "../schema/schedule.ts";
import { checkTriggers } from "../triggers.ts";
import { checkAmounts, checkFees } from "./amounts.ts";
import { checkCheckpointNumbers, checkEpochNumbers, checkKeyNames, checkNames, type NameKind } from "./name-check.ts";
import { checkNetwork } from "./network.ts";
import { checkSteps } from "./steps.ts";

/** The issues of a scenario that matches the schema. */
export function checkScenario(scenario: Scenario): readonly ScenarioIssue[] {
  const declared = declarationsOf(scenario);
  const issues = [
    ...checkAddresses(scenario),
    ...checkNetwork(scenario, declared),
    ...checkSchedule(scenario.schedule),
    ...checkSteps(scenario, declared),
    ...checkTriggers(scenario, declared),
    ...checkAmounts(scenario, declared),
    ...checkFees(scenario, declared),
    ...(scenario.expect ?? []).flatMap((expected, index) => checkExpectation(expected, ["expect", index], declared)),
  ];
  return issues.length > 0 ? issues : checkStart(scenario);
}

/** Issues that only the ledger and the simulated world detect, by their own checks. */
function checkStart(scenario: Scenario): readonly ScenarioIssue[] {
  const genesis = refusalOf(["genesis"], () =>
    stateWithoutBalances(genesisOf(scenario, directoryOf(scenario, keyedHash))),
  );
  if (genesis.length > 0) return genesis;
  const proposed = checkProposed(scenario);
  if (proposed.length > 0) return proposed;
  return refusalOf([], () => createWorld(compile(scenario, { seed: DEFAULT_SEED, scheme: keyedHash }).plan));
}

/** Issues of proposals with invalid parameters: validators would ignore them, so they are mistakes of the file. */
function checkProposed(scenario: Scenario): readonly ScenarioIssue[] {
  const directory = directoryOf(scenario, keyedHash);
  return proposedParameters(scenario).flatMap((part, index) => {
    const message = part === undefined ? undefined : parametersFault(parametersOf(part, directory));
    return message === undefined ? [] : [{ path: ["steps", index, "govern"], message }];
  });
}

function refusalOf(path: Path, begin: () => void): readonly ScenarioIssue[] {
  try {
    begin();
    return [];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [{ path, message: error.message }];
  }
}

/** Expectations that are a name or a list of names, with their kind. */
const NAMED = {
  final: "operation",
  superseded: "operation",
  pending: "operation",
  undecided: "operation",
  stalled: "operation",
  checkpointed: "operation",
  unlisted: "operation",
  void: "operation",
  blocked: "account",
  faulty: "node",
  committee: "member",
} as const satisfies Partial<Record<keyof Expectation, NameKind>>;

/** Expectations that are tables by name. */
const BY_NAME = {
  refused: "operation",
  failed: "operation",
  fee: "operation",
  balance: "holder",
  nonce: "account",
  pool: "token",
  token: "token",
  reported: "node",
} as const satisfies Partial<Record<keyof Expectation, NameKind>>;

const OF_CHECKPOINTS = ["checkpointed", "unlisted", "checkpoints"] as const;
const AT_END_ONLY = ["violation", "stalled", "nothing_final", "all_final"] as const;

function checkExpectation(expected: Expectation, path: Path, declared: Declarations): readonly ScenarioIssue[] {
  return [
    ...entriesOf(NAMED).flatMap(([key, kind]) => {
      const names = expected[key];
      return names === true ? [] : checkNames(declared, kind, [...path, key], names);
    }),
    ...entriesOf(BY_NAME).flatMap(([key, kind]) => checkKeyNames(declared, kind, [...path, key], expected[key])),
    ...Object.entries(expected.balance ?? {}).flatMap(([name, tokens]) =>
      checkKeyNames(declared, "token", [...path, "balance", name], tokens),
    ),
    ...OF_CHECKPOINTS.flatMap((key) =>
      expected[key] === undefined ? [] : checkCheckpointNumbers(declared, path, key),
    ),
    ...(expected.void === undefined ? [] : checkEpochNumbers(declared, path, "void")),
    ...checkExtras(expected, path),
  ];
}

function entriesOf<K extends string>(table: Readonly<Record<K, NameKind>>): readonly (readonly [K, NameKind])[] {
  return Object.entries(table) as [K, NameKind][];
}

function checkExtras(expected: Expectation, path: Path): readonly ScenarioIssue[] {
  const issues: ScenarioIssue[] = [];
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

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
/** Members with texts of their author, in which an address is one of any chain. */
const FREE_TEXTS: ReadonlySet<string> = new Set(
  "name shows symbol uri memo additional destination transaction bridge_metadata bridge_param batch_id".split(" "),
);

/** Returns an issue for each address in mixed letter case with a wrong checksum (EIP-55), as a value and as a key. */
function checkAddresses(value: unknown, path: Path = []): readonly ScenarioIssue[] {
  if (typeof value === "string") return checkAddress(value, { path });
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item: unknown, at) => checkAddresses(item, [...path, at]));
  return Object.entries(value).flatMap(([key, member]) => [
    ...checkAddress(key, { path: [...path, key], atKey: true }),
    ...(FREE_TEXTS.has(key) ? [] : checkAddresses(member, [...path, key])),
  ]);
}

function checkAddress(text: string, place: Omit<ScenarioIssue, "message">): readonly ScenarioIssue[] {
  if (!ADDRESS.test(text) || isChecksumRight(text)) return [];
  const message = `the checksum of ${text} is wrong: expected ${checksummedAddress(text)}, or lower case without one`;
  return [{ ...place, message }];
}
