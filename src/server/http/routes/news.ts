/** The websocket's path, for who asks without an upgrade, and for the document (specification 15.2; wire 4). */
import type { FastifyInstance } from "fastify";
import { WEBSOCKET_PATH } from "../../websocket/endpoint.ts";
import { sendFault } from "../fault.ts";
import { documented } from "../route.ts";

/** Upgrades never come here: the websocket takes them before. */
export function serveNews(app: FastifyInstance): void {
  const about = {
    path: WEBSOCKET_PATH,
    tag: "news",
    summary: "News by websocket",
    description:
      'JSON text frames. Subscribe: {"id":1,"method":"SUBSCRIBE","stream":{"name":"CHECKPOINTS","full":false}}, answered ' +
      'by {"id":1,"result":"7"}; events are {"subscription":"7","stream":"CHECKPOINTS","result":{…}}. ' +
      'Unsubscribe: {"id":2,"method":"UNSUBSCRIBE","stream":"CHECKPOINTS"}. The stream TRANSACTIONS, an addition, tells the way ' +
      "of each operation, from submitted by signed and locked to final; addresses and tokens, lists, narrow it. " +
      "Numbers in checkpoints are texts here. A socket has each stream once; it is pinged, and closed where it does not answer.",
    section: "specification 15.2; wire 4",
  };
  const schema = documented(about, {}, undefined, { 400: "The request is no upgrade to a websocket." });
  app.get(about.path, { schema }, (_request, reply) =>
    sendFault(reply, { status: 400, code: "validation_handshake", message: "expected an upgrade to a websocket" }),
  );
}
