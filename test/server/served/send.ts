/** `quorumlab send` against a served network, in this process. */
import yargs from "yargs";
import { withArguments } from "../../../src/cli/command.ts";
import type { Io } from "../../../src/cli/io.ts";
import { sendCommand } from "../../../src/cli/send/send.ts";

/** Returns what the command prints; it keeps nothing between two runs, as if each had a process of its own. Throws its errors. */
export async function send(line: string, url: string): Promise<string> {
  let out = "";
  const io: Io = {
    ...{ out: (text: string) => (out += text), err: () => undefined, env: {}, outIsTerminal: false },
    ...{ errIsTerminal: false, now: () => 0, cpu: () => 0, interrupted: async () => false },
  };
  let work: Promise<unknown> | undefined;
  yargs()
    .parserConfiguration({ "parse-numbers": false, "parse-positional-numbers": false })
    .command(
      "send <kind>",
      "",
      (one) => withArguments(one, sendCommand, {}),
      (args) => {
        work = sendCommand.run(args, io);
        work.catch(() => undefined);
      },
    )
    .parse(`send ${line} --url ${url}`);
  await work;
  return out;
}
