/** Options of `quorumlab serve`. */
import type { Options } from "yargs";
import { PENDING, PENDING_PER_ACCOUNT } from "../../core/validator/limits.ts";
import { ANSWER_MS, HTTP_LIMITS, SOCKET_LIMITS } from "../../server/limits.ts";
import type { CommandOptions } from "../command.ts";
import { JSON_OPTION, LOG_LEVEL_OPTION, QUIET_OPTION, textOption } from "../options.ts";

/** Default address (wire 5). */
export const PORT_DEFAULT = 18_555;
export const HOST_DEFAULT = "127.0.0.1";

type Kind = "text" | "texts" | "flag";

/** Group, name, kind and description; `readServeOptions` has the defaults. */
const OPTIONS: readonly (readonly [group: string, name: string, kind: Kind, description: string])[] = [
  [
    "Network:",
    "profile",
    "text",
    "set of defaults: specification, clients (issued tokens unpaused, payments free) or testnet (300 requests a minute)",
  ],
  ["Network:", "validators", "text", "number of validators; default 4"],
  ["Network:", "spares", "text", "further validators that may join the committee in a later epoch, such as v5,v6"],
  ["Network:", "twins", "text", "validators that run twice with one key, such as v4"],
  [
    "Network:",
    "delay",
    "text",
    "delay of messages between validators in ms, a number or a range such as 5..20; default 0..2",
  ],
  ["Network:", "seed", "text", "seed of all random choices; default 1"],
  ["Network:", "chain-id", "text", "chain id; default 1212101, that of the public test network"],
  ["Network:", "checkpoint-interval", "text", "milliseconds between checkpoints; default 2000; 0: no checkpoints"],
  ["Network:", "genesis", "text", "scenario file of which `network` and `genesis` are used"],
  ["Network:", "scenario", "text", "scenario file of which `steps` are carried out at their virtual times, too"],
  ["Tokens and accounts:", "token", "texts", "symbol:decimals[:private][:paused][:name], repeatable; default USDX:6"],
  ["Tokens and accounts:", "accounts", "text", "number of ready accounts, which are funded from the start; default 10"],
  ["Tokens and accounts:", "balance", "text", "balance of each ready account in each ready token; default 1000000"],
  ["Tokens and accounts:", "mnemonic", "text", "mnemonic of the ready accounts; default: the public test mnemonic"],
  [
    "Tokens and accounts:",
    "fees",
    "text",
    "fee of a payment (0.01), or all fees (payment=0.01,cancellation=0.02,recovery=0.03)",
  ],
  ["Tokens and accounts:", "open-tokens", "flag", "issued tokens start unpaused"],
  ["Tokens and accounts:", "paused-tokens", "flag", "issued tokens start paused (specification 6.5); the default"],
  [
    "Tokens and accounts:",
    "faucet",
    "flag",
    "POST /faucet gives ready tokens to any account; --no-faucet switches it off",
  ],
  ["Interface:", "host", "text", `address to listen on; default ${HOST_DEFAULT}`],
  ["Interface:", "port", "text", `port to listen on; default ${PORT_DEFAULT}; 0: any free port`],
  ["Interface:", "ports", "text", "one: a single port; each: a port for each validator, from --port on; default one"],
  ["Interface:", "validator", "text", "entry validator, which receives the requests; default v1"],
  [
    "Interface:",
    "crypto",
    "text",
    "implementation of secp256k1: native, wasm or noble; default real, the fastest that loads",
  ],
  ["Interface:", "rate-limit", "text", "most requests of one IP address in a minute; default: unlimited"],
  [
    "Interface:",
    "admin-port",
    "text",
    `port of the admin API; default ${PORT_DEFAULT + 1_000}; 0: any free port; none: no admin API`,
  ],
  [
    "Interface:",
    "admin-host",
    "text",
    `address of the admin API; default ${HOST_DEFAULT}; any other requires --admin-token`,
  ],
  ["Interface:", "admin-token", "text", "value that requests to the admin API must have in the header x-admin-token"],
  [
    "Recording:",
    "state",
    "text",
    "recording that is read at the start and appended to, so that the network survives restarts",
  ],
  [
    "Recording:",
    "fsync",
    "text",
    "when --state is forced to the disk: always (a power loss loses nothing), interval (at most the last second) or never; default interval; kill -9 never loses anything",
  ],
  ["Recording:", "load", "text", "recording to start from"],
  ["Recording:", "dump", "text", "file to which the recording is written at the end"],
  ["Recording:", "out", "text", "folder for recordings of violations; default reports"],
  ["Recording:", "ready-file", "text", "file for the line of JSON that --json prints when the network is ready"],
];

/** Bounds that clients can reach, for the help text. */
export const BOUNDS: string = [
  `Limits: ${HTTP_LIMITS.bodyBytes} bytes in a body, ${HTTP_LIMITS.headerBytes} in headers; ${HTTP_LIMITS.connections} connections;`,
  `${HTTP_LIMITS.waiting} waiting requests, ${HTTP_LIMITS.waitingPerAccount} of one account; ${PENDING} pending operations at a validator,`,
  `${PENDING_PER_ACCOUNT} of one account; ${ANSWER_MS} ms for a response, ${HTTP_LIMITS.minReceiptMs} ms for min_receipt; ${SOCKET_LIMITS.sockets} websockets.`,
].join(" ");

/** Options of the setup, which a continued network ignores. */
export const NETWORK_OPTIONS: readonly string[] = OPTIONS.filter(
  ([group]) => group !== "Interface:" && group !== "Recording:",
).map(([, name]) => name);

/** Options in the order of the help text, in groups. */
export const SERVE_OPTIONS: CommandOptions = {
  ...Object.fromEntries(
    OPTIONS.map(([group, name, kind, description]) => [name, { ...optionOf(kind, description), group }]),
  ),
  json: JSON_OPTION,
  quiet: QUIET_OPTION,
  "log-level": LOG_LEVEL_OPTION,
};

function optionOf(kind: Kind, description: string): Options {
  if (kind === "flag") return { type: "boolean", description };
  return kind === "texts" ? { ...textOption(description), array: true } : textOption(description);
}
