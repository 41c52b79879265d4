/** Plays hostile sessions against a server in a process of its own, and counts what comes back. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, get, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { type HostileSession, hostileSession } from "./hostile-session.ts";

export interface Tally {
  requests: number;
  /** Answers by their status. */
  readonly statuses: Map<string, number>;
  /** Largest resident memory of the server in MB. */
  memory: number;
}

export interface Target {
  readonly url: string;
  readonly pid: number;
  readonly paths: readonly string[];
}

/** Sessions at one time. */
const LANES = 24;
/** Answers to others without a byte for a session that end it, and the milliseconds before each. */
const [SILENT_ROUNDS, ROUND_MS] = [3, 60];
/** Sessions between two looks at the memory. */
const MEMORY_LOOKS = 500;

/**
 * Plays sessions until they held so many requests.
 * @throws Error with seed, number and bytes of a session that an internal error answers, or after which nobody listens.
 */
export async function attack({ url, pid, paths }: Target, seed: string, requests: number): Promise<Tally> {
  const tally: Tally = { requests: 0, statuses: new Map(), memory: 0 };
  const agent = new Agent({ keepAlive: true, maxSockets: LANES });
  let next = 0;
  const lane = async (): Promise<void> => {
    while (tally.requests < requests) {
      const index = next++;
      const session = hostileSession(seed, index, paths);
      tally.requests += session.requests;
      let answer = "";
      try {
        answer = await play(url, agent, session);
        const internal = statusesIn(answer).find((status) => status.startsWith("5") && status !== "503");
        if (internal !== undefined) throw new Error(`answered by ${internal}: ${answer.slice(-2_000)}`);
      } catch (error) {
        const bytes = JSON.stringify(session.pieces.map((piece) => piece.toString("latin1"))).slice(0, 4_000);
        throw new Error(`seed ${seed}, session ${index}, ${session.ending}: ${bytes}`, { cause: error });
      }
      for (const status of statusesIn(answer)) tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
      if (index % MEMORY_LOOKS === 0) tally.memory = Math.max(tally.memory, residentMegabytes(pid));
    }
  };
  try {
    await Promise.all(Array.from({ length: LANES }, lane));
  } finally {
    agent.destroy();
  }
  tally.memory = Math.max(tally.memory, residentMegabytes(pid));
  return tally;
}

/** Returns all that comes back. @throws Error if the server no longer answers others. */
async function play(url: string, agent: Agent, { pieces, pause, ending }: HostileSession): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  let answer = "";
  // A server may reset a connection whose bytes it refused; then what it said counts.
  socket.on("error", () => undefined);
  socket.on("end", () => socket.end());
  if (ending !== "unread") socket.on("data", (bytes) => (answer += bytes.toString("latin1")));
  // Or the system keeps small pieces back for 40 ms, which is longer than others wait for their answers.
  socket.setNoDelay();
  await once(socket, "connect");
  for (const piece of pieces) {
    // Also called where the server has closed the connection.
    await new Promise((resolve) => socket.write(piece, resolve));
    for (let turn = 0; turn < pause; turn++) await nextTurn();
  }
  if (ending === "half") socket.end();
  // The server accepts one connection in a turn of its event loop, in their order: this one before that of this request.
  if (ending !== "reset") await expectAnswer(url, false);
  // Answers to another client say that the server had its turns: on a busy machine no time would.
  for (let silent = 0; silent < SILENT_ROUNDS && !socket.destroyed; silent++) {
    const { length } = answer;
    if (ending === "reset") socket.resetAndDestroy();
    await sleep(ROUND_MS);
    await expectAnswer(url, agent);
    if (answer.length > length) silent = 0;
  }
  socket.destroy();
  return answer;
}

/** `agent`: `false` for a connection of its own. @throws Error if another client is not answered by 200. */
async function expectAnswer(url: string, agent: Agent | false): Promise<void> {
  const request = get(url, { agent });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  response.resume();
  await once(response, "end");
  if (response.statusCode !== 200) throw new Error(`others are answered by ${response.statusCode}`);
}

function statusesIn(answer: string): readonly string[] {
  return [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status ?? "");
}

/** Returns 0 on systems without /proc. */
function residentMegabytes(pid: number): number {
  try {
    const [, kilobytes = "0"] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Math.round(Number(kilobytes) / 1_024);
  } catch {
    return 0;
  }
}
