/** Lookups of operations and receipts (specification 15.1; wire 1.1, R10 to R12), and the trace of an operation (wire 1.5). */
import type { FastifyInstance } from "fastify";
import type { Static } from "typebox";
import { requireDefined, unreachable } from "../../../core/base/assert.ts";
import { definedMembers } from "../../../core/base/defined-members.ts";
import { entryOf } from "../../../core/base/entry.ts";
import { type Hash, toHash } from "../../../core/base/ids.ts";
import { isSkip, type OperationId } from "../../../core/base/operation.ts";
import { REFUSALS, type RefusalRow } from "../../../core/base/refusal.ts";
import { err, ok, type Result } from "../../../core/base/result.ts";
import type { ArchivedSubmission, FinalRecord, OperationStatus } from "../../../live/archive.ts";
import type { CounterSignatureFile } from "../../../proofs/certificate-file.ts";
import { narrativeLines } from "../../../run/events/narrative.ts";
import { joinNames, slotText } from "../../../run/events/reference-text.ts";
import type { RunEvent } from "../../../run/events/run-event.ts";
import { type ObjectShape, optional } from "../../../schema/shape.ts";
import { edgeFault } from "../../wire/errors.ts";
import { text } from "../../wire/schemas/bodies.ts";
import { hashQuery } from "../../wire/schemas/queries.ts";
import {
  address,
  boolean,
  count,
  hash as hashSchema,
  list,
  namedObject,
  object,
  oneOf,
} from "../../wire/schemas/schema-types.ts";
import {
  finalized as finalizedSchema,
  receipt as receiptSchema,
  transactionMembers,
} from "../../wire/schemas/transactions.ts";
import { feeMembers } from "../../wire/shapes/receipt.ts";
import {
  chainPositionHere,
  type EntryValidator,
  endedCode,
  missingReceipt,
  type RefusedOperation,
  receiptOf,
} from "../entry-validator.ts";
import { type HttpError, sendError } from "../errors.ts";
import { routeSchema, serveRead } from "../route.ts";

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

type ProgressMembers = Static<ObjectShape<typeof PROGRESS>>;

const statusMembers = { ...transactionMembers, ...PROGRESS };
const transactionWithStatusShape = namedObject("TransactionWithStatus", "a transaction", statusMembers);

type TransactionWithStatus = Static<typeof transactionWithStatusShape>;

const NO_RECEIPT = {
  404: "No receipt yet: the header x-transaction-status is unknown or pending.",
  422: "There will be no receipt: the code tells why. A client that polls can stop.",
};

/** R10, R11 and R12. */
export function serveLookups(app: FastifyInstance, entry: EntryValidator): void {
  serveRead(app, entry, {
    path: "/v1/transactions/by_hash",
    summary: "An operation by its hash",
    description: "Found as soon as it is admitted. `status` is its progress.",
    section: "specification 8.1; wire 1.1, R10",
    query: hashQuery,
    reply: transactionWithStatusShape,
    refusals: { 404: "No validator has admitted this operation." },
    answer: ({ entry: asked, query, header }) => {
      const hash = toHash(query.hash);
      const copy = entry.host.network.archive.find(hash);
      return copy === undefined ? err(missingReceipt(entry, hash)) : ok(transactionWithStatus(asked, copy, header));
    },
  });
  serveRead(app, entry, {
    path: "/v1/transactions/receipt/by_hash",
    summary: "A receipt",
    description: "Available as soon as this validator has applied the effect, which reads show from then on.",
    section: "specification 9; wire 1.1, R11",
    query: hashQuery,
    reply: receiptSchema,
    refusals: NO_RECEIPT,
    answer: ({ entry: { answers }, ledger, query }) => {
      const receipt = receiptOf(entry, toHash(query.hash));
      if (!receipt.ok) return receipt;
      const { copy, final, position: place } = receipt.value;
      return ok(answers.receipt(copy, final.receipt, place, ledger));
    },
  });
  serveRead(app, entry, {
    path: "/v1/transactions/finalized/by_hash",
    summary: "A receipt with its certificate",
    description:
      "With the finality certificate, which proves the decision given the epoch's committee, and with the aggregate " +
      "signature of those who committed.",
    section: "specification 15.1; wire 1.1, R12",
    query: hashQuery,
    reply: finalizedSchema,
    refusals: NO_RECEIPT,
    answer: async ({ entry: { answers }, ledger, query }) => {
      const receipt = receiptOf(entry, toHash(query.hash));
      if (!receipt.ok) return receipt;
      const { copy, final, position } = receipt.value;
      const { network } = entry.host;
      const certificate = network.withSignatures(final.certificate);
      const link = position && { ...position.link, certificate: network.withSignatures(position.link.certificate) };
      const place = link && { ...position, link };
      const aggregate = await counterSignatureOf(entry, copy, { ...final, certificate });
      return ok(answers.finalized(copy, { ...final, certificate }, place, ledger, aggregate));
    },
  });
}

/** Returns the aggregate of those whose commits are in the certificate of a copy, under the hash by which it is shown. */
async function counterSignatureOf(
  { host, answers, keys }: EntryValidator,
  copy: ArchivedSubmission,
  { certificate: { epoch, seals }, receipt }: FinalRecord,
): Promise<CounterSignatureFile> {
  // Imported here: the curve takes as long to load as a third of the server, and most networks sign nothing with it.
  const { counterSign } = await import("../../../proofs/counter-signature.ts");
  const { fee, fee_bound } = feeMembers(copy.submission, receipt);
  const { parameters } = requireDefined(host.network.archive.epochs[epoch], `record of epoch ${epoch}`);
  return counterSign(
    { hash: answers.hashOf(copy), epoch, fee: fee_bound ? (fee ?? undefined) : undefined },
    parameters.validators.map(({ key }) => key),
    new Set(seals.map(({ signer }) => signer)),
    (validator) => keys().validator(validator).key,
  );
}

/** `header` says the status too: published answers have no member for it. */
function transactionWithStatus(
  entry: EntryValidator,
  copy: ArchivedSubmission,
  header: (name: string, value: string) => void,
): TransactionWithStatus {
  const { archive } = entry.host.network;
  const status = archive.progressOf(copy.id) ?? { status: "pending" };
  const isHere = status.status === "final" && entry.host.network.hasApplied(entry.node, status.final);
  const place = isHere ? chainPositionHere(entry, status.place) : undefined;
  const progressed = progressMembers(entry, status, copy.id);
  header("x-transaction-status", progressed.status);
  return entry.answers.operation(entry.answers.transaction(copy, place), progressed) as TransactionWithStatus;
}

/** Returns the status of an operation at the entry validator. */
export function progressMembers(entry: EntryValidator, status: OperationStatus, id: OperationId): ProgressMembers {
  switch (status.status) {
    case "pending": {
      const barred = entry.host.network.barAt(entry.node, id);
      return { status: "pending", ...(barred === undefined ? {} : { barred_by: barred.code }) };
    }
    case "final": {
      if (!entry.host.network.hasApplied(entry.node, status.final)) return { status: "pending" };
      const { success, error } = status.final.receipt;
      return { status: "final", success, ...definedMembers({ error_code: error?.code }) };
    }
    case "superseded": {
      const by = entry.host.network.archive.copyOf(status.by);
      return {
        status: "superseded",
        error_code: endedCode(status),
        ...definedMembers({ superseded_by: by && entry.answers.hashOf(by) }),
      };
    }
    case "void":
      return { status: "void", error_code: endedCode(status) };
    case "refused":
      return { status: "refused", error_code: status.code, refused_by: status.node };
    default:
      return unreachable(status);
  }
}

const PHASES = ["admission", "pending", "agreement", "execution"] as const;

const refusal = object("a refusal", {
  phase: oneOf("where it was refused", PHASES),
  node: optional(text("the validator that refused it")),
  virtual_ms: optional(count("the virtual time in ms")),
  error_code: text("the code"),
  rule: optional(text("the rule that it violates")),
  section: optional(text("the section of the documents that states the rule")),
  message: optional(text("the message of the answer")),
});

const event = object("an event: docs/guides/run-events.md", {
  kind: text("the kind of the event"),
  step: count("the number of the step of the network"),
  at: count("the virtual time in ms"),
});

const traceAnswer = namedObject("Trace", "the trace of an operation", {
  hash: hashSchema("the transaction hash"),
  transaction_type: text("the type"),
  from: address("the account whose nonce it uses"),
  nonce: count("the nonce"),
  ...PROGRESS,
  refusals: list("the rules that refused it, the first one first", refusal),
  complete: boolean("whether the events are all there: a network with very many is not repeated"),
  narrative: list("the events in sentences, each with its virtual time", text("a sentence")),
  events: list("the events", event),
});

type TraceAnswer = Static<typeof traceAnswer>;
type RefusalMembers = Static<typeof refusal>;

export function serveTrace(app: FastifyInstance, entry: EntryValidator): void {
  const about = {
    path: "/v1/transactions/trace",
    summary: "The narrative of an operation",
    description:
      "Submission, admission or refusal, votes by validator, round changes, decision and effect, and the rule that " +
      "refused it. The past of the network is repeated for it.",
    section: "wire 1.5",
  };
  const refusals = {
    400: "The hash is missing or malformed.",
    404: "No validator has admitted this operation, and this one does not remember its refusal.",
    429: "Other traces are under way, or too many requests.",
  };
  const schema = routeSchema(about, { querystring: hashQuery }, traceAnswer, refusals);
  app.get(about.path, { schema }, async (request, reply) => {
    const traced = await traceOf(entry, toHash((request.query as Static<typeof hashQuery>).hash));
    return traced.ok ? reply.send(traced.value) : sendError(reply, traced.error);
  });
}

async function traceOf(entry: EntryValidator, hash: Hash): Promise<Result<TraceAnswer, HttpError>> {
  const { archive, lines } = entry.host.network;
  const noted = entry.refusedWrites.get(hash);
  // A refusal that was undone never took place.
  const refused = noted?.line === lines ? noted : undefined;
  const copy = archive.find(hash);
  if (copy !== undefined) return tracedCopy(entry, hash, copy, refused);
  if (refused === undefined) return err(missingReceipt(entry, hash));
  const { operation, node, error } = refused;
  const narrative = [`${refused.at} ms  ${node} refuses it: ${error.message}`];
  const status = { status: "refused", error_code: error.code, refused_by: node } as const;
  const refusals = [admissionRefusal(refused)];
  return ok({ hash, ...operation, ...status, refusals, complete: true, narrative, events: [] });
}

async function tracedCopy(
  entry: EntryValidator,
  asked: Hash,
  copy: ArchivedSubmission,
  refused: RefusedOperation | undefined,
): Promise<Result<TraceAnswer, HttpError>> {
  const { archive } = entry.host.network;
  const status = archive.progressOf(copy.id) ?? { status: "pending" };
  const tracedEvents = entry.host.eventsOf(status.status === "superseded" ? [copy.id, status.by] : [copy.id]);
  if (tracedEvents === "busy")
    return err(edgeFault("rate_limit_exceeded", "other traces are under way; try again later"));
  const events = await tracedEvents;
  const { hash, transaction_type, from, nonce } = entry.answers.transaction(copy, undefined);
  const progress = progressMembers(entry, status, copy.id);
  const { superseded_by: winner } = progress;
  const hashes: [OperationId, string][] = [[copy.id, asked]];
  if (status.status === "superseded" && winner !== undefined) hashes.push([status.by, winner]);
  return ok({
    ...{ hash, transaction_type, from, nonce },
    ...progress,
    refusals: [...(refused === undefined ? [] : [admissionRefusal(refused)]), ...laterRefusals(entry, status, copy)],
    complete: events !== undefined,
    narrative: events === undefined ? [] : narrativeOf(entry, events, hashes),
    events: (events ?? []) as unknown as TraceAnswer["events"],
  });
}

function admissionRefusal({ node, at, error: { code, message } }: RefusedOperation): RefusalMembers {
  return { phase: "admission", node, virtual_ms: at, ...ruleOf(code), message };
}

/** Refusals of an operation that was admitted. */
function laterRefusals(
  entry: EntryValidator,
  status: OperationStatus,
  { id }: ArchivedSubmission,
): readonly RefusalMembers[] {
  switch (status.status) {
    case "pending": {
      const bar = entry.host.network.barAt(entry.node, id);
      return bar === undefined ? [] : [{ phase: "pending", node: entry.node, ...ruleOf(bar.code) }];
    }
    case "refused":
      return [{ phase: "pending", node: status.node, ...ruleOf(status.code) }];
    case "superseded": {
      const by = entry.host.network.archive.copyOf(status.by)?.submission;
      const broken = by !== undefined && isSkip(by) ? "business_superseded" : "business_decided_otherwise";
      return [{ phase: "agreement", ...ruleOf(broken), error_code: endedCode(status) }];
    }
    case "void":
      return [{ phase: "agreement", ...ruleOf(endedCode(status)) }];
    case "final": {
      const { error } = status.final.receipt;
      return error === undefined ? [] : [{ phase: "execution", virtual_ms: status.final.at, ...ruleOf(error.code) }];
    }
  }
}

/** Characters by which sentences name an operation. */
const DIGITS = 10;

/** Rules by the codes of their violations. */
const RULES: Readonly<Record<string, Pick<RefusalRow, "rule" | "section">>> = {
  ...REFUSALS,
  business_epoch_closed: { rule: "an operation is decided in the epoch that admitted it", section: "protocol 6.3" },
};

function ruleOf(code: string): Pick<RefusalMembers, "error_code" | "rule" | "section"> {
  return { error_code: code, ...definedMembers({ rule: RULES[code]?.rule, section: RULES[code]?.section }) };
}

/**
 * Returns the events in sentences, which name operations by these hashes: a client does not know their ids. Answers reach
 * clients outside the world: a reply is a response that has arrived.
 */
function narrativeOf(
  { host }: EntryValidator,
  events: readonly RunEvent[],
  hashes: readonly (readonly [OperationId, string])[],
): readonly string[] {
  const adjusted = events.map((runEvent): RunEvent => {
    if (runEvent.kind !== "replied") return runEvent;
    const { party: from, client, ...rest } = runEvent;
    return { ...rest, kind: "responded", party: client, from };
  });
  const { lines } = narrativeLines({ events: adjusted, found: [], startedAt: host.network.setup.startedAt });
  const told = [...lines, ...applicationsIn(events)].sort((a, b) => a.at - b.at);
  const named = (sentence: string): string =>
    hashes.reduce((line, [id, hash]) => line.replaceAll(id.slice(0, DIGITS), hash.slice(0, DIGITS)), sentence);
  return told.map(({ at, text: sentence }) => `${at} ms  ${named(sentence)}`);
}

/** Applications with effect, which a narrative leaves out: those of one time in one sentence. */
function applicationsIn(events: readonly RunEvent[]): readonly { readonly at: number; readonly text: string }[] {
  const parties = new Map<string, string[]>();
  for (const runEvent of events) {
    if (runEvent.kind !== "applied" || runEvent.effects.some(({ failure }) => failure !== undefined)) continue;
    entryOf(parties, `${runEvent.at} ${slotText(runEvent.slot)}`, () => []).push(runEvent.party);
  }
  return [...parties].map(([key, names]) => {
    const [at = "", slot] = key.split(/ (.*)/);
    return { at: Number(at), text: `${joinNames(names)} ${names.length === 1 ? "applies" : "apply"} ${slot}` };
  });
}
