/** /v1/transactions (specification 15.1; wire 1.1, R10 to R14 and 1.2, W1, W2, W16, W17; 3.9, Recovery). */
import type { FastifyInstance } from "fastify";
import { edgeFault } from "../../wire/errors.ts";
import { RECOVERY_PATH } from "../../wire/paths.ts";
import { recoveryBody } from "../../wire/schemas/recovery.ts";
import { readRecovery } from "../../wire/write.ts";
import { admitRecovery } from "../admit-recovery.ts";
import type { EntryValidator } from "../entry-validator.ts";
import { sendError } from "../http-error.ts";
import { documented } from "../route.ts";
import { servePost, serveWrite } from "../write.ts";
import { serveEstimates } from "./estimates.ts";
import { serveLookups } from "./lookups.ts";

/** Serves payments, cancellations, recoveries and lookups. */
export function serveTransactions(app: FastifyInstance, entry: EntryValidator): void {
  serveWrite(app, entry, {
    path: "/v1/transactions/payment",
    tag: "transactions",
    summary: "Pay",
    description: "Moves a token. The fee is paid in the same token.",
    section: "specification 5.2; wire 1.2, W1",
  });
  serveWrite(app, entry, {
    path: "/v1/transactions/cancellation",
    tag: "transactions",
    summary: "Cancel",
    description: "Replaces the pending operation of the same nonce if that has no quorum.",
    section: "specification 5.3; wire 1.2, W2",
  });
  servePost(app, {
    path: RECOVERY_PATH,
    tag: "transactions",
    summary: "Recover an account",
    description:
      "Frees an account whose own conflicting operations block its nonce. Any client may submit the two signed bodies; " +
      "the recovery itself is unsigned, and its hash is the same for every proof.",
    section: "specification 5.4; wire 1.2, W17; 3.9",
    body: recoveryBody,
    admit: async (body) => {
      const reading = readRecovery(body);
      if (!reading.ok) return { answer: { ok: false, error: { fault: reading.error, senders: [] } }, ignored: [] };
      return { answer: await admitRecovery(entry, reading.value), ignored: reading.value.ignored };
    },
  });
  serveEstimates(app, entry);
  serveLookups(app, entry);
  serveRaw(app);
}

/** W16, which was removed. */
function serveRaw(app: FastifyInstance): void {
  const about = {
    path: "/v1/transactions/raw",
    tag: "transactions",
    summary: "Raw transactions, removed",
    description: "Refused before the body is read.",
    section: "wire 1.2, W16",
  };
  const schema = documented(about, {}, undefined, { 410: "Raw transactions are no longer accepted." });
  const error = edgeFault(
    "RAW_TRANSACTION_ENDPOINT_REMOVED",
    "raw transactions are no longer accepted: use the path of the operation",
  );
  app.post(about.path, { schema, onRequest: async (_request, reply) => sendError(reply, error) }, () => {
    // Unreachable: the hook has responded.
  });
}
