/** JSON lines of runs. They are a contract with users' programs: members may be added, never changed. */
import type { NamedViolation, RunResult } from "../run/verdict.ts";

/** A run with what its report needs. */
export interface RunReport {
  readonly id: string;
  readonly file: string;
  readonly result: RunResult;
  readonly wallMs: number;
  readonly versions: { readonly quorumlab: string; readonly format: number; readonly node: string };
  /** The command that reproduces the run. */
  readonly replay: string;
  /** The command that prints its narrative; `undefined` if no file holds the scenario. */
  readonly explain: string | undefined;
}

export interface RunSummary {
  readonly runs: number;
  readonly passed: number;
  readonly failed: number;
  readonly wallMs: number;
}

/** The line of one run. */
export function runLine({ id, file, result, wallMs, versions, replay, explain }: RunReport): string {
  const { seed, verdict, reason, hash, steps, virtualMs, finals, violations, expected, beyondF, unmet, cutShort } =
    result;
  const epochs = result.checkpoints.filter(({ content: { value } }) => value.type === "closing").length;
  return JSON.stringify({
    type: "run",
    scenario: id,
    seed,
    verdict,
    ...(verdict === "pass" ? {} : { reason }),
    hash,
    steps,
    virtual_ms: virtualMs,
    wall_ms: tenths(wallMs),
    final: finals.length,
    ...(epochs > 0 ? { epochs_closed: epochs } : {}),
    violations: violations.map(violationPart),
    ...(expected.length > 0 ? { expected_violations: expected.map(violationPart) } : {}),
    ...(beyondF.length > 0 ? { beyond_f: beyondF.map(violationPart) } : {}),
    ...(unmet.length > 0 ? { unmet } : {}),
    ...(result.schedule === undefined ? {} : { schedule: result.schedule }),
    ...(cutShort === undefined ? {} : { cut_short: cutShort }),
    file,
    replay,
    ...(verdict === "pass" || explain === undefined ? {} : { explain }),
    ...versions,
  });
}

/** The last line. */
export function summaryLine({ runs, passed, failed, wallMs }: RunSummary): string {
  return JSON.stringify({ type: "summary", runs, passed, failed, wall_ms: tenths(wallMs) });
}

function violationPart({ invariant, step, virtualMs, detail, faulty }: NamedViolation): Record<string, unknown> {
  return { invariant, step, virtual_ms: virtualMs, detail, blame: faulty };
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}
