/** /v1/transactions: payments, cancellations, recoveries and fees (specification 5, 7.2; wire 1.1, R13, R14; 1.2; 3.9). */
import type { FastifyInstance } from "fastify";
import type { Static } from "typebox";
import { type Amount, ZERO } from "../../../core/base/amount.ts";
import type { FeeSchedule } from "../../../core/base/epoch.ts";
import { type Address, toAddress, ZERO_ADDRESS } from "../../../core/base/ids.ts";
import { err, ok, type Result } from "../../../core/base/result.ts";
import { paymentFee, skipFee } from "../../../core/ledger/fees.ts";
import { BATCH_LEGS } from "../../../core/ledger/limits.ts";
import { type LedgerState, tokenOf } from "../../../core/ledger/state.ts";
import { edgeFault, faultOf } from "../../wire/errors.ts";
import { ENVELOPE_PATH, servesVersion } from "../../wire/paths.ts";
import { envelopeBody, leg, RECOVERY_PATH, recoveryBody } from "../../wire/schemas/bodies.ts";
import { type ESTIMATED_KINDS, estimateQuery } from "../../wire/schemas/queries.ts";
import { address, faultCodeKeyword, list, namedObject } from "../../wire/schemas/schema-types.ts";
import { type FeeAnswer, feeAnswer } from "../../wire/schemas/transactions.ts";
import { wireFault } from "../../wire/wire-error.ts";
import { readRecovery } from "../../wire/write.ts";
import { admitRecovery } from "../admit.ts";
import { type EntryValidator, ledgerOf, validatorDownError } from "../entry-validator.ts";
import { type HttpError, sendError } from "../errors.ts";
import { POST_REFUSALS, routeSchema, serveRead } from "../route.ts";
import { admitWrite, servePost, serveWrites } from "../write.ts";
import { serveLookups, serveTrace } from "./lookups.ts";

/** Serves payments, cancellations, recoveries and lookups. */
export function serveTransactions(app: FastifyInstance, entry: EntryValidator): void {
  serveWrites(app, entry, "transactions");
  servePost(app, {
    path: RECOVERY_PATH,
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
  serveTrace(app, entry);
  serveEnvelopes(app, entry);
}

/** W16. */
function serveEnvelopes(app: FastifyInstance, entry: EntryValidator): void {
  const message = "raw transactions are not accepted in this mode: use the path of the operation below /v2";
  const closed = servesVersion(entry.writeMode, 1)
    ? {}
    : {
        closed: edgeFault("RAW_TRANSACTION_ENDPOINT_REMOVED", message),
        refusals: { 410: "Writes of version 1 are switched off." },
      };
  servePost(app, {
    path: ENVELOPE_PATH,
    summary: "Post an envelope",
    description:
      "An operation of version 1 with the signatures of a multisig account, or of one key, and the creation of such an account.",
    section: "specification 5.18; wire 1.2, W16",
    body: envelopeBody,
    ...closed,
    admit: admitWrite(ENVELOPE_PATH, entry),
  });
}

const batchEstimateBody = namedObject("BatchEstimateBody", "a batch of payments", {
  from: address("the sender"),
  token: address("the token"),
  operations: list("the payments, in order", leg, {
    ...{ minItems: 1, maxItems: BATCH_LEGS },
    ...faultCodeKeyword("validation_batch"),
  }),
});

const NO_TOKEN = { 404: "The token does not exist." };

type EstimatedKind = (typeof ESTIMATED_KINDS)[number];

/** R13 and R14. Fees are fixed for each transaction, so neither sender nor amount changes them. */
function serveEstimates(app: FastifyInstance, entry: EntryValidator): void {
  serveRead(app, entry, {
    path: "/v1/transactions/estimate_fee",
    summary: "The fee of an operation",
    description:
      "In the smallest unit of the token moved; without a token, the fee that all tokens have, or an error that asks for one; " +
      "with the zero address as token, the fee of a token that the fees do not name. " +
      "Of a cancellation and a recovery it is the most that they cost: the token is that of the payment that they displace. " +
      "Every other operation is free.",
    section: "specification 7.2, 7.3; wire 1.1, R13",
    query: estimateQuery,
    reply: feeAnswer,
    refusals: NO_TOKEN,
    answer: ({ ledger, query }) => {
      const kind = query.kind ?? "payment";
      return query.token === undefined ? uniformFee(ledger, kind) : feeOf(ledger, toAddress(query.token), kind);
    },
  });
  serveBatchEstimate(app, entry);
}

function serveBatchEstimate(app: FastifyInstance, entry: EntryValidator): void {
  const about = {
    path: "/v1/transactions/batch_payment/estimate_fee",
    summary: "The fee of a batch",
    description: "The fee of one payment: fees are fixed for each transaction, and a batch pays one.",
    section: "specification 5.17, 7.2; wire 1.1, R14",
    refusals: NO_TOKEN,
  };
  const schema = routeSchema(about, { body: batchEstimateBody }, feeAnswer, POST_REFUSALS);
  app.post(about.path, { schema }, async (request, reply) => {
    const ledger = ledgerOf(entry);
    if (ledger === undefined) return sendError(reply, validatorDownError(entry));
    const { token } = request.body as Static<typeof batchEstimateBody>;
    const answer = feeOf(ledger, toAddress(token), "payment");
    return answer.ok ? reply.send(answer.value) : sendError(reply, answer.error);
  });
}

/** Returns the fee if it is the same for every token: without a token it is otherwise the fee of none in particular. */
function uniformFee(ledger: LedgerState, kind: EstimatedKind): Result<FeeAnswer, HttpError> {
  const { fees } = ledger.parameters;
  const known = [...ledger.tokens.entries()].map(([token]) => mostOf(fees, token as Address, kind));
  // A token without an entry has the default.
  const [fee = mostOf(fees, ZERO_ADDRESS, kind), differentFee] = new Set(known);
  if (differentFee === undefined) return ok({ fee: String(fee) });
  return err(wireFault("validation_query", "query.token", "expected a token's address: tokens have different fees"));
}

/** The token of an issue is not there before it; a client of the Go suite asks for the zero address (wire 8). */
function feeOf(ledger: LedgerState, token: Address, kind: EstimatedKind): Result<FeeAnswer, HttpError> {
  const isNamed = kind !== "issue" && token !== ZERO_ADDRESS;
  if (isNamed && tokenOf(ledger, token) === undefined) return err(faultOf({ code: "resource_token_not_found", token }));
  return ok({ fee: String(mostOf(ledger.parameters.fees, token, kind)) });
}

function mostOf(fees: FeeSchedule, token: Address, kind: EstimatedKind): Amount {
  switch (kind) {
    case "payment":
    case "batch":
      return paymentFee(fees, token);
    case "cancellation":
    case "recovery":
      return skipFee(fees, kind, token);
    default:
      return ZERO;
  }
}
