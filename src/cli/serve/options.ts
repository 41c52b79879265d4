/** Options of `quorumlab serve`. */
import { PENDING, PENDING_PER_ACCOUNT } from "../../core/validator/limits.ts";
import { hostnameOf } from "../../server/connections/allowed-hosts.ts";
import { ANSWER_MS, HTTP_LIMITS, SOCKET_LIMITS } from "../../server/limits.ts";
import { type Args, type CommandOptions, texts, UsageError } from "../command.ts";
import { JSON_OPTION, QUIET_OPTION, textOption } from "../options.ts";

/** Default address (wire 5). */
export const PORT_DEFAULT = 18_555;
export const PORT_MAX = 65_535;
export const HOST_DEFAULT = "127.0.0.1";

export const ALLOWED_HOSTS_OPTION: CommandOptions = {
  "allowed-hosts": {
    ...textOption(
      "further names by which clients may ask, such as that of a container, repeatable or with commas; always allowed: localhost and the address listened on; others are refused, since a page in a browser may have bound its own name to this machine",
    ),
    array: true,
  },
};

/** Returns the names of `--allowed-hosts`. @throws UsageError for one that is no host. */
export function allowedHostsOf(args: Args): readonly string[] {
  const names = texts(args, "allowed-hosts").flatMap((text) => text.split(","));
  for (const name of names)
    if (hostnameOf(name) === undefined || /^[^[:]+:[^:]*$/.test(name))
      throw new UsageError(`--allowed-hosts: expected names or addresses without a port, got "${name}"`);
  return names;
}

/** Options by group; `readServeOptions` has the defaults. */
const GROUPS: Readonly<Record<string, CommandOptions>> = {
  "Network:": {
    profile: textOption(
      "set of defaults: local (the rules as written; the default), clients (issued tokens unpaused, payments free, checkpoints without traffic, published answers), production (checkpoints without traffic, epochs of 1800), testnet (the same, and 300 requests a minute) or specification (as production, with r and s of signatures in answers in decimal)",
    ),
    validators: textOption("number of validators; default 4"),
    delay: textOption("delay of messages between validators in ms, a number or a range such as 5..20; default 0..2"),
    seed: textOption("seed of all random choices; default 1"),
    "chain-id": textOption("chain id; default 31337, which is no public network's, or what the profile says"),
    "checkpoint-interval": textOption("milliseconds between checkpoints; default 2000; 0: no checkpoints"),
    "empty-checkpoints": {
      type: "boolean",
      description:
        "checkpoints are formed without traffic, too; --no-empty-checkpoints forbids it; default: what the profile says",
    },
    "epoch-checkpoints": textOption(
      "checkpoints after which an epoch closes; 0: only governance closes one; default 0, or what the profile says",
    ),
    genesis: textOption("scenario file of which `network` and `genesis` are used"),
    scenario: textOption("scenario file of which `steps` are carried out at their virtual times, too"),
  },
  "Tokens and accounts:": {
    token: { ...textOption("symbol:decimals[:private][:paused][:name], repeatable; default USDX:6"), array: true },
    accounts: textOption("number of ready accounts, which are funded from the start; default 10"),
    balance: textOption("balance of each ready account in each ready token; default 1000000"),
    mnemonic: textOption("mnemonic of the ready accounts; default: the public test mnemonic"),
    "operator-key": textOption(
      "private key of the ready account operator, which issues tokens and stands in each epoch; default: the mnemonic's first",
    ),
    fees: textOption("fee of a payment (0.01), or all fees (payment=0.01,cancellation=0.02,recovery=0.03)"),
    policy: {
      ...textOption(
        "decision that the specification leaves open (12.1), such as issued_tokens=open, repeatable; default: that of the file, or what the profile says",
      ),
      array: true,
    },
    "open-tokens": { type: "boolean", description: "issued tokens start unpaused: --policy issued_tokens=open" },
  },
  "Interface:": {
    host: textOption(`address to listen on; default ${HOST_DEFAULT}, which includes ::1 where there is one`),
    ...ALLOWED_HOSTS_OPTION,
    port: textOption(`port to listen on; default ${PORT_DEFAULT}; 0: any free port`),
    ports: textOption("one: a single port; each: a port for each validator, from --port on; default one"),
    validator: textOption("entry validator, which receives the requests; default v1"),
    crypto: textOption("implementation of secp256k1: native, wasm or noble; default real, the fastest that loads"),
    "write-mode": textOption(
      "writes that are served: v1-only, dual or v2-only, whose signatures have a domain; default dual",
    ),
    "signature-format": textOption(
      "numbers r and s of signatures in answers: hex, which every published client reads, or decimal; default hex, or what the profile says",
    ),
    "v1-hash": textOption(
      "version 1 hashes in answers: minimal, as Go clients make them, or padded, as TypeScript clients do; default minimal; reads find both",
    ),
    answers: textOption(
      "members of answers: complete, or published, which leaves out all that the newest published clients do not read; default complete, or what the profile says; a read with members=all has all",
    ),
    compat: {
      ...textOption(
        "answers in the shapes of one client, repeatable: rust-0.15 (types that it does not know as Raw) or go (fee_used and fee as numbers), and with --answers published the members that it reads, also for ts-1.0 and ts-1.1; default none",
      ),
      array: true,
    },
    page: {
      type: "boolean",
      description: "a page at / shows the network live, and browsers make faults by it; --no-page switches it off",
    },
    faucet: {
      type: "boolean",
      description:
        "POST /faucet gives ready tokens to any account, minted by their masters; --no-faucet switches it off",
    },
    "rate-limit": textOption(
      "most requests of one IP address in a minute; 0: unlimited; default: 0, or what the profile says",
    ),
    "admin-port": textOption(
      `port of the admin API; default ${PORT_DEFAULT + 1_000}; 0: any free port; none: no admin API`,
    ),
    "admin-host": textOption(`address of the admin API; default ${HOST_DEFAULT}; any other requires --admin-token`),
    "admin-token": textOption("value that requests to the admin API must have in the header x-admin-token"),
  },
  "Recording:": {
    state: textOption(
      "recording that is read at the start and appended to, so that the network survives restarts; beside it .snapshot shortens a restart, and .archive takes old operations out of the memory",
    ),
    fsync: textOption(
      "when --state is forced to the disk: always (a power loss loses nothing that was answered), interval (at most the last second) or never (what the system had not yet written, half a minute is usual); default interval; a killed process loses nothing that was answered in any case",
    ),
    out: textOption("folder for recordings of violations; default reports"),
    "ready-file": textOption("file for the line of JSON that --json prints when the network is ready"),
  },
};

/** Bounds that clients can reach, for the help text. */
export const BOUNDS: string = [
  `Limits: ${HTTP_LIMITS.bodyBytes} bytes in a body, ${HTTP_LIMITS.headerBytes} in headers; ${HTTP_LIMITS.connections} connections;`,
  `${HTTP_LIMITS.waiting} waiting writes, ${HTTP_LIMITS.waitingPerAccount} of one account, ${HTTP_LIMITS.waitingReads} waiting reads; ${PENDING} pending operations at a validator,`,
  `${PENDING_PER_ACCOUNT} of one account; ${ANSWER_MS} ms for a response, ${HTTP_LIMITS.minReceiptMs} ms for min_receipt; ${SOCKET_LIMITS.sockets} websockets.`,
].join(" ");

/** Options of the setup, which a continued network ignores. */
export const NETWORK_OPTIONS: readonly string[] = [GROUPS["Network:"], GROUPS["Tokens and accounts:"]].flatMap(
  (options) => Object.keys(options ?? {}),
);

/** Options in the order of the help text, in groups. */
export const SERVE_OPTIONS: CommandOptions = {
  ...Object.fromEntries(
    Object.entries(GROUPS).flatMap(([group, options]) =>
      Object.entries(options).map(([name, option]) => [name, { ...option, group }]),
    ),
  ),
  json: JSON_OPTION,
  quiet: QUIET_OPTION,
  "log-level": {
    type: "string",
    choices: ["silent", "error", "warn", "info", "debug"],
    default: "warn",
    description: "how much to log on stderr",
  },
};
