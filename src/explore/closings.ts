/**
 * Closings of an epoch (protocol 6.3), canonical by the slots that they list. The signers and certificates of the
 * closes change only the hash, so the first q closes represent all that list the same.
 */
import { present } from "../core/base/assert.ts";
import type { Epoch, Millis } from "../core/base/ids.ts";
import { type EpochSlot, type SlotKey, slotKey } from "../core/base/slot.ts";
import type { AnyCertificate } from "../core/consensus/certificate.ts";
import { settlementOf } from "../core/consensus/close.ts";
import type { Close } from "../core/consensus/message.ts";
import { closingContent } from "../core/validator/epochs/closing.ts";
import type { Input } from "../core/validator/input.ts";
import type { ClosingContent } from "../core/validator/slots/content.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import { message } from "./alphabet-ballots.ts";
import type { Arena } from "./arena.ts";
import type { Timeless } from "./life.ts";
import { NOW_MS } from "./limits.ts";
import { ALWAYS, allOf, anyOf, choose, type Need } from "./need.ts";
import {
  type Ballot,
  certificateNeed,
  finalityFrom,
  type Has,
  type KnownClosing,
  type KnownValue,
  lockFrom,
  type Stage,
  valueName,
} from "./stage.ts";

/** Close that some validator has signed, or that the Byzantine one can sign. */
interface Part {
  readonly claims: readonly { readonly slot: SlotKey; readonly text: string }[];
  readonly need: Need;
  readonly make: (has: Has) => Close;
}

/** Cache of the closes that represent each list. */
export class Closings {
  readonly #known = new Map<string, Omit<KnownClosing, "need">>();

  /** Returns the possible closings of the epochs with a signed close, over all runs so far. */
  of(stage: Stage): readonly KnownClosing[] {
    const { arena, sayings } = stage;
    if (arena.proposals.every((one) => one === undefined)) return [];
    const epochs = new Set(sayings.all.flatMap(({ message: { body } }) => (body.type === "close" ? [body.epoch] : [])));
    return [...epochs].flatMap((epoch) => this.#ofEpoch(stage, epoch));
  }

  #ofEpoch(stage: Stage, epoch: Epoch): readonly KnownClosing[] {
    const { honest, committee } = stage.arena;
    const own = stage.isSilent ? [] : [liarsParts(stage, epoch)];
    const parts = [...honest.map((_, by) => honestParts(stage, epoch, by)), ...own];
    const lists = new Map<string, { readonly sets: (readonly Part[])[]; readonly names: string }>();
    for (const signers of choose(parts, committee.quorum)) {
      for (const set of combinations(signers)) {
        const listed = listedBy(stage, set);
        const known = lists.get(listed.text) ?? { sets: [], names: listed.names };
        lists.set(listed.text, known);
        known.sets.push(set);
      }
    }
    return [...lists].flatMap(([text, { sets, names }]) => {
      const need = anyOf(sets.map((set) => allOf(set.map((part) => part.need))));
      const first = sets[0];
      if (first === undefined || need.length === 0) return [];
      const key = `${epoch} ${text}`;
      const made = this.#known.get(key) ?? madeOf(stage, epoch, first, names);
      if (made === undefined) return [];
      this.#known.set(key, made);
      return [{ ...made, need, value: { ...made.value, need } }];
    });
  }
}

function honestParts({ sayings }: Stage, epoch: Epoch, by: number): readonly Part[] {
  return sayings.all.flatMap(({ number, by: signer, message: { body } }): readonly Part[] => {
    if (signer !== by || body.type !== "close" || body.epoch !== epoch) return [];
    const claims = body.claims.map((claim) => ({
      slot: slotKey(claim.slot),
      text: claimText(claim.type, claim.round, claim.value),
    }));
    return [{ claims, need: [[number]], make: () => body }];
  });
}

/** Returns the closes of the Byzantine validator: for each slot no claim, or any certificate that exists. */
function liarsParts(stage: Stage, epoch: Epoch): readonly Part[] {
  const { arena } = stage;
  const ballots = stage.ballots.filter(
    (one) => one.epoch === epoch && isLedgerSlot(one) && certificateNeed(stage, one).length > 0,
  );
  const slots = [...new Set(ballots.map(({ slot }) => slotKey(slot)))].sort();
  const choices = slots.map((slot) => [undefined, ...ballots.filter((one) => slotKey(one.slot) === slot)]);
  return combinations(choices).map((chosen) => {
    const shown = chosen.filter((one) => one !== undefined);
    return {
      claims: shown.map((one) => ({
        slot: slotKey(one.slot),
        text: claimText(one.kind === "vote" ? "lock" : "finality", one.round, one.value),
      })),
      need: shown.length === 0 ? ALWAYS : allOf(shown.map((one) => certificateNeed(stage, one))),
      make: (has) => {
        const claims: readonly AnyCertificate[] = shown.map((one) =>
          one.kind === "vote" ? lockFrom(stage, one, has) : finalityFrom(stage, one, has),
        );
        return arena.liar.sign({
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

function isLedgerSlot({ slot }: Ballot): boolean {
  return slot.kind === "account" || slot.kind === "token";
}

function claimText(type: "lock" | "finality", round: number, value: string): string {
  return `${type === "finality" ? 1 : 0} ${String(round).padStart(3, "0")} ${value}`;
}

/** Keeps the strongest claim of each slot: final before locked, then the highest round (protocol 6.3). */
function listedBy(stage: Stage, set: readonly Part[]): { readonly text: string; readonly names: string } {
  const best = new Map<SlotKey, string>();
  for (const { slot, text } of set.flatMap(({ claims }) => claims))
    if (text > (best.get(slot) ?? "")) best.set(slot, text);
  const listed = [...best].sort(([a], [b]) => (a < b ? -1 : 1)).map(([slot, text]) => [slot, text.slice(6)] as const);
  const names = listed.map(([slot, hash]) => valueName(stage, slot, hash as KnownValue["hash"]));
  return {
    text: listed.map(([slot, hash]) => `${slot} ${hash}`).join(","),
    names: names.length === 0 ? "no slots" : names.join(" and "),
  };
}

function madeOf(
  stage: Stage,
  epoch: Epoch,
  set: readonly Part[],
  names: string,
): Omit<KnownClosing, "need"> | undefined {
  const [alternative = []] = allOf(set.map(({ need }) => need));
  const has: Has = (saying) => alternative.includes(saying);
  const closes = set.map((part) => part.make(has));
  const inputs = shownCloses(stage, closes, has);
  const content = closingBy(stage.arena, inputs);
  if (content === undefined) return undefined;
  const { hashes } = stage.arena.compiled.commons.shared;
  const value: KnownValue = {
    slot: slotKey(epochSlot(epoch)),
    hash: hashes.value(content.value),
    name: `the closing with ${names}`,
    need: ALWAYS,
    content: () => content,
    carries: [],
  };
  return { epoch, closes, inputs, value };
}

/** Returns the closes as messages, with the contents of their claims. */
function shownCloses(stage: Stage, closes: readonly Close[], has: Has): readonly Timeless[] {
  const contents = [...settlementOf(closes).decided].flatMap(([slot, { value }]) => {
    const known = stage.values.get(`${slot} ${value}`);
    return known === undefined ? [] : [known.content(has)];
  });
  return closes.map((close, place) => message(stage, close, place === 0 ? contents : []));
}

/**
 * Returns the closing that an honest proposer makes of these closes, computed with the Byzantine validator's instance
 * of the real program.
 */
function closingBy({ liar, proposals }: Arena, closes: readonly Timeless[]): ClosingContent | undefined {
  const signed = present(
    proposals.find((one) => one !== undefined),
    "proposal of the operator",
  );
  const state: ValidatorState = liar.program.start();
  const at = NOW_MS as Millis;
  for (const input of [{ type: "start" } as const, { type: "govern", signed } as const, ...closes])
    liar.program.step(state, { ...input, at } as Input);
  return closingContent({ state, at, clock: at, from: liar.key, outputs: [], agenda: [] });
}

function combinations<T>(choices: readonly (readonly T[])[]): readonly (readonly T[])[] {
  return choices.reduce<readonly (readonly T[])[]>(
    (sets, parts) => sets.flatMap((set) => parts.map((part) => [...set, part])),
    [[]],
  );
}

function epochSlot(epoch: Epoch): EpochSlot {
  return { kind: "epoch", epoch };
}
