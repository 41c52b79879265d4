/** How a route is written down: once, for serving, checking and documenting it. */
import type { FastifyInstance, FastifySchema, RouteShorthandOptions } from "fastify";
import type { Result } from "../../core/base/result.ts";
import type { LedgerState } from "../../core/ledger/state.ts";
import type { Shape } from "../../scenario/schema/shape.ts";
import type { ErrorStatus } from "../wire/errors.ts";
import { restErrorData } from "../wire/schemas/errors.ts";
import { object } from "../wire/schemas/parts.ts";
import { type Asked, downFault, ledgerOf } from "./asked.ts";
import { type Fault, sendFault } from "./fault.ts";
import { awaitReceipt, type MinReceipt, withMinReceipt } from "./min-receipt.ts";

/** What the document says of a route. */
export interface About {
  readonly path: string;
  /** The group in which it stands. */
  readonly tag: string;
  /** A few words. */
  readonly summary: string;
  /** Sentences. */
  readonly description: string;
  /** A section of `specification` or `wire`. */
  readonly section: string;
  /** What of a refusal is special here, by status. */
  readonly refusals?: Readonly<Partial<Record<ErrorStatus, string>>>;
}

/** A read: answered from the state that the asked validator has now. */
export interface Read<Query, Reply> extends About {
  readonly query: Shape<Query>;
  readonly reply: Shape<Reply>;
  answer(view: { readonly asked: Asked; readonly ledger: LedgerState; readonly query: Query }): Result<Reply, Fault>;
}

/** Serves a GET. With `min_receipt` it waits first; of a validator that is down nothing is shown. */
export function serveRead<Query, Reply>(app: FastifyInstance, asked: Asked, route: Read<Query, Reply>): void {
  const querystring = withMinReceipt(route.query);
  const schema = documented(route, { querystring }, route.reply, READ_REFUSALS);
  app.get(route.path, { schema }, async (request, reply) => {
    const query = request.query as Query & MinReceipt;
    const late = await awaitReceipt(asked, query.min_receipt);
    if (late !== undefined) return sendFault(reply, late);
    const ledger = ledgerOf(asked);
    if (ledger === undefined) return sendFault(reply, downFault(asked));
    const answer = route.answer({ asked, ledger, query });
    return answer.ok ? reply.send(answer.value) : sendFault(reply, answer.error);
  });
}

const READ_REFUSALS: About["refusals"] = {
  400: "A member of the query is missing or malformed.",
  408: "The receipt named by min_receipt did not come in time; the read was not made.",
  429: "Too many requests.",
  500: "The validator does not run.",
};

/** What every body of a POST may be refused for before it is looked at. */
export const POST_REFUSALS: About["refusals"] = {
  400: "The body is no JSON, or a member is missing or malformed.",
  413: "The body is too large.",
  415: "The content type is not application/json.",
  429: "Too many requests.",
  500: "Something is wrong with the server.",
};

/** The schema of a route as the framework and the document read it. */
export function documented(
  about: About,
  parts: Pick<FastifySchema, "querystring" | "body">,
  reply: unknown,
  refusals: About["refusals"],
): FastifySchema {
  const statuses = Object.entries({ ...refusals, ...about.refusals });
  const errors = statuses.map(([status, description]) => [status, { ...restErrorData, description }] as const);
  const { tag, summary, description, section } = about;
  return {
    tags: [tag],
    summary,
    description: `${description} (${section})`,
    ...parts,
    response: { ...(reply === undefined ? {} : { 200: reply }), ...Object.fromEntries(errors) },
  };
}

/** No members that count. */
export const emptyQuery: Shape<Record<never, never>> = object<Record<never, never>>("a query", {});

/** For routes whose bodies are checked where they are read. */
export const BODY_READ_BY_ROUTE: Pick<RouteShorthandOptions, "validatorCompiler"> = {
  validatorCompiler: () => () => true,
};
