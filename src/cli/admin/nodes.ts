/** What happens to single validators. */
import type { Argv } from "yargs";
import { texts } from "../command.ts";
import { textOption } from "../options.ts";
import type { Action } from "./action.ts";
import { stepCall } from "./call.ts";
import { membersOf, namesIn, pairOf, typed, wholeIn, wholeOrNone } from "./words.ts";

const node = (yargs: Argv): Argv => yargs.positional("node", { type: "string", description: "the validator" });

export const NODE_ACTIONS: readonly Action[] = [
  {
    usage: "crash <node>",
    description: "a validator loses its memory, and runs no more",
    example: "v2 --restart-after-ms 500",
    build: (yargs) =>
      node(yargs).option("restart-after-ms", textOption("when it starts again by itself, virtual milliseconds")),
    ask: (args) => {
      const restart_after_ms = wholeOrNone(args, "restart-after-ms");
      return stepCall({ crash: membersOf({ node: typed(args, "node"), restart_after_ms }) });
    },
  },
  {
    usage: "restart <node>",
    description: "a validator that crashed starts again from its disk",
    example: "v2",
    build: node,
    ask: (args) => stepCall({ restart: typed(args, "node") }),
  },
  {
    usage: "wipe <node>",
    description: "a validator loses memory and disk",
    example: "v2",
    build: node,
    ask: (args) => stepCall({ wipe: typed(args, "node") }),
  },
  {
    usage: "clock <node> <ms>",
    description: "sets a clock ahead of the others, or behind them where negative",
    example: "v3 40000",
    build: (yargs) => node(yargs).positional("ms", { type: "string", description: "by how many milliseconds" }),
    ask: (args) => stepCall({ clock: { node: typed(args, "node"), ahead_ms: wholeIn(args, "ms") } }),
  },
  {
    usage: "byzantine <node> <strategy>",
    description: "a validator stops following the rules",
    example: "v4 double-vote",
    build: (yargs) =>
      node(yargs)
        .positional("strategy", { type: "string", description: "what it does: quorumlab schema lists them" })
        .option("towards", textOption("to whom: v1,v2"))
        .option("chance", textOption("how often: 1/5"))
        .option("lie", textOption("what is wrong, of strategies that lie")),
    ask: (args) => {
      const [towards, chance, lie] = [namesIn(args, "towards"), args["chance"], args["lie"]];
      const members = { node: typed(args, "node"), strategy: typed(args, "strategy"), towards, chance, lie };
      return stepCall({ byzantine: membersOf(members) });
    },
  },
  {
    usage: "behave <node> [strategy]",
    description: "it follows the rules again, wholly or in one thing",
    example: "v4",
    build: (yargs) => node(yargs).positional("strategy", { type: "string", description: "which strategy ends" }),
    ask: (args) => stepCall({ behave: membersOf({ node: typed(args, "node"), strategy: args["strategy"] }) }),
  },
  {
    usage: "twin <groups..>",
    description: "which of two nodes with one key the messages of others reach",
    example: 'v4=v1,v2 "v4\'=v3"',
    build: (yargs) => yargs.positional("groups", { type: "string", array: true, description: "node=party,party" }),
    ask: (args) => {
      const groups = texts(args, "groups").map((text) => pairOf("groups", text));
      return stepCall({ twin: Object.fromEntries(groups.map(([name, parties]) => [name, parties.split(",")])) });
    },
  },
];
