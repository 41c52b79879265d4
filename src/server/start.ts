/** Served network: the world, its HTTP interfaces and its admin API in one process. */
import { type AddressInfo, createServer } from "node:net";
import type { FastifyInstance, FastifyReply } from "fastify";
import { type Logger, pino } from "pino";
import { loadQuickKeccak } from "../backends/keccak.ts";
import { realScheme } from "../backends/secp256k1.ts";
import { definedMembers } from "../core/base/defined-members.ts";
import { CachingScheme } from "../core/crypto/caching-scheme.ts";
import type { Scheme } from "../core/crypto/scheme.ts";
import type { RecordingEntry } from "../live/recording.ts";
import { effectiveOf } from "../live/replay.ts";
import { directoryOf } from "../scenario/directory.ts";
import { createAdmin } from "./admin/admin-app.ts";
import { type NameResolver, nameResolver } from "./admin/name-resolver.ts";
import { ServerSigner } from "./admin/signed-submission.ts";
import { AllowedHosts } from "./connections/allowed-hosts.ts";
import { StateFileError } from "./host/disk.ts";
import { type HostDependencies, RealHost } from "./host/real-host.ts";
import type { Sink } from "./host/state-file.ts";
import { type AppOptions, createApp } from "./http/app.ts";
import { serveFaucet } from "./http/routes/faucet.ts";
import { type Page, RecentEvents, sendPage, servePage } from "./page.ts";
import { publishedAccounts, readyAccounts, TEST_MNEMONIC } from "./setup/accounts.ts";
import { ANSWERS } from "./wire/answers.ts";

export interface ServeDependencies
  extends Pick<HostDependencies, "setup" | "start" | "files" | "keeper" | "watcher">,
    Pick<AppOptions, "version" | "requestsPerMinute" | "writeMode" | "sharedDigests" | "answers"> {
  /** Entries of a recording to continue, those after the start if there is one. */
  readonly past?: readonly RecordingEntry[];
  /** Sink of the recording. */
  readonly sink: Sink;
  /** The recording so far, as text. */
  readonly recording: () => string;
  readonly host: string;
  /** Further names by which clients may ask, and hosts of pages that may ask the admin API. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** 0: any free port. */
  readonly port: number;
  /** Entry validator, or `each`: every validator on a port of its own, from `port` on. */
  readonly validator: string;
  readonly admin: { readonly host: string; readonly port: number; readonly token: string | undefined } | undefined;
  readonly faucet: boolean;
  /** Serves a page at the root of each interface; default: true. */
  readonly page?: boolean | undefined;
  /** Clocks of a continued network first catch up with the current time. */
  readonly catchUp: boolean;
  /** The real scheme; default: over the quickest implementation that loads. */
  readonly scheme?: Scheme;
  readonly log?: Logger;
  /** Called when an assertion of this program or the state file fails: the network is stopped from then on. */
  readonly failed?: (error: unknown) => void;
}

/** Listening network. */
export interface ListeningNetwork {
  readonly host: RealHost;
  readonly signer: ServerSigner;
  readonly names: NameResolver;
  /** URL by validator; all equal if one entry validator serves all. */
  readonly urls: ReadonlyMap<string, string>;
  readonly url: string;
  readonly adminUrl: string | undefined;
  /** Implementation of the signatures. */
  readonly crypto: Scheme["backend"];
  /**
   * Ends requests in progress, closes sockets, and writes the last verification point of the recording.
   * @throws StateFileError if the state file fails
   */
  stop(): Promise<void>;
}

/** Starts a network and its interfaces. @throws the system's Error for a port in use, RangeError for an invalid setup. */
export async function serve(parts: ServeDependencies): Promise<ListeningNetwork> {
  const opened: OpenListener[] = [];
  const close = async (host?: RealHost): Promise<void> => {
    host?.endWaits();
    await Promise.all(opened.map((listener) => listener.close()));
    try {
      host?.close();
    } finally {
      parts.sink.close();
    }
  };
  try {
    await loadQuickKeccak();
    const started = startHost(parts);
    const { host, signer, names, scheme } = started;
    let adminUrl: string | undefined;
    const urls = await openPorts(parts, started, opened, () => adminUrl);
    adminUrl = await openAdmin(parts, started, opened, [...urls.values()]);
    host.start();
    const [url = ""] = urls.values();
    return { host, signer, names, urls, url, adminUrl, crypto: scheme.backend, stop: () => close(host) };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Listener that is closed with the network. */
interface OpenListener {
  close(): Promise<unknown>;
}

/** Returns the network and its controls, after replaying its past. */
function startHost(parts: ServeDependencies) {
  const { setup, sink, start, files, keeper, past = [] } = parts;
  const log = parts.log ?? pino({ level: "silent" });
  const scheme = new CachingScheme(parts.scheme ?? realScheme());
  const recent = new RecentEvents();
  const host = new RealHost({
    setup,
    scheme,
    past: effectiveOf(past, start),
    ...{ start, files, keeper },
    record: (entry) => sink.write(entry),
    ...definedMembers({ watcher: parts.watcher, events: parts.page === false ? undefined : recent }),
    failed: (error) => {
      const cause = error instanceof StateFileError ? "its state file failed" : "an assertion of the program failed";
      log.fatal({ err: error }, `the network is stopped: ${cause}`);
      parts.failed?.(error);
    },
  });
  const lag = Date.now() - (setup.startedAt + host.network.now);
  // No clock goes back: they may be ahead of the time here, after an `advance`.
  if (parts.catchUp && (past.length > 0 || start !== undefined)) host.network.setClocks(lag);
  return {
    host,
    signer: new ServerSigner(host, scheme, Object.values(setup.keys)),
    names: nameResolver(host, scheme),
    ...{ log, scheme, recent },
  };
}

type StartResult = ReturnType<typeof startHost>;

async function openPorts(
  parts: ServeDependencies,
  started: StartResult,
  opened: OpenListener[],
  adminUrl: () => string | undefined,
): Promise<Map<string, string>> {
  const { nodes } = started.host.network;
  const entries = parts.validator === "each" ? nodes : [parts.validator];
  const shared = parts.page === false ? undefined : pageOf(parts, started, adminUrl);
  const urls = new Map<string, string>();
  for (const [index, node] of entries.entries()) {
    const { version, requestsPerMinute, writeMode, sharedDigests, faucet } = parts;
    const answers = { ...ANSWERS, ...parts.answers };
    const page = shared === undefined ? undefined : { ...shared, entry: node };
    const app = await createApp(started.host, node, {
      log: started.log.child({ validator: node }),
      version,
      requestsPerMinute,
      writeMode,
      sharedDigests,
      answers,
      hosts: hostsOf(parts, parts.host),
      scheme: started.scheme,
      ...(page === undefined ? {} : { index: (reply: FastifyReply) => sendPage(reply, page) }),
      extend: (extended: FastifyInstance) => {
        if (faucet) serveFaucet(extended, { ...started, answers });
        if (page !== undefined) servePage(extended, page);
      },
    });
    urls.set(node, await listen(app, parts.host, parts.port === 0 ? 0 : parts.port + index, opened));
  }
  return urls;
}

/** Returns what the pages of all interfaces share. */
function pageOf(
  { setup, version, faucet: hasFaucet }: ServeDependencies,
  { host, recent, scheme }: StartResult,
  adminUrl: () => string | undefined,
): Omit<Page, "entry"> {
  const directory = directoryOf(setup.scenario, scheme, setup.keys);
  const validators = new Map(host.network.nodes.map((node) => [directory.validator(node), node]));
  const known = new Set(readyAccounts(TEST_MNEMONIC, setup.accounts.length).map(({ key }) => key));
  const accounts = publishedAccounts(setup).map(({ name, address, key }) => ({
    ...{ name, address, key: known.has(key) ? key : undefined },
  }));
  return { host, recent, version, accounts, validators, adminUrl, hasFaucet };
}

/** Returns the names of an interface that listens on `host`, which may be a name. */
function hostsOf({ allowedHosts = [] }: ServeDependencies, host: string): AllowedHosts {
  return new AllowedHosts([...allowedHosts, host]);
}

async function openAdmin(
  parts: ServeDependencies,
  started: StartResult,
  opened: OpenListener[],
  urls: readonly string[],
): Promise<string | undefined> {
  const { admin, recording, page, allowedHosts = [] } = parts;
  if (admin === undefined) return undefined;
  const { host, signer, names, log } = started;
  const app = createAdmin({
    host,
    signer,
    names,
    logger: log.child({ admin: true }),
    token: admin.token,
    recording,
    hosts: hostsOf(parts, admin.host),
    origins: page === false ? new Set() : originsOf(urls, allowedHosts),
  });
  return listen(app, admin.host, admin.port, opened);
}

/** Origins of pages that these URLs serve: a browser of this machine may name its loopback address in three ways. */
function originsOf(urls: readonly string[], allowedHosts: readonly string[]): ReadonlySet<string> {
  const names = ["localhost", "127.0.0.1", "[::1]", ...allowedHosts];
  const hosts = (url: string): readonly string[] => [new URL(url).hostname, ...names];
  return new Set(urls.flatMap((url) => hosts(url).map((host) => `http://${host}:${new URL(url).port}`)));
}

/** Listens, on 127.0.0.1 also for what clients mean by `localhost`: some of them try ::1 only, or first (wire 5). */
async function listen(app: FastifyInstance, host: string, port: number, opened: OpenListener[]): Promise<string> {
  opened.push(app);
  await app.listen({ host, port });
  const { address, port: taken } = app.server.address() as AddressInfo;
  if (address === "127.0.0.1") opened.push(await listenOnIpv6(app, taken));
  return `http://${address.includes(":") ? `[${address}]` : address}:${taken}`;
}

/** Hands the connections of ::1 to the same server. Without IPv6, or with another program on its port, there are none. */
async function listenOnIpv6({ server }: FastifyInstance, port: number): Promise<OpenListener> {
  const ipv6Server = createServer((socket) => server.emit("connection", socket));
  ipv6Server.maxConnections = server.maxConnections;
  await new Promise<void>((resolve) => ipv6Server.once("error", () => resolve()).listen(port, "::1", resolve));
  return { close: async () => void ipv6Server.close() };
}
