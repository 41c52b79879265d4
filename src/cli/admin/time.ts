/** Actions on time: advance, rate, snapshot, revert, checkpoint, epoch. */
import { UsageError } from "../command.ts";
import { textOption } from "../options.ts";
import {
  type AdminAction,
  argument,
  integerIn,
  integerOrNone,
  membersOf,
  nameList,
  pairsIn,
  requiredText,
} from "./action.ts";

export const TIME_ACTIONS: readonly AdminAction[] = [
  {
    usage: "advance <ms>",
    description: "advances virtual time as fast as possible",
    example: "60000",
    positionals: { ms: argument("virtual milliseconds") },
    request: (args) => ({ path: "/admin/advance", body: { ms: integerIn(args, "ms") } }),
    isCounted: true,
    resultText: (result) => `${result} ms passed`,
  },
  {
    usage: "rate <rate>",
    description: "sets the virtual milliseconds for each real one; 0 stops virtual time",
    example: "0.1",
    positionals: { rate: argument("0 to 1000") },
    request: (args) => {
      const text = requiredText(args, "rate");
      if (!/^\d{1,9}(\.\d{1,9})?$/.test(text)) throw new UsageError(`rate: expected 0 to 1000, got "${text}"`);
      return { path: "/admin/rate", body: { rate: Number(text) } };
    },
  },
  {
    usage: "snapshot",
    description: "takes a snapshot",
    example: "",
    request: () => ({ path: "/admin/snapshot", body: {} }),
    resultText: (result) => `snapshot ${result}: quorumlab admin revert ${result} undoes everything after it`,
  },
  {
    usage: "revert <snapshot>",
    description: "reverts to a snapshot",
    example: "1",
    positionals: { snapshot: argument("its name") },
    request: (args) => ({ path: "/admin/revert", body: { snapshot: requiredText(args, "snapshot") } }),
  },
  {
    usage: "reset",
    description: "undoes everything",
    example: "",
    request: () => ({ path: "/admin/reset", body: {} }),
  },
  {
    usage: "checkpoint",
    description: "advances to the next checkpoint",
    example: "",
    request: () => ({ path: "/admin/checkpoint", body: {} }),
    isCounted: true,
    resultText: (result) => `checkpoint ${result} is final`,
  },
  {
    usage: "epoch",
    description: "closes the epoch; parameters that are not given stay unchanged",
    example: "--validators v1,v2,v3,v5",
    options: {
      validators: textOption("the next committee: v1,v2,v3,v5; new members must be spares"),
      fees: textOption("payment=0.02,cancellation=0.04,recovery=0.04"),
      "checkpoint-interval": textOption("ms"),
    },
    request: (args) => {
      const interval_ms = integerOrNone(args, "checkpoint-interval");
      const checkpoints = interval_ms === undefined ? undefined : { interval_ms };
      const change = { validators: nameList(args, "validators"), fees: pairsIn(args, "fees"), checkpoints };
      return { path: "/admin/epoch", body: membersOf(change) };
    },
    isCounted: true,
    resultText: (result) => `epoch ${result} has begun`,
  },
];
