/** /api (wire 1.1, R18 and R19). */
import type { FastifyInstance } from "fastify";
import { ok } from "../../../core/base/result.ts";
import { nativeStatus as statusSchema } from "../../wire/schemas/network.ts";
import { nativeStatus } from "../../wire/shapes/native-status.ts";
import { type EntryValidator, ledgerOf, validatorDownError } from "../entry-validator.ts";
import { sendError } from "../http-error.ts";
import { documented, emptyQuery, serveRead } from "../route.ts";

/** R18 and R19. */
export function serveApi(app: FastifyInstance, entry: EntryValidator): void {
  serveRead(app, entry, {
    path: "/api/status",
    tag: "api",
    summary: "Signature mode of writes",
    description: "Writes of version 1 only: their signatures carry no domain.",
    section: "wire 1.1, R18",
    query: emptyQuery,
    reply: statusSchema,
    answer: ({ ledger }) => ok(nativeStatus(ledger.parameters.validators.length)),
  });
  const about = {
    path: "/api/health",
    tag: "api",
    summary: "Health of the validator",
    description: "The text UP.",
    section: "wire 1.1, R19",
  };
  const reply = { description: "The validator is running.", content: { "text/plain": { schema: { type: "string" } } } };
  const schema = documented(about, {}, reply, { 500: "The validator is down." });
  app.get(about.path, { schema }, async (_request, answer) =>
    ledgerOf(entry) === undefined ? sendError(answer, validatorDownError(entry)) : answer.type("text/plain").send("UP"),
  );
}
