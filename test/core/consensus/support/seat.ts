/** One member's view of the slot, driven message by message. */
import type { Epoch, Hash } from "../../../../src/core/base/ids.ts";
import {
  castVote,
  roundTimedOut,
  takeBallot,
  takeFinality,
  takeLock,
} from "../../../../src/core/consensus/agreement.ts";
import type { AgreementContext } from "../../../../src/core/consensus/context.ts";
import type { ConsensusMessage } from "../../../../src/core/consensus/message.ts";
import {
  changeRound,
  type ProposalStanding,
  proposeIfDue,
  takeProposal,
  takeRoundChange,
} from "../../../../src/core/consensus/round-change.ts";
import { type ConsensusRules, consensusRules } from "../../../../src/core/consensus/rules.ts";
import { type Effect, newSlot, type SlotState, type Transition } from "../../../../src/core/consensus/slot-state.ts";
import { type Kit, round } from "./kit.ts";

type EffectOf<T extends Effect["type"]> = Extract<Effect, { type: T }>;

export class Seat {
  state: SlotState;
  /** Status of the last proposal received. */
  standing: ProposalStanding = "ignored";
  /** True while the epoch is open here. */
  isOpen = true;
  private readonly context: Omit<AgreementContext, "isOpen">;

  constructor(kit: Kit, at: number, rules: ConsensusRules = consensusRules) {
    const { committee, authenticator } = kit;
    this.context = { self: kit.member(at), committee, authenticator, rules };
    this.state = newSlot(kit.slot, 0 as Epoch);
  }

  take(message: ConsensusMessage, holdsContent = true): readonly Effect[] {
    return this.move((context, transition) => {
      switch (message.type) {
        case "vote":
        case "commit":
          takeBallot(context, transition, message);
          return;
        case "lock":
          takeLock(context, transition, message, holdsContent);
          return;
        case "finality":
          takeFinality(context, transition, message, false);
          return;
        case "roundChange":
          takeRoundChange(context, transition, message);
          return;
        case "proposal":
          this.standing = takeProposal(context, transition, message);
      }
    });
  }

  takeAll(messages: readonly ConsensusMessage[]): readonly Effect[] {
    return messages.flatMap((message) => this.take(message));
  }

  vote(number: number, value: Hash): readonly Effect[] {
    return this.move((context, transition) => castVote(context, transition, round(number), value));
  }

  /** Leaves for a round because of a disclosed reason. */
  leave(number: number): readonly Effect[] {
    return this.move((context, transition) => changeRound(context, transition, round(number), "reason"));
  }

  timeOut(number: number): readonly Effect[] {
    return this.move((context, transition) => roundTimedOut(context, transition, round(number)));
  }

  proposeIfDue(): readonly Effect[] {
    return this.move(proposeIfDue);
  }

  private move(step: (context: AgreementContext, transition: Transition) => void): readonly Effect[] {
    const transition: Transition = { state: this.state, effects: [] };
    step({ ...this.context, isOpen: this.isOpen }, transition);
    this.state = transition.state;
    return transition.effects;
  }
}

/** Returns the effects of one type. */
export function only<T extends Effect["type"]>(effects: readonly Effect[], type: T): readonly EffectOf<T>[] {
  return effects.filter((effect): effect is EffectOf<T> => effect.type === type);
}

/** Returns the types of the effects, in order. */
export function types(effects: readonly Effect[]): readonly string[] {
  return effects.map(({ type }) => type);
}

/** Returns the reports: signer and misbehaviour. */
export function accusations(kit: Kit, effects: readonly Effect[]): readonly string[] {
  return only(effects, "report").map(
    ({ signer, misbehaviour }) => `${kit.committee.members.indexOf(signer)}: ${misbehaviour}`,
  );
}
