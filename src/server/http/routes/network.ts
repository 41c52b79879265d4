/** Routes of the network: /api, chains, checkpoints, governances, states, the path of the websocket and /v2 (wire 1.1, 1.3). */
import type { FastifyInstance } from "fastify";
import type { Static } from "typebox";
import { requireDefined } from "../../../core/base/assert.ts";
import { toHash } from "../../../core/base/ids.ts";
import { err, ok, type Result } from "../../../core/base/result.ts";
import type { LedgerState } from "../../../core/ledger/state.ts";
import { WEBSOCKET_PATH } from "../../websocket/endpoint.ts";
import { edgeFault } from "../../wire/errors.ts";
import { servesVersion } from "../../wire/paths.ts";
import {
  chainId,
  checkpointNumber,
  checkpoint as checkpointSchema,
  epochReply,
  latestEpochCheckpoint as latestSchema,
  plans as plansSchema,
  nativeStatus as statusSchema,
} from "../../wire/schemas/network.ts";
import {
  checkpointByHashQuery,
  checkpointByNumberQuery,
  encodingQuery,
  idQuery,
  numberQuery,
  plansQuery,
} from "../../wire/schemas/queries.ts";
import { receiptList } from "../../wire/schemas/transactions.ts";
import { type AnyLink, epochBcs, nativeStatus } from "../../wire/shapes/network.ts";
import {
  chainLinkByHash,
  chainLinkByNumber,
  copyOf,
  type EntryValidator,
  ledgerOf,
  validatorDownError,
} from "../entry-validator.ts";
import { type HttpError, sendError } from "../errors.ts";
import { emptyQuery, type RouteDescription, routeSchema, serveRead } from "../route.ts";
import { closedError, serveRefusal } from "../write.ts";

export const HEALTH_PATH = "/api/health";

/** R18 and R19. */
export function serveApi(app: FastifyInstance, entry: EntryValidator): void {
  serveRead(app, entry, {
    path: "/api/status",
    summary: "Signature mode of writes",
    description: "Which versions of writes this interface serves: those of version 2 are signed with a domain.",
    section: "wire 1.1, R18",
    query: emptyQuery,
    reply: statusSchema,
    answer: ({ ledger }) => ok(nativeStatus(entry.writeMode, ledger.parameters.validators.length)),
  });
  const about = {
    path: HEALTH_PATH,
    summary: "Health of the validator",
    description: "The text UP.",
    section: "wire 1.1, R19",
  };
  const reply = { description: "The validator is running.", content: { "text/plain": { schema: { type: "string" } } } };
  const schema = routeSchema(about, {}, reply, { 500: "The validator is down." });
  app.get(about.path, { schema }, async (_request, answer) =>
    ledgerOf(entry) === undefined ? sendError(answer, validatorDownError(entry)) : answer.type("text/plain").send("UP"),
  );
}

/** R1, at its path and at that of one build of the Go client. */
export function serveChains(app: FastifyInstance, entry: EntryValidator): void {
  for (const path of ["/v1/chains/chain_id", "/v1/chain_id"])
    serveRead(app, entry, {
      path,
      tag: "chains",
      summary: "The chain id",
      description: "The number that every operation of this network carries and signs.",
      section: "wire 1.1, R1",
      query: emptyQuery,
      reply: chainId,
      answer: () => ok({ chain_id: entry.host.network.chainId }),
    });
}

/** R20 and R21: this network prices by fixed fees, so nothing has a plan (specification 7). */
export function servePricing(app: FastifyInstance, entry: EntryValidator): void {
  serveRead(app, entry, {
    path: "/v1/pricing/plans",
    summary: "The pricing plans of a payment",
    description: "Null for sender, recipient and token: fees are fixed, and no plan changes them.",
    section: "wire 1.1, R20",
    query: plansQuery,
    reply: plansSchema,
    answer: () => ok({ sender: null, recipient: null, token: null }),
  });
  const about = {
    path: "/v1/pricing/plans/:id",
    summary: "A pricing plan",
    description: "There is none.",
    section: "wire 1.1, R21",
  };
  const schema = routeSchema(about, {}, undefined, { 404: "There is no such plan." });
  const error = edgeFault("resource_plan_not_found", "there are no pricing plans: the fees of this network are fixed");
  serveRefusal(app, "GET", about.path, schema, error);
}

/** Epochs, up to the current one of the entry validator. */
export function serveGovernances(app: FastifyInstance, entry: EntryValidator): void {
  serveRead(app, entry, {
    path: "/v1/governances/epoch",
    summary: "The current epoch",
    description:
      "Committee, fees and rewards of the epoch that this validator is in, and what opened it; with encoding=bcs the " +
      "certificate in BCS.",
    section: "specification 11.1; wire 1.1, R15",
    query: encodingQuery,
    reply: epochReply,
    answer: ({ entry: asked, ledger, query }) => epochOf(asked, ledger, ledger.epoch, query.encoding),
  });
  serveRead(app, entry, {
    path: "/v1/governances/epoch/by_id",
    summary: "An epoch by its number",
    description: "Epochs count from 0, which the genesis opened.",
    section: "wire 1.1, R16",
    query: idQuery,
    reply: epochReply,
    refusals: { 404: "This validator has not entered the epoch." },
    answer: ({ entry: asked, ledger, query }) => epochOf(asked, ledger, Number(query.id), query.encoding),
  });
}

async function epochOf(
  { host, node, scheme, answers, keys }: EntryValidator,
  ledger: LedgerState,
  number: number,
  encoding: string | undefined,
): Promise<Result<Static<typeof epochReply>, HttpError>> {
  if (number > ledger.epoch) {
    return err(edgeFault("resource_epoch_not_found", `epoch ${number}: ${node} is in epoch ${ledger.epoch}`));
  }
  const { chainId, archive } = host.network;
  const record = requireDefined(archive.epochs[number], `record of epoch ${number}`);
  const opening = record.opening === undefined ? undefined : host.network.withSignatures(record.opening);
  const link = opening === undefined ? undefined : archive.linkByHash(opening.value);
  const { blsPublicKey } = await import("../../../core/crypto/bls.ts");
  const { validator, operator } = keys();
  const answer = answers.epoch(chainId, { ...record, opening }, archive.genesisLink.hash, scheme, {
    timestamp: (link?.content ?? archive.genesisLink).value.header.timestamp,
    operator: { publicKey: scheme.publicKeyOf(operator), address: scheme.addressOf(operator) },
    keys: record.parameters.validators.map((member) => {
      const { name, key } = validator(member.key);
      return { name, publicKey: scheme.publicKeyOf(key), blsKey: blsPublicKey(key) };
    }),
  });
  if (encoding !== "bcs") return ok(answer);
  const { epoch_id, certificate_hash, certificate } = answer;
  return ok({ epoch_id, certificate_hash, certificate: epochBcs(certificate.type, certificate.proposal.message) });
}

/** R17. */
export function serveStates(app: FastifyInstance, entry: EntryValidator): void {
  serveRead(app, entry, {
    path: "/v1/states/latest_epoch_checkpoint",
    summary: "The current epoch and the last checkpoint",
    description: "Read by clients of 2025 before they sign.",
    section: "wire 1.1, R17",
    query: emptyQuery,
    reply: latestSchema,
    answer: () => {
      const number = entry.host.network.checkpointOf(entry.node);
      return ok(
        entry.answers.latestEpochCheckpoint(requireDefined(chainLinkByNumber(entry, number), `checkpoint ${number}`)),
      );
    },
  });
}

/** Serves requests without an upgrade; the websocket takes all others before. */
export function serveWebsocketPath(app: FastifyInstance): void {
  const about = {
    path: WEBSOCKET_PATH,
    tag: "news",
    summary: "Events by websocket",
    description:
      'JSON text frames. Subscribe: {"id":1,"method":"SUBSCRIBE","stream":{"name":"CHECKPOINTS","full":false}}, response ' +
      'by {"id":1,"result":"7"}; events are {"subscription":"7","stream":"CHECKPOINTS","result":{…}}. ' +
      "The stream CERTIFIED_TRANSACTIONS has each operation that took effect, when it is final. " +
      'Unsubscribe: {"id":2,"method":"UNSUBSCRIBE","stream":"CHECKPOINTS"}. The stream TRANSACTIONS, an addition, reports the progress ' +
      "of each operation, from submitted by signed and locked to final; the lists addresses and tokens filter it. " +
      "Numbers in checkpoints are texts here. A socket has each stream once; it is pinged, and closed without a Pong.",
    section: "specification 15.2; wire 4",
  };
  const schema = routeSchema(about, {}, undefined, { 400: "The request is not an upgrade to a websocket." });
  const error = edgeFault("validation_handshake", "expected an upgrade to a websocket");
  serveRefusal(app, "GET", about.path, schema, error);
}

/** Paths below /v2 while version 2 is switched off. */
export function serveOtherDomainPaths(app: FastifyInstance, { writeMode }: EntryValidator): void {
  if (servesVersion(writeMode, 2)) return;
  const path = "/v2/*";
  const about: RouteDescription = {
    path,
    tag: "api",
    summary: "Writes of version 2 that are not served",
    description: "Refused before the body is read: /api/status reports v1_only.",
    section: "wire 1.3",
  };
  const error = closedError(2);
  const schema = routeSchema(about, {}, undefined, { 403: "Domain-separated signatures are not active." });
  serveRefusal(app, "POST", path, schema, error);
  serveRefusal(app, "GET", path, { hide: true }, error);
}

const NOT_FOUND = { 404: "This validator has not applied such a checkpoint." } as const;

/** Checkpoints that the entry validator has applied. Number 0 is the genesis. */
export function serveCheckpoints(app: FastifyInstance, entry: EntryValidator): void {
  const { network } = entry.host;
  serveRead(app, entry, {
    path: "/v1/checkpoints/number",
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
    summary: "A checkpoint by its number",
    description: "With full=true the transactions are full entries, otherwise hashes.",
    section: "specification 10.1; wire 1.1, R7",
    query: checkpointByNumberQuery,
    reply: checkpointSchema,
    refusals: NOT_FOUND,
    answer: ({ entry: { answers }, query }) =>
      showLink(chainLinkByNumber(entry, Number(query.number)), missingNumberText(entry, query.number), (link) =>
        answers.checkpoint(link, query.full === "true", copyOf(entry)),
      ),
  });
  serveRead(app, entry, {
    path: "/v1/checkpoints/by_hash",
    summary: "A checkpoint by its hash",
    description: "With full=true the transactions are full entries, otherwise hashes.",
    section: "specification 10.1; wire 1.1, R8",
    query: checkpointByHashQuery,
    reply: checkpointSchema,
    refusals: NOT_FOUND,
    answer: ({ entry: { answers }, query }) =>
      showLink(
        chainLinkByHash(entry, toHash(query.hash)),
        `${entry.node} has applied no checkpoint ${query.hash}`,
        (link) => answers.checkpoint(link, query.full === "true", copyOf(entry)),
      ),
  });
  serveRead(app, entry, {
    path: "/v1/checkpoints/receipts/by_number",
    summary: "The receipts of a checkpoint",
    description: "In the order of the checkpoint's transactions.",
    section: "wire 1.1, R9",
    query: numberQuery,
    reply: receiptList,
    refusals: NOT_FOUND,
    answer: ({ entry: { answers }, query }) =>
      showLink(chainLinkByNumber(entry, Number(query.number)), missingNumberText(entry, query.number), (link) =>
        answers.checkpointReceipts(link, copyOf(entry)),
      ),
  });
}

function showLink<T>(link: AnyLink | undefined, missing: string, show: (link: AnyLink) => T): Result<T, HttpError> {
  return link === undefined ? err(edgeFault("resource_checkpoint_not_found", missing)) : ok(show(link));
}

function missingNumberText({ host, node }: EntryValidator, number: string): string {
  return `checkpoint ${number}: the last one that ${node} has applied is ${host.network.checkpointOf(node)}`;
}
