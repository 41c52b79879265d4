/** OpenAPI document at /openapi.json, API reference at /docs, and the index at the root. */
import { fastifySwagger, type StaticDocumentSpec } from "@fastify/swagger";
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import { WEBSOCKET_PATH } from "../websocket/endpoint.ts";
import { publishedSchema } from "../wire/published-members.ts";
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

/** Paths of the API reference; other files of it are found below the last one. */
const PAGE_PATHS: readonly string[] = [
  ...["/docs", "/docs/", "/docs/json", "/docs/yaml"],
  ...["/docs/static/index.html", "/docs/static/swagger-initializer.js", "/docs/static/theme/color-scheme.js"],
  "/docs/static/*",
];

/** Headers that belong to the connection and are not copied. */
const OF_CONNECTION: ReadonlySet<string> = new Set(["connection", "date", "keep-alive", "transfer-encoding"]);

/** Groups of the document, in order. */
const TAGS: readonly { readonly name: string; readonly description: string }[] = [
  { name: "transactions", description: "Payments, cancellations and recoveries, and the status of operations." },
  { name: "tokens", description: "Issue and govern tokens, mint and burn, and read a token's state." },
  { name: "accounts", description: "Nonces, balances and multisig accounts." },
  { name: "checkpoints", description: "Snapshots of the ledger, numbered from the genesis, which is 0." },
  { name: "governances", description: "Epochs: committees and fees." },
  { name: "chains", description: "Identity of the network." },
  { name: "pricing", description: "Plans that the published network prices by; here there are none." },
  { name: "states", description: "A read of older clients." },
  { name: "news", description: "Events by websocket." },
  { name: "api", description: "Health of the interface, and the signature mode of writes." },
];

/** Must be called before the routes that it documents are added. `index` responds to browsers at the root; default: they are led to /docs. */
export async function installDocs(
  app: FastifyInstance,
  { host, node, writeMode, answers }: EntryValidator,
  version: string,
  index?: (reply: FastifyReply) => FastifyReply,
): Promise<void> {
  const spelled = answers.complete === undefined ? undefined : publishedSchema;
  await app.register(fastifySwagger, {
    transformObject: (document) =>
      "openapiObject" in document ? withNamedSchemas(document.openapiObject, spelled) : document.swaggerObject,
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
  const hidden = { schema: { hide: true } };
  const page = pageHandler(app, `quorumlab ${node}`);
  for (const path of PAGE_PATHS) app.get(path, hidden, page);
  // All answers share these bytes.
  let document: Buffer | undefined;
  app.get("/openapi.json", hidden, async (_request, reply) => {
    document ??= Buffer.from(JSON.stringify(app.swagger()));
    return reply.type("application/json; charset=utf-8").send(document);
  });
  app.get("/", hidden, async (request, reply) => {
    if (request.headers.accept?.includes("text/html")) return index?.(reply) ?? reply.redirect("/docs");
    const { chainId } = host.network;
    return {
      name: "quorumlab",
      node,
      chain_id: chainId,
      write_mode: writeMode,
      docs: "/docs",
      openapi: "/openapi.json",
      websocket: WEBSOCKET_PATH,
    };
  });
}

/** Returns the document with each schema that has a title once, in its components, and references to it. `change` is applied to each schema. */
export function withNamedSchemas<D extends object>(
  document: D,
  change: <S extends object>(schema: S) => S = (schema) => schema,
): D {
  const schemas: Record<string, unknown> = {};
  const withReferences = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(withReferences);
    if (typeof value !== "object" || value === null) return value;
    const inner: Record<string, unknown> = Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, withReferences(member)]),
    );
    const { title } = inner;
    // The document's own title stands beside a version.
    if (typeof title !== "string" || "version" in inner) return inner;
    schemas[title] = change(inner);
    return { $ref: `#/components/schemas/${title}` };
  };
  return { ...(withReferences(document) as D), components: { schemas } };
}

/**
 * Returns the handler of the API reference. Its component, with its files and packages, loads at the first request:
 * most networks are never browsed, and it took a tenth of a start.
 */
function pageHandler(
  app: FastifyInstance,
  title: string,
): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  let loading: Promise<FastifyInstance> | undefined;
  return async ({ url, headers }, reply) => {
    // The component's types are those of OpenAPI 3.0.
    loading ??= loadPage(app.swagger() as StaticDocumentSpec["document"], title);
    const page = await loading;
    const answer = await page.inject({ method: "GET", url, headers });
    // Also for a path that leads out of its folder, which the component forbids.
    if (answer.statusCode === 404 || answer.statusCode === 403) return reply.callNotFound();
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined && !OF_CONNECTION.has(name)) reply.header(name, value);
    }
    // A redirection and an unchanged file have neither a body nor a content type.
    return reply.code(answer.statusCode).send(answer.rawPayload.length === 0 ? undefined : answer.rawPayload);
  };
}

/** Returns the API reference of a document, as an application of its own that no socket reaches. */
async function loadPage(document: StaticDocumentSpec["document"], title: string): Promise<FastifyInstance> {
  const { fastifySwaggerUi } = await import("@fastify/swagger-ui");
  const page = fastify();
  await page.register(fastifySwagger, { mode: "static", specification: { document } });
  await page.register(fastifySwaggerUi, {
    routePrefix: "/docs",
    staticCSP: PAGE_POLICY,
    theme: { title, js: [{ filename: "color-scheme.js", content: COLOR_SCHEME_SCRIPT }] },
    uiConfig: { layout: "BaseLayout", filter: true, displayRequestDuration: true },
    transformSpecification: pageDocument,
    transformSpecificationClone: false,
  });
  return page;
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
