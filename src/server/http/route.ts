/** Declaration of routes, from which they are served, checked and documented; reads that wait for an operation. */
import type { FastifyInstance, FastifySchema, RouteShorthandOptions } from "fastify";
import { type Hash, toHash } from "../../core/base/ids.ts";
import type { Result } from "../../core/base/result.ts";
import type { LedgerState } from "../../core/ledger/state.ts";
import type { Shape } from "../../schema/shape.ts";
import { type ErrorStatus, restErrorData } from "../wire/errors.ts";
import { hash, object, oneOf } from "../wire/schemas/schema-types.ts";
import { type EntryValidator, ledgerOf, missingReceipt, receiptOf, validatorDownError } from "./entry-validator.ts";
import { type HttpError, sendError } from "./errors.ts";

/** Description of a route in the OpenAPI document. */
export interface RouteDescription {
  readonly path: string;
  /** Group in the document; default: the first word of the path behind its version. */
  readonly tag?: string;
  /** A few words. */
  readonly summary: string;
  /** Sentences. */
  readonly description: string;
  /** A section of `specification` or `wire`. */
  readonly section: string;
  /** Descriptions of error responses of this route, by status. */
  readonly refusals?: Readonly<Partial<Record<ErrorStatus, string>>>;
}

/** Read of the entry validator's current state. */
interface ReadRoute<Query, Reply> extends RouteDescription {
  readonly query: Shape<Query>;
  readonly reply: Shape<Reply>;
  /** `entry`: with the answers that the query asks for. */
  answer(view: {
    readonly entry: EntryValidator;
    readonly ledger: LedgerState;
    readonly query: Query;
    /** Sets a header of the answer. */
    readonly header: (name: string, value: string) => void;
  }): Result<Reply, HttpError> | Promise<Result<Reply, HttpError>>;
}

/** Serves a GET. Waits for `min_receipt` first; responds with an error if the validator is down. `members=all` adds what published clients do not read. */
export function serveRead<Query, Reply>(
  app: FastifyInstance,
  entry: EntryValidator,
  route: ReadRoute<Query, Reply>,
): void {
  const querystring = withCommonMembers(route.query);
  const { answers } = entry;
  const complete = { ...entry, answers: answers.complete ?? answers };
  const schema = routeSchema(route, { querystring }, route.reply, READ_REFUSALS);
  app.get(route.path, { schema }, async (request, reply) => {
    const query = request.query as Query & CommonMembers;
    const timeoutError = await awaitReceipt(entry, query.min_receipt);
    if (timeoutError !== undefined) return sendError(reply, timeoutError);
    const ledger = ledgerOf(entry);
    if (ledger === undefined) return sendError(reply, validatorDownError(entry));
    const header = (name: string, value: string): void => void reply.header(name, value);
    const answer = await route.answer({ entry: query.members === undefined ? entry : complete, ledger, query, header });
    return answer.ok ? reply.send(answer.value) : sendError(reply, answer.error);
  });
}

const READ_REFUSALS: RouteDescription["refusals"] = {
  400: "A member of the query is missing or malformed.",
  408: "The validator did not apply the operation of min_receipt in time; the read was not made.",
  422: "The operation of min_receipt will have no receipt: the code tells why; the read was not made.",
  429: "Too many requests.",
  500: "The validator is down.",
};

/** Errors of every POST before its body is read. */
export const POST_REFUSALS: RouteDescription["refusals"] = {
  400: "The body is not JSON, or a member is missing or malformed.",
  413: "The body is too large.",
  415: "The content type is not application/json.",
  429: "Too many requests.",
  500: "Internal error of the server.",
};

/** Returns the schema of a route for the framework and the document. */
export function routeSchema(
  about: RouteDescription,
  parts: Pick<FastifySchema, "querystring" | "body">,
  reply: unknown,
  refusals: RouteDescription["refusals"],
): FastifySchema {
  const statuses = Object.entries({ ...refusals, ...about.refusals });
  const errors = statuses.map(
    ([status, description]) => [status, { ...restErrorData, "x-response-description": description }] as const,
  );
  const { path, tag = path.split(/\W(?:v\d\W)?/)[1] ?? "", summary, description, section } = about;
  return {
    tags: [tag],
    summary,
    description: `${description} (${section})`,
    ...parts,
    response: { ...(reply === undefined ? {} : { 200: reply }), ...Object.fromEntries(errors) },
  };
}

/** Query without members. */
export const emptyQuery: Shape<Record<never, never>> = object("a query", {});

/** Disables the framework's check for routes that check their bodies themselves. */
export const BODY_READ_BY_ROUTE: Pick<RouteShorthandOptions, "validatorCompiler"> = {
  validatorCompiler: () => () => true,
};

type CommonMembers = Readonly<{ min_receipt?: string; members?: "all" }>;

/** Members of the query of every read. */
const COMMON_MEMBERS = {
  min_receipt: hash("the operation that this validator must have applied first, by its transaction hash"),
  members: oneOf("the members of the answer, also those that published clients do not read", ["all"]),
};

function withCommonMembers<Query>(query: Shape<Query>): Shape<Query & CommonMembers> {
  const { properties } = query as { readonly properties?: Record<string, unknown> };
  return { ...query, properties: { ...properties, ...COMMON_MEMBERS } } as unknown as Shape<Query & CommonMembers>;
}

/** Waits until the entry validator has applied the operation; returns an error after `minReceiptMs`. */
async function awaitReceipt(entry: EntryValidator, named: string | undefined): Promise<HttpError | undefined> {
  if (named === undefined) return undefined;
  const wanted: Hash = toHash(named);
  const receiptError = (): HttpError | undefined => {
    const receipt = receiptOf(entry, wanted);
    return receipt.ok ? undefined : receipt.error;
  };
  const first = receiptError();
  if (first?.status !== 404) return first;
  // Looked at after each turn: what ends from now on is not old, and old records, which have to be read, have no part in it.
  const isOver = (): boolean => entry.host.network.archive.hasEnded(wanted) && receiptError()?.status !== 404;
  const place = entry.readLimit.enter();
  if (!place.ok) return place.error;
  try {
    if (await entry.host.waitUntil(isOver, entry.limits.minReceiptMs)) return receiptError();
  } finally {
    place.value();
  }
  const message = `the read was not made: after ${entry.limits.minReceiptMs} ms ${missingReceipt(entry, wanted).message}`;
  return { status: 408, code: "request_timeout", message };
}
