/** `quorumlab admin recording`: the recording so far, for `quorumlab replay`. */
import { writeFileSync } from "node:fs";
import { type Command, textOf } from "../command.ts";
import { EXIT, UsageError } from "../exit-code.ts";
import { textOption } from "../options.ts";
import { readAnswer } from "./as-command.ts";
import { callAdmin } from "./call.ts";
import { targetOf, withTarget } from "./target.ts";

export const recordingCommand: Command = {
  usage: "recording",
  description: "the recording so far, for quorumlab replay",
  examples: [["$0 admin recording --out network.ndjson", "then: quorumlab replay network.ndjson"]],
  build: (yargs, env) => withTarget(yargs.option("out", textOption("file to write it to; default: stdout")), env),
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
      const said = { type: "admin", action: "recording", status, out: path, lines };
      io.out(args["json"] === true ? `${JSON.stringify(said)}\n` : `${lines} lines in ${path}\n`);
    }
    return EXIT.expected;
  },
};
