/** `quorumlab explain`: the meaning of a refusal code, an invariant or a coverage point, or the narrative of a run. */
import { explain, explainable } from "../report/explain.ts";
import { explanationText } from "../report/explanation.ts";
import { painter } from "../report/paint.ts";
import { type Command, textOf } from "./command.ts";
import { EXIT, UsageError } from "./exit-code.ts";
import { explainRun, isRun, NARRATIVE_LINES } from "./explain-run.ts";
import { wantsColours } from "./io.ts";
import { JSON_OPTION, textOption, withOptions } from "./options.ts";

export const explainCommand: Command = {
  usage: "explain <what>",
  description: "explain a refusal code, an invariant, a coverage point or a run",
  examples: [
    ["$0 explain business_nonce_gap", "a refusal code: its rule, HTTP status and section"],
    ["$0 explain agreement", "an invariant"],
    ["$0 explain reports/fuzz/agreement-account-1.yaml", "a run: its narrative up to the first violation"],
  ],
  build: (yargs, env) =>
    withOptions(
      yargs.positional("what", {
        type: "string",
        demandOption: true,
        description:
          "the name of a code, invariant or coverage point, a scenario file, or a recording of serve (.ndjson)",
      }),
      env,
      {
        seed: textOption("of a run; default: its saved seed, else 1"),
        lines: textOption("of a run: number of its last lines", NARRATIVE_LINES),
        json: JSON_OPTION,
      },
    ),
  run: async (args, io) => {
    const what = textOf(args, "what") ?? "";
    if (isRun(what)) return explainRun(what, args, io);
    const found = explain(what);
    if ("closest" in found) {
      const hint =
        found.closest === undefined ? `known are: ${explainable().join(", ")}` : `did you mean "${found.closest}"?`;
      throw new UsageError(`unknown name "${what}"; ${hint}`);
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
