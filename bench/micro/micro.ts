/** All micro-benchmarks: what the figures are made of. */
import type { Effort } from "../page/rounds.ts";
import type { Section } from "../page/section.ts";
import { applyGroup } from "./apply.ts";
import { drawGroup } from "./draw.ts";
import { groupText, type MicroGroup, measured } from "./harness.ts";
import { hostsGroup } from "./hosts.ts";
import { oraclesGroup } from "./oracles.ts";
import { parseGroup } from "./parse.ts";
import { primitivesGroup } from "./primitives.ts";
import { stepGroup } from "./step.ts";

export const GROUPS: readonly MicroGroup[] = [
  primitivesGroup,
  stepGroup,
  applyGroup,
  oraclesGroup,
  drawGroup,
  parseGroup,
  hostsGroup,
];

export async function microTables(effort: Effort): Promise<Section> {
  const text: string[] = [];
  for (const group of GROUPS) text.push(groupText(group, measured(await group.rows(), effort)));
  return { title: "Micro-benchmarks", text: ["The reference is the first row, if nothing else is said.", ...text] };
}
