/** /v1/chains (wire 1.1, R1). */
import type { FastifyInstance } from "fastify";
import { ok } from "../../../core/base/result.ts";
import { chainId } from "../../wire/schemas/network.ts";
import type { EntryValidator } from "../entry-validator.ts";
import { emptyQuery, serveRead } from "../route.ts";

/** R1. */
export function serveChains(app: FastifyInstance, entry: EntryValidator): void {
  serveRead(app, entry, {
    path: "/v1/chains/chain_id",
    tag: "chains",
    summary: "The chain id",
    description: "The number that every operation of this network carries and signs.",
    section: "wire 1.1, R1",
    query: emptyQuery,
    reply: chainId,
    answer: () => ok({ chain_id: entry.host.network.chainId }),
  });
}
