/** Faults of links, and rules that drop or hold single messages which match a pattern. */

import { definedMembers } from "../../core/base/defined-members.ts";
import type { Path, ScenarioIssue } from "../../schema/problem.ts";
import { list, members, optional } from "../../schema/shape.ts";
import type { Action } from "../../simulator/plan.ts";
import type { LinkSettings } from "../../simulator/settings.ts";
import { checkCheckpointNumbers, checkEpochNumbers, checkNames } from "../check/name-check.ts";
import { patternOf, rangeOf, ratioOf } from "../compile/parts.ts";
import type { Declarations } from "../names.ts";
import { chance, checkRange, delay as delayShape, type Name, name, names, trueOr } from "../schema/scalars.ts";
import { type PatternSpec, pattern } from "../schema/trigger.ts";
import { fault } from "./fault.ts";

/** Links by their ends; default: those between all validators. */
type LinkEnds = Readonly<{ from?: readonly Name[]; to?: readonly Name[] }>;

const ENDS = {
  from: optional(names("the senders; default: all validators")),
  to: optional(names("the receivers; default: all validators")),
};

function checkEnds({ from, to }: LinkEnds, path: Path, declared: Declarations): readonly ScenarioIssue[] {
  return [
    ...checkNames(declared, "party", [...path, "from"], from),
    ...checkNames(declared, "party", [...path, "to"], to),
  ];
}

function linkAction({ from, to }: LinkEnds, settings: Partial<LinkSettings>): Action {
  return { do: "link", ...definedMembers({ from, to }), settings };
}

/** A fault that changes the share of messages to which a link does something. */
function shareFault(setting: "loss" | "duplicate" | "reorder", sentence: string, example: string) {
  return fault({
    sentence,
    example,
    value: members({ ...ENDS, chance: chance("the share of messages") }),
    check: checkEnds,
    compile: (part) => linkAction(part, { [setting]: ratioOf(part.chance) }),
  });
}

export const partition = fault({
  sentence: "Cuts all links between the groups; parties that are absent keep theirs.",
  example: "- { at: 50, partition: [[v1, v2], [v3, v4]] }",
  value: list("the groups", names("the parties of one group")),
  check: (groups, path, declared) =>
    groups.flatMap((group, index) => checkNames(declared, "party", [...path, index], group)),
  compile: (groups) => ({ do: "partition", groups }),
});

export const cut = fault({
  sentence: "Cuts links in one direction.",
  example: "- { at: 50, cut: { from: [v1], to: [v2] } }",
  value: members({ from: names("the senders"), to: names("the receivers") }),
  check: checkEnds,
  compile: ({ from, to }) => ({ do: "cut", from, to }),
});

export const heal = fault({
  sentence: "Ends all partitions and cuts, or those between the parties listed.",
  example: "- { at: 500, heal: true }",
  value: trueOr<readonly Name[]>({ type: ["boolean", "array"], items: name("a validator or client"), minItems: 1 }),
  check: (parties, path, declared) => (parties === true ? [] : checkNames(declared, "party", path, parties)),
  compile: (parties) => (parties === true ? { do: "heal" } : { do: "heal", parties }),
});

export const delay = fault({
  sentence: "Changes the delay of links.",
  example: "- { at: 0, delay: { to: [v3], ms: 200..300 } }",
  value: members({ ...ENDS, ms: delayShape("the time that a message takes") }),
  check: (part, path, declared) => [...checkEnds(part, path, declared), ...checkRange([...path, "ms"], part.ms)],
  compile: (part) => linkAction(part, { delayMs: rangeOf(part.ms) }),
});

export const loss = shareFault(
  "loss",
  "Changes the share of messages that links lose.",
  "- { at: 0, loss: { from: [v1], chance: 1/5 } }",
);

export const duplicate = shareFault(
  "duplicate",
  "Changes the share of messages that links deliver twice.",
  "- { at: 0, duplicate: { chance: 1/5 } }",
);

export const reorder = shareFault(
  "reorder",
  "Changes the share of messages that may overtake earlier ones on their link.",
  "- { at: 0, reorder: { chance: 1/5 } }",
);

export const drop = fault({
  sentence: "Drops the messages that match every member. Absent members match everything.",
  example: "- { at: 0, drop: { kinds: [finality], from: [v1] } }",
  value: pattern,
  check: checkPattern,
  compile: (part, context, step) => ({
    do: "drop",
    rule: ruleOf(part, step),
    messages: patternOf(part, context),
    ...definedMembers({ count: part.count }),
  }),
});

export const undrop = fault({
  sentence: "Ends the rule of `drop` with this name, or all.",
  example: "- { at: 500, undrop: true }",
  value: trueOr<Name>({ type: ["boolean", "string"] }),
  check: checkRule,
  compile: (rule) => (rule === true ? { do: "undrop" } : { do: "undrop", rule }),
});

export const hold = fault({
  sentence: "Keeps the messages that match every member until `release`. Absent members match everything.",
  example: "- { at: 0, hold: { rule: late, kinds: [commit], of: x } }",
  value: pattern,
  check: checkPattern,
  compile: (part, context, step) => ({ do: "hold", rule: ruleOf(part, step), messages: patternOf(part, context) }),
});

export const release = fault({
  sentence: "Ends the rule of `hold` with this name, or all, and delivers the messages that it kept.",
  example: "- { at: 500, release: late }",
  value: trueOr<Name>({ type: ["boolean", "string"] }),
  check: checkRule,
  compile: (rule) => (rule === true ? { do: "release" } : { do: "release", rule }),
});

function ruleOf({ rule }: PatternSpec, step: number): string {
  return rule ?? `rule ${step}`;
}

function checkRule(rule: true | Name, path: Path, declared: Declarations): readonly ScenarioIssue[] {
  return rule === true ? [] : checkNames(declared, "rule", path, rule);
}

function checkPattern(part: PatternSpec, path: Path, declared: Declarations): readonly ScenarioIssue[] {
  const about = [part.of, part.account, part.token, part.checkpoint, part.epoch].filter(
    (member) => member !== undefined,
  );
  return [
    ...checkNames(declared, "party", [...path, "from"], part.from),
    ...checkNames(declared, "party", [...path, "to"], part.to),
    ...checkNames(declared, "operation", [...path, "of"], part.of),
    ...checkNames(declared, "account", [...path, "account"], part.account),
    ...checkNames(declared, "token", [...path, "token"], part.token),
    ...(about.length > 1
      ? [{ path, message: "expected at most one of `of`, `account`, `token`, `checkpoint` and `epoch`" }]
      : []),
    ...(part.checkpoint === undefined ? [] : checkCheckpointNumbers(declared, path, "checkpoint")),
    ...(part.epoch === undefined ? [] : checkEpochNumbers(declared, path, "epoch")),
  ];
}
