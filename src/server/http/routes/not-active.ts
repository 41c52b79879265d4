/** /v2: writes with domain-separated signatures, which this network does not accept (wire 1.3, 2.3). */
import type { FastifyInstance } from "fastify";
import { edgeFault } from "../../wire/errors.ts";
import { sendError } from "../http-error.ts";
import { BODY_READ_BY_ROUTE, documented } from "../route.ts";

/** Every path below /v2, whatever the method and the body. */
export function serveNotActive(app: FastifyInstance): void {
  const about = {
    path: "/v2/*",
    tag: "api",
    summary: "Writes of version 2",
    description: "Refused before the body is read: /api/status reports v1_only.",
    section: "wire 1.3",
  };
  const schema = documented(about, {}, undefined, { 403: "Domain-separated signatures are not active." });
  const message = "this network accepts writes of version 1 only: their paths begin with /v1";
  const error = edgeFault("DOMAIN_SEPARATED_SIGNATURE_NOT_ACTIVE", message);
  app.post(
    about.path,
    { ...BODY_READ_BY_ROUTE, schema, onRequest: async (_request, reply) => sendError(reply, error) },
    () => {
      // Unreachable: the hook has responded.
    },
  );
  app.get(about.path, { schema: { hide: true } }, (_request, reply) => sendError(reply, error));
}
