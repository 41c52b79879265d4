/** A network with its admin API in this process, whose time passes only by `advance`: nothing here depends on clocks. */
import { afterAll, beforeAll } from "vitest";
import { headOf } from "../../../src/live/recording.ts";
import { MemorySink } from "../../../src/server/host/state-file.ts";
import { publishedAccounts } from "../../../src/server/setup/accounts.ts";
import type { RawServeOptions } from "../../../src/server/setup/options.ts";
import { readServeOptions } from "../../../src/server/setup/read-options.ts";
import { readyTokens, setupOf } from "../../../src/server/setup/setup-of.ts";
import { type ListeningNetwork, serve } from "../../../src/server/start.ts";
import { ReferenceClient, type Sent } from "../client/reference-client.ts";

export interface Called {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Administered {
  readonly served: ListeningNetwork;
  readonly client: ReferenceClient;
  /** Of the first ready token. */
  readonly token: string;
  readonly recording: () => string;
  address(name: string): string;
  /** POST where there is a body. */
  call(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Called>;
  /** A call that is carried out; what came of it. @throws Error that says why it was not. */
  done(path: string, body?: unknown): Promise<unknown>;
  /** A payment to bob, posted and not waited for. */
  pay(from: string, value: string): Promise<Sent>;
  balance(name: string): Promise<bigint>;
  /** The status of the receipt's route. */
  receipt(hash: string): Promise<number>;
}

/** A scenario with a spare and a twin. */
export const SPARES = "name: spares\nnetwork: { validators: 4, spares: [v5], twins: [v4] }\n";

/** `token`: of the admin API. */
export async function administered(options: RawServeOptions = {}, token?: string): Promise<Administered> {
  const read = readServeOptions({ balance: "1000", ...options });
  if (!read.ok) throw new Error(read.error);
  const setup = setupOf(read.value, 1_700_000_000_000);
  const sink = new MemorySink(headOf(setup));
  const served = await serve({
    ...{ setup, sink, recording: () => sink.text(), host: "127.0.0.1", port: 0, validator: "v1", faucet: true },
    ...{ admin: { host: "127.0.0.1", port: 0, token }, requestsPerMinute: undefined, version: "0", catchUp: true },
  });
  served.host.setRate(0);
  const client = new ReferenceClient(served.url);
  const accounts = new Map(publishedAccounts(setup).map((account) => [account.name, account]));
  const address = (name: string): string => accounts.get(name)?.address ?? name;
  const ready = readyTokens(setup)[0]?.address ?? "";
  const call = async (path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const sent = body === undefined ? {} : { method: "POST", body: text };
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const answer = await fetch(`${served.adminUrl}${path}`, { ...sent, headers: { ...type, ...headers } });
    return { status: answer.status, body: (await answer.json()) as Called["body"] };
  };
  return {
    ...{ served, client, token: ready, recording: () => sink.text(), address, call },
    async done(path, body = {}) {
      const { status, body: answer } = await call(path, body);
      if (status !== 200) throw new Error(`${path} ${JSON.stringify(body)}: ${status} ${answer["message"]}`);
      return answer["result"];
    },
    pay: (from, value) =>
      client.send("payment", { recipient: address("bob"), value, token: ready }, accounts.get(from)?.key ?? ""),
    balance: (name) => client.balance(address(name), ready),
    receipt: async (hash) => (await client.request("GET", `/v1/transactions/receipt/by_hash?hash=${hash}`)).status,
  };
}

/** The same for all tests of a file: it starts before them, and stops after them. */
export function sharedAdministered(...options: Parameters<typeof administered>): Administered {
  const shared = {} as Administered;
  beforeAll(async () => void Object.assign(shared, await administered(...options)));
  afterAll(() => shared.served.stop());
  return shared;
}
