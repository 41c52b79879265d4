/** Lines of results, and readers of what others may have written: plans, rows of results and findings, checked member by member. */
import { digest, type Job, jobOf, type Plan } from "./job.ts";
import { type CampaignRow, type ContentRow, type JobResult, type JobRow, jobRowOf } from "./rows.ts";

/** A campaign's file or entry that no campaign writes. */
export class MalformedCampaign extends Error {
  override readonly name = "MalformedCampaign";
}

/** Most seeds of one campaign, and of one job. */
export const SEEDS_MAX = 999_999_999;
export const RANGE_MAX = 100_000;

type Members = Readonly<Record<string, unknown>>;

/** Forms of members, each with what is of it. */
const MEMBER_FORMS = {
  text: (value: unknown) => typeof value === "string",
  count: isCount,
  number: (value: unknown) => typeof value === "number",
  flag: (value: unknown) => typeof value === "boolean",
  list: Array.isArray,
  seed: (value: unknown) => typeof value === "string" && /^[0-9]{1,40}$/.test(value),
  name: (value: unknown) => typeof value === "string" && /^[A-Za-z][A-Za-z0-9-]{0,63}$/.test(value),
} satisfies Readonly<Record<string, (value: unknown) => boolean>>;

type Form = keyof typeof MEMBER_FORMS;

/** Members of each type of row that something is computed from. */
const ROWS: Readonly<Record<CampaignRow["type"], Readonly<Record<string, Form>>>> = {
  world: { seed: "seed", verdict: "text", events: "count", operations: "count", final: "count", faults: "list" },
  coverage: { name: "text", hits: "count", runs: "count" },
  occurrence: { name: "text", runs: "count" },
  shrunk: { signature: "text", seed: "seed", text: "text", small_seed: "text", steps: "count", minimal: "flag" },
  replay: { key: "text", shows: "flag" },
  why: { key: "text" },
  job: {
    ...{ kind: "text", worlds: "count", failed: "count", events: "count", operations: "count", final: "count" },
    ...{ ms: "number", ended: "number", worker: "text", follow: "list" },
  },
};

/** Returns the plan in a text. @throws MalformedCampaign that names `where`. */
export function readPlan(text: string, where: string): Plan {
  const plan = objectIn(text, where);
  const { generator, program, seeds, range } = plan;
  const bounds = [
    ["seeds", seeds, 0, SEEDS_MAX],
    ["range", range, 1, RANGE_MAX],
  ] as const;
  const outside = bounds.find(([, value, least, most]) => !isCount(value) || value < least || value > most);
  if (outside !== undefined) {
    const [name, value, least, most] = outside;
    throw malformedError(
      where,
      `${name}: expected a whole number from ${least} to ${most}, got ${JSON.stringify(value)}`,
    );
  }
  const fault =
    faultOf(plan, { first: "seed", replay: "list", worldMs: "count", shrinkRuns: "count", keep: "text" }) ??
    (isObject(generator) ? faultOf(generator, { profile: "text" }) : "generator: expected an object") ??
    nodesFault(plan["nodes"]) ??
    (isObject(program) ? faultOf(program, { quorumlab: "text" }) : "program: expected an object");
  if (fault !== undefined) throw malformedError(where, fault);
  return plan as unknown as Plan;
}

function nodesFault(nodes: unknown): string | undefined {
  const isFit =
    nodes === undefined || (isObject(nodes) && Object.values(nodes).every((one) => typeof one === "string"));
  return isFit ? undefined : `nodes: expected commands by the names of validators, got ${JSON.stringify(nodes)}`;
}

/** Returns the rows of a job as lines, with their checksum in the last one. */
export function linesOf(result: JobResult): string {
  const [rows, job] = [result.slice(0, -1) as ContentRow[], jobRowOf(result)];
  return [...rows, { ...job, sum: checksumOf(rows, job) }].map((row) => `${JSON.stringify(row)}\n`).join("");
}

/** Returns the lines of a text. What follows the last end of a line is torn and left out. */
export function wholeLines(text: string): readonly string[] {
  return text.split("\n").slice(0, -1);
}

/**
 * Returns the finished jobs in lines, each once. Rows without the row of their job are left out: the process that wrote
 * them was killed, and the job is done again. @throws MalformedCampaign for a line that no campaign writes, with its place.
 */
export function resultsIn(lines: readonly string[] | Generator<string>, file = "results"): readonly JobResult[] {
  const done = new Map<string, JobResult>();
  let open: ContentRow[] = [];
  let count = 0;
  for (const line of lines) {
    const where = `${file}:${++count}`;
    const row = checkRow(objectIn(line, where), where);
    if (row.type === "job") {
      const rows = open.filter(({ job }) => job === row.job);
      open = [];
      if (row.sum !== undefined && row.sum !== checksumOf(rows, row))
        throw malformedError(where, `the rows of job ${row.job} were changed: they have another checksum`);
      const { sum: _sum, ...last } = row;
      if (!done.has(row.job)) done.set(row.job, [...rows, last]);
    } else open.push(row);
  }
  return [...done.values()];
}

/** Returns the rows of a job's result. @throws MalformedCampaign that names `where`. */
export function checkResult(result: unknown, where: string): JobResult {
  if (!Array.isArray(result) || result.length === 0) throw malformedError(where, "expected a list of rows");
  const rows = result.map((row: unknown) => {
    if (!isObject(row)) throw malformedError(where, "expected a row");
    return checkRow(row, where);
  });
  if (rows[rows.length - 1]?.type !== "job") throw malformedError(where, "expected the row of the job last");
  return rows as unknown as JobResult;
}

/** Returns the checksum of a job's rows; that of the job itself counts without its checksum. */
function checksumOf(rows: readonly ContentRow[], { sum: _sum, ...job }: JobRow): string {
  return digest([...rows, job].map((row) => JSON.stringify(row)).join("\n"));
}

function checkRow(row: Members, where: string): CampaignRow {
  const { type, job } = row;
  const form = typeof type === "string" && Object.hasOwn(ROWS, type) ? ROWS[type as CampaignRow["type"]] : undefined;
  if (form === undefined) throw malformedError(where, `type: expected one of ${Object.keys(ROWS).join(", ")}`);
  const fault = typeof job === "string" ? (faultOf(row, form) ?? whyFault(row["why"])) : "job: expected a text";
  if (fault !== undefined) throw malformedError(where, fault);
  const strange = type === "job" ? (row["follow"] as readonly unknown[]).find((one) => !isJob(one)) : undefined;
  if (strange !== undefined) throw malformedError(where, "follow: expected jobs, each with the id that its work has");
  return row as unknown as CampaignRow;
}

/** Returns a fault of causes that are there, in what something is computed from. */
export function whyFault(why: unknown): string | undefined {
  if (why === undefined || why === null) return undefined;
  const lists = { essential: "list", sufficient: "list", orders: "list", untried: "list", causes: "count" } as const;
  return isObject(why) ? faultOf(why, lists) : "why: expected an object";
}

/** An id is a function of the work, so a job says twice what it is. */
function isJob(value: unknown): boolean {
  if (!isObject(value) || !isObject(value["work"])) return false;
  const { id, work } = value as unknown as Job;
  const { count, range, signature } = work as unknown as Members;
  if (count !== undefined && !(isCount(count) && count <= SEEDS_MAX)) return false;
  if (range !== undefined && !(isCount(range) && range >= 1)) return false;
  if (work.kind === "shrink" || work.kind === "replay") {
    if (!isObject(signature) || faultOf(signature, { invariant: "name", slot: "name", shape: "text" }) !== undefined)
      return false;
  }
  return typeof id === "string" && typeof work.kind === "string" && jobOf(work)?.id === id;
}

/** Returns the first member that is missing or has another form. */
export function faultOf(value: Members, forms: Readonly<Record<string, Form>>): string | undefined {
  const wrong = Object.entries(forms).find(([name, form]) => !MEMBER_FORMS[form](value[name]));
  return wrong && `${wrong[0]}: expected a ${wrong[1]}`;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the object in a JSON text. @throws MalformedCampaign that names `where`. */
export function objectIn(text: string, where: string): Members {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw malformedError(where, `malformed JSON: ${error.message}`);
  }
  if (!isObject(value)) throw malformedError(where, "expected a JSON object");
  return value;
}

export function malformedError(where: string, fault: string): MalformedCampaign {
  return new MalformedCampaign(`${where}: ${fault}`);
}
