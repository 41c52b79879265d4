/** Command of an admin action: sends the call, prints the result, sets the exit code. */
import { painter } from "../../report/paint.ts";
import type { AdminStatus } from "../../server/admin/status.ts";
import type { Command } from "../command.ts";
import { EXIT, type ExitCode, UsageError } from "../exit-code.ts";
import { type Io, wantsColours } from "../io.ts";
import { type AdminAction, nameOf } from "./admin-action.ts";
import { callAdmin, type Target } from "./call.ts";
import { statusText } from "./status-text.ts";
import { targetOf, withTarget } from "./target.ts";

/** Response of the admin API: the status of the network, and the result of an action. */
type Done = AdminStatus & { readonly result?: unknown };

interface Refused {
  readonly error_code: string;
  readonly message: string;
}

/** Returns the command `quorumlab admin <usage>`. */
export function asCommand(action: AdminAction): Command {
  const { usage, description, example, build } = action;
  const line = `$0 admin ${nameOf(action)} ${example}`.trimEnd();
  return {
    usage,
    description,
    examples: [[line, ""]],
    build: (yargs, env) => withTarget(build === undefined ? yargs : build(yargs), env),
    run: async (args, io) => {
      const target = targetOf(args);
      const { status, text } = await callAdmin(target, action.ask(args));
      const body = readAnswer(target, status, text);
      const json = args["json"] === true;
      if (json) io.out(`${JSON.stringify({ type: "admin", action: nameOf(action), status, ...body })}\n`);
      if ("error_code" in body) return refused(body, json, io);
      if (!json) io.out(doneText(action, body, io));
      return "result" in body || body.violations.length === 0 ? EXIT.expected : EXIT.failed;
    },
  };
}

/** @throws UsageError for error responses other than a refused action. */
export function readAnswer({ url }: Target, status: number, text: string): Done | Refused {
  const body = objectIn(text);
  const isDone = status === 200 && Array.isArray(body?.["nodes"]);
  if (isDone || (status === 422 && body?.["error_code"] === "admin_refused")) return body as unknown as Done | Refused;
  const words = [body?.["error_code"], body?.["message"]].filter((word) => typeof word === "string").join(": ");
  throw new UsageError(`${url} responds with ${status}${words === "" ? ", and is not an admin API" : `, ${words}`}`);
}

function refused({ message }: Refused, json: boolean, io: Io): ExitCode {
  if (!json) io.out(`${painter(wantsColours(io))("bad", "refused")}  ${message}\n`);
  return EXIT.failed;
}

function doneText({ tell }: AdminAction, done: Done, io: Io): string {
  const paint = painter(wantsColours(io));
  const said = "result" in done ? `${paint("good", "done")}  ${tell?.(done.result) ?? ""}`.trimEnd() : "";
  return `${said === "" ? "" : `${said}\n`}${statusText(done, paint)}`;
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    // Proxies answer in HTML.
    return undefined;
  }
}
