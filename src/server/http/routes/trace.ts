/** Trace of an operation: its narrative, and the rules that refused it (wire 1.5). */
import type { FastifyInstance } from "fastify";
import type { Static } from "typebox";
import { entryOf } from "../../../core/base/entry.ts";
import { definedMembers } from "../../../core/base/given.ts";
import { type Hash, toHash } from "../../../core/base/ids.ts";
import { isSkip } from "../../../core/base/operation.ts";
import { REFUSALS } from "../../../core/base/refusal.ts";
import { err, ok, type Result } from "../../../core/base/result.ts";
import type { ArchivedSubmission, OperationStatus } from "../../../live/archive.ts";
import { narrativeLines } from "../../../run/events/narrative.ts";
import { joinNames, slotText } from "../../../run/events/reference-text.ts";
import type { RunEvent } from "../../../run/events/run-event.ts";
import { optional } from "../../../schema/shape.ts";
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
import type { EntryValidator, RefusedOperation } from "../entry-validator.ts";
import { type HttpError, sendError } from "../errors.ts";
import { endedError, missingReceipt } from "../lookup.ts";
import { routeSchema } from "../route.ts";
import { PROGRESS, progressMembers } from "./lookups.ts";

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
    tag: "transactions",
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
  const { archive } = entry.host.network;
  const refused = entry.refusedWrites.refusalOf(hash);
  const copy = archive.find(hash);
  if (copy !== undefined) return tracedCopy(entry, copy, refused);
  if (refused === undefined) return err(missingReceipt(entry, hash));
  const { operation, node, error } = refused;
  const narrative = [`${refused.at} ms  ${node} refuses it: ${error.message}`];
  const status = { status: "refused", error_code: error.code, refused_by: node } as const;
  const refusals = [admissionRefusal(refused)];
  return ok({ hash, ...operation, ...status, refusals, complete: true, narrative, events: [] });
}

async function tracedCopy(
  entry: EntryValidator,
  copy: ArchivedSubmission,
  refused: RefusedOperation | undefined,
): Promise<Result<TraceAnswer, HttpError>> {
  const { archive } = entry.host.network;
  const known = archive.progressOf(copy.id) ?? { status: "pending" };
  const asked = entry.host.eventsOf(known.status === "superseded" ? [copy.id, known.by] : [copy.id]);
  if (asked === "busy") return err(edgeFault("rate_limit_exceeded", "other traces are under way; try again later"));
  const events = await asked;
  const { hash, transaction_type, from, nonce } = entry.answers.transaction(copy, undefined);
  return ok({
    ...{ hash, transaction_type, from, nonce },
    ...progressMembers(entry, known, copy.id),
    refusals: [...(refused === undefined ? [] : [admissionRefusal(refused)]), ...laterRefusals(entry, known, copy)],
    complete: events !== undefined,
    narrative: events === undefined ? [] : narrativeOf(entry, events),
    events: (events ?? []) as unknown as TraceAnswer["events"],
  });
}

function admissionRefusal({ node, at, error: { code, message } }: RefusedOperation): RefusalMembers {
  return { phase: "admission", node, virtual_ms: at, ...ruleOf(code), message };
}

/** Refusals of an operation that was admitted. */
function laterRefusals(
  entry: EntryValidator,
  known: OperationStatus,
  { id }: ArchivedSubmission,
): readonly RefusalMembers[] {
  switch (known.status) {
    case "pending": {
      const bar = entry.host.network.barAt(entry.node, id);
      return bar === undefined ? [] : [{ phase: "pending", node: entry.node, ...ruleOf(bar.code) }];
    }
    case "refused":
      return [{ phase: "pending", node: known.node, ...ruleOf(known.code) }];
    case "superseded": {
      const by = entry.host.network.archive.copyOf(known.by)?.submission;
      const { error_code } = ruleOf(endedError(known).code);
      const broken = by !== undefined && isSkip(by) ? "business_superseded" : "business_decided_otherwise";
      return [{ phase: "agreement", ...ruleOf(broken), error_code }];
    }
    case "void":
      return [{ phase: "agreement", ...ruleOf(endedError(known).code) }];
    case "final": {
      const { error } = known.final.receipt;
      return error === undefined ? [] : [{ phase: "execution", virtual_ms: known.final.at, ...ruleOf(error.code) }];
    }
  }
}

const EPOCH_CLOSED = { rule: "an operation is decided in the epoch that admitted it", section: "protocol 6.3" };

function ruleOf(code: string): Pick<RefusalMembers, "error_code" | "rule" | "section"> {
  const row =
    code === "business_epoch_closed" ? EPOCH_CLOSED : Object.entries(REFUSALS).find(([own]) => own === code)?.[1];
  return { error_code: code, ...definedMembers({ rule: row?.rule, section: row?.section }) };
}

/** Answers reach clients outside the world: a reply is a response that has arrived. */
function narrativeOf({ host }: EntryValidator, events: readonly RunEvent[]): readonly string[] {
  const heard = events.map((one): RunEvent => {
    if (one.kind !== "replied") return one;
    const { party: from, client, ...rest } = one;
    return { ...rest, kind: "responded", party: client, from };
  });
  const { lines } = narrativeLines({ events: heard, found: [], startedAt: host.network.setup.startedAt });
  const told = [...lines, ...applicationsIn(events)].sort((a, b) => a.at - b.at);
  return told.map(({ at, text: sentence }) => `${at} ms  ${sentence}`);
}

/** Applications with effect, which a narrative leaves out: those of one time in one sentence. */
function applicationsIn(events: readonly RunEvent[]): readonly { readonly at: number; readonly text: string }[] {
  const parties = new Map<string, string[]>();
  for (const one of events) {
    if (one.kind !== "applied" || one.effects.some(({ failure }) => failure !== undefined)) continue;
    entryOf(parties, `${one.at} ${slotText(one.slot)}`, () => []).push(one.party);
  }
  return [...parties].map(([key, names]) => {
    const [at = "", slot] = key.split(/ (.*)/);
    return { at: Number(at), text: `${joinNames(names)} ${names.length === 1 ? "applies" : "apply"} ${slot}` };
  });
}
