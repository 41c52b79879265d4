/** Admin API on its own port: faults, time and cheats on a served network. */
import { timingSafeEqual } from "node:crypto";
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from "fastify";
import type { RealHost } from "../host/real-host.ts";
import { ADMIN_BODY_BYTES, START_MS } from "../limits.ts";
import { restErrorOf } from "../wire/errors.ts";
import type { NameResolver } from "./name-resolver.ts";
import { statusOf } from "./operations.ts";
import { cheatRoutes, faultRoutes, timeRoutes } from "./routes.ts";
import type { ServerSigner } from "./signed-submission.ts";

export interface AdminDependencies {
  readonly host: RealHost;
  readonly signer: ServerSigner;
  readonly names: NameResolver;
  readonly logger: FastifyBaseLogger;
  /** Required in the header `x-admin-token` if the API is reachable from other machines. */
  readonly token: string | undefined;
  /** Origins of the pages that may ask; requests of other pages are left to the browser, which refuses them. */
  readonly origins: ReadonlySet<string>;
  /** Returns the recording so far. */
  readonly recording: () => string;
}

/** Returns the admin API of a network, not yet listening. Responses hold the status of the network and the result. */
export function createAdmin(parts: AdminDependencies): FastifyInstance {
  const { host, signer, names, logger } = parts;
  const strict = { coerceTypes: false, removeAdditional: false, useDefaults: false } as const;
  const app: FastifyInstance = fastify({
    loggerInstance: logger,
    pluginTimeout: START_MS,
    bodyLimit: ADMIN_BODY_BYTES,
    logController: new LogController({ disableRequestLogging: true }),
    ajv: { customOptions: strict },
  });
  guard(app, parts);
  const routes = [...faultRoutes(host), ...timeRoutes(host), ...cheatRoutes(host, signer, names)];
  app.get("/", () => ({ routes: routes.map(({ path, summary }) => ({ method: "POST", path, summary })) }));
  app.get("/admin/status", () => statusOf(host));
  app.get("/admin/recording", (_request, reply) => reply.type("application/x-ndjson").send(parts.recording()));
  for (const { path, summary, body, handle: act } of routes) {
    app.post(path, { schema: { body, summary } }, async (request, reply) => {
      const done = await act(request.body as Readonly<Record<string, unknown>>);
      if (!done.ok) return reply.code(422).send(restErrorOf({ code: "admin_refused", message: done.error }));
      logger.info({ path, body: request.body }, "admin");
      return { ...statusOf(host), result: done.value ?? null };
    });
  }
  return app;
}

const PREFLIGHT = {
  "access-control-allow-methods": "GET, POST",
  "access-control-allow-headers": "content-type, x-admin-token",
};

function guard(app: FastifyInstance, { token, logger, origins }: AdminDependencies): void {
  app.addHook("onRequest", async (request, reply) => {
    const { origin } = request.headers;
    if (origin !== undefined && origins.has(origin)) {
      reply.headers({ "access-control-allow-origin": origin, vary: "origin" });
      // A preflight carries no token.
      if (request.method === "OPTIONS") return reply.code(204).headers(PREFLIGHT).send();
    }
    if (token === undefined || isSame(String(request.headers["x-admin-token"] ?? ""), token)) return undefined;
    const message = "the header x-admin-token is missing or wrong";
    return reply.code(403).send(restErrorOf({ code: "admin_token_required", message }));
  });
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const status = error.statusCode ?? 500;
    const code = status >= 500 ? "system_internal_error" : "validation_body";
    if (status >= 500) logger.error({ err: error }, "admin");
    return reply.code(status).send(restErrorOf({ code, message: error.message }));
  });
  app.setNotFoundHandler((request, reply) => {
    const message = `${request.method} ${request.url} is not a route of the admin API: GET / lists them`;
    return reply.code(404).send(restErrorOf({ code: "resource_route_not_found", message }));
  });
}

function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
