/** `quorumlab explain`: what a refusal code, an invariant or a mark means. */
import { explain, explainable } from "../harness/explain.ts";
import { explanationText } from "../report/explanation.ts";
import { painter } from "../report/paint.ts";
import { type Command, textOf } from "./command.ts";
import { EXIT, UsageError } from "./exit-code.ts";
import { wantsColours } from "./io.ts";
import { JSON_OPTION, withOptions } from "./options.ts";

export const explainCommand: Command = {
  usage: "explain <what>",
  description: "say what a refusal code, an invariant or a mark means",
  examples: [
    ["$0 explain business_nonce_gap", "a refusal code: its rule, HTTP status and section"],
    ["$0 explain agreement", "an invariant"],
  ],
  build: (yargs, env) =>
    withOptions(
      yargs.positional("what", {
        type: "string",
        demandOption: true,
        description: "the name of a code, invariant or mark",
      }),
      env,
      { json: JSON_OPTION },
    ),
  run: async (args, io) => {
    const what = textOf(args, "what") ?? "";
    const found = explain(what);
    if ("closest" in found) {
      const hint =
        found.closest === undefined ? `known are: ${explainable().join(", ")}` : `did you mean "${found.closest}"?`;
      throw new UsageError(`nothing is called "${what}"; ${hint}`);
    }
    const { kind, name, sentence, section, more } = found;
    const line = {
      type: "explain",
      kind,
      name,
      sentence,
      section,
      ...Object.fromEntries(more.map(([label, text]) => [label.replaceAll(" ", "_").toLowerCase(), text])),
    };
    io.out(args["json"] === true ? `${JSON.stringify(line)}\n` : explanationText(found, painter(wantsColours(io))));
    return EXIT.expected;
  },
};
