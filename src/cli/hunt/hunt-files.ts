/** Files of a hunt: the matrix, and the minimized scenario of each variant. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { declaredBy } from "../../scenario/declared.ts";
import { scenarioText } from "../../search/fuzz/scenario-text.ts";
import type { Minimized } from "../../search/hunt/jobs.ts";
import type { Score } from "../../search/hunt/score.ts";
import { shellQuoted } from "../commands.ts";
import type { versions } from "../version.ts";
import { type Row, rowObject, type ShrunkRow } from "./hunt-lines.ts";
import type { HuntOptions } from "./hunt-options.ts";

/** Writes `<out>/hunt.json`: the request, all rows, and the self-check. Returns its path. */
export function saveMatrix(
  { out, ranges, strategies, confidence }: HuntOptions,
  rows: readonly Row[],
  about: { readonly dishonesty: readonly string[]; readonly versions: ReturnType<typeof versions> },
): string {
  const file = join(out, "hunt.json");
  const asked = { budget: ranges[0]?.budget, repeats: ranges.length, first: String(ranges[0]?.first), strategies };
  const bugs = rows.map((row) => ({ ...rowObject(row, confidence), wrong: row.score.bug.mistake }));
  mkdirSync(out, { recursive: true });
  writeFileSync(file, `${JSON.stringify({ ...asked, ...about, bugs }, null, 2)}\n`);
  return file;
}

/** Writes `<out>/hunt/<variant>.yaml`. */
export function saveMinimized(
  out: string,
  { bug, first }: Score,
  { scenario, seed, isMinimal: isSmallest }: Minimized,
): ShrunkRow {
  const file = join(out, "hunt", `${bug.name}.yaml`);
  const head = [
    ...(first === undefined ? [] : [first.detection.detail.split("\n")[0] ?? ""]),
    `wrong: ${bug.mistake}`,
    `reproduce: quorumlab run ${shellQuoted(file)} --seed ${seed}`,
  ];
  mkdirSync(join(out, "hunt"), { recursive: true });
  writeFileSync(file, scenarioText({ ...scenario, name: `${bug.name}, detected by fuzz and minimized` }, head));
  return {
    steps: scenario.steps?.length ?? 0,
    nodes: [...declaredBy(scenario).nodes].length,
    file,
    isMinimal: isSmallest,
  };
}
