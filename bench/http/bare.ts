/** Cost of the same requests on the bare framework: the rest is the network's own. */
import { fileURLToPath } from "node:url";
import type { ReadyAccount } from "../../src/server/setup/accounts.ts";
import { startChild } from "./child.ts";
import { paymentsOf } from "./served.ts";
import type { Target } from "./target.ts";

const SERVER = fileURLToPath(new URL("./bare-server.js", import.meta.url));

/** The same requests, answered by the framework alone. */
export async function bareFramework(accounts: readonly ReadyAccount[]): Promise<Target> {
  const child = await startChild([process.execPath, SERVER], ".", /(http:\/\/\S+)/);
  return { name: "the bare framework", child, ...paymentsOf(accounts) };
}
