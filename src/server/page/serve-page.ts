/** The page of a served network at its root, and the data that it reads. */
import type { FastifyInstance, FastifyReply } from "fastify";
import type { LiveEvents } from "../../report/live-state.ts";
import { type PageAssets, pageAssets } from "../../report/page-file.ts";
import { type PageSource, pageState } from "./page-state.ts";
import type { RecentEvents } from "./recent-events.ts";

export interface Page extends PageSource {
  readonly recent: RecentEvents;
}

/** Paths below the root that the page reads. */
export const PAGE_FILES = { script: "/page/live.js", style: "/page/live.css" } as const;

const HIDDEN = { schema: { hide: true } };

/** Serves the page's files and data. The root itself is answered by `sendPage`. */
export function servePage(app: FastifyInstance, page: Page): void {
  let read: PageAssets | undefined;
  const assets = (): PageAssets => {
    read ??= pageAssets("live");
    return read;
  };
  app.get(PAGE_FILES.script, HIDDEN, (_request, reply) => file(reply, "text/javascript", assets().script));
  app.get(PAGE_FILES.style, HIDDEN, (_request, reply) => file(reply, "text/css", assets().style));
  app.get("/page/state.json", HIDDEN, (_request, reply) => data(reply, pageState(page)));
  app.get("/page/events.json", HIDDEN, (_request, reply) => data(reply, eventsOf(page)));
}

function eventsOf({ host, recent }: Page): LiveEvents {
  const { nodes, liveness, lines } = host.network;
  const correct = new Set(liveness.correct);
  const byzantine = nodes.filter((node) => !correct.has(node));
  return { validators: nodes, clients: [], byzantine, events: recent.look(lines) };
}

function file(reply: FastifyReply, type: string, text: string): FastifyReply {
  return reply.type(`${type}; charset=utf-8`).header("cache-control", "no-cache").send(text);
}

function data(reply: FastifyReply, value: unknown): FastifyReply {
  return reply.header("cache-control", "no-store").send(value);
}

/** Responds with the page. Its scripts and styles are files of this server; it asks this server and its admin interface only. */
export function sendPage(reply: FastifyReply, { entry, adminUrl }: Page): FastifyReply {
  const admin = adminUrl();
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self'${admin === undefined ? "" : ` ${admin}`}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  return reply
    .type("text/html; charset=utf-8")
    .header("content-security-policy", policy)
    .header("cache-control", "no-cache")
    .send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>quorumlab ${entry}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${PAGE_FILES.style}">
<script src="${PAGE_FILES.script}" defer></script>
</head>
<body>
<div id="app"><noscript>This page needs JavaScript; the interface is described at /docs.</noscript></div>
</body>
</html>
`);
}
