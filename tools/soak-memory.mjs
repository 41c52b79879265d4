/**
 * Serves a network with a state file under 80 % of the load that it takes, for an hour or the seconds given, and prints its
 * heap after collection and the 99th percentile of each part. Exits with 1 if the heap of the last part is more than 5 %
 * above that of the first part that begins after a quarter of the time: by then all that is bounded is full.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { appeared, load, startServed } from "./soak-served.mjs";

const seconds = Number(process.argv[2] ?? 3_600);
const PARTS = 12;
const heapIn = (folder) => join(folder, "heap.json");
const { server, folder, url, stop } = await startServed((where) => {
  const probe = `import { writeFileSync } from "node:fs"; process.on("SIGUSR2", () => { gc(); const { heapUsed, arrayBuffers } = process.memoryUsage(); writeFileSync(${JSON.stringify(heapIn(where))}, JSON.stringify({ heapUsed, arrayBuffers })); });`;
  return ["--expose-gc", "--import", `data:text/javascript,${encodeURIComponent(probe)}`];
});
const heap = heapIn(folder);
try {
  const { rate: capacity } = load(url, ["--duration", "10"]);
  const rate = Math.max(1, Math.floor(0.8 * capacity));
  process.stdout.write(`${capacity.toFixed(0)} payments a second; ${PARTS} parts of ${Math.ceil(seconds / PARTS)} s at ${rate}\n`);
  const heaps = [];
  for (let part = 1; part <= PARTS; part++) {
    const { final, finality } = load(url, ["--duration", String(Math.ceil(seconds / PARTS)), "--rate", String(rate)]);
    rmSync(heap, { force: true });
    server.kill("SIGUSR2");
    await appeared(heap);
    const { heapUsed, arrayBuffers } = JSON.parse(readFileSync(heap, "utf8"));
    heaps.push(heapUsed);
    process.stdout.write(
      `part ${part}: ${final} final, p99 ${finality.p99.toFixed(0)} ms, heap ${mb(heapUsed)} MB, buffers ${mb(arrayBuffers)} MB\n`,
    );
  }
  const growth = heaps.at(-1) / heaps[PARTS / 4] - 1;
  process.stdout.write(`heap after collection: ${(100 * growth).toFixed(1)} % more in the last part than in part ${PARTS / 4 + 1}\n`);
  process.exitCode = growth <= 0.05 ? 0 : 1;
} finally {
  await stop();
}

function mb(bytes) {
  return (bytes / 1e6).toFixed(0);
}
