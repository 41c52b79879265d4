/** Parts of generated meetings: what Byzantine validators do in them, and messages that are held for a while. */
import type { ByzantineSpec } from "../../scenario/faults/byzantine.ts";
import type { Name } from "../../scenario/schema/scalars.ts";
import type { MessageKind } from "../../simulator/plan.ts";
import type { Rng } from "./rng.ts";
import type { Roles } from "./roles.ts";
import type { StepBuilder } from "./step-builder.ts";

/** Kinds of messages that carry decisions. */
export const DECISIONS: readonly MessageKind[] = ["finality", "decisions"];

/** Returns the Byzantine validators that run strategies. */
export function ownStrategies({ byzantine, twins, losing, keepsLast, validators }: Roles): readonly Name[] {
  return byzantine.filter(
    (node) => !twins.includes(node) && !losing.includes(node) && !(keepsLast && node === validators.at(-1)),
  );
}

/** Gives every Byzantine validator that runs a strategy a further one. */
export function addStrategyToAll(roles: Roles, strategy: Omit<ByzantineSpec, "node">, builder: StepBuilder): void {
  for (const node of ownStrategies(roles)) builder.addAt(0, { byzantine: { node, ...strategy } });
}

/** Holds messages from the builder's time until `end`. */
export function holdUntil(builder: StepBuilder, end: number, messages: object): void {
  const rule = builder.newRule();
  builder.addAt(builder.at, { hold: { rule, ...messages } });
  builder.addAt(end, { release: rule });
}

/** Holds list proposals for a while, so that operations authorised meanwhile share one list. */
export function gatherLists(rng: Rng, token: Name, builder: StepBuilder): void {
  holdUntil(builder, builder.at + rng.integer(200, 900), { kinds: ["proposal"], token });
}
