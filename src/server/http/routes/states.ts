/** /v1/states (wire 1.1, R17). */
import type { FastifyInstance } from "fastify";
import { required } from "../../../core/base/assert.ts";
import { ok } from "../../../core/base/result.ts";
import { latestEpochCheckpoint as latestSchema } from "../../wire/schemas/checkpoints.ts";
import { latestEpochCheckpoint } from "../../wire/shapes/checkpoint.ts";
import { chainLinkByNumber } from "../chain-links.ts";
import type { EntryValidator } from "../entry-validator.ts";
import { emptyQuery, serveRead } from "../route.ts";

/** R17. */
export function serveStates(app: FastifyInstance, entry: EntryValidator): void {
  serveRead(app, entry, {
    path: "/v1/states/latest_epoch_checkpoint",
    tag: "states",
    summary: "The current epoch and the last checkpoint",
    description: "Read by clients of 2025 before they sign.",
    section: "wire 1.1, R17",
    query: emptyQuery,
    reply: latestSchema,
    answer: () => {
      const number = entry.host.network.checkpointOf(entry.node);
      return ok(latestEpochCheckpoint(required(chainLinkByNumber(entry, number), `checkpoint ${number}`)));
    },
  });
}
