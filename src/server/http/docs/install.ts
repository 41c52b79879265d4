/** The document at /openapi.json, the page at /docs, and what stands at the root. */
import { fastifySwagger } from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import { WEBSOCKET_PATH } from "../../websocket/endpoint.ts";
import type { Asked } from "../asked.ts";
import type { OpenApi } from "./openapi.ts";
import { docsPage, PAGE_POLICY } from "./page.ts";

/** The groups of the document, in order. */
const TAGS: readonly { readonly name: string; readonly description: string }[] = [
  { name: "transactions", description: "Payments, cancellations and recoveries, and what became of any operation." },
  { name: "tokens", description: "Issue and govern tokens, mint and burn, and read a token's state." },
  { name: "accounts", description: "Nonces and balances." },
  { name: "checkpoints", description: "Snapshots of the ledger, numbered from the genesis, which is 0." },
  { name: "governances", description: "Epochs: who validates, and what operations cost." },
  { name: "chains", description: "Which network this is." },
  { name: "states", description: "A read that only older clients make." },
  { name: "news", description: "What happens, as it happens." },
  { name: "api", description: "Whether the interface is up, and which writes it takes." },
];

/** To be installed before the routes that it documents. */
export async function installDocs(app: FastifyInstance, { host, node }: Asked, version: string): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: `quorumlab ${node}`,
        version,
        description:
          `The interface of ${node}, one of ${host.network.nodes.length} nodes of chain ${host.network.chainId}. ` +
          "Every read shows this node's own state; every write is admitted by this node first. " +
          `Every read takes min_receipt: it then waits until this node has applied that operation. News come by websocket at ${WEBSOCKET_PATH}.`,
      },
      tags: [...TAGS],
    },
  });
  let page: string | undefined;
  const hidden = { schema: { hide: true } };
  app.get("/openapi.json", hidden, async (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(JSON.stringify(app.swagger())),
  );
  app.get("/docs", hidden, async (_request, reply) => {
    page ??= docsPage(app.swagger() as unknown as OpenApi);
    return reply.type("text/html; charset=utf-8").header("content-security-policy", PAGE_POLICY).send(page);
  });
  app.get("/", hidden, async (request, reply) => {
    if (request.headers.accept?.includes("text/html")) return reply.redirect("/docs");
    const { chainId } = host.network;
    return {
      name: "quorumlab",
      node,
      chain_id: chainId,
      docs: "/docs",
      openapi: "/openapi.json",
      websocket: WEBSOCKET_PATH,
    };
  });
}
