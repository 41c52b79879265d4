/** A network with its admin API in this process, whose time passes only by `advance`: nothing here depends on clocks. */
import type { RawServeOptions } from "../../../src/server/setup/options.ts";
import type { Sent } from "../client/reference-client.ts";
import { network, type Running, shared } from "../served/support.ts";

export interface Administered extends Running {
  /** A call that is carried out; what came of it. @throws Error that says why it was not. */
  done(path: string, body?: unknown): Promise<unknown>;
  /** A payment to bob, posted and not waited for. */
  pay(from: string, value: string): Promise<Sent>;
  /** Of the first ready token; of a ready account or an address. */
  balance(account: string): Promise<bigint>;
  /** The status of the receipt's route. */
  receipt(hash: string): Promise<number>;
}

/** A scenario with a spare and a twin. */
export const SPARES = "name: spares\nnetwork: { validators: 4, spares: [v5], twins: [v4] }\n";

/** `token`: of the admin API. */
export async function administered(options: RawServeOptions = {}, token?: string): Promise<Administered> {
  const raw = { balance: "1000", delay: undefined, ...options };
  const admin = { host: "127.0.0.1", port: 0, token };
  const net = await network(raw, "one", { admin }, 1_700_000_000_000);
  net.served.host.setRate(0);
  const { client, call, address, key } = net;
  return {
    ...net,
    async done(path, body = {}) {
      const { status, body: answer } = await call(path, body);
      if (status !== 200) throw new Error(`${path} ${JSON.stringify(body)}: ${status} ${answer["message"]}`);
      return answer["result"];
    },
    pay: (from, value) => client.send("payment", { recipient: address("bob"), value, token: net.token() }, key(from)),
    balance: (account) => client.balance(account.startsWith("0x") ? account : address(account), net.token()),
    receipt: async (hash) => (await client.request("GET", `/v1/transactions/receipt/by_hash?hash=${hash}`)).status,
  };
}

/** The same for all tests of a file: it starts before them, and stops after them. */
export function sharedAdministered(...options: Parameters<typeof administered>): Administered {
  return shared(() => administered(...options));
}
