/**
 * Closings of an epoch (protocol 6.3), canonical by the slots that they list. The signers and certificates of the
 * closes change only the hash, so the first q closes represent all sets of closes that list the same slots.
 */
import { requireDefined } from "../../core/base/assert.ts";
import { entryOf } from "../../core/base/entry.ts";
import type { Epoch, Millis } from "../../core/base/ids.ts";
import { type EpochSlot, isChainSlot, type SlotKey, slotKey } from "../../core/base/slot.ts";
import { closingEvidenceOf } from "../../core/consensus/close.ts";
import type { Close } from "../../core/consensus/message.ts";
import type { ClosingContent } from "../../core/validator/content.ts";
import { closingContent } from "../../core/validator/epochs/closing.ts";
import type { ValidatorState } from "../../core/validator/state.ts";
import type { Input } from "../../core/validator/step.ts";
import { STEP_TIME_MS } from "../limits.ts";
import { choose, combinations, conjunction, disjunction, type Guard, TRUE_GUARD } from "./guard.ts";
import type { UntimedInput } from "./local-state.ts";
import {
  certificateFrom,
  certificateGuard,
  type DecidableClosing,
  type DecidableValue,
  type IsSigned,
  type NetworkKnowledge,
  valueName,
} from "./network-knowledge.ts";
import type { System } from "./system.ts";
import { message } from "./transitions-clients.ts";

/** Close that an honest validator has signed, or that the Byzantine validator can sign. */
interface CloseContribution {
  readonly claims: readonly { readonly slot: SlotKey; readonly text: string }[];
  readonly guard: Guard;
  readonly makeClose: (isSigned: IsSigned) => Close;
}

/** Cache of the closes that represent each list. */
export class ClosingCache {
  readonly #closings = new Map<string, DecidableClosing>();

  /** Returns the possible closings of the epochs with a signed close, over all runs so far. */
  closingsOf(knowledge: NetworkKnowledge): readonly DecidableClosing[] {
    const { system, statements } = knowledge;
    if (system.proposals.length === 0) return [];
    const epochs = new Set(
      statements.all.flatMap(({ message: { body } }) => (body.type === "close" ? [body.epoch] : [])),
    );
    return [...epochs].flatMap((epoch) => this.#closingsOfEpoch(knowledge, epoch));
  }

  #closingsOfEpoch(knowledge: NetworkKnowledge, epoch: Epoch): readonly DecidableClosing[] {
    const { honest, committee } = knowledge.system;
    const byzantineSets = knowledge.isSilent ? [] : [byzantineContributions(knowledge, epoch)];
    const contributions = [
      ...honest.map((_, validator) => honestContributions(knowledge, epoch, validator)),
      ...byzantineSets,
    ];
    const lists = new Map<string, { readonly sets: (readonly CloseContribution[])[]; readonly names: string }>();
    for (const set of choose(contributions, committee.quorum).flatMap(combinations)) {
      const { text, names } = strongestClaims(knowledge, set);
      entryOf(lists, text, () => ({ sets: [], names })).sets.push(set);
    }
    return [...lists].flatMap(([text, { sets, names }]) => {
      const key = `${epoch} ${text}`;
      const guard = disjunction(sets.map((set) => conjunction(set.map((part) => part.guard))));
      const first = sets[0];
      if (first === undefined || guard.length === 0) return [];
      const closing = this.#closings.get(key) ?? buildClosing(knowledge, epoch, first, names);
      if (closing === undefined) return [];
      this.#closings.set(key, closing);
      return [{ ...closing, value: { ...closing.value, guard } }];
    });
  }
}

function honestContributions(
  { statements }: NetworkKnowledge,
  epoch: Epoch,
  validator: number,
): readonly CloseContribution[] {
  return statements.all.flatMap(({ number, signer, message: { body } }): readonly CloseContribution[] => {
    if (signer !== validator || body.type !== "close" || body.epoch !== epoch) return [];
    const claims = body.claims.map((claim) => ({
      slot: slotKey(claim.slot),
      text: claimText(claim.type, claim.round, claim.value),
    }));
    return [{ claims, guard: [[number]], makeClose: () => body }];
  });
}

/** Returns the closes of the Byzantine validator: for each slot no claim, or any certificate that exists. */
function byzantineContributions(knowledge: NetworkKnowledge, epoch: Epoch): readonly CloseContribution[] {
  const { system } = knowledge;
  const ballots = knowledge.ballots.filter(
    (ballot) => ballot.epoch === epoch && !isChainSlot(ballot.slot) && certificateGuard(knowledge, ballot).length > 0,
  );
  const slots = [...new Set(ballots.map(({ slot }) => slotKey(slot)))].sort();
  const choices = slots.map((slot) => [undefined, ...ballots.filter((ballot) => slotKey(ballot.slot) === slot)]);
  return combinations(choices).map((chosen) => {
    const claimedBallots = chosen.filter((ballot) => ballot !== undefined);
    return {
      claims: claimedBallots.map((group) => ({
        slot: slotKey(group.slot),
        text: claimText(group.kind === "vote" ? "lock" : "finality", group.round, group.value),
      })),
      guard: conjunction(claimedBallots.map((group) => certificateGuard(knowledge, group))),
      makeClose: (isSigned) => {
        const claims = claimedBallots.map((group) => certificateFrom(knowledge, group, isSigned));
        return system.byzantine.sign({
          type: "close",
          epoch,
          slot: epochSlot(epoch),
          round: 0 as Close["round"],
          claims,
        }) as Close;
      },
    };
  });
}

function claimText(type: "lock" | "finality", round: number, value: string): string {
  return `${type === "finality" ? 1 : 0} ${String(round).padStart(3, "0")} ${value}`;
}

/** Returns the strongest claim of each slot: finality before locks, then the highest round (protocol 6.3). */
function strongestClaims(
  knowledge: NetworkKnowledge,
  set: readonly CloseContribution[],
): { readonly text: string; readonly names: string } {
  const best = new Map<SlotKey, string>();
  for (const { slot, text } of set.flatMap(({ claims }) => claims))
    if (text > (best.get(slot) ?? "")) best.set(slot, text);
  const listed = [...best].sort(([a], [b]) => (a < b ? -1 : 1)).map(([slot, text]) => [slot, text.slice(6)] as const);
  const names = listed.map(([slot, hash]) => valueName(knowledge, slot, hash as DecidableValue["hash"]));
  return {
    text: listed.map(([slot, hash]) => `${slot} ${hash}`).join(","),
    names: names.length === 0 ? "no slots" : names.join(" and "),
  };
}

function buildClosing(
  knowledge: NetworkKnowledge,
  epoch: Epoch,
  set: readonly CloseContribution[],
  names: string,
): DecidableClosing | undefined {
  const [alternative = []] = conjunction(set.map(({ guard }) => guard));
  const isSigned: IsSigned = (statement) => alternative.includes(statement);
  const closes = set.map((part) => part.makeClose(isSigned));
  const inputs = disclosedCloses(knowledge, closes, isSigned);
  const content = computeClosing(knowledge.system, inputs);
  if (content === undefined) return undefined;
  const { hashes } = knowledge.system.compiled.commons.shared;
  const value: DecidableValue = {
    slot: slotKey(epochSlot(epoch)),
    hash: hashes.value(content.value),
    name: `the closing with ${names}`,
    guard: TRUE_GUARD,
    content: () => content,
    carries: [],
  };
  return { epoch, inputs, value };
}

/** Returns the closes as messages, with the contents of their claims. */
function disclosedCloses(
  knowledge: NetworkKnowledge,
  closes: readonly Close[],
  isSigned: IsSigned,
): readonly UntimedInput[] {
  const contents = [...closingEvidenceOf(closes).decided].flatMap(([slot, { value }]) => {
    const decidable = knowledge.values.get(`${slot} ${value}`);
    return decidable === undefined ? [] : [decidable.content(isSigned)];
  });
  return closes.map((close, index) => message(knowledge, close, index === 0 ? contents : []));
}

/**
 * Returns the closing that an honest proposer makes of these closes, computed with the Byzantine validator's instance
 * of the real program.
 */
function computeClosing({ byzantine, proposals }: System, closes: readonly UntimedInput[]): ClosingContent | undefined {
  const { signed } = requireDefined(proposals[0], "proposal of the operator");
  const state: ValidatorState = byzantine.program.start();
  const at = STEP_TIME_MS as Millis;
  for (const input of [{ type: "start" } as const, { type: "govern", signed } as const, ...closes])
    byzantine.program.step(state, { ...input, at } as Input);
  return closingContent({ state, at, clock: at, from: byzantine.key, outputs: [], agenda: [] });
}

function epochSlot(epoch: Epoch): EpochSlot {
  return { kind: "epoch", epoch };
}
