/**
 * Sessions of a hostile client, drawn from a seed: a grammar of HTTP/1 with pipelines, upgrades, halves, bytes out of
 * order, malformed and large headers, and early ends.
 */
import { drawInt, Stream } from "../../../src/simulator/random.ts";

export interface HostileSession {
  /** Pieces in the order in which they are sent. */
  readonly pieces: readonly Buffer[];
  /** Requests that the pieces hold. */
  readonly requests: number;
  /** Turns of the event loop between two pieces. */
  readonly pause: number;
  /** `read`: until the server closes; `half`: the same, after closing its own half; `unread`: never reads; `reset`: at once. */
  readonly ending: "read" | "half" | "unread" | "reset";
}

/** Draws of one session. */
class Draws {
  readonly #stream: Stream;
  #index = 0;

  constructor(seed: string, session: number) {
    this.#stream = new Stream(seed, `session ${session}`);
  }

  int(bound: number): number {
    return drawInt(this.#stream, this.#index++, bound);
  }

  of<T>(values: readonly T[]): T {
    return values[this.int(values.length)] as T;
  }

  /** True once in `times`. */
  once(times: number): boolean {
    return this.int(times) === 0;
  }
}

const METHODS = "GET GET GET GET POST POST HEAD OPTIONS PUT DELETE PRI CONNECT TRACE QUERY DESCRIBE get GETX".split(
  " ",
);
const VERSIONS = [
  ...Array(12).fill("HTTP/1.1"),
  "HTTP/1.0",
  "HTTP/1.0",
  "HTTP/0.9",
  "HTTP/2.0",
  "RTSP/1.0",
  "HTTP/1",
  "",
];
const HOSTS = [
  "localhost",
  "localhost",
  "localhost",
  "127.0.0.1:1",
  "[::1]",
  "evil.example",
  "",
  "a b",
  "127.1",
  "a@localhost",
];
const STRANGE_PATHS = [
  "//",
  "///a//",
  "/%zz",
  "/%00",
  "*",
  "http://evil.example/",
  "/..%2f..",
  "/?",
  "/#a",
  "",
  "a",
  "/\u00e9",
  "/\0",
];
const HEADERS = [
  ...["Connection: close", "Connection: keep-alive", "Connection: Upgrade", "Upgrade: h2c", "Upgrade: websocket"],
  ...["Expect: 100-continue", "Expect: a", "Content-Length: 2", "Content-Length: 9", "Content-Length: -1"],
  ...["Content-Length: 99999999999999999999", "Transfer-Encoding: chunked", "Transfer-Encoding: gzip, chunked"],
  ...["Content-Type: application/json", "Content-Type: text/plain", "Content-Type: a", "Content-Encoding: gzip"],
  ...[
    "Origin: null",
    "Origin: http://evil.example",
    "Origin: http://localhost:1",
    "X-Request-Id: \u00ff",
    "X-Admin-Token: a",
  ],
  ...["Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Version: 99"],
  ...["If-None-Match: *", "Range: bytes=0-1", " folded", "no colon", "A: \0", ": a", "Host: localhost", "Trailer: a"],
];
const BODIES = [
  "{}",
  "[",
  '{"a":1}',
  '{"ms":1}',
  "[[[[[[[[",
  '"\ud800"',
  "\u0000",
  "{}{}",
  '{"crash":{"node":"v9"}}',
  "1e999",
];
const CHUNKS = [
  "0\r\n\r\n",
  "2\r\n{}\r\n0\r\n\r\n",
  "2\r\n{}\r\n0\r\nA: b\r\n\r\n",
  "g\r\n",
  "ffffffffffffffff\r\n",
  "2;a=b\r\n{}\r\n",
  "-1\r\n",
];
const WEBSOCKET =
  "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";

/** Returns session `index` of a seed, for a server of these paths. */
export function hostileSession(seed: string, index: number, paths: readonly string[]): HostileSession {
  const draws = new Draws(seed, index);
  const requests = draws.once(12) ? 10 + draws.int(40) : 1 + draws.int(6);
  // Most sessions are well-formed up to one mistake, or its parser would see the first request only.
  const mistake = draws.once(3) ? -1 : draws.int(requests);
  const texts = Array.from({ length: requests }, (_, at) =>
    at === mistake ? strangeRequest(draws, paths) : plainRequest(draws, paths),
  );
  const bytes = Buffer.concat([...texts.map((text) => Buffer.from(text, "latin1")), lastBytes(draws)]);
  const pieces = piecesOf(draws, bytes);
  return {
    pieces,
    requests,
    pause: draws.int(3),
    ending: draws.of(["read", "read", "read", "half", "unread", "reset"]),
  };
}

function plainRequest(draws: Draws, paths: readonly string[]): string {
  const path = draws.of(paths);
  if (draws.once(40)) return `GET /ws HTTP/1.1\r\nHost: localhost\r\n${WEBSOCKET}\r\n`;
  if (draws.once(40)) return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`;
  if (draws.once(4))
    return withBody(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`, draws);
  return `${draws.of(["GET", "GET", "HEAD", "OPTIONS"])} ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
}

function withBody(head: string, draws: Draws): string {
  if (draws.once(3)) return `${head}Transfer-Encoding: chunked\r\n\r\n${draws.of(CHUNKS.slice(0, 3))}`;
  const body = draws.of(BODIES);
  return `${head}Content-Length: ${Buffer.byteLength(body, "latin1")}\r\n\r\n${body}`;
}

function strangeRequest(draws: Draws, paths: readonly string[]): string {
  const path = draws.once(3) ? draws.of(STRANGE_PATHS) : draws.of(paths);
  const target = draws.once(20) ? path + "a".repeat(1 + draws.int(20_000)) : path;
  const lines = [`${draws.of(METHODS)} ${target} ${draws.of(VERSIONS)}`];
  if (!draws.once(8)) lines.push(`Host: ${draws.of(HOSTS)}`);
  for (let count = draws.int(6); count > 0; count--) lines.push(draws.of(HEADERS));
  if (draws.once(15)) lines.push(`Large: ${"a".repeat(1 + draws.int(40_000))}`);
  if (draws.once(15)) lines.push(...Array.from({ length: draws.int(3_000) }, (_, at) => `H${at}: a`));
  const text = `${lines.join(draws.once(15) ? "\n" : "\r\n")}\r\n\r\n`;
  if (draws.once(2)) return text;
  return text + draws.of([...BODIES, ...CHUNKS, "\0".repeat(100), "GET / HTTP/1.1\r\n"]);
}

/** Frames of a websocket that may be open by then, or garbage. */
function lastBytes(draws: Draws): Buffer {
  if (draws.once(2)) return Buffer.from("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  const frames = Array.from({ length: draws.int(4) }, () => {
    const payload = Buffer.from(
      draws.of(['{"id":1,"method":"SUBSCRIBE","stream":{"name":"TRANSACTIONS"}}', "{", "", "a".repeat(125), "\u00ff"]),
    );
    const isMasked = !draws.once(6);
    // The mask of zeros changes no byte.
    const mask = isMasked ? [0, 0, 0, 0] : [];
    return Buffer.from([
      draws.of([0x81, 0x81, 0x82, 0x89, 0x88, 0x01, 0xff]),
      (isMasked ? 0x80 : 0) | payload.length,
      ...mask,
      ...payload,
    ]);
  });
  return Buffer.concat(frames);
}

function piecesOf(draws: Draws, bytes: Buffer): readonly Buffer[] {
  const cuts = Array.from({ length: draws.int(4) }, () => draws.int(bytes.length + 1)).sort((a, b) => a - b);
  const pieces = [0, ...cuts].map((from, at) => bytes.subarray(from, cuts[at] ?? bytes.length));
  if (draws.once(12)) pieces.reverse();
  // The last piece never comes.
  if (draws.once(8)) pieces.pop();
  return pieces;
}
