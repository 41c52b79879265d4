/** Faults of validators: crashes, suspensions, lost disks, clocks, slow and lossy disks. */
import { definedMembers } from "../../core/base/defined-members.ts";
import { choiceWithMeanings, members, optional, wholeNumber } from "../../schema/shape.ts";
import { LOST_WRITES_MAX } from "../../simulator/settings.ts";
import { checkNames } from "../check/name-check.ts";
import { rangeOf } from "../compile/parts.ts";
import { checkRange, delay, name, time } from "../schema/scalars.ts";
import { fault, type ValueOf } from "./fault.ts";

const CRASH_OUTPUTS = {
  persist: "It writes a durable record.",
  erase: "It erases a durable record.",
  sign: "It signs and sends a statement.",
  send: "It sends a message without a signature of its own.",
};

/** A fault whose only value is its validator. */
function nodeFault(verb: "restart" | "resume" | "wipe" | "backup" | "restore", sentence: string) {
  return fault({
    sentence,
    example: `- { at: 100, ${verb}: v2 }`,
    value: name("the validator"),
    check: (node, path, declared) => checkNames(declared, "node", path, node),
    compile: (node) => ({ do: verb, node }),
  });
}

export const crash = fault({
  sentence: "A validator crashes and loses its volatile state.",
  example: "- { at: 100, crash: { node: v2, restart_after_ms: 500 } }",
  value: members({
    node: name("the validator"),
    outputs: optional(
      wholeNumber("the number of its further outputs before the crash", 0, 100_000, "default: it crashes at once"),
    ),
    after_output: optional(
      choiceWithMeanings(
        "the type of its next output, right after which it crashes; default: it crashes at once",
        CRASH_OUTPUTS,
      ),
    ),
    restart_after_ms: optional(time("the time from the crash to the restart; default: it stays down")),
  }),
  check: ({ node }, path, declared) => checkNames(declared, "node", [...path, "node"], node),
  compile: ({ node, outputs, after_output, restart_after_ms }) => ({
    do: "crash",
    node,
    ...definedMembers({ outputs, output: after_output && { type: after_output }, restartAfterMs: restart_after_ms }),
  }),
});

export type CrashSpec = ValueOf<typeof crash>;

export const restart = nodeFault("restart", "A validator that is down starts again from its disk.");

export const suspend = fault({
  sentence:
    "A validator stands still with its memory, timers and unfinished outputs, as after SIGSTOP, until `resume`, a crash or the healing. What reaches it meanwhile waits.",
  example: "- { at: 100, suspend: { node: v2, resume_after_ms: 500 } }",
  value: members({
    node: name("the validator"),
    resume_after_ms: optional(time("the time after which it goes on; default: it stands still")),
  }),
  check: ({ node }, path, declared) => checkNames(declared, "node", [...path, "node"], node),
  compile: ({ node, resume_after_ms }) => ({
    do: "suspend",
    node,
    ...definedMembers({ resumeAfterMs: resume_after_ms }),
  }),
});

export const resume = nodeFault(
  "resume",
  "A suspended validator goes on: it carries out its remaining outputs, and then handles what waits, in order.",
);

export const wipe = nodeFault(
  "wipe",
  "A validator loses its volatile state, its disk and the keys with which it has signed, and is down until `restart`.",
);

export const backup = nodeFault(
  "backup",
  "The durable records of a validator are copied, in place of an earlier copy.",
);

export const restore = nodeFault(
  "restore",
  "A validator loses its volatile state, returns to the durable records of its last `backup`, to none without one, and is down until `restart`. It keeps its keys, so it may contradict what it signed since, and counts as Byzantine; after `wipe` it has lost them.",
);

export const clock = fault({
  sentence: "Sets the clock of a validator ahead of the others, or behind.",
  example: "- { at: 0, clock: { node: v3, ahead_ms: 40000 } }",
  value: members({
    node: name("the validator"),
    ahead_ms: wholeNumber("the milliseconds by which it is ahead, negative where behind", -86_400_000, 86_400_000),
  }),
  check: ({ node }, path, declared) => checkNames(declared, "node", [...path, "node"], node),
  compile: ({ node, ahead_ms }) => ({ do: "clock", node, aheadMs: ahead_ms }),
});

export const disk = fault({
  sentence: "Changes the disk of a validator.",
  example: "- { at: 0, disk: { node: v1, write_ms: 5..10 } }",
  value: members({
    node: name("the validator"),
    write_ms: optional(delay("the time that a write takes; default: unchanged")),
    loses_last: optional(
      wholeNumber(
        "the number of acknowledged records that a crash loses, which makes the validator count as Byzantine",
        0,
        LOST_WRITES_MAX,
      ),
    ),
  }),
  check: ({ node, write_ms }, path, declared) => [
    ...checkNames(declared, "node", [...path, "node"], node),
    ...checkRange([...path, "write_ms"], write_ms),
  ],
  compile: ({ node, write_ms, loses_last }) => ({
    do: "disk",
    node,
    settings: definedMembers({
      writeMs: write_ms === undefined ? undefined : rangeOf(write_ms),
      losesLast: loses_last,
    }),
  }),
});
