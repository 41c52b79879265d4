/** `quorumlab admin`: faults, time and cheats on a served network, through its admin API. */
import type { Command } from "../command.ts";
import { UsageError } from "../exit-code.ts";
import type { Action } from "./action.ts";
import { asCommand } from "./as-command.ts";
import { CHEAT_ACTIONS } from "./cheats.ts";
import { LINK_ACTIONS } from "./links.ts";
import { NODE_ACTIONS } from "./nodes.ts";
import { recordingCommand } from "./recording-command.ts";
import { TIME_ACTIONS } from "./time.ts";

const statusAction: Action = {
  usage: "status",
  description: "how the network stands; exits 1 where an invariant broke",
  example: "",
  ask: () => ({ path: "/admin/status" }),
};

const ACTIONS: readonly Action[] = [statusAction, ...NODE_ACTIONS, ...LINK_ACTIONS, ...TIME_ACTIONS, ...CHEAT_ACTIONS];

export const adminCommand: Command = {
  usage: "admin",
  description: "faults, time and cheats on a served network: crash, partition, advance, snapshot, …",
  examples: [
    ["$0 admin status", "how the network stands"],
    ["$0 admin crash v2", "one validator less"],
    ["$0 admin byzantine v4 double-vote", "one that lies"],
    ["$0 admin advance 60000", "a minute later"],
  ],
  subcommands: [...ACTIONS.map(asCommand), recordingCommand],
  build: (yargs) => yargs.demandCommand(1, "expected what to do; quorumlab admin --help lists it"),
  run: async () => {
    throw new UsageError("expected what to do; quorumlab admin --help lists it");
  },
};
