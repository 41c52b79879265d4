import { type NetworkAccount, type NetworkToken, startNetwork } from "quorumlab/server";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    network: { url: string; chainId: number; alice: NetworkAccount; bob: NetworkAccount; usdx: NetworkToken };
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const network = await startNetwork({ validators: 4, balance: "1000" });
  const { url, chainId } = network;
  const [alice, bob] = [network.account("alice"), network.account("bob")];
  project.provide("network", { url, chainId, alice, bob, usdx: network.token("USDX") });
  return async () => {
    await network.stop();
    if (network.violations.length > 0) throw new Error(JSON.stringify(network.violations));
  };
}
