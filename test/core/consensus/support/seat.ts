/** One member's view of the slot, driven message by message. */
import type { Epoch, Hash } from "../../../../src/core/base/ids.ts";
import {
  castVote,
  receiveBallot,
  receiveFinality,
  receiveLock,
  roundTimedOut,
} from "../../../../src/core/consensus/agreement.ts";
import type { ConsensusMessage } from "../../../../src/core/consensus/message.ts";
import {
  changeRound,
  type ProposalStatus,
  proposeIfDue,
  receiveProposal,
  receiveRoundChange,
} from "../../../../src/core/consensus/round-change.ts";
import { type AgreementContext, type ConsensusRules, consensusRules } from "../../../../src/core/consensus/rules.ts";
import { newSlot, type SlotEffect, type SlotState, SlotUpdate } from "../../../../src/core/consensus/slot-state.ts";
import { type Kit, round } from "./kit.ts";

type EffectOf<T extends SlotEffect["type"]> = Extract<SlotEffect, { type: T }>;

export class Seat {
  state: SlotState;
  /** Status of the last proposal received. */
  standing: ProposalStatus = "ignored";
  /** True while the epoch is open here. */
  isOpen = true;
  private readonly context: Omit<AgreementContext, "isOpen">;

  constructor(kit: Kit, at: number, rules: ConsensusRules = consensusRules) {
    const { committee, authenticator } = kit;
    this.context = { self: kit.member(at), committee, authenticator, rules };
    this.state = newSlot(kit.slot, 0 as Epoch);
  }

  take(message: ConsensusMessage, holdsContent = true): readonly SlotEffect[] {
    return this.move((context, update) => {
      switch (message.type) {
        case "vote":
        case "commit":
          receiveBallot(context, update, message);
          return;
        case "lock":
          receiveLock(context, update, message, holdsContent);
          return;
        case "finality":
          receiveFinality(context, update, message, false);
          return;
        case "roundChange":
          receiveRoundChange(context, update, message);
          return;
        case "proposal":
          this.standing = receiveProposal(context, update, message);
      }
    });
  }

  takeAll(messages: readonly ConsensusMessage[]): readonly SlotEffect[] {
    return messages.flatMap((message) => this.take(message));
  }

  vote(number: number, value: Hash): readonly SlotEffect[] {
    return this.move((context, update) => castVote(context, update, round(number), value));
  }

  /** Leaves for a round because of a disclosed reason. */
  leave(number: number): readonly SlotEffect[] {
    return this.move((context, update) => changeRound(context, update, round(number), "reason"));
  }

  timeOut(number: number): readonly SlotEffect[] {
    return this.move((context, update) => roundTimedOut(context, update, round(number)));
  }

  proposeIfDue(): readonly SlotEffect[] {
    return this.move(proposeIfDue);
  }

  private move(step: (context: AgreementContext, update: SlotUpdate) => void): readonly SlotEffect[] {
    const update = new SlotUpdate(this.state);
    step({ ...this.context, isOpen: this.isOpen }, update);
    this.state = update.state;
    return update.effects;
  }
}

/** Returns the effects of one type. */
export function only<T extends SlotEffect["type"]>(effects: readonly SlotEffect[], type: T): readonly EffectOf<T>[] {
  return effects.filter((effect): effect is EffectOf<T> => effect.type === type);
}

/** Returns the types of the effects, in order. */
export function types(effects: readonly SlotEffect[]): readonly string[] {
  return effects.map(({ type }) => type);
}

/** Returns the reports: signer and misbehaviour. */
export function reportTexts(kit: Kit, effects: readonly SlotEffect[]): readonly string[] {
  return only(effects, "report").map(
    ({ signer, misbehaviour }) => `${kit.committee.members.indexOf(signer)}: ${misbehaviour}`,
  );
}
