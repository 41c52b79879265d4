/** Admin API on its own port: faults, time and cheats on a served network. */
import { timingSafeEqual } from "node:crypto";
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from "fastify";
import { type TSchema, Type } from "typebox";
import { ROLES, type Role } from "../../core/base/operation.ts";
import { err, type Result } from "../../core/base/result.ts";
import type { AllowedHosts } from "../connections/allowed-hosts.ts";
import { createHttpServer } from "../connections/http-server.ts";
import type { RealHost } from "../host/real-host.ts";
import { ADMIN_BODY_BYTES, START_MS } from "../limits.ts";
import { restErrorOf } from "../wire/errors.ts";
import type { NameResolver } from "./name-resolver.ts";
import { checkpointNow, epochNow, statusOf } from "./operations.ts";
import type { ServerSigner, SubmissionFault } from "./signed-submission.ts";

export interface AdminDependencies {
  readonly host: RealHost;
  readonly signer: ServerSigner;
  readonly names: NameResolver;
  readonly logger: FastifyBaseLogger;
  /** Required in the header `x-admin-token` if the API is reachable from other machines. */
  readonly token: string | undefined;
  /** Names by which it may be asked, and the hosts of pages that may ask. */
  readonly hosts: AllowedHosts;
  /** Origins of the pages that may ask; requests of other pages are left to the browser, which refuses them. */
  readonly origins: ReadonlySet<string>;
  /** Returns the recording so far. */
  readonly recording: () => string;
}

/** Returns the admin API of a network, not yet listening. Responses hold the status of the network and the result. */
export function createAdmin(parts: AdminDependencies): FastifyInstance {
  const { host, signer, names, logger, hosts } = parts;
  const strict = { coerceTypes: false, removeAdditional: false, useDefaults: false } as const;
  const app: FastifyInstance = fastify({
    serverFactory: (handle) => createHttpServer({ handle, hosts, queueRead: (read) => host.turns.add(read) }),
    // The server itself answers such connections, in their order.
    clientErrorHandler: () => undefined,
    loggerInstance: logger,
    pluginTimeout: START_MS,
    bodyLimit: ADMIN_BODY_BYTES,
    logController: new LogController({ disableRequestLogging: true }),
    ajv: { customOptions: strict },
  });
  guard(app, parts);
  const routes = [...worldRoutes(host), ...cheatRoutes(signer, names)];
  app.get("/", () => ({ routes: routes.map(({ path, summary }) => ({ method: "POST", path, summary })) }));
  app.get("/admin/status", () => statusOf(host));
  app.get("/admin/recording", (_request, reply) => {
    host.recordHere();
    return reply.type("application/x-ndjson").send(parts.recording());
  });
  for (const { path, summary, body, handle: act } of routes) {
    app.post(path, { schema: { body, summary } }, async (request, reply) => {
      const done = await act(request.body as Readonly<Record<string, unknown>>);
      if (!done.ok) {
        const { error } = done;
        const isRefused = typeof error === "string";
        const code = isRefused ? "admin_refused" : "request_timeout";
        const message = isRefused ? error : error.message;
        return reply.code(isRefused ? 422 : 408).send(restErrorOf({ code, message }));
      }
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

function isSame(sentToken: string, token: string): boolean {
  const [a, b] = [Buffer.from(sentToken), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

interface AdminRoute {
  readonly path: string;
  readonly summary: string;
  readonly body: TSchema;
  /** Handles a body of the schema; its result is part of the response. */
  readonly handle: (
    body: Readonly<Record<string, unknown>>,
  ) => Promise<Result<unknown, SubmissionFault>> | Result<unknown, SubmissionFault>;
}

/** Unknown members are errors. */
const EXACT = { additionalProperties: false };

/** A short text. */
function shortText(description: string): TSchema {
  return Type.String({ description, minLength: 1, maxLength: 200 });
}

/** Faults, as verbs of the scenario language but `submit` and `workload`, and time: advance, rate, snapshot, revert. */
function worldRoutes(host: RealHost): readonly AdminRoute[] {
  const nothing = Type.Object({}, EXACT);
  return [
    {
      path: "/admin/step",
      summary: 'one verb of the scenario language, such as { "crash": { "node": "v2" } }',
      body: Type.Object({}),
      handle: (step) => host.stepPrepared(step),
    },
    { path: "/admin/snapshot", summary: "take a snapshot", body: nothing, handle: () => host.snapshot() },
    {
      path: "/admin/revert",
      summary: "revert to a snapshot",
      body: Type.Object({ snapshot: shortText("its name") }, EXACT),
      handle: ({ snapshot }) => host.revert(String(snapshot)),
    },
    {
      path: "/admin/reset",
      summary: "undo everything",
      body: nothing,
      handle: () => host.reset(),
    },
    {
      path: "/admin/advance",
      summary: "advance virtual time as fast as possible",
      body: Type.Object({ ms: Type.Integer({ description: "virtual milliseconds" }) }, EXACT),
      handle: ({ ms }) => host.advanceInTurns(host.advance(Number(ms))),
    },
    {
      path: "/admin/rate",
      summary: "set the virtual milliseconds for each real one; 0 stops virtual time",
      body: Type.Object({ rate: Type.Number() }, EXACT),
      handle: ({ rate }) => host.setRate(Number(rate)),
    },
    {
      path: "/admin/checkpoint",
      summary: "advance to the next checkpoint",
      body: nothing,
      handle: () => host.advanceInTurns(checkpointNow(host)),
    },
    {
      path: "/admin/epoch",
      summary: "close the epoch; the body may change parameters of the next one, as the verb `govern` does",
      body: Type.Object({}),
      handle: (change) =>
        "to" in change || "epoch" in change
          ? err("`to` and `epoch` cannot be chosen here")
          : host.advanceInTurns(epochNow(host, change)),
    },
  ];
}

/** Routes that change balances and roles, and pay. */
function cheatRoutes(signer: ServerSigner, names: NameResolver): readonly AdminRoute[] {
  const whose = { account: shortText("name or address"), token: shortText("symbol or address") };
  return [
    {
      path: "/admin/balance",
      summary: "set a balance by minting or burning",
      body: Type.Object({ ...whose, value: shortText("in the token's units") }, EXACT),
      handle: async ({ account, token, value }) => {
        const holding = names.holding(String(account), String(token), String(value));
        return holding.ok ? signer.setBalance(holding.value) : holding;
      },
    },
    {
      path: "/admin/payment",
      summary: "pay, signed with the key of an account that the server holds",
      body: Type.Object(
        {
          ...{ from: shortText("name or address"), to: shortText("name or address") },
          ...{ token: whose.token, value: shortText("in the token's units") },
        },
        EXACT,
      ),
      handle: async ({ from, to, token, value }) => {
        const payer = names.account(String(from));
        if (!payer.ok) return payer;
        const holding = names.holding(String(to), String(token), String(value));
        return holding.ok ? signer.pay(payer.value, holding.value) : holding;
      },
    },
    {
      path: "/admin/role",
      summary: "grant or revoke a role of a token whose master's key the server holds",
      body: Type.Object(
        {
          ...whose,
          role: Type.Union(ROLES.map((role) => Type.Literal(role))),
          action: Type.Union([Type.Literal("Grant"), Type.Literal("Revoke")]),
          allowance: Type.Optional(shortText("in the token's units")),
        },
        EXACT,
      ),
      handle: async ({ account, token, role, action, allowance }) => {
        const holding = names.holding(String(account), String(token), String(allowance ?? "0"));
        return holding.ok ? signer.setRole(holding.value, role as Role, action as "Grant" | "Revoke") : holding;
      },
    },
  ];
}
