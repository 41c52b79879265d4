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
    "specification, clients (issued tokens open, payments free) or testnet (300 requests a minute)",
  ],
  ["Network:", "validators", "text", "number of validators; default 4"],
  ["Network:", "spares", "text", "further validators, such as v5,v6, for committees of later epochs"],
  ["Network:", "twins", "text", "validators that run twice with one key, such as v4"],
  ["Network:", "delay", "text", "delay of links between validators, ms; default 5..20"],
  ["Network:", "seed", "text", "seed of all random choices; default 1"],
  ["Network:", "chain-id", "text", "default 1212101, the public test network's"],
  ["Network:", "checkpoint-interval", "text", "ms; default 2000; 0: none"],
  ["Network:", "genesis", "text", "a scenario file whose network and genesis are used"],
  ["Network:", "scenario", "text", "a scenario file whose steps are executed at their virtual times"],
  ["Tokens and accounts:", "token", "texts", "symbol:decimals[:private][:paused][:name], repeatable; default USDX:6"],
  ["Tokens and accounts:", "accounts", "text", "number of ready accounts; default 10"],
  ["Tokens and accounts:", "balance", "text", "of each ready token and account; default 1000000"],
  ["Tokens and accounts:", "mnemonic", "text", "of the ready accounts; default: the well-known test mnemonic"],
  ["Tokens and accounts:", "fees", "text", "of a payment (0.01), or payment=0.01,cancellation=0.02,recovery=0.03"],
  ["Tokens and accounts:", "open-tokens", "flag", "issued tokens are open at once"],
  ["Tokens and accounts:", "paused-tokens", "flag", "issued tokens start paused: specification 6.5, and the default"],
  ["Tokens and accounts:", "faucet", "flag", "POST /faucet gives ready tokens; --no-faucet switches it off"],
  ["Interface:", "host", "text", `address to listen on; default ${HOST_DEFAULT}`],
  ["Interface:", "port", "text", `default ${PORT_DEFAULT}; 0: any that is free`],
  ["Interface:", "ports", "text", "one, or each: every validator on a port of its own, from --port on"],
  ["Interface:", "validator", "text", "entry validator; default v1"],
  ["Interface:", "crypto", "text", "real (default: the fastest secp256k1 that loads), native, wasm or noble"],
  ["Interface:", "rate-limit", "text", "requests a minute and IP address; default: none"],
  ["Interface:", "admin-port", "text", `default ${PORT_DEFAULT + 1_000}; 0: any; none: no admin API`],
  ["Interface:", "admin-host", "text", `default ${HOST_DEFAULT}; any other requires --admin-token`],
  ["Interface:", "admin-token", "text", "required value of the header x-admin-token"],
  ["Recording:", "state", "text", "a file that survives restarts: read at the start, appended to"],
  ["Recording:", "load", "text", "a recording to begin with"],
  ["Recording:", "dump", "text", "where to write the recording at the end"],
  ["Recording:", "out", "text", "a folder for recordings of violations; default reports"],
  ["Recording:", "ready-file", "text", "where to write the ready line"],
];

/** Bounds that clients can reach, for the help text. */
export const BOUNDS: string = [
  `Bounds: a body of ${HTTP_LIMITS.bodyBytes} bytes, headers of ${HTTP_LIMITS.headerBytes}; ${HTTP_LIMITS.connections} connections`,
  `and ${HTTP_LIMITS.waiting} waiting requests, ${HTTP_LIMITS.waitingPerAccount} of an account; ${PENDING} operations submitted to a validator and pending,`,
  `${PENDING_PER_ACCOUNT} of an account; ${ANSWER_MS} ms for an answer, ${HTTP_LIMITS.minReceiptMs} ms for min_receipt; ${SOCKET_LIMITS.sockets} websockets.`,
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
