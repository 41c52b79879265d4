/** Health of a served network: whether a quorum can exchange messages, and whether all of it is correct. */
import type { LiveState } from "../../report/live-state.ts";

/** Badge of a page's head. */
export interface Health {
  /** Class of the badge. */
  readonly tone: "violation" | "pass" | "stalled";
  readonly word: "violation" | "stopped" | "at risk" | "faults" | "healthy";
  readonly reason: string;
}

/** Part of the state of a network on which its health depends. */
export type HealthState = Pick<LiveState, "nodes" | "cut" | "faults" | "violations" | "quorum" | "epoch">;

/** Returns the health; a violation outranks a missing quorum. */
export function healthOf({ nodes, cut, faults, violations, quorum, epoch }: HealthState): Health {
  const [first] = violations;
  if (first !== undefined)
    return { tone: "violation", word: "violation", reason: `${first.invariant}: ${first.detail}` };
  const running = nodes.filter(({ node, isRunning }) => isRunning && epoch.members.includes(node));
  const of = `${quorum} of ${epoch.members.length} must sign`;
  const stopped = (why: string): Health => {
    return { tone: "violation", word: "stopped", reason: `${why}, and ${of}: nothing becomes final` };
  };
  if (running.length < quorum) return stopped(`${running.length} validators run`);
  const connected = mostConnected(names(running), cut);
  if (connected < quorum) return stopped(`at most ${connected} running validators reach each other`);
  const correct = mostConnected(names(running.filter(({ isCorrect }) => isCorrect)), cut);
  if (correct < quorum) {
    const reason = `at most ${correct} correct validators reach each other, and ${of}: others decide whether anything becomes final`;
    return { tone: "violation", word: "at risk", reason };
  }
  if (faults.length > 0) return { tone: "stalled", word: "faults", reason: "operations can become final" };
  return { tone: "pass", word: "healthy", reason: `${running.length} validators run` };
}

function names(nodes: HealthState["nodes"]): readonly string[] {
  return nodes.map(({ node }) => node);
}

/** Returns the most validators that one of them can ask and hear, itself included: a validator that collects signatures needs a quorum. */
function mostConnected(validators: readonly string[], cut: HealthState["cut"]): number {
  const isCut = new Set(cut.map(([from, to]) => `${from} ${to}`));
  const heard = (one: string, other: string): boolean => !isCut.has(`${one} ${other}`) && !isCut.has(`${other} ${one}`);
  return Math.max(0, ...validators.map((one) => validators.filter((other) => heard(one, other)).length));
}
