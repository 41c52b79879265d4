/** Lookups of operations and receipts (specification 15.1; wire 1.1, R10 to R12). */
import type { FastifyInstance } from "fastify";
import type { Static } from "typebox";
import { unreachable } from "../../../core/base/assert.ts";
import { definedMembers } from "../../../core/base/given.ts";
import { toHash } from "../../../core/base/ids.ts";
import type { OperationId } from "../../../core/base/operation.ts";
import { err, ok } from "../../../core/base/result.ts";
import type { ArchivedSubmission, OperationStatus } from "../../../live/archive.ts";
import { optional, type Shape } from "../../../schema/shape.ts";
import { text } from "../../wire/schemas/bodies.ts";
import { hashQuery } from "../../wire/schemas/queries.ts";
import { boolean, hash as hashSchema, object, oneOf, withTitle } from "../../wire/schemas/schema-types.ts";
import {
  finalized as finalizedSchema,
  receipt as receiptSchema,
  type Transaction,
  transaction as transactionSchema,
} from "../../wire/schemas/transactions.ts";
import type { EntryValidator } from "../entry-validator.ts";
import { chainPositionHere, endedError, hasAppliedHere, missingReceipt, receiptOf } from "../lookup.ts";
import { serveRead } from "../route.ts";

const STATUSES = ["pending", "final", "superseded", "void", "refused"] as const;

/** Status of an operation: an addition to the published members. */
export const PROGRESS = {
  status: oneOf("the status; final once this validator has applied it", STATUSES),
  success: optional(boolean("of a final operation: whether it took effect")),
  error_code: optional(text("the code of the failure, or of the end of an operation that is not final")),
  superseded_by: optional(hashSchema("the operation that was decided for its nonce instead")),
  barred_by: optional(text("the code for which this validator refuses it by now; a cancellation frees the nonce")),
  refused_by: optional(text("the validator that refused it after it had been admitted")),
};

const progress = object("the status", PROGRESS);

type ProgressMembers = Static<typeof progress>;
type TransactionWithStatus = Transaction & ProgressMembers;

const transactionWithStatusShape = {
  ...withTitle("TransactionWithStatus", transactionSchema),
  ...mergeShapes(transactionSchema, progress),
} as unknown as Shape<TransactionWithStatus>;

const NO_RECEIPT = {
  404: "No receipt yet: the header x-transaction-status is unknown or pending.",
  422: "There will be no receipt: the code tells why. A client that polls can stop.",
};

/** R10, R11 and R12. */
export function serveLookups(app: FastifyInstance, entry: EntryValidator): void {
  serveRead(app, entry, {
    path: "/v1/transactions/by_hash",
    tag: "transactions",
    summary: "An operation by its hash",
    description: "Found as soon as it is admitted. `status` is its progress.",
    section: "specification 8.1; wire 1.1, R10",
    query: hashQuery,
    reply: transactionWithStatusShape,
    refusals: { 404: "No validator has admitted this operation." },
    answer: ({ query }) => {
      const hash = toHash(query.hash);
      const copy = entry.host.network.archive.find(hash);
      return copy === undefined ? err(missingReceipt(entry, hash)) : ok(transactionWithStatus(entry, copy));
    },
  });
  serveRead(app, entry, {
    path: "/v1/transactions/receipt/by_hash",
    tag: "transactions",
    summary: "A receipt",
    description: "Available as soon as this validator has applied the effect, which reads show from then on.",
    section: "specification 9; wire 1.1, R11",
    query: hashQuery,
    reply: receiptSchema,
    refusals: NO_RECEIPT,
    answer: ({ ledger, query }) => {
      const found = receiptOf(entry, toHash(query.hash));
      if (!found.ok) return found;
      const { copy, final, position: place } = found.value;
      return ok(entry.answers.receipt(copy, final.receipt, place, ledger));
    },
  });
  serveRead(app, entry, {
    path: "/v1/transactions/finalized/by_hash",
    tag: "transactions",
    summary: "A receipt with its certificate",
    description: "With the finality certificate, which proves the decision given the epoch's committee.",
    section: "specification 15.1; wire 1.1, R12",
    query: hashQuery,
    reply: finalizedSchema,
    refusals: NO_RECEIPT,
    answer: ({ ledger, query }) => {
      const found = receiptOf(entry, toHash(query.hash));
      if (!found.ok) return found;
      const { copy, final, position: place } = found.value;
      const certificate = entry.host.network.withSignatures(final.certificate);
      return ok(entry.answers.finalized(copy, { ...final, certificate }, place, ledger));
    },
  });
}

function transactionWithStatus(entry: EntryValidator, copy: ArchivedSubmission): TransactionWithStatus {
  const { archive } = entry.host.network;
  const known = archive.progressOf(copy.id) ?? { status: "pending" };
  const isHere = known.status === "final" && hasAppliedHere(entry, known.final);
  const place = isHere ? chainPositionHere(entry, known.place) : undefined;
  return { ...entry.answers.transaction(copy, place), ...progressMembers(entry, known, copy.id) };
}

/** Returns the status of an operation at the entry validator. */
export function progressMembers(entry: EntryValidator, known: OperationStatus, id: OperationId): ProgressMembers {
  switch (known.status) {
    case "pending": {
      const barred = entry.host.network.barAt(entry.node, id);
      return { status: "pending", ...(barred === undefined ? {} : { barred_by: barred.code }) };
    }
    case "final": {
      if (!hasAppliedHere(entry, known.final)) return { status: "pending" };
      const { success, error } = known.final.receipt;
      return { status: "final", success, ...definedMembers({ error_code: error?.code }) };
    }
    case "superseded": {
      const by = entry.host.network.archive.copyOf(known.by);
      return {
        status: "superseded",
        error_code: endedError(known).code,
        ...definedMembers({ superseded_by: by && entry.answers.hashOf(by) }),
      };
    }
    case "void":
      return { status: "void", error_code: endedError(known).code };
    case "refused":
      return { status: "refused", error_code: known.code, refused_by: known.node };
    default:
      return unreachable(known);
  }
}

function mergeShapes(first: Shape<unknown>, second: Shape<unknown>): Record<string, unknown> {
  const [a, b] = [first, second] as unknown as readonly [Parts, Parts];
  return { properties: { ...a.properties, ...b.properties }, required: [...(a.required ?? []), ...(b.required ?? [])] };
}

type Parts = Readonly<{ properties: Readonly<Record<string, unknown>>; required?: readonly string[] }>;
