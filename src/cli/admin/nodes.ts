/** Actions on single validators. */
import { type Positionals, texts } from "../command.ts";
import { textOption } from "../options.ts";
import { type AdminAction, argument, integerIn, integerOrNone, membersOf, nameList, pairOf, typed } from "./action.ts";
import { stepCall } from "./api.ts";

const NODE: Positionals = { node: argument("the validator") };

export const NODE_ACTIONS: readonly AdminAction[] = [
  {
    usage: "crash <node>",
    description: "crashes a validator, which loses its volatile state",
    example: "v2 --restart-after-ms 500",
    positionals: NODE,
    options: { "restart-after-ms": textOption("virtual milliseconds until it restarts") },
    request: (args) => {
      const restart_after_ms = integerOrNone(args, "restart-after-ms");
      return stepCall({ crash: membersOf({ node: typed(args, "node"), restart_after_ms }) });
    },
  },
  {
    usage: "restart <node>",
    description: "restarts a crashed validator from its disk",
    example: "v2",
    positionals: NODE,
    request: (args) => stepCall({ restart: typed(args, "node") }),
  },
  {
    usage: "wipe <node>",
    description: "crashes a validator, which loses volatile and durable state",
    example: "v2",
    positionals: NODE,
    request: (args) => stepCall({ wipe: typed(args, "node") }),
  },
  {
    usage: "clock <node> <ms>",
    description: "sets how far a clock is ahead of virtual time; negative: behind",
    example: "v3 40000",
    positionals: { ...NODE, ms: argument("milliseconds") },
    request: (args) => stepCall({ clock: { node: typed(args, "node"), ahead_ms: integerIn(args, "ms") } }),
  },
  {
    usage: "byzantine <node> <strategy>",
    description: "makes a validator Byzantine",
    example: "v4 double-vote",
    positionals: { ...NODE, strategy: argument("its strategy: quorumlab schema lists them") },
    options: {
      towards: textOption("only towards these parties: v1,v2"),
      chance: textOption("chance of each deviation: 1/5"),
      mode: textOption("kind of false statement, for strategies that have several"),
    },
    request: (args) => {
      const [towards, chance, mode] = [nameList(args, "towards"), args["chance"], args["mode"]];
      const members = { node: typed(args, "node"), strategy: typed(args, "strategy"), towards, chance, mode };
      return stepCall({ byzantine: membersOf(members) });
    },
  },
  {
    usage: "behave <node> [strategy]",
    description: "ends one strategy of a validator, or all",
    example: "v4",
    positionals: { ...NODE, strategy: argument("strategy that ends; default: all") },
    request: (args) => stepCall({ behave: membersOf({ node: typed(args, "node"), strategy: args["strategy"] }) }),
  },
  {
    usage: "twin <groups..>",
    description: "sets which of two nodes with one key receives the messages of each party",
    example: 'v4=v1,v2 "v4\'=v3"',
    positionals: { groups: { ...argument("node=party,party"), array: true } },
    request: (args) => {
      const groups = texts(args, "groups").map((text) => pairOf("groups", text));
      return stepCall({ twin: Object.fromEntries(groups.map(([name, parties]) => [name, parties.split(",")])) });
    },
  },
];
