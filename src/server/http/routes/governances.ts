/** /v1/governances (wire 1.1, R15 and R16). */
import type { FastifyInstance } from "fastify";
import { required } from "../../../core/base/assert.ts";
import { err, ok, type Result } from "../../../core/base/result.ts";
import type { LedgerState } from "../../../core/ledger/state.ts";
import { edgeFault } from "../../wire/errors.ts";
import { type EpochAnswer, epoch as epochSchema } from "../../wire/schemas/network.ts";
import { idQuery } from "../../wire/schemas/queries.ts";
import { epoch } from "../../wire/shapes/epoch.ts";
import type { EntryValidator } from "../entry-validator.ts";
import type { HttpError } from "../http-error.ts";
import { emptyQuery, serveRead } from "../route.ts";

/** Epochs, up to the current one of the entry validator. */
export function serveGovernances(app: FastifyInstance, entry: EntryValidator): void {
  serveRead(app, entry, {
    path: "/v1/governances/epoch",
    tag: "governances",
    summary: "The current epoch",
    description: "Committee, fees and rewards of the epoch that this validator is in, and what opened it.",
    section: "specification 11.1; wire 1.1, R15",
    query: emptyQuery,
    reply: epochSchema,
    answer: ({ ledger }) => epochOf(entry, ledger, ledger.epoch),
  });
  serveRead(app, entry, {
    path: "/v1/governances/epoch/by_id",
    tag: "governances",
    summary: "An epoch by its number",
    description: "Epochs count from 0, which the genesis opened.",
    section: "wire 1.1, R16",
    query: idQuery,
    reply: epochSchema,
    refusals: { 404: "This validator has not entered the epoch." },
    answer: ({ ledger, query }) => epochOf(entry, ledger, Number(query.id)),
  });
}

function epochOf(
  { host, node, scheme }: EntryValidator,
  ledger: LedgerState,
  number: number,
): Result<EpochAnswer, HttpError> {
  if (number > ledger.epoch) {
    return err(edgeFault("resource_epoch_not_found", `epoch ${number}: ${node} is in epoch ${ledger.epoch}`));
  }
  const { chainId, archive } = host.network;
  const record = required(archive.epochs[number], `record of epoch ${number}`);
  return ok(epoch(chainId, record, archive.genesisLink.hash, scheme));
}
