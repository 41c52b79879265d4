/** Steps of the scenario language that a served network executes at once. */
import { definedMembers } from "../core/base/defined-members.ts";
import { err, ok, type Result } from "../core/base/result.ts";
import { type CompiledScenario, compileSteps } from "../scenario/compile/compile.ts";
import { directoryOf } from "../scenario/directory.ts";
import { createParser } from "../scenario/parse.ts";
import { proposalsOf } from "../scenario/proposals.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { FeesSpec } from "../scenario/schema/epoch.ts";
import type { Step } from "../scenario/schema/step.ts";
import type { Action } from "../simulator/plan.ts";
import type { World } from "../simulator/world.ts";
import type { Setup } from "./recording.ts";

/** Verbs that no live step has: operations come over HTTP, workloads and chaos from the scenario at the start. */
const NOT_LIVE = ["submit", "workload", "chaos"] as const;
/** Members that no live step has: it is due now. */
const TIMES = ["at", "after", "only"] as const;

/** Returns the step, or the first error in it. `earlier`: the live steps so far. */
export function readStep(
  candidate: unknown,
  earlier: readonly Step[],
  setup: Setup,
  compiled: CompiledScenario,
  world: Pick<World, "node">,
): Result<Step, string> {
  if (typeof candidate !== "object" || candidate === null || Array.isArray(candidate))
    return err('expected one verb of the scenario language, such as { "crash": { "node": "v2" } }');
  const [member] = [...NOT_LIVE, ...TIMES].filter((name) => name in candidate);
  if (member !== undefined)
    return err(`${member}: a live step is executed at once and is a fault, a change or a proposal`);
  const step = withKeptFees(candidate as Step, setup.scenario, earlier);
  const scenario = withSteps(setup.scenario, [...declaringSteps(setup.scenario, earlier, step), step]);
  // As data: the text of a network with many accounts and tokens would be longer than a file may be.
  const data: unknown = JSON.parse(JSON.stringify({ ...scenario, expect: [{ nothing_final: true }] }));
  const parsed = createParser().check(data);
  if (!parsed.ok) return err(parsed.error.map(({ message }) => message).join("; "));
  const strangers = (step.govern?.validators ?? []).filter((key) => !hasKey(compiled, key));
  if (strangers.length > 0)
    return err(
      `govern: no validator of this network signs with ${strangers.join(", ")}: it needs a spare from the start`,
    );
  if (step.wipe === undefined) return ok(step);
  const { name, keys, signedWith } = world.node(step.wipe);
  return keys.some((key) => !signedWith.includes(key))
    ? ok(step)
    : err(`wipe: ${name} has signed with all of its keys, and would have none left`);
}

/** Returns the simulator's actions of a step. @throws for a step that `readStep` rejects. */
export function actionsOfStep(
  step: Step,
  earlier: readonly Step[],
  setup: Setup,
  compiled: CompiledScenario,
): readonly Action[] {
  const scenario = withSteps(setup.scenario, [...proposalSteps(setup.scenario, earlier), step]);
  const directory = directoryOf(scenario, compiled.directory.scheme, setup.keys);
  const { chainId } = compiled.commons.shared.genesis;
  const planned = compileSteps({
    scenario: withSteps(setup.scenario, [step]),
    directory,
    chainId,
    submissions: [undefined],
    proposals: [proposalsOf(scenario, directory, chainId).at(-1)],
    operations: compiled.operations,
    seed: setup.seed,
  });
  return planned.flat().map(({ action }) => action);
}

/**
 * Names that a step may refer to: each proposal builds on its predecessors, and rules are released by name. An account that
 * a live proposal names is no party of the network, which began without it.
 */
function declaringSteps({ steps }: Scenario, earlier: readonly Step[], candidate: Step): readonly Step[] {
  const { govern } = candidate;
  const text = JSON.stringify(candidate);
  const rules = new Set<string>();
  return [...(steps ?? []), ...earlier].flatMap((step): readonly Step[] => {
    if (step.govern !== undefined) return govern !== undefined || steps?.includes(step) === true ? [step] : [];
    // The name alone: a step that a rule of the file refers to may not be among the remaining ones.
    const rule = step.hold?.rule ?? step.drop?.rule;
    if (rule === undefined || rules.has(rule) || !text.includes(JSON.stringify(rule))) return [];
    rules.add(rule);
    return [{ hold: { rule } }];
  });
}

/**
 * A proposal that names one or two of the three fees keeps the others, for each token: those of the last proposal that named
 * any, or of the genesis.
 */
function withKeptFees(step: Step, scenario: Scenario, earlier: readonly Step[]): Step {
  const fees: Partial<FeesSpec> | undefined = step.govern?.fees;
  if (step.govern === undefined || typeof fees !== "object") return step;
  const { tokens: named, unnamed, ...row } = fees;
  if (Object.keys(row).length === 3) return step;
  const last = proposalSteps(scenario, earlier).findLast(({ govern }) => govern?.fees !== undefined)?.govern;
  const kept = last?.fees ?? scenario.genesis?.fees;
  const rows = Object.entries(kept?.tokens ?? {}).map(([token, tokenFees]) => [token, { ...tokenFees, ...row }]);
  const tokens = rows.length === 0 ? named : { ...(Object.fromEntries(rows) as FeesSpec["tokens"]), ...named };
  const filled = { ...kept, ...row, ...definedMembers({ unnamed, tokens }) } as FeesSpec;
  return { ...step, govern: { ...step.govern, fees: filled } };
}

/** Each proposal builds on its predecessors. */
function proposalSteps({ steps }: Scenario, earlier: readonly Step[]): readonly Step[] {
  return [...(steps ?? []), ...earlier].filter(({ govern }) => govern !== undefined);
}

function withSteps({ name, network, genesis }: Scenario, steps: readonly Step[]): Scenario {
  return {
    name,
    ...definedMembers({ network, genesis }),
    steps: steps.map((step) => (step.at === undefined && step.after === undefined ? { at: 0, ...step } : step)),
  };
}

function hasKey({ directory }: CompiledScenario, key: string): boolean {
  return directory.nodes.some((node) => directory.keysOf(node).includes(key));
}
