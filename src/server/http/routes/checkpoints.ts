/** /v1/checkpoints (specification 10; wire 1.1, R6 to R9). */
import type { FastifyInstance } from "fastify";
import { toHash } from "../../../core/base/ids.ts";
import { err, ok, type Result } from "../../../core/base/result.ts";
import { edgeFault } from "../../wire/errors.ts";
import { checkpointNumber, checkpoint as checkpointSchema } from "../../wire/schemas/network.ts";
import { checkpointByHashQuery, checkpointByNumberQuery, numberQuery } from "../../wire/schemas/queries.ts";
import { receiptList } from "../../wire/schemas/transactions.ts";
import type { AnyLink } from "../../wire/shapes/network.ts";
import type { EntryValidator } from "../entry-validator.ts";
import type { HttpError } from "../errors.ts";
import { chainLinkByHash, chainLinkByNumber, copyOf } from "../lookup.ts";
import { emptyQuery, serveRead } from "../route.ts";

const NOT_FOUND = { 404: "This validator has not applied such a checkpoint." } as const;

/** Checkpoints that the entry validator has applied. Number 0 is the genesis. */
export function serveCheckpoints(app: FastifyInstance, entry: EntryValidator): void {
  const { network } = entry.host;
  serveRead(app, entry, {
    path: "/v1/checkpoints/number",
    tag: "checkpoints",
    summary: "The last checkpoint's number",
    description: "The number of the last checkpoint that this validator has applied; 0 is the genesis.",
    section: "specification 10.1; wire 1.1, R6",
    query: emptyQuery,
    reply: checkpointNumber,
    refusals: {
      404: "As of the other reads of checkpoints; there is always the genesis, so this server never answers it.",
    },
    answer: () => ok({ number: network.checkpointOf(entry.node) }),
  });
  serveRead(app, entry, {
    path: "/v1/checkpoints/by_number",
    tag: "checkpoints",
    summary: "A checkpoint by its number",
    description: "With full=true the transactions are full entries, otherwise hashes.",
    section: "specification 10.1; wire 1.1, R7",
    query: checkpointByNumberQuery,
    reply: checkpointSchema,
    refusals: NOT_FOUND,
    answer: ({ query }) =>
      showLink(chainLinkByNumber(entry, Number(query.number)), missingNumberText(entry, query.number), (link) =>
        entry.answers.checkpoint(link, query.full === "true", copyOf(entry)),
      ),
  });
  serveRead(app, entry, {
    path: "/v1/checkpoints/by_hash",
    tag: "checkpoints",
    summary: "A checkpoint by its hash",
    description: "With full=true the transactions are full entries, otherwise hashes.",
    section: "specification 10.1; wire 1.1, R8",
    query: checkpointByHashQuery,
    reply: checkpointSchema,
    refusals: NOT_FOUND,
    answer: ({ query }) =>
      showLink(
        chainLinkByHash(entry, toHash(query.hash)),
        `${entry.node} has applied no checkpoint ${query.hash}`,
        (link) => entry.answers.checkpoint(link, query.full === "true", copyOf(entry)),
      ),
  });
  serveRead(app, entry, {
    path: "/v1/checkpoints/receipts/by_number",
    tag: "checkpoints",
    summary: "The receipts of a checkpoint",
    description: "In the order of the checkpoint's transactions.",
    section: "wire 1.1, R9",
    query: numberQuery,
    reply: receiptList,
    refusals: NOT_FOUND,
    answer: ({ query }) =>
      showLink(chainLinkByNumber(entry, Number(query.number)), missingNumberText(entry, query.number), (link) =>
        entry.answers.checkpointReceipts(link, copyOf(entry)),
      ),
  });
}

function showLink<T>(link: AnyLink | undefined, missing: string, show: (link: AnyLink) => T): Result<T, HttpError> {
  return link === undefined ? err(edgeFault("resource_checkpoint_not_found", missing)) : ok(show(link));
}

function missingNumberText({ host, node }: EntryValidator, number: string): string {
  return `checkpoint ${number}: the last one that ${node} has applied is ${host.network.checkpointOf(node)}`;
}
