/** Responses to unknown paths and to unserved methods of a path (specification 13.4). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { edgeFault } from "../wire/errors.ts";
import { sendError } from "./http-error.ts";

/** Must be called after the other hooks are added and before the routes are. */
export function refuseUnknownRoutes(app: FastifyInstance): void {
  const methods = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }) => {
    const known = methods.get(url) ?? new Set();
    for (const one of [method].flat()) known.add(one);
    methods.set(url, known);
  });
  // Before the body is read: a client need not send a well-formed one to learn that a path is unknown.
  app.addHook("onRequest", async (request, reply) => {
    if (request.is404) return refuseUnknown(request, reply, methods);
    return undefined;
  });
  // For files of the API reference that do not exist: their route matches, so no hook sees a 404.
  app.setNotFoundHandler((request, reply) => refuseUnknown(request, reply, methods));
}

function refuseUnknown(
  request: FastifyRequest,
  reply: FastifyReply,
  methods: ReadonlyMap<string, ReadonlySet<string>>,
): FastifyReply {
  const path = request.url.split("?", 1)[0] ?? "";
  const known = methods.get(path);
  const entry = `${request.method} ${shortened(path)}`;
  if (known === undefined) {
    const message = `${entry} is not served; /docs lists what is`;
    return sendError(reply, edgeFault("resource_route_not_found", message));
  }
  const allowed = [...known].sort().join(", ");
  reply.header("allow", allowed);
  return sendError(reply, edgeFault("method_not_allowed", `${entry}: expected ${allowed}`));
}

const PATH_SHOWN = 120;

function shortened(path: string): string {
  return path.length > PATH_SHOWN ? `${path.slice(0, PATH_SHOWN)}…` : path;
}
