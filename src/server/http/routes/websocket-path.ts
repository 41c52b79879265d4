/** Websocket path: response to plain requests, and its documentation (specification 15.2; wire 4). */
import type { FastifyInstance } from "fastify";
import { WEBSOCKET_PATH } from "../../websocket/endpoint.ts";
import { sendError } from "../http-error.ts";
import { documented } from "../route.ts";

/** Serves requests without an upgrade; the websocket takes all others before. */
export function serveWebsocketPath(app: FastifyInstance): void {
  const about = {
    path: WEBSOCKET_PATH,
    tag: "news",
    summary: "Events by websocket",
    description:
      'JSON text frames. Subscribe: {"id":1,"method":"SUBSCRIBE","stream":{"name":"CHECKPOINTS","full":false}}, response ' +
      'by {"id":1,"result":"7"}; events are {"subscription":"7","stream":"CHECKPOINTS","result":{…}}. ' +
      'Unsubscribe: {"id":2,"method":"UNSUBSCRIBE","stream":"CHECKPOINTS"}. The stream TRANSACTIONS, an addition, reports the progress ' +
      "of each operation, from submitted by signed and locked to final; the lists addresses and tokens filter it. " +
      "Numbers in checkpoints are texts here. A socket has each stream once; it is pinged, and closed without a Pong.",
    section: "specification 15.2; wire 4",
  };
  const schema = documented(about, {}, undefined, { 400: "The request is not an upgrade to a websocket." });
  app.get(about.path, { schema }, (_request, reply) =>
    sendError(reply, { status: 400, code: "validation_handshake", message: "expected an upgrade to a websocket" }),
  );
}
