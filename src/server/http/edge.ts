/** Request ids, body parsing, query checks, unknown paths and error responses of every route (specification 13.4). */

import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { entryOf } from "../../core/base/entry.ts";
import type { Shape } from "../../schema/shape.ts";
import { REQUEST_ID } from "../limits.ts";
import { type EdgeCode, edgeFault, type RESTErrorData } from "../wire/errors.ts";
import { parseJson } from "../wire/json.ts";
import { type Validator, validatorOf } from "../wire/schemas/schema-types.ts";
import { type HttpError, HttpErrorException, sendError } from "./errors.ts";

/** Returns the client's own request id if it is valid, else a new one. */
export function requestId({ headers }: Pick<IncomingMessage, "headers">): string {
  const header = headers["x-request-id"];
  return typeof header === "string" && REQUEST_ID.test(header) ? header : randomUUID();
}

/** Headers of every answer: scripts of any origin may read it. */
const COMMON_HEADERS = {
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "X-Request-Id, Retry-After, X-Transaction-Status, X-Error-Code",
};

/** Headers of the answer to a browser that asks before its request. */
const PREFLIGHT_HEADERS = {
  "access-control-allow-methods": "GET, HEAD, POST",
  // Two hours, the most that every browser keeps: the answer never changes while the server runs.
  "access-control-max-age": "7200",
  "content-length": "0",
};

const ENCODED = edgeFault(
  "validation_content_encoding",
  "expected a body as it is: the content encoding identity, or none",
);

/** Methods of each path that is served. */
type Methods = ReadonlyMap<string, ReadonlySet<string>>;

/** Installs common headers, query checks, the body parser and the error handler. Must be called before routes are added. */
export function installEdge(app: FastifyInstance): Methods {
  const methods = methodsOf(app);
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id).headers(COMMON_HEADERS);
    if (request.method === "OPTIONS") answerOptions(request, reply, methods);
    else done();
  });
  app.addHook("preParsing", async (request) => {
    const { "content-encoding": encoding = "identity" } = request.headers;
    if (request.method === "POST" && encoding.toLowerCase() !== "identity") throw new HttpErrorException(ENCODED);
  });
  app.addHook("onResponse", (request, reply, done) => {
    const { method, routeOptions } = request;
    const fields = { method, route: routeOptions.url ?? "none", status: reply.statusCode, ms: reply.elapsedTime };
    request.log.debug(fields, "a request was answered");
    done();
  });
  app.setErrorHandler((error: FastifyError, request, reply) => sendError(reply, httpErrorOf(error, request)));
  app.setValidatorCompiler(({ schema, httpPart }) => {
    let validate: Validator | undefined;
    return (value: unknown) => {
      // Compiled on first use: compiling every route would slow the start.
      // The framework types schemas as any objects; ours are all shapes.
      validate ??= validatorOf(schema as Shape<unknown>, httpPart === "querystring" ? "query" : "body");
      const httpError = validate(value);
      return httpError === undefined ? { value } : { error: new HttpErrorException(httpError) };
    };
  });
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, async (_request: FastifyRequest, body: Buffer) =>
    readJson(body),
  );
  return methods;
}

/** Names the faults of bodies by the one code that published clients know, and says ours in a header. */
export function installPublishedFaults(app: FastifyInstance): void {
  app.addHook("preSerialization", async (request, reply, payload) => {
    const { error_code: code = "", message = "" } = payload as Partial<RESTErrorData>;
    if (request.method !== "POST" || reply.statusCode !== 400 || !code.startsWith("validation_")) return payload;
    reply.header("x-error-code", code);
    return { error_code: "validation_invalid_param", message } satisfies RESTErrorData;
  });
}

function methodsOf(app: FastifyInstance): Methods {
  const methods = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }) => {
    const pathMethods = entryOf(methods, url, () => new Set());
    for (const methodName of [method].flat()) pathMethods.add(methodName);
  });
  return methods;
}

/** Answers a preflight of a browser, and names what a path takes (RFC 9110, 9.3.7). */
function answerOptions(request: FastifyRequest, reply: FastifyReply, methods: Methods): void {
  const allow = [...(methods.get(pathOf(request)) ?? []), "OPTIONS"].sort().join(", ");
  // Clients add headers of their own, which are ignored. A star would not stand for all of them.
  const asked = request.headers[REQUESTED];
  const headers = typeof asked === "string" && HEADER_NAMES.test(asked) ? asked : "Content-Type";
  reply
    .code(204)
    .headers({ ...PREFLIGHT_HEADERS, allow, vary: REQUESTED, [ALLOWED]: headers })
    .send();
}

const [REQUESTED, ALLOWED] = ["access-control-request-headers", "access-control-allow-headers"] as const;
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~-]+( *, *[\w!#$%&'*+.^`|~-]+)*$/;

function pathOf({ url }: FastifyRequest): string {
  return url.split("?", 1)[0] ?? "";
}

/** Parses JSON without loss of digits; rejects invalid UTF-8. @throws FaultError */
function readJson(body: Buffer): unknown {
  let text: string;
  try {
    text = UTF_8.decode(body);
  } catch {
    // The decoder's own error has no position and no further detail.
    throw new HttpErrorException(edgeFault("validation_json", "body: expected UTF-8"));
  }
  const json = parseJson(text);
  if (json.ok) return json.value;
  throw new HttpErrorException(edgeFault("validation_json", `body: ${json.error}`));
}

const UTF_8 = new TextDecoder("utf-8", { fatal: true });

/** Maps errors of the framework (specification 13.4); every other one is a mistake of this server. */
export function httpErrorOf(error: FastifyError, request: FastifyRequest): HttpError {
  if (error instanceof HttpErrorException) return error.error;
  const [code, message = error.message] = FRAMEWORK_FAULTS[error.code] ?? [];
  if (code !== undefined) return edgeFault(code, message);
  request.log.error({ err: error }, "internal error in a request");
  return edgeFault("system_internal_error", `internal error of the server, logged under request id ${request.id}`);
}

/** The client closed the connection before the end of its body. */
const CUT_SHORT = ["validation_body", "the connection ended before the body did"] as const;

/** By the code of the framework or the system; without a message: that of the framework. */
const FRAMEWORK_FAULTS: Readonly<Record<string, readonly [code: EdgeCode, message?: string]>> = {
  FST_ERR_BAD_URL: ["validation_url", "the path is not a well-formed URL"],
  FST_ERR_MAX_PARAM_LENGTH: ["validation_url", "the path is too long"],
  FST_ERR_CTP_BODY_TOO_LARGE: ["request_body_too_large"],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ["validation_content_type", "expected the content type application/json"],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ["validation_body", "the length of the body differs from Content-Length"],
  FST_ERR_CTP_EMPTY_JSON_BODY: ["validation_json", "body: expected JSON, got nothing"],
  ECONNRESET: CUT_SHORT,
  ECONNABORTED: CUT_SHORT,
};

/** Must be called after the other hooks are added and before the routes are. */
export function refuseUnknownRoutes(app: FastifyInstance, methods: Methods): void {
  // Before the body is read: a client need not send a well-formed one to learn that a path is unknown.
  app.addHook("onRequest", (request, reply, done) => {
    if (request.is404) refuseUnknown(request, reply, methods);
    else done();
  });
  // For files of the API reference that do not exist: their route matches, so no hook sees a 404.
  app.setNotFoundHandler((request, reply) => refuseUnknown(request, reply, methods));
}

function refuseUnknown(request: FastifyRequest, reply: FastifyReply, methods: Methods): FastifyReply {
  const path = pathOf(request);
  const pathMethods = methods.get(path);
  const shown = path.length > PATH_SHOWN ? `${path.slice(0, PATH_SHOWN)}…` : path;
  const entry = `${request.method} ${shown}`;
  if (pathMethods === undefined)
    return sendError(reply, edgeFault("resource_route_not_found", `${entry} is not served; /docs lists what is`));
  const allowed = [...pathMethods].sort().join(", ");
  reply.header("allow", allowed);
  return sendError(reply, edgeFault("method_not_allowed", `${entry}: expected ${allowed}`));
}

/** Characters of a path that an error quotes. */
const PATH_SHOWN = 120;
