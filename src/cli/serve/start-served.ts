/** Start of a served network on its addresses. */
import type { Logger } from "pino";
import { packageVersion } from "../../run/version.ts";
import { entryValidatorsOf } from "../../server/setup/entry-validators.ts";
import type { Served, serve } from "../../server/start.ts";
import { type Args, textOf } from "../command.ts";
import { UsageError } from "../exit-code.ts";
import { HOST_DEFAULT, PORT_DEFAULT } from "./serve-options.ts";
import type { StartingPoint } from "./starting-point.ts";

/** Starts it; `failed` is called if it stops. @throws UsageError for malformed addresses, or ones in use. */
export async function startServed(
  args: Args,
  beginning: StartingPoint,
  log: Logger,
  failed: () => void,
): Promise<Served> {
  const host = textOf(args, "host") ?? HOST_DEFAULT;
  const port = portOf(args, "port", PORT_DEFAULT);
  const [rate, state] = [textOf(args, "rate-limit"), textOf(args, "state")];
  if (rate !== undefined && !/^[1-9]\d{0,8}$/.test(rate))
    throw new UsageError(`--rate-limit: expected requests a minute, got "${rate}"`);
  // Imported here: the web server takes as long to load as everything else, and no other command needs it.
  const server = await import("../../server/start.ts");
  try {
    return await server.serve({
      ...beginning,
      catchUp: true,
      ...(state === undefined ? {} : { signatures: `${state}.signatures` }),
      host,
      port,
      asked: askedIn(args, beginning),
      admin: adminOf(args, port),
      faucet: args["faucet"] !== false,
      requestsPerMinute: rate === undefined ? beginning.requestsPerMinute : Number(rate),
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
      throw new UsageError(`${state ?? textOf(args, "load") ?? "serve"}: ${error.message}`);
    throw error;
  }
}

function askedIn(args: Args, { setup }: StartingPoint): string {
  const ports = textOf(args, "ports") ?? "one";
  if (ports !== "one" && ports !== "each") throw new UsageError(`--ports: expected one or each, got "${ports}"`);
  const asked = entryValidatorsOf(setup, ports, textOf(args, "validator"));
  if (!asked.ok) throw new UsageError(`--validator: ${asked.error}`);
  return asked.value;
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
  const usual = port === 0 ? 0 : Math.min(port + 1_000, 65_535);
  return { host, port: portOf(args, "admin-port", usual), token };
}

function portOf(args: Args, name: string, usual: number): number {
  const text = textOf(args, name);
  if (text === undefined) return usual;
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new UsageError(`--${name}: expected a port from 0 to 65535, got "${text}"`);
  return Number(text);
}
