/** A served network in this process: real sockets, real signatures, the real clock. */
import { ok } from "node:assert/strict";
import { afterAll, beforeAll } from "vitest";
import type { Address } from "../../../src/core/base/ids.ts";
import { secp256k1 } from "../../../src/core/crypto/secp256k1.ts";
import { headOf, type Setup } from "../../../src/live/recording.ts";
import { MemorySink } from "../../../src/server/host/state-file.ts";
import type { RawServeOptions } from "../../../src/server/setup/options.ts";
import { readServeOptions } from "../../../src/server/setup/read-options.ts";
import { readyTokens, setupOf } from "../../../src/server/setup/setup-of.ts";
import { type ListeningNetwork, type ServeDependencies, serve } from "../../../src/server/start.ts";
import { ReferenceClient } from "../client/reference-client.ts";

export type Json = Readonly<Record<string, unknown>>;

/** The answer of the admin API. */
export interface Exchange {
  readonly status: number;
  readonly body: Json;
}

/** A network that runs, and what its clients know of it. */
export interface Running {
  readonly served: ListeningNetwork;
  readonly setup: Setup;
  /** Of the validator that is asked first. */
  readonly client: ReferenceClient;
  /** Of every validator where each has a port. */
  clientOf(node: string): ReferenceClient;
  /** Private key of a ready account, and its address. */
  key(name: string): string;
  address(name: string): Address;
  /** Address of a ready token; default: the first one. */
  token(symbol?: string): Address;
  /** Asks the admin API: by POST where there is a body. */
  call(path: string, body?: unknown, headers?: Record<string, string>): Promise<Exchange>;
  /** POST to a path below `/admin`. */
  admin(path: string, body?: unknown): Promise<Exchange>;
  /** A step of the scenario language. @throws AssertionError where it is refused. */
  step(verb: Json): Promise<void>;
  /** The recording so far. */
  recording(): Promise<string>;
  stop(): Promise<void>;
}

/** Starts a network with options as typed after `quorumlab serve`; links are fast unless they say otherwise. */
export async function network(
  raw: RawServeOptions = {},
  ports: "one" | "each" = "one",
  more: Partial<
    Pick<ServeDependencies, "watcher" | "answers" | "writeMode" | "faucet" | "sharedDigests" | "admin">
  > = {},
  startedAt: number = Date.now(),
): Promise<Running> {
  const options = readServeOptions({ delay: "1..3", ...raw });
  ok(options.ok, options.ok ? "" : options.error);
  const setup = setupOf(options.value, startedAt);
  const sink = new MemorySink(headOf(setup));
  const served = await serve({
    setup,
    catchUp: true,
    sink,
    recording: () => sink.text(),
    host: "127.0.0.1",
    port: 0,
    validator: ports === "each" ? "each" : "v1",
    admin: { host: "127.0.0.1", port: 0, token: undefined },
    faucet: true,
    requestsPerMinute: options.value.requestsPerMinute,
    version: "0.0.0",
    // Clients of every era mint and burn in version 1.
    sharedDigests: true,
    ...more,
  });
  return running(served, setup);
}

/** Returns a network that all tests of a file share: it starts before them, and stops after them. */
export function shared<N extends Running>(start: () => Promise<N>): N {
  const running = {} as N;
  beforeAll(async () => void Object.assign(running, await start()));
  afterAll(() => running.stop());
  return running;
}

export function sharedNetwork(...options: Parameters<typeof network>): Running {
  return shared(() => network(...options));
}

function running(served: ListeningNetwork, setup: Setup): Running {
  const key = (name: string): string => setup.keys[name] ?? missing(`account ${name}`);
  const api = new ReferenceClient(served.adminUrl ?? "");
  const call: Running["call"] = async (path, body, headers) => {
    const answer = await api.request(body === undefined ? "GET" : "POST", path, body, headers);
    return { status: answer.status, body: answer.body as Json };
  };
  const admin: Running["admin"] = (path, body = {}) => call(`/admin/${path}`, body);
  return {
    served,
    setup,
    client: new ReferenceClient(served.url),
    clientOf: (node) => new ReferenceClient(served.urls.get(node) ?? missing(`port of ${node}`)),
    key,
    address: (name) => secp256k1.addressOf(key(name) as Parameters<typeof secp256k1.addressOf>[0]),
    token: (symbol) =>
      readyTokens(setup).find((token) => symbol === undefined || token.symbol === symbol)?.address ??
      missing(`token ${symbol}`),
    ...{ call, admin },
    step: async (verb) => {
      const { status, body } = await admin("step", verb);
      ok(status === 200, JSON.stringify(body));
    },
    recording: async () => (await fetch(`${served.adminUrl}/admin/recording`)).text(),
    stop: () => served.stop(),
  };
}

function missing(name: string): never {
  throw new RangeError(`this network has no ${name}`);
}
