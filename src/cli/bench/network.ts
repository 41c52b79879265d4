/** Network that a benchmark loads: one that runs already, or one in a thread, which ends with this process. */
import { Worker } from "node:worker_threads";
import type { NetworkOptions } from "../../server/network/start-network.ts";
import { UsageError } from "../command.ts";
import { callAdmin, stepCall } from "../http.ts";
import { HAS_THREADS, workerUrl } from "../jobs/workers.ts";

/** Network under load. */
export interface BenchNetwork {
  readonly url: string;
  /** Injects a step of the scenario language. @throws UsageError if the network does not take it. */
  inject(step: Readonly<Record<string, unknown>>): Promise<void>;
  /** Ends it if this command started it; resolves with its violations. Idempotent. */
  stop(): Promise<readonly string[]>;
}

/** Started network, as its thread tells of it. */
interface StartedNetwork extends Pick<BenchNetwork, "url" | "stop"> {
  readonly adminUrl: string | undefined;
}

/** Returns a network that runs already. */
export function attachNetwork(url: string, adminUrl: string | undefined, token: string | undefined): BenchNetwork {
  return {
    url,
    stop: async () => [],
    inject: async (step) => {
      if (adminUrl === undefined)
        throw new UsageError("--fault: expected --admin-url with the admin API of the network");
      const { status, text } = await callAdmin({ url: adminUrl, token }, stepCall(step));
      if (status !== 200) throw new UsageError(`--fault: the network refuses it with status ${status}: ${text}`);
    },
  };
}

/** Starts a network in a thread; the sources have none, and start it here. */
export async function startBenchNetwork(options: NetworkOptions): Promise<BenchNetwork> {
  const { url, adminUrl, stop } = HAS_THREADS ? await startInThread(options) : await startInThisThread(options);
  return { ...attachNetwork(url, adminUrl, undefined), stop };
}

/** Starts a network in this thread. */
export async function startInThisThread(options: NetworkOptions): Promise<StartedNetwork> {
  const { startNetwork } = await import("../../server/network/start-network.ts");
  const network = await startNetwork(options);
  const { url, adminUrl } = network;
  const stop = async (): Promise<readonly string[]> => {
    await network.stop();
    return network.violations.map(({ invariant, detail }) => `${invariant}: ${detail}`);
  };
  return { url, adminUrl, stop };
}

async function startInThread(options: NetworkOptions): Promise<StartedNetwork> {
  const worker = new Worker(workerUrl("cli/bench/worker.js"), { workerData: options });
  const message = <T>(): Promise<T> =>
    new Promise((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
    });
  const addresses = await message<Omit<StartedNetwork, "stop">>();
  let end: Promise<readonly string[]> | undefined;
  const stopped = async (): Promise<readonly string[]> => {
    const violations = message<readonly string[]>();
    worker.postMessage("stop");
    const found = await violations;
    await worker.terminate();
    return found;
  };
  return {
    ...addresses,
    stop: () => {
      end ??= stopped();
      return end;
    },
  };
}
