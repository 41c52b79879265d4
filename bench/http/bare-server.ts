/** The bare HTTP framework: takes a body as ours does, and answers at once. A program of its own. */
import { fastify } from "fastify";
import { HTTP_LIMITS } from "../../src/server/limits.ts";

const HASH = `0x${"11".repeat(32)}`;

const app = fastify({ bodyLimit: HTTP_LIMITS.bodyBytes });
app.post("/v1/transactions/payment", async () => ({ hash: HASH }));
app.get("/v1/transactions/receipt/by_hash", async () => ({ hash: HASH, success: true }));
console.log(await app.listen({ host: "127.0.0.1", port: 0 }));
