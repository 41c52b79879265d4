/** Byzantine behaviour: strategies that begin and end, and the routes of twins. */
import type { Static } from "typebox";
import { requireDefined } from "../../core/base/assert.ts";
import { definedMembers } from "../../core/base/defined-members.ts";
import { isRecovery } from "../../core/base/operation.ts";
import { issueAtKey, type Path, type ScenarioIssue } from "../../schema/problem.ts";
import { choiceWithMeanings, members, optional, table, text, withDefault } from "../../schema/shape.ts";
import { MUTATIONS, mutationsAt } from "../../simulator/byzantine/field-mutations.ts";
import { formsAt } from "../../simulator/byzantine/field-places.ts";
import {
  modesOf,
  STRATEGIES,
  STRATEGY_NAMES,
  type StrategyName,
  type StrategyPlan,
} from "../../simulator/byzantine/registry.ts";
import { modeOf } from "../../simulator/byzantine/strategy.ts";
import { checkKeyNames, checkNames } from "../check/name-check.ts";
import { ratioOf } from "../compile/parts.ts";
import type { Declarations } from "../names.ts";
import { chance, FIELD_PATH, NAME, name, names } from "../schema/scalars.ts";
import { type FaultContext, fault } from "./fault.ts";

const STRATEGY_MEANINGS = Object.fromEntries(STRATEGY_NAMES.map((one) => [one, STRATEGIES[one].sentence])) as Readonly<
  Record<StrategyName, string>
>;

/** Meanings of the modes of all strategies: two strategies may share the name of a mode. */
const MODE_MEANINGS: Readonly<Record<string, string>> = STRATEGY_NAMES.reduce<Record<string, string>>(
  (all, strategy) => {
    for (const [mode, sentence] of Object.entries(STRATEGIES[strategy].modes ?? {}))
      all[mode] = [...(mode in all ? [all[mode]] : []), `${strategy}: ${sentence}`].join(" ");
    return all;
  },
  {},
);

const WITH_MODES: readonly string[] = STRATEGY_NAMES.filter((one) => modesOf(one).length > 0).map(
  (one) => `${one} (default: ${modesOf(one)[0]})`,
);

function joinWithAnd(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

const byzantineValue = members({
  node: name("the validator"),
  strategy: choiceWithMeanings("a Byzantine strategy", STRATEGY_MEANINGS),
  towards: optional(
    names(
      `the parties that ${joinWithAnd(STRATEGY_NAMES.filter((one) => STRATEGIES[one].towards !== undefined))} treat badly; default: all, of ${joinWithAnd(STRATEGY_NAMES.filter((one) => STRATEGIES[one].towards === "none"))} none`,
    ),
  ),
  of: optional(
    name(`the operation that ${joinWithAnd(STRATEGY_NAMES.filter((one) => STRATEGIES[one].readsOperation))} votes for`),
  ),
  chance: withDefault(
    "1/2",
    chance(
      "the share of steps in which replay-stale, of statements on which invalid-signatures, and of messages on which mutate acts; 1/1: always",
    ),
  ),
  field: optional(
    text(
      `the field that mutate changes: a path from a kind of message or a part of one, such as "close.claims[].seals" or "claims[].seals"; default: any`,
      FIELD_PATH,
    ),
  ),
  mutation: optional(choiceWithMeanings("the way in which mutate changes it; default: any", MUTATIONS)),
  mode: optional(choiceWithMeanings(`the false part, of ${joinWithAnd(WITH_MODES)}`, MODE_MEANINGS)),
});

export type ByzantineSpec = Static<typeof byzantineValue>;

export const byzantine = fault({
  sentence:
    "A validator is Byzantine from now on. Several strategies, and mutations of several fields, may act together.",
  example: "- { at: 0, byzantine: { node: v4, strategy: double-vote } }",
  value: byzantineValue,
  check: (part, path, declared) => [
    ...checkNames(declared, "node", [...path, "node"], part.node),
    ...checkNames(declared, "party", [...path, "towards"], part.towards),
    ...checkMode([...path, "mode"], part),
    ...checkOf(path, part, declared),
    ...checkField(path, part),
  ],
  compile: (part, context) => ({ do: "byzantine", node: part.node, strategy: strategyOf(part, context) }),
});

export const behave = fault({
  sentence: "A Byzantine validator ends one strategy, or all of them.",
  example: "- { at: 900, behave: { node: v4 } }",
  value: members({
    node: name("the validator"),
    strategy: optional(choiceWithMeanings("the strategy that ends; default: all", STRATEGY_MEANINGS)),
  }),
  check: ({ node }, path, declared) => checkNames(declared, "node", [...path, "node"], node),
  compile: ({ node, strategy }) => ({ do: "behave", node, ...definedMembers({ strategy }) }),
});

export const twin = fault({
  sentence: "Routes the messages of parties to one of two nodes with one key; messages of all others reach both.",
  example: `- { at: 0, twin: { v4: [v1, v2], "v4'": [v3] } }`,
  value: table("the routes", NAME, names("the parties whose messages reach this node")),
  check: (routes, path, declared) => [
    ...checkKeyNames(declared, "node", path, routes),
    ...Object.entries(routes).flatMap(([node, parties]) => checkNames(declared, "party", [...path, node], parties)),
  ],
  compile: (routes) => ({ do: "twins", routes: Object.entries(routes).map(([to, from]) => ({ from, to })) }),
});

function checkMode(path: Path, { strategy, mode }: ByzantineSpec): readonly ScenarioIssue[] {
  if (mode === undefined) return [];
  const modes = modesOf(strategy);
  if (modes.includes(mode)) return [];
  const known = modes.length === 0 ? "none" : `one of ${modes.join(", ")}`;
  return [{ path, message: `${strategy} has no mode "${mode}": expected ${known}` }];
}

function checkOf(path: Path, { strategy, of }: ByzantineSpec, declared: Declarations): readonly ScenarioIssue[] {
  if (STRATEGIES[strategy].readsOperation)
    return of === undefined
      ? [{ path, message: 'the key "of" is missing: the operation that it votes for' }]
      : checkNames(declared, "operation", [...path, "of"], of);
  if (of === undefined) return [];
  return [issueAtKey(path, "of", `\`of\` goes with vote-for, not with ${strategy}`)];
}

function checkField(path: Path, { strategy, field, mutation }: ByzantineSpec): readonly ScenarioIssue[] {
  if (!STRATEGIES[strategy].readsField)
    return Object.keys(definedMembers({ field, mutation })).map((key) =>
      issueAtKey(path, key, `\`${key}\` goes with mutate, not with ${strategy}`),
    );
  if (field === undefined) return [];
  if (formsAt(field).length === 0) return [issueAtKey(path, "field", `no message has a field "${field}"`)];
  const possible = mutationsAt(field);
  if (mutation === undefined || possible.includes(mutation)) return [];
  return [issueAtKey(path, "mutation", `"${field}" cannot be ${mutation}: expected one of ${possible.join(", ")}`)];
}

/** The plan of a strategy, with the members that it reads. */
function strategyOf(
  { strategy: name, towards, of, chance, mode, field, mutation }: ByzantineSpec,
  { submissions }: FaultContext,
): StrategyPlan {
  const record = STRATEGIES[name];
  const victims = record.towards === "none" ? (towards ?? []) : towards;
  return {
    name,
    ...(record.towards === undefined || victims === undefined ? {} : { towards: victims }),
    ...(record.readsChance ? { chance: ratioOf(chance ?? "1/2") } : {}),
    ...(record.modes === undefined ? {} : { mode: modeOf(record.modes, mode) }),
    ...(record.readsField ? definedMembers({ field, mutation }) : {}),
    ...(record.readsOperation ? operationOf(of, submissions) : {}),
  };
}

function operationOf(of: string | undefined, submissions: FaultContext["submissions"]): Partial<StrategyPlan> {
  const { submission, id } = requireDefined(
    submissions.find((candidate) => candidate?.name === of),
    `operation ${of}`,
  );
  return { account: isRecovery(submission) ? submission.account : submission.sender, operation: id };
}
