/** `quorumlab serve`: a network behind its HTTP and websocket interface, until interrupted. */
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type Logger, pino } from "pino";
import type { Finding } from "../../invariants/judge.ts";
import { headOf, type Recording, type RecordingEntry } from "../../live/recording.ts";
import { packageVersion } from "../../run/version.ts";
import { readText } from "../../scenario/files.ts";
import { StateFileError } from "../../server/host/disk.ts";
import { type KeptState, openState, readState } from "../../server/host/state.ts";
import { FSYNC, type Fsync, MemorySink } from "../../server/host/state-file.ts";
import { lockState } from "../../server/host/state-lock.ts";
import { publishedAccounts } from "../../server/setup/accounts.ts";
import {
  type InterfaceDefaults,
  type NamedText,
  type RawServeOptions,
  readEnum,
  type ServeOptions,
} from "../../server/setup/options.ts";
import { readServeOptions } from "../../server/setup/read-options.ts";
import { entryValidatorsOf, readyLine, setupOf, startupText, type Urls } from "../../server/setup/setup-of.ts";
import type { ListeningNetwork, ServeDependencies } from "../../server/start.ts";
import {
  ANSWER_MEMBERS,
  changedAnswers,
  SIGNATURE_FORMATS,
  V1_HASH_DEFAULT,
  V1_HASHES,
} from "../../server/wire/answer-options.ts";
import { COMPAT_CLIENTS } from "../../server/wire/answers.ts";
import { WRITE_MODE_DEFAULT, WRITE_MODES, type WriteMode } from "../../server/wire/paths.ts";
import { type Args, type Command, EXIT, textOf, texts, UsageError } from "../command.ts";
import { isFaultOfInput, writeInFolder } from "../files.ts";
import type { Io } from "../io.ts";
import { optimiseOnceWarm } from "../optimise-later.ts";
import { realSchemeOf, wholeNumber } from "../options.ts";
import { quoteForShell } from "../reproduce.ts";
import {
  allowedHostsOf,
  BOUNDS,
  HOST_DEFAULT,
  NETWORK_OPTIONS,
  PORT_DEFAULT,
  PORT_MAX,
  SERVE_OPTIONS,
} from "./options.ts";

/** Interval of checks for signals and failures, in milliseconds: a race with a promise of a failure would keep every check. */
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
    const beginning = await startingPoint(args, Date.now(), (message) => io.err(`quorumlab: warning: ${message}\n`));
    const log = loggerOf(args, io);
    let failure: unknown;
    const note = (error: unknown): void => {
      failure ??= error;
    };
    const served = await startServed(args, beginning, log, note);
    const save = saver(args, beginning, log, io);
    served.host.subscribe((notification) => {
      // After the recording contains the violation.
      if (notification.type === "violation") setImmediate(() => save(notification.finding));
    });
    optimiseOnceWarm(served.host);
    announce(args, beginning, served, io);
    while (failure === undefined && !(await io.interrupted())) {
      await setTimeout(LOOK_MS);
      try {
        beginning.putBack?.();
      } catch (error) {
        note(error);
      }
    }
    await served.stop().catch(note);
    if (failure === undefined) return EXIT.expected;
    // A state file that fails is no defect of this program.
    if (!(failure instanceof StateFileError)) throw failure;
    io.err(`quorumlab: ${failure.message}: the network is stopped; all that was answered is in its state file\n`);
    return EXIT.failed;
  },
};

/** Returns a logger on stderr of the level `--log-level`. Fields must be plain: pino rounds big integers. */
function loggerOf(args: Args, io: Io): Logger {
  const level = textOf(args, "log-level") ?? "warn";
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line: string) => io.err(line) },
  );
}

/** Prints the startup text or the ready line, and writes the line to `--ready-file`. The last line means ready. */
function announce(args: Args, { setup, notes, sharedDigests }: StartingPoint, served: ListeningNetwork, io: Io): void {
  const socket = served.url.replace(/^http/, "ws");
  const furtherUrls: [string, string][] = [
    ...(args["page"] === false ? [] : [["page", `${served.url}/`] as [string, string]]),
    ["websocket", `${socket}/ws`],
    ["documentation", `${served.url}/docs`],
    ["writes", WRITES_TEXTS[writeModeOf(args)]],
    ...(sharedDigests || writeModeOf(args) === "v1-only" ? [SHARED_DIGESTS] : []),
    ...[...served.urls].slice(1).map(([node, url]): [string, string] => [node, url]),
  ];
  const urls: Urls = { url: served.url, adminUrl: served.adminUrl, furtherUrls };
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
  failed: (error: unknown) => void,
): Promise<ListeningNetwork> {
  const host = textOf(args, "host") ?? HOST_DEFAULT;
  const port = wholeNumber(args, "port", 0, PORT_MAX) ?? PORT_DEFAULT;
  const rate = wholeNumber(args, "rate-limit", 0, 999_999_999);
  const [writeMode, answers] = [writeModeOf(args), answersOf(args, beginning)];
  // Imported here: the web server takes as long to load as everything else, and no other command needs it.
  const server = await import("../../server/start.ts");
  try {
    return await server.serve({
      ...beginning,
      catchUp: true,
      scheme: realSchemeOf(textOf(args, "crypto") ?? "real"),
      host,
      port,
      allowedHosts: allowedHostsOf(args),
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
    if (error instanceof StateFileError) throw new UsageError(`--state: ${error.message}`);
    // The replay differs from the recording, most likely of another version of this program.
    const source = beginning.past.length > 0 || beginning.start !== undefined;
    if (error instanceof RangeError || (source && isFaultOfInput(error)))
      throw new UsageError(`${textOf(args, "state") ?? "serve"}: ${error.message}`);
    throw error;
  }
}

const SHARED_DIGESTS: [string, string] = [
  "warning",
  "/v1 takes mints and burns whose signature anybody can post as a payment, and the reverse",
];

const WRITES_TEXTS: Readonly<Record<WriteMode, string>> = {
  "v1-only": "v1-only: paths below /v1",
  dual: "dual: paths below /v1 and /v2",
  "v2-only": "v2-only: paths below /v2",
};

function writeModeOf(args: Args): WriteMode {
  return wordOf(args, "write-mode", WRITE_MODES, WRITE_MODE_DEFAULT);
}

function answersOf(args: Args, { signatureFormat, answers }: InterfaceDefaults): ReturnType<typeof changedAnswers> {
  return changedAnswers({
    signatureFormat: wordOf(args, "signature-format", SIGNATURE_FORMATS, signatureFormat),
    answers: wordOf(args, "answers", ANSWER_MEMBERS, answers),
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

function adminOf(args: Args, port: number): ServeDependencies["admin"] {
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

interface StartingPoint
  extends InterfaceDefaults,
    Pick<ServeDependencies, "setup" | "start" | "files" | "keeper" | "sink" | "recording"> {
  /** Inputs of the recording; empty for a new network. */
  readonly past: readonly RecordingEntry[];
  /** Puts a removed state file back. @throws StateFileError if it fails */
  readonly putBack?: () => void;
  /** Notes for the user. */
  readonly notes: readonly string[];
}

/** Unix milliseconds that no right clock shows: a checkpoint never has an earlier time than the one before it. */
const CLOCK_END = Date.UTC(2100, 0);

/**
 * `warn` is told of errors of the disk that end nothing.
 * @throws UsageError for invalid options, and for files that are not recordings, cannot be used or are in use
 */
async function startingPoint(args: Args, now: number, warn: (message: string) => void): Promise<StartingPoint> {
  const options = optionsOf(args);
  if (now >= CLOCK_END)
    throw new UsageError(
      `the clock of this machine says ${new Date(now).toISOString()}: set it; checkpoints of this time would hold up all later ones`,
    );
  const { requestsPerMinute, signatureFormat, answers, sharedDigests } = options;
  const defaults: InterfaceDefaults = { requestsPerMinute, signatureFormat, answers, sharedDigests };
  const state = textOf(args, "state");
  if (state === undefined) {
    if (args["fsync"] !== undefined) throw new UsageError("--fsync: expected a file of --state to force to the disk");
    const head = headOf(setupOf(options, now));
    const sink = new MemorySink(head);
    const recording = (): string => sink.text();
    return { ...defaults, past: [], notes: [], files: sink.files, setup: head.setup, sink, recording };
  }
  const fsync = fsyncOf(args);
  const lock = await lockState(state);
  if (!lock.ok) throw new UsageError(`--state: ${lock.error}`);
  try {
    const read = readState(lock.value.path);
    if (!read.ok) throw new UsageError(read.error);
    const kept = read.value;
    const head = kept?.recording.head ?? headOf(setupOf(options, now));
    const past = kept?.recording.entries ?? [];
    const opened = openState(lock.value, kept, { head, past }, fsync, warn);
    const notes = kept === undefined ? [] : notesOn(args, kept);
    return { ...defaults, ...opened, notes, start: kept?.start, past, setup: head.setup };
  } catch (error) {
    lock.value.release();
    throw error instanceof StateFileError ? new UsageError(`--state: ${error.message}`) : error;
  }
}

/** @throws UsageError for any other word. */
function fsyncOf(args: Args): Fsync {
  const text = textOf(args, "fsync") ?? "interval";
  const known = FSYNC.find((mode) => mode === text);
  if (known === undefined) throw new UsageError(`--fsync: expected ${FSYNC.join(", ")}, got ${text}`);
  return known;
}

function notesOn(args: Args, { recording, notes }: KeptState): readonly string[] {
  const path = textOf(args, "state") ?? "";
  const ignored = NETWORK_OPTIONS.filter((name) => args[name] !== undefined);
  return [
    `continuing the network of ${path}`,
    ...(ignored.length === 0 ? [] : [`it keeps its setup: ignoring --${ignored.join(", --")}`]),
    ...tornNote(path, recording),
    ...notes,
  ];
}

/** No client was answered on the strength of a torn line: an answer is sent after its line is written. */
function tornNote(path: string, { torn }: Recording): readonly string[] {
  if (torn === undefined) return [];
  const { line, bytes, fault } = torn;
  return [`${path}: dropped line ${line}, ${bytes} bytes: ${fault}; no answer was sent that depends on it`];
}

function optionsOf(args: Args): ServeOptions {
  const raw: Record<string, unknown> = {};
  for (const name of NETWORK_OPTIONS) if (args[name] !== undefined) raw[name] = args[name];
  for (const name of ["genesis", "scenario"])
    if (args[name] !== undefined) raw[name] = namedText(textOf(args, name) ?? "");
  for (const name of ["token", "policy"]) if (args[name] !== undefined) raw[name] = texts(args, name);
  const read = readServeOptions(raw as RawServeOptions);
  if (!read.ok) throw new UsageError(read.error);
  return read.value;
}

function namedText(file: string): NamedText {
  const text = readText(file);
  if (!text.ok) throw new UsageError(`${file}: ${text.error.message}`);
  return { file, text: text.value };
}
