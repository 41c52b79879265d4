/** `quorumlab campaign dashboard`: a page that shows a campaign, served until an interrupt. It only reads. */
import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { setTimeout } from "node:timers/promises";
import { type PageAssets, pageAssets, servedHtml, servedPolicy } from "../../report/page-file.ts";
import { type Args, EXIT, type ExitCode, type Subcommand, textOf, UsageError } from "../command.ts";
import type { Io } from "../io.ts";
import { JSON_OPTION, textOption, wholeNumber } from "../options.ts";
import { jsonLine } from "../output.ts";
import { CampaignView } from "./dashboard-state.ts";
import { REPORTS_OPTION } from "./results.ts";
import { TARGET_OPTIONS, withQueue } from "./target.ts";

const HOST = "127.0.0.1";
const PORT = 18_600;
const PORT_MAX = 65_535;
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
    const server = serverOf(new CampaignView(queue, args, io), pageAssets("campaign"), io);
    const url = await listen(server, port, host);
    io.out(args["json"] === true ? jsonLine({ type: "dashboard", url }) : `the campaign is shown at ${url}\n`);
    while (!(await io.interrupted())) await setTimeout(LOOK_MS);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    return EXIT.interrupted;
  });
}

/** Returns the address of the page. @throws UsageError where the server cannot listen. */
function listen(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", ({ message }) => reject(new UsageError(`--port: ${message}`)));
    server.listen(port, host, () => {
      const at = server.address();
      // A pipe has no port.
      const own = typeof at === "object" ? at?.port : undefined;
      resolve(`http://${host.includes(":") ? `[${host}]` : host}:${own}`);
    });
  });
}

interface PageAnswer {
  readonly type: string;
  readonly text: string;
  readonly status?: number;
}

function serverOf(view: CampaignView, assets: PageAssets, io: Io): Server {
  let said = "";
  return createServer(async ({ method, url = "/" }, response) => {
    const path = new URL(url, "http://page").pathname;
    const isRead = method === "GET" || method === "HEAD";
    const {
      type,
      text,
      status = 200,
    } = isRead
      ? await answerOf(path, view, assets).catch((error: unknown) => {
          const text = `${error instanceof UsageError ? error.message : String(error)}\n`;
          // A page asks again and again.
          if (text !== said) io.err(`dashboard: ${text}`);
          said = text;
          return { ...textAnswer(text), status: 500 };
        })
      : { ...textAnswer("GET only\n"), status: 405 };
    response.writeHead(status, {
      "content-type": `${type}; charset=utf-8`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      // Reports of findings have a policy of their own, which admits the scripts that they hold.
      ...(path === "/" ? { "content-security-policy": servedPolicy() } : {}),
    });
    response.end(text);
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
