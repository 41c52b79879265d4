/** OpenAPI document at /openapi.json, API reference at /docs, and the index at the root. */
import { fastifySwagger } from "@fastify/swagger";
import { fastifySwaggerUi } from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import { WEBSOCKET_PATH } from "../websocket/endpoint.ts";
import type { EntryValidator } from "./entry-validator.ts";

/** Content policy of /docs: scripts and styles are files of this server, and requests go to it only. */
const PAGE_POLICY = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "connect-src": "'self'",
  "img-src": "'self' data:",
  "base-uri": "'none'",
  "form-action": "'none'",
  "frame-ancestors": "'none'",
};

/** Follows the colour scheme of the system; the component does so in the layout with its top bar only. */
const COLOR_SCHEME_SCRIPT = `
const dark = matchMedia("(prefers-color-scheme: dark)");
const apply = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", apply);
apply();
`;

/** Groups of the document, in order. */
const TAGS: readonly { readonly name: string; readonly description: string }[] = [
  { name: "transactions", description: "Payments, cancellations and recoveries, and the status of operations." },
  { name: "tokens", description: "Issue and govern tokens, mint and burn, and read a token's state." },
  { name: "accounts", description: "Nonces and balances." },
  { name: "checkpoints", description: "Snapshots of the ledger, numbered from the genesis, which is 0." },
  { name: "governances", description: "Epochs: committees and fees." },
  { name: "chains", description: "Identity of the network." },
  { name: "states", description: "A read of older clients." },
  { name: "news", description: "Events by websocket." },
  { name: "api", description: "Health of the interface, and the signature mode of writes." },
];

/** Must be called before the routes that it documents are added. */
export async function installDocs(
  app: FastifyInstance,
  { host, node }: EntryValidator,
  version: string,
): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: `quorumlab ${node}`,
        version,
        description:
          `The interface of ${node}, one of ${host.network.nodes.length} nodes of chain ${host.network.chainId}. ` +
          "Every read shows this node's own state; every write is admitted by this node first. " +
          `Every read takes min_receipt: it then waits until this node has applied that operation. Events are published by websocket at ${WEBSOCKET_PATH}.`,
      },
      tags: [...TAGS],
    },
  });
  await app.register(fastifySwaggerUi, {
    routePrefix: "/docs",
    staticCSP: PAGE_POLICY,
    theme: { title: `quorumlab ${node}`, js: [{ filename: "color-scheme.js", content: COLOR_SCHEME_SCRIPT }] },
    uiConfig: { layout: "BaseLayout", filter: true, displayRequestDuration: true },
    transformSpecification: pageDocument,
    transformSpecificationClone: false,
  });
  const hidden = { schema: { hide: true } };
  app.get("/openapi.json", hidden, async (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(JSON.stringify(app.swagger())),
  );
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

/**
 * Returns a copy without what the component would fill in wrongly: a value for each optional parameter, which would
 * make every read wait for the receipt of the example hash, and a member `additionalProp1` in each example body.
 */
export function pageDocument(document: object): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(document), (key, value: unknown) => {
    if (key === "additionalProperties" && value === true) return undefined;
    return isOptionalParameter(value) ? { ...value, example: undefined } : value;
  }) as Readonly<Record<string, unknown>>;
}

function isOptionalParameter(value: unknown): value is object {
  return (
    typeof value === "object" && value !== null && "in" in value && "required" in value && value.required === false
  );
}
