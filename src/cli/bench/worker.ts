/** Worker thread of a benchmark: a served network, so that it ends with the command whatever happens. */
import { parentPort, workerData } from "node:worker_threads";
import { loadQuickKeccak } from "../../backends/keccak.ts";
import { required } from "../../core/base/assert.ts";
import { type NetworkOptions, startNetwork } from "../../server/network/start-network.ts";

const port = required(parentPort ?? undefined, "message port of the main thread");
await loadQuickKeccak();
const network = await startNetwork(workerData as NetworkOptions);
port.once("message", () => {
  const violations = network.violations.map(({ invariant, detail }) => `${invariant}: ${detail}`);
  void network.stop().then(() => port.postMessage(violations));
});
port.postMessage({ url: network.url, adminUrl: network.adminUrl });
