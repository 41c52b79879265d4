/**
 * Serves a network with a state file under 80 % of the load that it takes, for an hour or the seconds given, and keeps its
 * heap after collection and the 99th percentile of each part in reports/memory.md. The parts after the first quarter are
 * compared: by then all that is bounded is full. Exits with 1 if the heap of the last is more than 5 % above that of the
 * first, or if the greatest 99th percentile is more than twice their median.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { appeared, load, print, startServed } from "./soak-served.mjs";

const seconds = Number(process.argv[2] ?? 3_600);
const [PARTS, LOOKS, PROBES] = [12, 8, 3];
const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
const heapIn = (folder) => join(folder, "heap.json");
const { server, folder, url, stop } = await startServed((where) => {
  const probe = `import { writeFileSync } from "node:fs"; process.on("SIGUSR2", () => { gc(); const { heapUsed, arrayBuffers } = process.memoryUsage(); writeFileSync(${JSON.stringify(heapIn(where))}, JSON.stringify({ heapUsed, arrayBuffers })); });`;
  return ["--expose-gc", "--import", `data:text/javascript,${encodeURIComponent(probe)}`];
});
const heap = heapIn(folder);
try {
  // A network that has just started takes less.
  await load(url, "--duration", "30");
  const capacities = [];
  for (let probe = 0; probe < PROBES; probe++) capacities.push((await load(url, "--duration", "60")).rate);
  const capacity = Math.min(...capacities);
  const [rate, duration] = [Math.max(1, Math.floor(0.8 * capacity)), Math.ceil(seconds / PARTS)];
  const lines = [
    ...["# Memory of a served network", "", `\`node tools/soak-memory.mjs ${seconds}\` at commit ${commit}, Node ${process.versions.node}.`],
    `It took ${capacity.toFixed(0)} payments a second, the least of ${PROBES} minutes; ${PARTS} parts of ${duration} s at ${rate} a second. The heap is what a collection leaves, the least of ${LOOKS}: while a snapshot is written, its copy of the state counts too.`,
    ...["", "| part | final | p99, ms | heap, MB | buffers, MB |", "|--:|--:|--:|--:|--:|"],
  ];
  print(lines.join("\n"));
  const parts = [];
  for (let part = 1; part <= PARTS; part++) {
    const { final, finality } = await load(url, "--duration", String(duration), "--rate", String(rate));
    const { heapUsed, arrayBuffers } = await collected();
    parts.push({ heapUsed, p99: finality.p99 });
    lines.push(`| ${part} | ${final} | ${finality.p99.toFixed(0)} | ${mb(heapUsed)} | ${mb(arrayBuffers)} |`);
    print(lines.at(-1));
  }
  const compared = parts.slice(PARTS / 4);
  const growth = compared.at(-1).heapUsed / compared[0].heapUsed - 1;
  const tails = compared.map(({ p99 }) => p99).sort((a, b) => a - b);
  const [median, greatest] = [tails[Math.floor(tails.length / 2)], tails.at(-1)];
  lines.push("", `Heap of the last part against that of part ${PARTS / 4 + 1}: ${(100 * growth).toFixed(1)} %.`);
  lines.push(`p99 of these parts: median ${median.toFixed(0)} ms, greatest ${greatest.toFixed(0)} ms.`);
  print(lines.slice(-2).join("\n"));
  writeFileSync("reports/memory.md", `${lines.join("\n")}\n`);
  process.exitCode = growth <= 0.05 && greatest <= 2 * median ? 0 : 1;
} finally {
  await stop();
}

/** The least heap that one of some collections leaves, a few seconds apart: a snapshot takes some seconds. */
async function collected() {
  const found = [];
  for (let look = 0; look < LOOKS; look++) {
    rmSync(heap, { force: true });
    server.kill("SIGUSR2");
    await appeared(heap);
    found.push(JSON.parse(readFileSync(heap, "utf8")));
    await sleep(2_000);
  }
  return found.sort((a, b) => a.heapUsed - b.heapUsed)[0];
}

function mb(bytes) {
  return (bytes / 1e6).toFixed(1);
}
