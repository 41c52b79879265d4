/** A served network: `quorumlab serve` runs one, and so can any test of yours, in its own process. */
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { type Logger, pino } from "pino";
import { RememberingScheme } from "../core/crypto/remembering.ts";
import type { Scheme } from "../core/crypto/scheme.ts";
import { secp256k1 } from "../core/crypto/secp256k1.ts";
import type { Entry } from "../live/recording.ts";
import { effectiveOf } from "../live/replay.ts";
import type { Setup } from "../live/setup.ts";
import { createAdmin } from "./admin/admin-app.ts";
import { Hand } from "./admin/hand.ts";
import { type Names, namesOf } from "./admin/names.ts";
import { RealHost } from "./host/real-host.ts";
import { appendFacts, type FactSink, readFacts } from "./host/signature-file.ts";
import type { Sink } from "./host/state-file.ts";
import { createApp } from "./http/app.ts";
import { serveFaucet } from "./http/routes/faucet.ts";

export interface ServeParts {
  readonly setup: Setup;
  /** What happened before, as a recording tells it. */
  readonly past?: readonly Entry[];
  /** Where the recording goes. */
  readonly sink: Sink;
  /** The recording so far, as text. */
  readonly recording: () => string;
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** The validator that is asked, or `each`: every validator on a port of its own, from `port` on. */
  readonly asked: string;
  readonly admin: { readonly host: string; readonly port: number; readonly token: string | undefined } | undefined;
  readonly faucet: boolean;
  readonly requestsPerMinute: number | undefined;
  readonly version: string;
  /** Whether a past network's clocks first catch up with the time that it is by now. */
  readonly catchUp: boolean;
  /** Beside a recording on disk: the file of signatures that need not be made or checked again. */
  readonly signatures?: string;
  readonly log?: Logger;
  /** Told of a broken assertion of ours: the network stands still from then on. */
  readonly failed?: (error: unknown) => void;
}

/** A network that answers. */
export interface Served {
  readonly host: RealHost;
  readonly hand: Hand;
  readonly names: Names;
  /** By validator; all the same where one is asked for all. */
  readonly urls: ReadonlyMap<string, string>;
  readonly url: string;
  readonly adminUrl: string | undefined;
  /** Ends requests under way, closes sockets, and writes the last mark of the recording. */
  stop(): Promise<void>;
}

/** Starts a network and its interfaces. @throws Error of the system where a port is taken, RangeError for an impossible setup. */
export async function serve(parts: ServeParts): Promise<Served> {
  const facts = parts.signatures === undefined ? undefined : appendFacts(parts.signatures);
  const opened: FastifyInstance[] = [];
  const close = async (host?: RealHost): Promise<void> => {
    await Promise.all(opened.map((app) => app.close()));
    host?.close();
    parts.sink.close();
    facts?.close();
  };
  try {
    const behind = begun(parts, facts);
    const { host, hand, names } = behind;
    const urls = await openPorts(parts, behind, opened);
    const adminUrl = await openAdmin(parts, behind, opened);
    host.start();
    const [url = ""] = urls.values();
    return { host, hand, names, urls, url, adminUrl, stop: () => close(host) };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Behind {
  readonly host: RealHost;
  readonly hand: Hand;
  readonly names: Names;
  readonly log: Logger;
  readonly scheme: Scheme;
}

/** The network and what acts on it, after its past. */
function begun(parts: ServeParts, facts: FactSink | undefined): Behind {
  const { setup, sink, signatures, past = [] } = parts;
  const log = parts.log ?? pino({ level: "silent" });
  const scheme = new RememberingScheme(secp256k1, facts?.note);
  if (signatures !== undefined) for (const fact of readFacts(signatures)) scheme.learn(fact);
  const host = new RealHost({
    setup,
    scheme,
    past: effectiveOf(past),
    record: (entry) => sink.write(entry),
    failed: (error) => {
      log.fatal({ err: error }, "the network stands still: an assertion of ours broke");
      parts.failed?.(error);
    },
  });
  scheme.forget();
  const lag = Date.now() - (setup.startedAt + host.network.now);
  if (parts.catchUp && past.length > 0 && lag > 0) host.network.setClocks(lag);
  return { host, hand: new Hand(host, scheme, Object.values(setup.keys)), names: namesOf(setup, scheme), log, scheme };
}

async function openPorts(parts: ServeParts, behind: Behind, opened: FastifyInstance[]): Promise<Map<string, string>> {
  const { nodes } = behind.host.network;
  const asked = parts.asked === "each" ? nodes : [parts.asked];
  const urls = new Map<string, string>();
  for (const [index, node] of asked.entries()) {
    const { requestsPerMinute: ratePerMinute, version, faucet } = parts;
    const options = {
      log: behind.log.child({ validator: node }),
      version,
      ...(ratePerMinute === undefined ? {} : { ratePerMinute }),
      ...(faucet ? { extend: (app: FastifyInstance) => serveFaucet(app, behind) } : {}),
    };
    const app = await createApp({ host: behind.host, node, options: { ...options, scheme: behind.scheme } });
    opened.push(app);
    urls.set(node, await listen(app, parts.host, parts.port === 0 ? 0 : parts.port + index));
  }
  return urls;
}

async function openAdmin(
  { admin, recording }: ServeParts,
  behind: Behind,
  opened: FastifyInstance[],
): Promise<string | undefined> {
  if (admin === undefined) return undefined;
  const { host, hand, names, log } = behind;
  const app = createAdmin({ host, hand, names, logger: log.child({ admin: true }), token: admin.token, recording });
  opened.push(app);
  return listen(app, admin.host, admin.port);
}

async function listen(app: FastifyInstance, host: string, port: number): Promise<string> {
  await app.listen({ host, port });
  const { address, port: taken } = app.server.address() as AddressInfo;
  return `http://${address.includes(":") ? `[${address}]` : address}:${taken}`;
}
