/** Findings of campaigns in a folder: one for each failure signature, open until a later commit no longer shows it. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Why } from "../run/events/causes.ts";
import type { FailureSignature } from "../search/fuzz/failure-signature.ts";
import { replaceFile } from "./embedded.ts";
import { digest, type Plan, type ReplayWork } from "./job.ts";
import { faultOf, malformedError, objectIn, whyFault } from "./read.ts";
import type { JobResult, ShrunkRow } from "./rows.ts";

/** A finding as its file keeps it, beside a scenario file of the same name. */
export interface Finding {
  readonly key: string;
  readonly signature: FailureSignature;
  /** Commit that showed it first, and the seed of the campaign. */
  readonly commit: string | undefined;
  readonly quorumlab: string;
  readonly found_seed: string;
  /** Scenario file, the seed under which it fails, and the page that shows it. */
  readonly file: string;
  readonly seed: string;
  readonly report: string;
  readonly steps: number;
  readonly minimal: boolean;
  readonly state: "open" | "closed";
  /** Commit that no longer shows it. */
  readonly closed_by?: string | undefined;
  /** Causes of its violation, once a job has found them. */
  readonly why?: Why | undefined;
}

/** Returns the findings of a folder, in the order of their keys. */
export function findingsOf(folder: string): readonly Finding[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => findingIn(folder, name.slice(0, -".json".length)))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Reads a finding. Its files are those beside it, whatever it names. */
function findingIn(folder: string, name: string): Finding {
  const path = join(folder, name);
  const finding = objectIn(readFileSync(`${path}.json`, "utf8"), `${path}.json`) as unknown as Finding;
  const { signature } = finding;
  const fault =
    faultOf({ ...finding }, { key: "text", seed: "text", found_seed: "text", state: "text", steps: "count" }) ??
    faultOf({ ...signature }, { invariant: "name", slot: "name", shape: "text" }) ??
    whyFault(finding.why);
  if (fault !== undefined) throw malformedError(`${path}.json`, fault);
  return { ...finding, ...filesAt(path) };
}

function filesAt(path: string): Pick<Finding, "file" | "report"> {
  return { file: `${path}.yaml`, report: `${path}.html` };
}

/** Returns the replays of open findings that another commit showed. */
export function replaysOf(folder: string, commit: string | undefined): readonly Omit<ReplayWork, "kind">[] {
  return findingsOf(folder)
    .filter((finding) => finding.state === "open" && finding.commit !== commit)
    .map(({ key, file, seed, signature }) => ({ key, text: readFileSync(file, "utf8"), seed, signature }));
}

/**
 * Writes the minimized findings of results, and closes those that a replay no longer shows. One that is known stays as it
 * is, unless it was closed: then it is open again, with its new scenario. Returns what has changed.
 */
export function keepFindings(folder: string, results: readonly JobResult[], { program }: Plan) {
  mkdirSync(folder, { recursive: true });
  const findingsByKey = new Map(findingsOf(folder).map((finding) => [finding.key, finding]));
  const [added, explained] = [new Set<string>(), new Set<string>()];
  const closed: Finding[] = [];
  const signatures = signaturesIn(results);
  for (const row of results.flat()) {
    if (row.type === "shrunk" && findingsByKey.get(row.signature)?.state !== "open") {
      const signature = signatures.get(row.job);
      if (signature === undefined) throw malformedError(`job ${row.job}`, "no other job asked for its minimization");
      const finding = findingOf(folder, row, signature, program);
      replaceFile(finding.file, [row.text]);
      added.add(finding.key);
      findingsByKey.set(finding.key, writeFinding(folder, finding));
    }
    const causes = row.type === "why" ? row.why : null;
    const told = row.type === "why" ? findingsByKey.get(row.key) : undefined;
    if (causes !== null && told?.state === "open" && told.why === undefined) {
      explained.add(told.key);
      findingsByKey.set(told.key, writeFinding(folder, { ...told, why: causes }));
    }
    const shown = row.type === "replay" && !row.shows ? findingsByKey.get(row.key) : undefined;
    // A finding of this very commit was shown by it just now.
    if (shown?.state === "open" && shown.commit !== program.commit)
      closed.push(writeFinding(folder, { ...shown, state: "closed", closed_by: program.commit ?? program.quorumlab }));
  }
  const findingsAt = (keys: ReadonlySet<string>): readonly Finding[] =>
    [...keys].flatMap((key) => findingsByKey.get(key) ?? []);
  return {
    added: findingsAt(added),
    /** Those of earlier calls whose causes are known now. */
    explained: findingsAt(new Set([...explained].filter((key) => !added.has(key)))),
    closed,
  };
}

function findingOf(folder: string, row: ShrunkRow, signature: FailureSignature, program: Plan["program"]): Finding {
  const path = join(folder, nameOf(row.signature, signature));
  const { seed: found_seed, small_seed: seed, steps, minimal } = row;
  return {
    key: row.signature,
    signature,
    ...program,
    found_seed,
    ...{ ...filesAt(path), seed },
    steps,
    minimal,
    state: "open",
  };
}

function writeFinding(folder: string, finding: Finding): Finding {
  const name = nameOf(finding.key, finding.signature);
  replaceFile(join(folder, `${name}.json`), [`${JSON.stringify(finding, null, 2)}\n`]);
  return finding;
}

function nameOf(key: string, { invariant, slot }: FailureSignature): string {
  return `${invariant}-${slot}-${digest(key).slice(0, 8)}`;
}

/** Returns the signature of each job that minimizes, which the jobs that asked for it name. */
function signaturesIn(results: readonly JobResult[]): ReadonlyMap<string, FailureSignature> {
  const signatures = new Map<string, FailureSignature>();
  for (const row of results.flat()) {
    if (row.type !== "job") continue;
    for (const { id, work } of row.follow) if (work.kind === "shrink") signatures.set(id, work.signature);
  }
  return signatures;
}
