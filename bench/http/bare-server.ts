/** Bare `node:http`: reads a body, parses it as JSON and answers at once. A program of its own. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const ANSWER = JSON.stringify({ hash: `0x${"11".repeat(32)}`, success: true });

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    if (chunks.length > 0) JSON.parse(Buffer.concat(chunks).toString());
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(ANSWER) });
    response.end(ANSWER);
  });
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
