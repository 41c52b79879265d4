/** `quorumlab admin`: faults, time and cheats on a served network, through its admin API. */
import type { Command } from "../command.ts";
import { UsageError } from "../exit-code.ts";
import type { AdminAction } from "./admin-action.ts";
import { asCommand } from "./as-command.ts";
import { CHEAT_ACTIONS } from "./cheats.ts";
import { LINK_ACTIONS } from "./links.ts";
import { NODE_ACTIONS } from "./nodes.ts";
import { recordingCommand } from "./recording-command.ts";
import { TIME_ACTIONS } from "./time.ts";

const statusAction: AdminAction = {
  usage: "status",
  description: "status of the network; exits with 1 after a violation",
  example: "",
  ask: () => ({ path: "/admin/status" }),
};

const ACTIONS: readonly AdminAction[] = [
  statusAction,
  ...NODE_ACTIONS,
  ...LINK_ACTIONS,
  ...TIME_ACTIONS,
  ...CHEAT_ACTIONS,
];

export const adminCommand: Command = {
  usage: "admin",
  description: "faults, time and cheats on a served network: crash, partition, advance, snapshot, …",
  examples: [
    ["$0 admin status", "status of the network"],
    ["$0 admin crash v2", "crash a validator"],
    ["$0 admin byzantine v4 double-vote", "make a validator Byzantine"],
    ["$0 admin advance 60000", "advance by a minute"],
  ],
  subcommands: [...ACTIONS.map(asCommand), recordingCommand],
  build: (yargs) => yargs.demandCommand(1, "expected an action; quorumlab admin --help lists them"),
  run: async () => {
    throw new UsageError("expected an action; quorumlab admin --help lists them");
  },
};
