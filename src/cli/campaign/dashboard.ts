/** `quorumlab campaign dashboard`: a page that shows a campaign, served until an interrupt. It only reads. */
import { existsSync, readFileSync } from "node:fs";
import type { Server } from "node:http";
import { basename } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type Finding, findingsOf, keepFindings } from "../../campaign/findings.ts";
import type { Plan } from "../../campaign/job.ts";
import type { JobCounts, JobQueue } from "../../campaign/queue.ts";
import type { JobResult } from "../../campaign/rows.ts";
import { Totals } from "../../campaign/summary.ts";
import { type PageAssets, pageAssets, servedHtml, servedPolicy } from "../../report/page-file.ts";
import type { CampaignState, ShownFinding } from "../../report/search-data.ts";
import { COVERAGE_POINT_NAMES } from "../../scenario/coverage-points.ts";
import { AllowedHosts } from "../../server/connections/allowed-hosts.ts";
import { createHttpServer } from "../../server/connections/http-server.ts";
import { type Args, EXIT, type ExitCode, type Subcommand, textOf, UsageError } from "../command.ts";
import type { Io } from "../io.ts";
import { JSON_OPTION, nodesOption, textOption, wholeNumber } from "../options.ts";
import { jsonLine } from "../output.ts";
import { ALLOWED_HOSTS_OPTION, allowedHostsOf, PORT_MAX } from "../serve/options.ts";
import { REPORTS_OPTION, writeFindingPages } from "./report.ts";
import { type CampaignTarget, planIn, TARGET_OPTIONS, targetOf, withQueue } from "./target.ts";

const HOST = "127.0.0.1";
const PORT = 18_600;
/** Milliseconds between two looks at an interrupt. */
const LOOK_MS = 100;
const FILES = { script: "/page/campaign.js", style: "/page/campaign.css" } as const;

export const dashboardAction: Subcommand = {
  usage: "dashboard",
  description: "serve a page that shows rate, coverage, findings and workers of a campaign",
  examples: [
    ["$0 campaign dashboard", "of the campaign that `start` works on in this folder, at http://127.0.0.1:18600"],
    ["$0 campaign dashboard --redis redis://queue:6379 --host 0.0.0.0", "of a campaign in Redis, for other machines"],
  ],
  options: {
    port: textOption("port of the page; 0: any free one", PORT),
    host: textOption("address to listen on; the page has no password", HOST),
    ...ALLOWED_HOSTS_OPTION,
    ...TARGET_OPTIONS,
    ...REPORTS_OPTION,
    json: JSON_OPTION,
  },
  run: dashboard,
};

async function dashboard(args: Args, io: Io): Promise<ExitCode> {
  const port = wholeNumber(args, "port", 0, PORT_MAX) ?? PORT;
  const host = textOf(args, "host") ?? HOST;
  return withQueue(args, io, async (queue) => {
    const hosts = new AllowedHosts([...allowedHostsOf(args), host]);
    const server = serverOf(new CampaignView(queue, args, io), pageAssets("campaign"), hosts, io);
    const url = await listen(server, port, host);
    io.out(args["json"] === true ? jsonLine({ type: "dashboard", url }) : `the campaign is shown at ${url}\n`);
    while (!(await io.interrupted())) await setTimeout(LOOK_MS);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    return EXIT.interrupted;
  });
}

/** Returns the address of the page. @throws UsageError where the server cannot listen. */
async function listen(server: Server, port: number, host: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", ({ message }) => reject(new UsageError(`--port: ${message}`))).listen(port, host, resolve);
  });
  const { port: ownPort } = server.address() as { readonly port: number };
  return `http://${host.includes(":") ? `[${host}]` : host}:${ownPort}`;
}

interface PageAnswer {
  readonly type: string;
  readonly text: string;
  readonly status?: number;
}

function serverOf(view: CampaignView, assets: PageAssets, hosts: AllowedHosts, io: Io): Server {
  let said = "";
  const answer = async (method = "", path: string): Promise<PageAnswer> => {
    if (method !== "GET" && method !== "HEAD") return { ...textAnswer("GET only\n"), status: 405 };
    try {
      return await answerOf(path, view, assets);
    } catch (error) {
      const text = `${error instanceof UsageError ? error.message : String(error)}\n`;
      // A page asks again and again.
      if (text !== said) io.err(`dashboard: ${text}`);
      said = text;
      // The error of a user is that there is no such campaign.
      return { ...textAnswer(text), status: error instanceof UsageError ? 404 : 500 };
    }
  };
  return createHttpServer({
    hosts,
    handle: async ({ method, url = "/" }, response) => {
      const [path = "/"] = url.split("?", 1);
      const { type, text, status = 200 } = await answer(method, path);
      response.writeHead(status, {
        "content-type": `${type}; charset=utf-8`,
        "content-length": Buffer.byteLength(text),
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        // Reports of findings have a policy of their own, which admits the scripts that they hold.
        ...(path === "/" ? { "content-security-policy": servedPolicy() } : {}),
      });
      response.end(text);
    },
  });
}

async function answerOf(path: string, view: CampaignView, { script, style }: PageAssets): Promise<PageAnswer> {
  switch (path) {
    case "/":
      return { type: "text/html", text: servedHtml("quorumlab campaign", FILES, "its data is at /page/state.json") };
    case FILES.script:
      return { type: "text/javascript", text: script };
    case FILES.style:
      return { type: "text/css", text: style };
    case "/page/state.json":
      return { type: "application/json", text: JSON.stringify(await view.state()) };
    default: {
      const file = view.fileAt(path);
      if (file === undefined || !existsSync(file)) return { ...textAnswer("there is no such page\n"), status: 404 };
      const text = readFileSync(file, "utf8");
      return file.endsWith(".html") ? { type: "text/html", text } : textAnswer(text);
    }
  }
}

function textAnswer(text: string): PageAnswer {
  return { type: "text/plain", text };
}

/** Milliseconds for which a state is current: many pages cost one read. */
const CURRENT_MS = 1_000;

class CampaignView {
  readonly #queue: JobQueue;
  readonly #args: Args;
  readonly #io: Io;
  readonly #target: CampaignTarget;
  readonly #totals = new Totals();
  /** Results that ask for, hold or replay a finding. */
  readonly #telling: JobResult[] = [];
  /** Files that the server may send, by their paths on it. */
  readonly #files = new Map<string, string>();
  #read = Number.NEGATIVE_INFINITY;
  #reading: Promise<CampaignState> | undefined;

  constructor(queue: JobQueue, args: Args, io: Io) {
    this.#queue = queue;
    this.#args = args;
    this.#io = io;
    this.#target = targetOf(args);
  }

  /** Returns the file that stands at a path, if a finding of the last state has it. */
  fileAt(path: string): string | undefined {
    return this.#files.get(path);
  }

  /** @throws UsageError if there is no campaign. */
  state(): Promise<CampaignState> {
    const now = this.#io.now();
    if (this.#reading === undefined || now - this.#read > CURRENT_MS) {
      this.#read = now;
      // One read at a time: both would count the same results.
      this.#reading = (this.#reading ?? Promise.resolve()).then(
        () => this.#newState(),
        () => this.#newState(),
      );
    }
    return this.#reading;
  }

  async #newState(): Promise<CampaignState> {
    const plan = await planIn(this.#queue, this.#args);
    // Before the results: a campaign that counts as finished is shown with all of them.
    const counts = await this.#queue.counts();
    for (const result of await this.#queue.newResults()) this.#add(result, plan);
    const workers = await this.#queue.liveWorkers();
    const { jobs: _jobs, work_ms, findings: failures, errors, reached, ...all } = this.#totals.summary();
    const { occurrences: _occurrences, shortcomings, ...sums } = all;
    const findings = findingsOf(this.#target.findings);
    const worldsOf = new Map(failures.map(({ signature, worlds }) => [signature, worlds]));
    const { waiting, active, done, lost } = counts;
    const { quorumlab: version, commit } = plan.program;
    return {
      name: this.#target.name,
      version,
      commit: commit ?? null,
      state: stateOf(counts, workers),
      profile: plan.generator.profile,
      bug: plan.generator.bug ?? null,
      first: plan.first,
      seeds: plan.seeds,
      jobs: { waiting, active, done, lost },
      sums: { ...sums, work_ms },
      workers,
      reached,
      points: COVERAGE_POINT_NAMES.length,
      progress: this.#totals.course.map(({ type: _type, wall_ms: ms, ...point }) => ({ ...point, ms })),
      kinds: this.#totals.kinds,
      findings: findings.map((finding) => this.#findingRow(finding, worldsOf.get(finding.key) ?? 0)),
      failures: failures.filter(({ signature }) => !findings.some(({ key }) => key === signature)),
      unexpected: [...errors.map(({ job, error }) => `${job}: ${error ?? ""}`), ...shortcomings],
    };
  }

  #add(result: JobResult, plan: Plan): void {
    this.#totals.add(result);
    const isFinding = result.some(({ type }) => type === "shrunk" || type === "replay" || type === "why");
    const asks = result.some((row) => row.type === "job" && row.follow.length > 0);
    if (isFinding || asks) this.#telling.push(result);
    if (!isFinding) return;
    const { added, explained } = keepFindings(this.#target.findings, this.#telling, plan);
    if (this.#args["reports"] === false) return;
    writeFindingPages([...added, ...explained], this.#io, nodesOption(this.#args)).catch((error: unknown) =>
      this.#io.err(`report: ${String(error)}\n`),
    );
  }

  #findingRow(finding: Finding, worlds: number): ShownFinding {
    const { key, state, commit, closed_by: closedBy, steps, report, file } = finding;
    const commits = { commit: commit ?? null, closedBy: closedBy ?? null };
    return { key, state, ...commits, worlds, steps, page: this.#serveFile(report), file: this.#serveFile(file) };
  }

  /** Returns where the server answers with a file, if it exists. */
  #serveFile(file: string): string | null {
    if (!existsSync(file)) return null;
    const path = `/findings/${basename(file)}`;
    this.#files.set(path, file);
    return path;
  }
}

function stateOf({ waiting, active, isStopped }: JobCounts, workers: readonly string[]): CampaignState["state"] {
  if (isStopped) return "stopped";
  if (waiting + active === 0) return "finished";
  return workers.length > 0 ? "running" : "waiting";
}
