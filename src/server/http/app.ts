/** The HTTP interface of one validator (specification 15.1; wire 1). */
import { fastifyRateLimit } from "@fastify/rate-limit";
import { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, fastify, LogController } from "fastify";
import type { Logger } from "pino";
import { MemoTable } from "../../core/base/memo-table.ts";
import type { Scheme } from "../../core/crypto/scheme.ts";
import { secp256k1 } from "../../core/crypto/secp256k1.ts";
import type { NodeName } from "../../simulator/settings.ts";
import { AllowedHosts } from "../connections/allowed-hosts.ts";
import { createHttpServer, type UpgradeHandler } from "../connections/http-server.ts";
import type { Host } from "../host/real-host.ts";
import { HTTP_LIMITS, type HttpLimits, MINUTE_MS, SOCKET_LIMITS, type SocketLimits, START_MS } from "../limits.ts";
import { networkKeysOf } from "../setup/setup-of.ts";
import { openEndpoint } from "../websocket/endpoint.ts";
import { ANSWERS, type Answers } from "../wire/answers.ts";
import { edgeFault } from "../wire/errors.ts";
import { WRITE_MODE_DEFAULT, type WriteMode } from "../wire/paths.ts";
import { installDocs } from "./docs.ts";
import { httpErrorOf, installEdge, installPublishedFaults, refuseUnknownRoutes, requestId } from "./edge.ts";
import { createRequestLimit, type EntryValidator } from "./entry-validator.ts";
import { HttpErrorException, sendError } from "./errors.ts";
import { installMetrics, METRICS_PATH } from "./metrics.ts";
import {
  HEALTH_PATH,
  serveApi,
  serveChains,
  serveCheckpoints,
  serveGovernances,
  serveOtherDomainPaths,
  servePricing,
  serveStates,
  serveWebsocketPath,
} from "./routes/network.ts";
import { serveAccounts, serveTokens } from "./routes/tokens.ts";
import { serveTransactions } from "./routes/transactions.ts";

export interface AppOptions {
  readonly log: Logger;
  /** Version of this program, for the OpenAPI document. */
  readonly version: string;
  /** Requests per minute and IP address; absent or 0: unlimited (specification 14.4). */
  readonly requestsPerMinute?: number | undefined;
  /** Versions of writes that are served; default: both. */
  readonly writeMode?: WriteMode | undefined;
  /** Takes mints and burns of version 1 whose signature can be posted as another kind; default: no, but in `v1-only`. */
  readonly sharedDigests?: boolean | undefined;
  /** Names by which clients may ask; default: those of this machine. */
  readonly hosts?: AllowedHosts;
  /** Scheme that recovers senders; default: secp256k1. */
  readonly scheme?: Scheme;
  /** Responds to browsers at the root; default: they are led to /docs. */
  readonly index?: (reply: FastifyReply) => FastifyReply;
  /** Adds routes of some networks, which are documented like the others. */
  readonly extend?: (app: FastifyInstance) => void;
  /** Replaced parts of what clients are told. */
  readonly answers?: Partial<Answers> | undefined;
  readonly limits?: Partial<HttpLimits>;
  readonly socketLimits?: Partial<SocketLimits>;
}

/**
 * Returns an interface whose entry validator is `node`, ready to `listen` or `inject`. `close` ends it; requests in
 * progress get bounded time.
 */
export async function createApp(host: Host, node: NodeName, options: AppOptions): Promise<FastifyInstance> {
  const limits: HttpLimits = { ...HTTP_LIMITS, ...options.limits };
  const answers = { ...ANSWERS, ...options.answers };
  const websocket = openEndpoint(host, { ...SOCKET_LIMITS, ...options.socketLimits }, answers);
  const app = newApp(options, limits, websocket.upgrade, host);
  const { scheme = secp256k1 } = options;
  const entry: EntryValidator = {
    host,
    node,
    scheme,
    keys: networkKeysOf(host.network, scheme),
    limits,
    writeMode: options.writeMode ?? WRITE_MODE_DEFAULT,
    sharedDigests: options.sharedDigests === true || options.writeMode === "v1-only",
    writeLimit: createRequestLimit(limits.waiting, limits.waitingPerAccount),
    readLimit: createRequestLimit(limits.waitingReads),
    refusedWrites: new MemoTable(limits.refusedWrites),
    answers,
  };
  logRequests(app, options.log);
  const methods = installEdge(app);
  if (answers.complete !== undefined) installPublishedFaults(app);
  await limitRate(app, options.requestsPerMinute, limits);
  refuseUnknownRoutes(app, methods);
  await installDocs(app, entry, options.version, options.index);
  installMetrics(app, entry, () => websocket.sockets);
  serveChains(app, entry);
  serveAccounts(app, entry);
  serveTokens(app, entry);
  serveCheckpoints(app, entry);
  serveTransactions(app, entry);
  serveGovernances(app, entry);
  serveStates(app, entry);
  servePricing(app, entry);
  serveApi(app, entry);
  serveWebsocketPath(app);
  serveOtherDomainPaths(app, entry);
  options.extend?.(app);
  app.addHook("preClose", async () => {
    // A request that hangs must not keep the process alive.
    setTimeout(() => app.server.closeAllConnections(), limits.shutdownMs).unref();
    await websocket.close();
  });
  await app.ready();
  return app;
}

function newApp(
  { log, hosts = new AllowedHosts() }: AppOptions,
  limits: HttpLimits,
  upgrade: UpgradeHandler,
  { turns }: Host,
): FastifyInstance {
  const queueRead = (read: () => void): void => turns.add(read);
  return fastify({
    serverFactory: (handle) => createHttpServer({ handle, limits, upgrade, hosts, queueRead, isPublic: true }),
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    pluginTimeout: START_MS,
    genReqId: requestId,
    requestIdHeader: false,
    bodyLimit: limits.bodyBytes,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    // The server itself answers such connections, in their order.
    clientErrorHandler: () => undefined,
    frameworkErrors: (error, request, reply) => {
      reply.header("access-control-allow-origin", "*").header("x-request-id", request.id);
      sendError(reply, httpErrorOf(error, request));
    },
  });
}

/** A line for each request; at levels that would not show it requests have no hook for it. */
function logRequests(app: FastifyInstance, log: Logger): void {
  if (!log.isLevelEnabled("info")) return;
  app.addHook("onResponse", async ({ id, method, url, log: line }, reply) => {
    const { statusCode: status, elapsedTime } = reply;
    line.info({ id, method, url, status, ms: Math.round(elapsedTime * 10) / 10 }, "request");
  });
}

async function limitRate(app: FastifyInstance, perMinute: number | undefined, limits: HttpLimits): Promise<void> {
  if (perMinute === undefined || perMinute === 0) return;
  await app.register(fastifyRateLimit, {
    global: false,
    // Those who watch a server must not use up what its clients may ask, nor see it down because they did.
    allowList: ({ routeOptions: { url } }) => url === HEALTH_PATH || url === METRICS_PATH,
    max: perMinute,
    timeWindow: MINUTE_MS,
    cache: limits.clientsCounted,
    errorResponseBuilder: (_request, { max, after }) =>
      new HttpErrorException(
        edgeFault("rate_limit_exceeded", `more than ${max} requests in a minute; try again in ${after}`),
      ),
  });
  // Also counts requests of unknown paths.
  app.addHook("onRequest", app.rateLimit());
}
