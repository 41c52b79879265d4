/** The page of a served network at its root, and the data that it reads. */
import type { FastifyInstance, FastifyReply } from "fastify";
import type { LiveEvents } from "../../report/live-state.ts";
import { type PageAssets, pageAssets, servedHtml, servedPolicy } from "../../report/page-file.ts";
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
  app.get(PAGE_FILES.script, HIDDEN, (_request, reply) => sendFile(reply, "text/javascript", assets().script));
  app.get(PAGE_FILES.style, HIDDEN, (_request, reply) => sendFile(reply, "text/css", assets().style));
  app.get("/page/state.json", HIDDEN, (_request, reply) => sendData(reply, pageState(page)));
  app.get("/page/events.json", HIDDEN, (_request, reply) => sendData(reply, eventsOf(page)));
}

function eventsOf({ host, recent }: Page): LiveEvents {
  const { nodes, liveness, lines } = host.network;
  const correct = new Set(liveness.correct);
  const byzantine = nodes.filter((node) => !correct.has(node));
  return { validators: nodes, clients: [], byzantine, events: recent.readEvents(lines) };
}

function sendFile(reply: FastifyReply, type: string, text: string): FastifyReply {
  return reply.type(`${type}; charset=utf-8`).header("cache-control", "no-cache").send(text);
}

function sendData(reply: FastifyReply, value: unknown): FastifyReply {
  return reply.header("cache-control", "no-store").send(value);
}

/** Responds with the page. Its scripts and styles are files of this server; it asks this server and its admin interface only. */
export function sendPage(reply: FastifyReply, { entry, adminUrl }: Page): FastifyReply {
  return reply
    .type("text/html; charset=utf-8")
    .header("content-security-policy", servedPolicy(adminUrl()))
    .header("cache-control", "no-cache")
    .send(servedHtml(`quorumlab ${entry}`, PAGE_FILES, "the interface is described at /docs"));
}
