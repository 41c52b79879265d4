/**
 * Serves a network with a state file, and puts the load of `bench` on it: alone; beside 64 connections that pipeline requests
 * and read no answer, for ten minutes or the seconds given; and beside 100 clients that read as fast as they are answered.
 * Exits with 1 if the first take more than 100 MB of memory, or make the 99th percentile of the others, at half of the rate,
 * more than twice as long; or if the second leave writers less than half of their rate.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { load, loadArguments, resultOf, startServed } from "./soak-served.mjs";

const seconds = Number(process.argv[2] ?? 600);
const PART = String(Math.min(60, seconds));
const [SILENT, READERS, MEGABYTES] = [64, 100, 100];
const REQUESTS = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(32);

const { server, url, stop } = await startServed();
let isOver = false;
try {
  const { rate } = load(url, ["--duration", PART]);
  const half = ["--rate", String(Math.max(1, Math.floor(rate / 2)))];
  const alone = load(url, ["--duration", PART, ...half]).finality.p99;
  const before = resident();

  let most = before;
  const watch = setInterval(() => (most = Math.max(most, resident())), 200);
  const silent = Array.from({ length: SILENT }, stayUnread);
  const { p99 } = (await loadBeside(["--duration", String(seconds), ...half])).finality;
  isOver = true;
  await Promise.all(silent);
  clearInterval(watch);
  print(`${SILENT} connections that read nothing, ${seconds} s: ${most - before} MB more, p99 ${p99.toFixed(0)} ms; alone ${alone.toFixed(0)} ms`);

  isOver = false;
  const agent = new Agent({ keepAlive: true, maxSockets: READERS });
  const readers = Array.from({ length: READERS }, () => readOn(agent));
  const beside = await loadBeside(["--duration", PART]);
  isOver = true;
  const reads = (await Promise.all(readers)).reduce((sum, count) => sum + count);
  agent.destroy();
  print(`${READERS} clients that read, ${reads} reads: ${beside.rate.toFixed(0)} payments a second; alone ${rate.toFixed(0)}`);
  process.exitCode = most - before <= MEGABYTES && p99 <= 2 * alone && beside.rate >= rate / 2 ? 0 : 1;
} finally {
  isOver = true;
  await stop();
}

/** Puts a load on the network while this process goes on; returns the result of `bench`. */
async function loadBeside(options) {
  const child = spawn(process.execPath, loadArguments(url, options), { stdio: ["ignore", "pipe", "pipe"] });
  const texts = [child.stdout, child.stderr].map((stream) => stream.setEncoding("utf8").toArray());
  const [output, errors] = await Promise.all(texts);
  return resultOf(output.join(""), errors.join(""));
}

/** Pipelines requests on one connection after the other, as the server closes them, and reads nothing. */
async function stayUnread() {
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
async function readOn(agent) {
  let count = 0;
  for (; !isOver; count++) {
    const [response] = await once(get(`${url}/api/status`, { agent }), "response");
    response.resume();
    await once(response, "end");
  }
  return count;
}

/** Megabytes of resident memory of the server. */
function resident() {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))[1]) / 1_000);
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
