/** What is not mutated: words for people, and branches that the type checker proves to be never taken. */

const SAYING = new Set(["assert", "present", "invalid", "AssertionError", "RangeError"]);

function calls(node, names) {
  return (node.type === "CallExpression" || node.type === "NewExpression") && names.has(node.callee.name);
}

/** The text of an assertion, of an error, or of a refusal's `reason`: it decides nothing. */
const texts = {
  shouldIgnore({ node, parent, listKey }) {
    if (node.type !== "TemplateLiteral" && node.type !== "StringLiteral") return undefined;
    const isSaid = calls(parent, SAYING) && listKey === "arguments";
    const isReason = parent.type === "ObjectProperty" && parent.key.name === "reason";
    return isSaid || isReason ? "a text for people" : undefined;
  },
};

/** `default: return unreachable(value)`: it compiles only where no value is left. */
const unreachable = {
  shouldIgnore({ node }) {
    if (node.type !== "SwitchCase" || node.test !== null) return undefined;
    const [only] = node.consequent;
    const isNever = only?.type === "ReturnStatement" && calls(only.argument, new Set(["unreachable"]));
    return isNever ? "a branch that the type checker rules out" : undefined;
  },
};

export const strykerPlugins = [
  { kind: "Ignore", name: "texts", value: texts },
  { kind: "Ignore", name: "unreachable", value: unreachable },
];
