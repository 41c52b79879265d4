/** `quorumlab bench`: puts a load on a served network, and measures rate, finality and errors. */
import { definedMembers } from "../../core/base/defined-members.ts";
import type { WeightedItem } from "../../scenario/rng.ts";
import type { NetworkOptions } from "../../server/network/start-network.ts";
import { type ReadyAccount, readyAccounts } from "../../server/setup/accounts.ts";
import { stepIn } from "../admin/actions.ts";
import { type Args, type Command, EXIT, textOf, texts, UsageError } from "../command.ts";
import { writeInFolder } from "../files.ts";
import { baseUrl } from "../http.ts";
import { type Io, painterFor } from "../io.ts";
import { JSON_OPTION, PROGRESS_OPTION, SEED_OPTION, textOption, wholeNumber } from "../options.ts";
import { jsonLine, outputOf, type Progress } from "../output.ts";
import { createApi, readBalance, readChainId, readToken } from "../send/network.ts";
import { LAYOUT_OPTION, MNEMONIC_OPTION, mnemonicOption } from "../send/order.ts";
import { LOAD_KINDS, type LoadKind, type ServedLoad, servedLoad } from "./load.ts";
import {
  METRIC_NAMES,
  type Measurement,
  measurementJson,
  measurementText,
  meetsThresholds,
  thresholdOf,
} from "./measurement.ts";
import { attachNetwork, startBenchNetwork } from "./network.ts";

const SECONDS = 10;
const RATE_MAX = 100_000;
const WARM_UP_SECONDS = 2;
/** As many as accounts of a default `serve` hold tokens: two of its ten are authorities. */
const CONNECTIONS = 8;
/** The first ready accounts are the operator and the issuer. */
const AUTHORITIES = 2;

export const benchCommand: Command = {
  examples: [
    ["$0 bench", "ten seconds of payments on a network of four validators"],
    ["$0 bench --rate 200 --threshold 'p99<=100' --threshold 'errors<=0'", "exit code 1 if a threshold is missed"],
    [`$0 bench --mix payment=9,mint=1 --fault '{"crash":{"node":"v4"}}'`, "mixed operations, one validator crashed"],
    ["$0 bench --url http://127.0.0.1:18555", "a network that runs already, with its ready accounts"],
  ],
  options: {
    duration: textOption("length of the load in seconds", SECONDS),
    operations: textOption("number of operations, in place of a length"),
    "warm-up": textOption("seconds of load before the measurement", WARM_UP_SECONDS),
    concurrency: textOption("connections, each with an account of its own", CONNECTIONS),
    rate: textOption("operations a second over all connections; default: each connection goes on at once"),
    mix: textOption(`weights of kinds: ${LOAD_KINDS.join(", ")}`, "payment=1"),
    fault: {
      ...textOption("a step of the scenario language as JSON, which takes effect after the warm-up, repeatable"),
      array: true,
    },
    threshold: {
      ...textOption(`condition on ${METRIC_NAMES.join(", ")}, such as p99<=200, repeatable`),
      array: true,
    },
    validators: textOption("validators of the network that is started", 4),
    delay: textOption("delay of messages between its validators in ms, a number or a range such as 5..20"),
    url: textOption("address of a network that runs already"),
    "admin-url": textOption("its admin API, for --fault"),
    "admin-token": textOption("the --admin-token of that network"),
    token: textOption("token that is moved", "USDX"),
    layout: LAYOUT_OPTION,
    mnemonic: MNEMONIC_OPTION,
    seed: SEED_OPTION,
    report: textOption("file for the result as JSON"),
    json: JSON_OPTION,
    progress: PROGRESS_OPTION,
  },
  run: async (args, io) => {
    const options = benchOptions(args);
    const found = await benchServed(options, outputOf(args, io).progress, io);
    const { thresholds } = options;
    const line = jsonLine(measurementJson(found, thresholds));
    io.out(args["json"] === true ? line : measurementText(found, thresholds, painterFor(io)));
    const file = textOf(args, "report");
    if (file !== undefined) writeInFolder(file, line);
    if (found.isInterrupted) return EXIT.interrupted;
    return meetsThresholds(found, thresholds) ? EXIT.expected : EXIT.failed;
  },
};

type BenchOptions = ReturnType<typeof benchOptions>;

/** @throws UsageError for invalid options, before anything is started. */
function benchOptions(args: Args) {
  const operations = wholeNumber(args, "operations", 1, 100_000_000);
  const mnemonic = mnemonicOption(args);
  const url = textOf(args, "url");
  return {
    seconds: wholeNumber(args, "duration", 1, 86_400) ?? SECONDS,
    operations,
    warmUp: wholeNumber(args, "warm-up", 0, 86_400) ?? WARM_UP_SECONDS,
    concurrency: wholeNumber(args, "concurrency", 1, 1_000) ?? CONNECTIONS,
    rate: wholeNumber(args, "rate", 1, RATE_MAX),
    mix: mixOf(textOf(args, "mix") ?? "payment=1"),
    faults: texts(args, "fault").map((text) => stepIn("--fault", text)),
    thresholds: texts(args, "threshold").map(thresholdOf),
    validators: wholeNumber(args, "validators", 1, 100) ?? 4,
    delay: textOf(args, "delay"),
    url: url === undefined ? undefined : baseUrl(url, "http://127.0.0.1:18555"),
    adminUrl: textOf(args, "admin-url"),
    adminToken: textOf(args, "admin-token"),
    token: textOf(args, "token") ?? "USDX",
    layout: textOf(args, "layout"),
    mnemonic,
    seed: textOf(args, "seed") ?? "1",
  };
}

/** Returns the weights of `payment=9,mint=1`. @throws UsageError for another form. */
function mixOf(text: string): readonly WeightedItem<LoadKind>[] {
  return text.split(",").map((part) => {
    const [, name, weight = "1"] = /^([a-z]+)(?:=(\d{1,4}))?$/.exec(part.trim()) ?? [];
    const kind = LOAD_KINDS.find((known) => known === name);
    if (kind !== undefined && Number(weight) > 0) return [Number(weight), kind];
    throw new UsageError(
      `--mix: expected kinds with weights such as payment=9,mint=1, of ${LOAD_KINDS.join(", ")}; got "${text}"`,
    );
  });
}

async function benchServed(options: BenchOptions, progress: Progress, io: Io): Promise<Measurement> {
  const network =
    options.url === undefined
      ? await startBenchNetwork(networkOptions(options))
      : attachNetwork(options.url, options.adminUrl, options.adminToken);
  try {
    const load = await loadOf(options, network.url, io);
    let found = await servedLoad({ ...load, until: { seconds: options.warmUp } });
    if (!found.isInterrupted) {
      for (const fault of options.faults) await network.inject(fault);
      found = await servedLoad({ ...load, counted: progressCounter(options, progress, io) });
      progress.clear();
    }
    const name = options.url ?? `served network, ${options.validators} validators, ${options.concurrency} connections`;
    return { network: name, clock: "real", ...found, violations: await network.stop() };
  } finally {
    await network.stop();
  }
}

/** Returns what shows the progress of a load: by its operations, or by its seconds. */
function progressCounter({ operations, seconds }: BenchOptions, progress: Progress, io: Io): (final: number) => void {
  const start = io.now();
  return (final) => {
    if (operations !== undefined) progress.at(final, operations, "final");
    else progress.at(Math.min(seconds, Math.round((io.now() - start) / 1_000)), seconds, `s, ${final} final`);
  };
}

function networkOptions({ validators, delay, concurrency, mnemonic, seed }: BenchOptions): NetworkOptions {
  return {
    ...{ validators, accounts: concurrency + AUTHORITIES, mnemonic, seed, policies: { issued_tokens: "open" } },
    ...definedMembers({ delay }),
  };
}

/** Reads what the load needs to know of the network. @throws UsageError for an unexpected response. */
async function loadOf(options: BenchOptions, url: string, io: Io): Promise<ServedLoad> {
  const { concurrency, mnemonic, mix, rate, operations, seconds, seed, layout } = options;
  const [operator, issuer, ...payers] = readyAccounts(mnemonic, concurrency + AUTHORITIES) as [
    ReadyAccount,
    ReadyAccount,
    ...ReadyAccount[],
  ];
  const api = createApi(url);
  const chainId = await readChainId(api);
  const token = await readToken(api, options.token, issuer);
  const last = payers.at(-1) as ReadyAccount;
  if ((await readBalance(api, last.address, token.address)) === 0n)
    throw new UsageError(
      `--concurrency ${concurrency}: ${last.name} has no ${token.symbol}; quorumlab serve --accounts ${concurrency + AUTHORITIES} gives some to each`,
    );
  const until = operations === undefined ? { seconds } : { operations };
  return {
    api,
    chainId,
    token,
    layout,
    payers,
    issuer,
    operator,
    mix,
    rate,
    until,
    seed,
    interrupted: io.interrupted,
    now: io.now,
  };
}
