/**
 * Serves a network with a state file under the load of `bench`: alone and beside 100 clients that read as fast as they are
 * answered; then another one under half of that rate, in turns alone and beside 64 connections that pipeline requests and read
 * no answer, for ten minutes each or the seconds given. Exits with 1 if the first leave writers less than half of their rate,
 * or if the second take more than 100 MB of memory, or make the 99th percentile of the others more than twice as long.
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
const { more, ratio } = await besideSilent();
process.exitCode = more <= MEGABYTES && ratio <= 2 && read >= rate / 2 ? 0 : 1;

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

/** Megabytes of memory more beside connections that read nothing, and how many times p99 is as long, the median of the rounds. */
async function besideSilent() {
  const { server, url, stop } = await startServed();
  const most = { alone: 0, beside: 0 };
  let part = "alone";
  const watch = setInterval(() => (most[part] = Math.max(most[part], resident(server))), 200);
  const ratios = [];
  try {
    await load(url, "--duration", PART, "--rate", half);
    for (let round = 0; round * Number(PART) < seconds; round++) {
      const p99 = {};
      // A machine is not the same in each minute: the two take turns, in the other order in every second round.
      for (part of round % 2 === 0 ? ["alone", "beside"] : ["beside", "alone"]) p99[part] = await p99Of(url, part);
      ratios.push(p99.beside / p99.alone);
      print(`round ${round + 1} at ${half} payments a second: p99 ${p99.beside} ms, ${p99.alone} ms without them`);
    }
  } finally {
    clearInterval(watch);
    await stop();
  }
  const [more, ratio] = [most.beside - most.alone, ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)]];
  print(
    `${SILENT} connections that read nothing: ${most.beside} MB, ${most.alone} MB without them; p99 ${ratio.toFixed(2)} times as long, the median of ${ratios.length} rounds`,
  );
  return { more, ratio };
}

async function p99Of(url, part) {
  isOver = false;
  const silent = Array.from({ length: part === "beside" ? SILENT : 0 }, () => stayUnread(url));
  const { finality } = await load(url, "--duration", PART, "--rate", half);
  isOver = true;
  await Promise.all(silent);
  return Math.round(finality.p99);
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
