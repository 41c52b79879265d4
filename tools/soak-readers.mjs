/**
 * Serves a network with a state file under the load of `bench`: alone and beside 100 clients that read as fast as they are
 * answered; then two new ones under half of that rate, for ten minutes or the seconds given: alone, and beside 64 connections
 * that pipeline requests and read no answer. Exits with 1 if the first leave writers less than half of their rate, or if the
 * second take more than 100 MB of memory, or make the 99th percentile of the others more than twice as long.
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { load, print, startServed } from "./soak-served.mjs";

const seconds = Number(process.argv[2] ?? 600);
const PART = String(Math.min(60, seconds));
const [SILENT, READERS, MEGABYTES] = [64, 100, 100];
const REQUESTS = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(32);

let isOver = false;
const { rate, read } = await besideReaders();
const half = String(Math.max(1, Math.floor(rate / 2)));
const alone = await besideSilent(0);
const beside = await besideSilent(SILENT);
const more = beside.most - alone.most;
print(
  `${SILENT} connections that read nothing, ${seconds} s at ${half} payments a second: ${beside.most} MB, p99 ${beside.p99} ms; without them ${alone.most} MB, p99 ${alone.p99} ms; ${more} MB more`,
);
process.exitCode = more <= MEGABYTES && beside.p99 <= 2 * alone.p99 && read >= rate / 2 ? 0 : 1;

/** Payments a second alone, and beside clients that read. */
async function besideReaders() {
  const { url, stop } = await startServed();
  try {
    await load(url, "--duration", PART);
    const { rate } = await load(url, "--duration", PART);
    const agent = new Agent({ keepAlive: true, maxSockets: READERS });
    const readers = Array.from({ length: READERS }, () => readOn(url, agent));
    const { rate: read } = await load(url, "--duration", PART);
    isOver = true;
    const reads = (await Promise.all(readers)).reduce((sum, count) => sum + count);
    agent.destroy();
    print(`${READERS} clients that read, ${reads} reads: ${read.toFixed(0)} payments a second; alone ${rate.toFixed(0)}`);
    return { rate, read };
  } finally {
    isOver = true;
    await stop();
  }
}

/** Resident memory in MB at most, and p99 in ms, beside so many connections that read nothing. */
async function besideSilent(count) {
  const { server, url, stop } = await startServed();
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, resident(server))), 200);
  isOver = false;
  try {
    const silent = Array.from({ length: count }, () => stayUnread(url));
    const { finality } = await load(url, "--duration", String(seconds), "--rate", half);
    isOver = true;
    await Promise.all(silent);
    return { most, p99: Math.round(finality.p99) };
  } finally {
    isOver = true;
    clearInterval(watch);
    await stop();
  }
}

/** Pipelines requests on one connection after the other, as the server closes them, and reads nothing. */
async function stayUnread(url) {
  while (!isOver) {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.pause();
    // The server closes what takes too much.
    socket.on("error", () => undefined);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    while (!isOver && !socket.destroyed) {
      socket.write(REQUESTS);
      await Promise.race([closed, sleep(1_000)]);
    }
    socket.destroy();
  }
}

/** Reads until it is over; returns how often. */
async function readOn(url, agent) {
  let count = 0;
  for (; !isOver; count++) {
    const [response] = await once(get(`${url}/api/status`, { agent }), "response");
    response.resume();
    await once(response, "end");
  }
  return count;
}

/** Megabytes of resident memory of a server. */
function resident(server) {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))[1]) / 1_000);
}
