/** /v1/governances (wire 1.1, R15 and R16). */
import type { FastifyInstance } from "fastify";
import { present } from "../../../core/base/assert.ts";
import { err, ok, type Result } from "../../../core/base/result.ts";
import type { LedgerState } from "../../../core/ledger/state.ts";
import { edgeFault } from "../../wire/errors.ts";
import { type EpochAnswer, epoch as epochSchema } from "../../wire/schemas/network.ts";
import { idQuery } from "../../wire/schemas/queries.ts";
import { epoch } from "../../wire/shapes/epoch.ts";
import type { Asked } from "../asked.ts";
import type { Fault } from "../fault.ts";
import { emptyQuery, serveRead } from "../route.ts";

/** Epochs, up to the current one of the entry validator. */
export function serveGovernances(app: FastifyInstance, asked: Asked): void {
  serveRead(app, asked, {
    path: "/v1/governances/epoch",
    tag: "governances",
    summary: "The current epoch",
    description: "Committee, fees and rewards of the epoch that this validator is in, and what opened it.",
    section: "specification 11.1; wire 1.1, R15",
    query: emptyQuery,
    reply: epochSchema,
    answer: ({ ledger }) => epochOf(asked, ledger, ledger.epoch),
  });
  serveRead(app, asked, {
    path: "/v1/governances/epoch/by_id",
    tag: "governances",
    summary: "An epoch by its number",
    description: "Epochs count from 0, which the genesis opened.",
    section: "wire 1.1, R16",
    query: idQuery,
    reply: epochSchema,
    refusals: { 404: "This validator has not entered the epoch." },
    answer: ({ ledger, query }) => epochOf(asked, ledger, Number(query.id)),
  });
}

function epochOf({ host, node, scheme }: Asked, ledger: LedgerState, number: number): Result<EpochAnswer, Fault> {
  if (number > ledger.epoch) {
    return err(edgeFault("resource_epoch_not_found", `epoch ${number}: ${node} is in epoch ${ledger.epoch}`));
  }
  const { chainId, archive } = host.network;
  const record = present(archive.epochs[number], `record of epoch ${number}`);
  return ok(epoch(chainId, record, archive.genesisLink.hash, scheme));
}
