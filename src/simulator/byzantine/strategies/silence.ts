/** Strategies that send nothing, or no votes or commits, to some or all parties. */
import { EVERY_VALIDATOR, replaceEach, type Strategy, type StrategyRecord, type Targets } from "../strategy.ts";

export const withholdVotes: StrategyRecord = {
  sentence: "Signs its votes and sends them to nobody, or not to the parties of `towards`.",
  weight: 2,
  towards: "all",
  create: ({ towards }) => withhold("vote", towards),
};

export const withholdCommits: StrategyRecord = {
  sentence: "Signs its commits and sends them to nobody, or not to the parties of `towards`.",
  weight: 2,
  towards: "all",
  create: ({ towards }) => withhold("commit", towards),
};

export const selectiveSilence: StrategyRecord = {
  sentence: "Sends nothing to the parties of `towards`, and goes on receiving.",
  weight: 2,
  towards: "none",
  create: ({ towards }) => silenceTowards(towards),
};

export const silence: StrategyRecord = {
  sentence: "Sends nothing to any party, and goes on receiving.",
  weight: 2,
  create: () => silenceTowards(EVERY_VALIDATOR),
};

function withhold(kind: "vote" | "commit", towards: Targets): Strategy<undefined> {
  return replaceEach((step, output) => {
    if (output.type !== "sign" || output.message.body.type !== kind) return output;
    return { ...output, to: output.to.filter((peer) => peer === step.self || !towards.has(peer)) };
  });
}

function silenceTowards(towards: Targets): Strategy<undefined> {
  return replaceEach((step, output) => {
    if (output.type === "reply") return towards.has(output.client) ? [] : output;
    if (output.type !== "sign" && output.type !== "send") return output;
    return { ...output, to: output.to.filter((peer) => peer === step.self || !towards.has(peer)) };
  });
}
