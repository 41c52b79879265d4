/** Plays hostile sessions against a server in a process of its own, and counts what comes back. */
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type HostileSession, hostileSession } from "./hostile-session.ts";

export interface Tally {
  requests: number;
  /** Answers by their status. */
  readonly statuses: Map<string, number>;
  /** Largest resident memory of the server in MB. */
  memory: number;
}

/** Sessions at one time. */
const LANES = 48;
/** Milliseconds of silence after which a session is given up: the server may wait for bytes that never come. */
const PATIENCE_MS = 300;
/** Sessions between two looks at the memory. */
const MEMORY_LOOKS = 500;

/**
 * Plays sessions until they held so many requests.
 * @throws Error with seed, number and bytes of a session that an internal error answers, or after which nobody listens.
 */
export async function attack(
  { url, pid, paths }: { readonly url: string; readonly pid: number; readonly paths: readonly string[] },
  seed: string,
  requests: number,
): Promise<Tally> {
  const port = Number(new URL(url).port);
  const tally: Tally = { requests: 0, statuses: new Map(), memory: 0 };
  let next = 0;
  const lane = async (): Promise<void> => {
    while (tally.requests < requests) {
      const index = next++;
      const session = hostileSession(seed, index, paths);
      tally.requests += session.requests;
      const answer = await play(port, session).catch((error: Error) => error.message);
      const statuses = statusesIn(answer);
      for (const status of statuses) tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
      const isRefused = answer.includes("ECONNREFUSED");
      if (isRefused || statuses.some((status) => status.startsWith("5") && status !== "503")) {
        const bytes = JSON.stringify(session.pieces.map((piece) => piece.toString("latin1")));
        throw new Error(
          `seed ${seed}, session ${index}, ${session.ending}: ${bytes.slice(0, 4_000)}\n${answer.slice(-2_000)}`,
        );
      }
      if (index % MEMORY_LOOKS === 0) tally.memory = Math.max(tally.memory, residentMegabytes(pid));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  tally.memory = Math.max(tally.memory, residentMegabytes(pid));
  return tally;
}

/** Returns all that comes back. */
function play(port: number, { pieces, pause, ending }: HostileSession): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    // A server may reset a connection whose bytes it refused; then what it said counts.
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED") reject(error);
    });
    socket.on("close", () => resolve(answer));
    if (ending !== "unread") socket.on("data", (bytes) => (answer += bytes.toString("latin1")));
    socket.on("end", () => socket.end());
    socket.on("connect", async () => {
      for (const piece of pieces) {
        socket.write(piece);
        for (let turn = 0; turn < pause; turn++) await nextTurn();
      }
      if (ending === "half") socket.end();
      if (ending === "reset") socket.resetAndDestroy();
    });
  });
}

function statusesIn(answer: string): readonly string[] {
  return [...answer.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => status ?? "");
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
