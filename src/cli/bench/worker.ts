/** Worker thread of a benchmark: a served network, so that it ends with the command whatever happens. */
import { parentPort, workerData } from "node:worker_threads";
import { loadQuickKeccak } from "../../backends/keccak.ts";
import { requireDefined } from "../../core/base/assert.ts";
import type { NetworkOptions } from "../../server/network/start-network.ts";
import { startInThisThread } from "./network.ts";

const port = requireDefined(parentPort ?? undefined, "message port of the main thread");
await loadQuickKeccak();
const { url, adminUrl, stop } = await startInThisThread(workerData as NetworkOptions);
port.once("message", () => void stop().then((violations) => port.postMessage(violations)));
port.postMessage({ url, adminUrl });
