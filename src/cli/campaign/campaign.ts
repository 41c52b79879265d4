/** `quorumlab campaign`: fuzzing and its companions over many threads, processes and machines. */
import { type Command, missingSubcommand, UsageError } from "../command.ts";
import { startAction, statusAction, stopAction, watchAction, workAction } from "./actions.ts";
import { dashboardAction } from "./dashboard.ts";
import { resultsAction } from "./results.ts";

export const campaignCommand: Command = {
  examples: [
    ["$0 campaign start --seeds 2000", "on this machine; an interrupted call goes on where it was"],
    ["$0 campaign start --seeds 1000000 --redis redis://queue:6379", "fill a queue"],
    ["$0 campaign work --redis redis://queue:6379 --workers 16", "work on it, on any number of machines"],
    ["$0 campaign results --redis redis://queue:6379", "worlds, findings, coverage"],
    ["$0 campaign dashboard --redis redis://queue:6379", "the same as a page, while it runs"],
  ],
  subcommands: [startAction, workAction, statusAction, watchAction, stopAction, resultsAction, dashboardAction],
  run: async () => {
    throw new UsageError(missingSubcommand("campaign"));
  },
};
