/** `quorumlab serve`: a network behind its HTTP and websocket interface, until interrupted. */
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import type { Finding } from "../../invariants/judge.ts";
import { packageVersion } from "../../run/version.ts";
import { publishedAccounts } from "../../server/setup/accounts.ts";
import { readEnum } from "../../server/setup/options.ts";
import { entryValidatorsOf, readyLine, startupText, type Urls } from "../../server/setup/setup-of.ts";
import type { ListeningNetwork, serve } from "../../server/start.ts";
import {
  COMPAT_CLIENTS,
  changedAnswers,
  SIGNATURE_FORMATS,
  type SignatureFormat,
  V1_HASH_DEFAULT,
  V1_HASHES,
} from "../../server/wire/answer-options.ts";
import { WRITE_MODE_DEFAULT, WRITE_MODES, type WriteMode } from "../../server/wire/paths.ts";
import { type Args, type Command, EXIT, type ExitCode, textOf, texts, UsageError } from "../command.ts";
import { writeInFolder } from "../files.ts";
import type { Io } from "../io.ts";
import { loggerOf } from "../logger.ts";
import { optimiseOnceWarm } from "../optimise-later.ts";
import { realSchemeOf, wholeNumber } from "../options.ts";
import { quoteForShell } from "../reproduce.ts";
import { BOUNDS, HOST_DEFAULT, PORT_DEFAULT, PORT_MAX, SERVE_OPTIONS } from "./options.ts";
import { type StartingPoint, startingPoint } from "./starting-point.ts";

/** Interval of checks for signals, in milliseconds. */
const LOOK_MS = 50;

export const serveCommand: Command = {
  examples: [
    ["$0 serve", "four validators, ten accounts and a token, on port 18555"],
    [
      "$0 serve --profile clients --port 0 --json",
      "the defaults that published clients test against, on any free port",
    ],
    ["$0 serve --state network.ndjson", "keep a recording: the network survives restarts and can be replayed"],
    [
      "$0 serve --scenario scenarios/attacks/agreement/equivocating-client-and-double-voter.yaml",
      "carry out the steps of a scenario",
    ],
  ],
  options: SERVE_OPTIONS,
  epilogue: BOUNDS,
  run: async (args, io) => {
    const beginning = startingPoint(args, Date.now());
    const log = loggerOf(args, io);
    let code: ExitCode | undefined;
    const served = await startServed(args, beginning, log, () => {
      code = EXIT.internal;
    });
    const save = saver(args, beginning, log, io);
    served.host.watch((news) => {
      // After the recording contains the violation.
      if (news.type === "violation") setImmediate(() => save(news.finding));
    });
    optimiseOnceWarm(served.host);
    announce(args, beginning, served, io);
    while (code === undefined && !(await io.interrupted())) await setTimeout(LOOK_MS);
    await served.stop();
    const dump = textOf(args, "dump");
    if (dump !== undefined) writeInFolder(dump, beginning.recording());
    return code ?? EXIT.interrupted;
  },
};

/** Prints the startup text or the ready line, and writes the line to `--ready-file`. The last line means ready. */
function announce(args: Args, { setup, notes }: StartingPoint, served: ListeningNetwork, io: Io): void {
  const socket = served.url.replace(/^http/, "ws");
  const others: [string, string][] = [
    ...(args["page"] === false ? [] : [["page", `${served.url}/`] as [string, string]]),
    ["websocket", `${socket}/ws`],
    ["documentation", `${served.url}/docs`],
    ["writes", WRITES_TEXTS[writeModeOf(args)]],
    ...[...served.urls].slice(1).map(([node, url]): [string, string] => [node, url]),
  ];
  const urls: Urls = { url: served.url, adminUrl: served.adminUrl, others };
  const accounts = publishedAccounts(setup);
  const line = readyLine(setup, accounts, urls, served.crypto);
  for (const note of notes) io.err(`${note}\n`);
  if (args["json"] !== true && args["quiet"] !== true) io.out(`${startupText(setup, accounts, urls, served.crypto)}\n`);
  io.out(args["json"] === true ? `${line}\n` : "ready\n");
  const file = textOf(args, "ready-file");
  if (file !== undefined) writeInFolder(file, `${line}\n`);
}

/** Reports a violation, saves its recording, and prints the command that reproduces it. */
function saver(args: Args, { recording }: StartingPoint, log: Logger, io: Io): (finding: Finding) => void {
  const folder = textOf(args, "out") ?? "reports";
  let count = 0;
  return ({ invariant, at, step, detail }) => {
    count += 1;
    const path = join(folder, `violation-${Date.now()}-${count}.ndjson`);
    writeInFolder(path, recording());
    log.error({ invariant, virtual_ms: at, step, detail, recording: path }, "violation of an invariant");
    io.err(
      `violation  ${invariant}: ${detail} (at ${at} ms, step ${step})\n    reproduce: quorumlab replay ${quoteForShell(path)}\n`,
    );
  };
}

/** Starts it; `failed` is called if it stops. @throws UsageError for malformed addresses, or ones in use. */
async function startServed(
  args: Args,
  beginning: StartingPoint,
  log: Logger,
  failed: () => void,
): Promise<ListeningNetwork> {
  const host = textOf(args, "host") ?? HOST_DEFAULT;
  const port = wholeNumber(args, "port", 0, PORT_MAX) ?? PORT_DEFAULT;
  const rate = wholeNumber(args, "rate-limit", 0, 999_999_999);
  const [writeMode, answers] = [writeModeOf(args), answersOf(args, beginning.signatureFormat)];
  // Imported here: the web server takes as long to load as everything else, and no other command needs it.
  const server = await import("../../server/start.ts");
  try {
    return await server.serve({
      ...beginning,
      catchUp: true,
      scheme: realSchemeOf(textOf(args, "crypto") ?? "real"),
      host,
      port,
      validator: entryValidatorIn(args, beginning),
      admin: adminOf(args, port),
      faucet: args["faucet"] !== false,
      page: args["page"] !== false,
      requestsPerMinute: rate ?? beginning.requestsPerMinute,
      writeMode,
      answers,
      version: packageVersion(),
      log,
      failed,
    });
  } catch (error) {
    const { code, port: taken, address } = error as NodeJS.ErrnoException & { port?: number; address?: string };
    if (code === "EADDRINUSE")
      throw new UsageError(
        `port ${taken} on ${address} is in use, perhaps by another network: choose one with --port and --admin-port, 0 for any`,
      );
    if (code === "EACCES" || code === "EADDRNOTAVAIL")
      throw new UsageError(`cannot listen on ${address}:${taken}: ${(error as Error).message}`);
    // The replay differs from the recording, most likely of another version of this program.
    if (error instanceof RangeError)
      throw new UsageError(`${textOf(args, "state") ?? textOf(args, "load") ?? "serve"}: ${error.message}`);
    throw error;
  }
}

const WRITES_TEXTS: Readonly<Record<WriteMode, string>> = {
  "v1-only": "v1-only: paths below /v1",
  dual: "dual: paths below /v1 and /v2",
  "v2-only": "v2-only: paths below /v2",
};

function writeModeOf(args: Args): WriteMode {
  return wordOf(args, "write-mode", WRITE_MODES, WRITE_MODE_DEFAULT);
}

function answersOf(args: Args, format: SignatureFormat): ReturnType<typeof changedAnswers> {
  return changedAnswers({
    signatureFormat: wordOf(args, "signature-format", SIGNATURE_FORMATS, format),
    compat: texts(args, "compat").map((word) => oneOf("compat", word, COMPAT_CLIENTS)),
    v1Hash: wordOf(args, "v1-hash", V1_HASHES, V1_HASH_DEFAULT),
  });
}

/** @throws UsageError unless it is one of the words. */
function wordOf<Word extends string>(args: Args, name: string, words: readonly Word[], usual: Word): Word {
  return oneOf(name, textOf(args, name) ?? usual, words);
}

/** @throws UsageError unless it is one of the words. */
function oneOf<Word extends string>(name: string, text: string, words: readonly Word[]): Word {
  const word = readEnum(name, text, words);
  if (word.ok) return word.value;
  throw new UsageError(word.error);
}

function entryValidatorIn(args: Args, { setup }: StartingPoint): string {
  const ports = textOf(args, "ports") ?? "one";
  if (ports !== "one" && ports !== "each") throw new UsageError(`--ports: expected one or each, got "${ports}"`);
  const validator = entryValidatorsOf(setup, ports, textOf(args, "validator"));
  if (!validator.ok) throw new UsageError(`--validator: ${validator.error}`);
  return validator.value;
}

function adminOf(args: Args, port: number): Parameters<typeof serve>[0]["admin"] {
  if (textOf(args, "admin-port") === "none") return undefined;
  const host = textOf(args, "admin-host") ?? HOST_DEFAULT;
  const token = textOf(args, "admin-token");
  const isLocal = ["127.0.0.1", "::1", "localhost"].includes(host);
  if (!isLocal && token === undefined)
    throw new UsageError(
      `--admin-host ${host}: every client that reaches it has full control; set a secret with --admin-token`,
    );
  const usual = port === 0 ? 0 : Math.min(port + 1_000, PORT_MAX);
  return { host, port: wholeNumber(args, "admin-port", 0, PORT_MAX) ?? usual, token };
}
