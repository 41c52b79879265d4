/** Routes of signed operations (wire 1.2, 1.3). Refused ones are logged. */
import type { FastifyInstance, FastifySchema } from "fastify";
import { err, type Result } from "../../core/base/result.ts";
import type { Shape } from "../../schema/shape.ts";
import { edgeFault } from "../wire/errors.ts";
import { servesVersion, type WriteVersion } from "../wire/paths.ts";
import { WRITES } from "../wire/schemas/bodies.ts";
import { submittedAnswer } from "../wire/schemas/transactions.ts";
import { readWrite } from "../wire/write.ts";
import { type AdmissionResponse, admit, type RefusedWrite } from "./admit.ts";
import type { EntryValidator } from "./entry-validator.ts";
import { type HttpError, sendError } from "./errors.ts";
import { BODY_READ_BY_ROUTE, POST_REFUSALS, type RouteDescription, routeSchema } from "./route.ts";

interface Post extends RouteDescription {
  readonly body: Shape<unknown>;
  /** Fault of every request, before its body is read. */
  readonly closed?: HttpError | undefined;
  /** `ignored`: members unknown to the schema. */
  admit(
    body: unknown,
    isNew: boolean,
  ): Promise<{
    readonly answer: Result<AdmissionResponse, RefusedWrite>;
    readonly ignored: readonly string[];
  }>;
}

const REFUSALS: RouteDescription["refusals"] = {
  ...POST_REFUSALS,
  400: "The body is malformed, or its signature recovers to no address or to several possible senders.",
  404: "The token does not exist, or the multisig account.",
  408: "The validator has not responded in time: whether the operation was admitted is unknown.",
  422: "The operation breaks a rule of the ledger, or the validator is down. Nothing was admitted.",
};

/** Serves the paths of `WRITES` of one group, `transactions`, `tokens` or `accounts`, of the versions that the mode serves. */
export function serveWrites(app: FastifyInstance, entry: EntryValidator, tag: string): void {
  for (const [path, { summary, description, section, body, version }] of Object.entries(WRITES)) {
    if (!path.startsWith(`/v${version}/${tag}/`)) continue;
    const isServed = servesVersion(entry.writeMode, version);
    servePost(app, {
      ...{ path, summary, description, section, body },
      ...(isServed
        ? {}
        : { closed: closedError(version), refusals: { [CLOSED[version].status]: CLOSED[version].text } }),
      admit: admitWrite(path, entry),
    });
  }
}

/** Returns the admission of bodies that are posted to a path. */
export function admitWrite(path: string, entry: EntryValidator): Post["admit"] {
  return async (received, isNew) => {
    const reading = readWrite(path, received, entry.host.network.hashes.digest);
    if (!reading.ok) return { answer: err({ fault: reading.error, senders: [] }), ignored: [] };
    return { answer: await admit(entry, reading.value, isNew), ignored: reading.value.ignored };
  };
}

/** Errors of writes of a version that the mode does not serve; clients sign anew for the other one (wire 1.3). */
const CLOSED = {
  1: { status: 410, code: "LEGACY_NATIVE_WRITE_ENDPOINT_DISABLED", text: "Writes of version 1 are switched off." },
  2: { status: 403, code: "DOMAIN_SEPARATED_SIGNATURE_NOT_ACTIVE", text: "Writes of version 2 are switched off." },
} as const;

/** Returns the error of a write of a version that is switched off. */
export function closedError(version: WriteVersion): HttpError {
  return edgeFault(CLOSED[version].code);
}

/** Serves a POST whose body is admitted. Success is always 200 (wire 1). */
export function servePost(app: FastifyInstance, post: Post): void {
  const schema = routeSchema(post, { body: post.body }, submittedAnswer, REFUSALS);
  if (post.closed !== undefined) {
    serveRefusal(app, "POST", post.path, schema, post.closed);
    return;
  }
  app.post(post.path, { ...BODY_READ_BY_ROUTE, schema }, async (request, reply) => {
    const { answer, ignored } = await post.admit(request.body, request.headers["if-none-match"] === "*");
    if (ignored.length > 0) request.log.debug({ path: post.path, ignored }, "members of a body were ignored");
    if (answer.ok) return reply.send(answer.value);
    const { fault, senders } = answer.error;
    const { status, code, message: reason } = fault;
    // All possible signers: a signature over another digest recovers to an unknown address (wire 0, fact 1).
    request.log.info({ path: post.path, code, status, senders, reason }, "a write was refused");
    return sendError(reply, fault);
  });
}

/** Refuses every request of a path before its body is read. */
export function serveRefusal(
  app: FastifyInstance,
  method: "GET" | "POST",
  url: string,
  schema: FastifySchema,
  error: HttpError,
): void {
  app.route({
    ...BODY_READ_BY_ROUTE,
    ...{ method, url, schema },
    onRequest: async (_request, reply) => sendError(reply, error),
    handler: () => {
      // Unreachable: the hook has responded.
    },
  });
}
