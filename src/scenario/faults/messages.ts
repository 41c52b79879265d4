/** Faults of single messages: rules that drop or hold those that match a pattern. */
import { given } from "../../core/base/given.ts";
import { checkCheckpointNumbers, checkEpochNumbers, checkNames } from "../check/name-check.ts";
import { patternOf } from "../compile/parts.ts";
import type { Declared } from "../names.ts";
import type { Issue, Path } from "../problem.ts";
import { type Name, trueOr } from "../schema/scalars.ts";
import { type PatternSpec, pattern } from "../schema/trigger.ts";
import { fault } from "./fault.ts";

export const drop = fault({
  sentence: "Drops the messages that match every member. Absent members match everything.",
  example: "- { at: 0, drop: { kinds: [finality], from: [v1] } }",
  value: pattern,
  check: checkPattern,
  compile: (part, context, step) => ({
    do: "drop",
    rule: ruleOf(part, step),
    messages: patternOf(part, context),
    ...given({ count: part.count }),
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

function checkRule(rule: true | Name, path: Path, declared: Declared): readonly Issue[] {
  return rule === true ? [] : checkNames(declared, "rule", path, rule);
}

function checkPattern(part: PatternSpec, path: Path, declared: Declared): readonly Issue[] {
  const about = [part.of, part.account, part.token, part.checkpoint, part.epoch].filter((one) => one !== undefined);
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
