/** One validator without peers: each input gives its outputs, and nothing is delivered. */
import type { Millis } from "../../../../src/core/base/ids.ts";
import type { Submission } from "../../../../src/core/base/operation.ts";
import type { StatementContent } from "../../../../src/core/consensus/message.ts";
import type { PeerMessage } from "../../../../src/core/validator/message.ts";
import type { DurableRecord, Output } from "../../../../src/core/validator/output.ts";
import type { ValidatorState } from "../../../../src/core/validator/state.ts";
import { step } from "../../../../src/core/validator/step.ts";
import type { StepContext } from "../../../../src/core/validator/step-context.ts";
import { addressOf } from "./operations.ts";

type Of<T extends Output["type"]> = Extract<Output, { type: T }>;

export class Single {
  readonly state: ValidatorState;
  at: number;

  constructor(state: ValidatorState, at = 0) {
    this.state = state;
    this.at = at;
  }

  /** Takes a message as if this validator had sent it. */
  take(message: PeerMessage, from = "v2"): readonly Output[] {
    return step(this.state, { type: "message", at: this.at as Millis, from: addressOf(from), message });
  }

  fire(name: string): readonly Output[] {
    return step(this.state, { type: "timer", at: this.at as Millis, name });
  }

  submit(submission: Submission, client = "client"): readonly Output[] {
    return step(this.state, { type: "submit", at: this.at as Millis, client, submission });
  }

  restart(...records: readonly (readonly [string, DurableRecord])[]): readonly Output[] {
    return step(this.state, { type: "restart", at: this.at as Millis, records });
  }
}

export function only<T extends Output["type"]>(outputs: readonly Output[], type: T): readonly Of<T>[] {
  return outputs.filter((output): output is Of<T> => output.type === type);
}

/** Messages of one type that are sent. */
export function sent<T extends PeerMessage["type"]>(
  outputs: readonly Output[],
  type: T,
): readonly Extract<PeerMessage, { type: T }>[] {
  const isOne = (message: PeerMessage): message is Extract<PeerMessage, { type: T }> => message.type === type;
  return only(outputs, "send").flatMap(({ message }) => (isOne(message) ? [message] : []));
}

/** Statements of one type that are to be signed. */
export function signed(outputs: readonly Output[], type: StatementContent["type"]): readonly StatementContent[] {
  return only(outputs, "sign").flatMap(({ message }) => (message.body.type === type ? [message.body] : []));
}

/** Names of the timers that are set. */
export function timers(outputs: readonly Output[]): readonly string[] {
  return only(outputs, "setTimer").map(({ name }) => name);
}

/** Context of a step that this validator caused itself, with no output so far. */
export function contextOf(state: ValidatorState): StepContext & { readonly outputs: Output[] } {
  const at = 0 as Millis;
  return { state, at, clock: at, from: state.environment.self, outputs: [], agenda: [] };
}
