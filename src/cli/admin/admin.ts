/** `quorumlab admin`: faults, time and cheats on a served network, through its admin API. */

import { writeFileSync } from "node:fs";
import { readCount } from "../../core/base/spelled-number.ts";
import { alignColumns } from "../../report/columns.ts";
import type { Paint } from "../../report/paint.ts";
import type { AdminStatus } from "../../server/admin/operations.ts";
import {
  type Args,
  type CommandGroup,
  type CommandOptions,
  commandName,
  EXIT,
  type Subcommand,
  textOf,
  UsageError,
} from "../command.ts";
import { type AdminTarget, answerIn, baseUrl, callAdmin, errorText } from "../http.ts";
import { painterFor } from "../io.ts";
import { JSON_OPTION, textOption } from "../options.ts";
import { jsonLine } from "../output.ts";
import { HOST_DEFAULT, PORT_DEFAULT } from "../serve/options.ts";
import { ADMIN_ACTIONS, type AdminAction } from "./actions.ts";

const URL_DEFAULT = `http://${HOST_DEFAULT}:${PORT_DEFAULT + 1_000}`;

/** --url has a variable of its own, since QUORUMLAB_URL is the address for operations. */
const TARGET_OPTIONS: CommandOptions = {
  url: { ...textOption(`of the admin API; default: ${URL_DEFAULT}`), env: "admin-url" },
  "admin-token": textOption("the --admin-token of quorumlab serve"),
  json: JSON_OPTION,
};

/** @throws UsageError for a malformed address. */
function targetOf(args: Args): AdminTarget {
  return { url: baseUrl(textOf(args, "url") ?? URL_DEFAULT, URL_DEFAULT), token: textOf(args, "admin-token") };
}

const recordingCommand: Subcommand = {
  usage: "recording",
  description: "the recording so far, for quorumlab replay",
  examples: [["$0 admin recording --out network.ndjson", "then: quorumlab replay network.ndjson"]],
  options: { out: { ...textOption("file to write it to; default: stdout"), env: false }, ...TARGET_OPTIONS },
  run: async (args, io) => {
    const target = targetOf(args);
    const { status, text } = await callAdmin(target, { path: "/admin/recording" });
    if (status !== 200 || !text.startsWith('{"type":"recording"')) readAnswer(target, status, text);
    const path = textOf(args, "out");
    if (path === undefined) io.out(text);
    else {
      try {
        writeFileSync(path, text);
      } catch (error) {
        throw new UsageError(`--out: ${(error as Error).message}`);
      }
      const lines = text.split("\n").length - 1;
      const line = { type: "admin", action: "recording", status, out: path, lines };
      io.out(args["json"] === true ? jsonLine(line) : `${lines} lines in ${path}\n`);
    }
    return EXIT.expected;
  },
};

export const adminCommand: CommandGroup = {
  examples: [
    ["$0 admin status", "status of the network"],
    ["$0 admin crash v2", "crash a validator"],
    ["$0 admin byzantine v4 double-vote", "make a validator Byzantine"],
    ["$0 admin advance 60000", "advance by a minute"],
  ],
  subcommands: [...ADMIN_ACTIONS.map(toSubcommand), recordingCommand],
};

/** Response of the admin API: the status of the network, and the result of an action. */
type AdminResult = AdminStatus & { result?: unknown };

type AdminRefusal = Readonly<{ error_code: string; message: string }>;

/** Returns the command `quorumlab admin <usage>`. */
function toSubcommand(action: AdminAction): Subcommand {
  const { usage, description, example = "", positionals = {}, options = {} } = action;
  const envlessOptions = Object.entries(options).map(([name, option]) => [name, { ...option, env: false as const }]);
  const name = commandName(usage);
  return {
    usage,
    description,
    examples: [[`$0 admin ${name} ${example}`.trimEnd(), ""]],
    positionals,
    options: { ...Object.fromEntries(envlessOptions), ...TARGET_OPTIONS },
    run: async (args, io) => {
      const target = targetOf(args);
      const { status, text } = await callAdmin(target, action.request(args));
      const body = readAnswer(target, status, text);
      if (action.isCounted === true && "result" in body) body.result = readCount(body.result) ?? null;
      const json = args["json"] === true;
      if (json) io.out(jsonLine({ type: "admin", action: name, status, ...body }));
      const paint = painterFor(io);
      if ("error_code" in body) {
        if (!json) io.out(`${paint("bad", "refused")}  ${body.message}\n`);
        return EXIT.failed;
      }
      if (!json) io.out(doneText(action, body, paint));
      return "result" in body || body.violations.length === 0 ? EXIT.expected : EXIT.failed;
    },
  };
}

/** Members of a status that are whole numbers. */
const COUNTS = new Set("virtual_ms steps final pending epoch checkpoint owed_from_ms".split(" "));

/** The same with its numbers as numbers: null for those that cannot be read. */
function readNumbers(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (member, value: unknown) => {
    if (member === "rate" && (typeof value === "number" || /^\d+\.\d+$/.test(String(value)))) return Number(value);
    return member === "rate" || COUNTS.has(member) ? (readCount(value) ?? null) : value;
  });
}

/** @throws UsageError for error responses other than a refused action. */
function readAnswer({ url }: AdminTarget, status: number, text: string): AdminResult | AdminRefusal {
  const body = answerIn(text);
  const isDone = status === 200 && Array.isArray(body?.["nodes"]);
  if (isDone || (status === 422 && body?.["error_code"] === "admin_refused"))
    return readNumbers(body) as AdminResult | AdminRefusal;
  const words = errorText(body);
  throw new UsageError(`${url} responds with ${status}${words === "" ? ", and is not an admin API" : `, ${words}`}`);
}

function doneText({ resultText, isCounted }: AdminAction, done: AdminResult, paint: Paint): string {
  const result = isCounted === true ? numberText(done.result) : done.result;
  const resultLine = "result" in done ? `${paint("good", "done")}  ${resultText?.(result) ?? ""}`.trimEnd() : "";
  return `${resultLine === "" ? "" : `${resultLine}\n`}${statusText(done, paint)}`;
}

/** Returns a number of an answer as text; one that could not be read is null. */
function numberText(number: unknown): string {
  return String(number ?? "unknown");
}

/** Faults that the status lists. */
const FAULTS_SHOWN = 8;

/** Returns several lines, each with a line break. */
function statusText(status: AdminStatus, paint: Paint): string {
  const { virtual_ms, rate, steps, final, pending, nodes, faults, liveness, violations } = status;
  const pace = rate === 1 ? "" : rate === 0 ? ", time stopped" : `, rate ${numberText(rate)}`;
  const rows = nodes.map(({ node, running, epoch, checkpoint }) => [
    node,
    running ? "running" : "down",
    ...[epoch, checkpoint].map((number) => (running ? numberText(number) : "-")),
  ]);
  const lines = [
    `${numberText(virtual_ms)} ms virtual${pace}, ${numberText(steps)} events, ${numberText(final)} final, ${numberText(pending)} pending`,
    ...alignColumns([["node", "state", "epoch", "checkpoint"], ...rows]).map((line, at) =>
      paintRow(line, at, rows, paint),
    ),
    ...faults.slice(0, FAULTS_SHOWN).map((fault) => `${paint("warn", "fault")}  ${fault}`),
    ...(faults.length > FAULTS_SHOWN ? [`and ${faults.length - FAULTS_SHOWN} more faults: --json lists all`] : []),
    ...(liveness.faults.length === 0 ? [] : ["liveness is not judged while they last"]),
    ...violations.map(
      (violation) =>
        `${paint("bad", violation.invariant)} at ${numberText(violation.virtual_ms)} ms: ${violation.detail}`,
    ),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function paintRow(line: string, at: number, rows: readonly (readonly string[])[], paint: Paint): string {
  if (at === 0) return paint("dim", line);
  return rows[at - 1]?.[1] === "down" ? paint("bad", line) : line;
}
