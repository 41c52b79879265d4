/** Texts of epoch closings and governance proposals. */
import type { EpochParameters, FeeEntry, SignedProposal } from "../core/base/epoch.ts";
import type { ClosingValue } from "../core/base/slot.ts";
import { countText } from "../invariants/text.ts";
import { decimalText } from "../scenario/decimal.ts";
import type { Directory } from "../scenario/directory.ts";
import { joinNames } from "./join-names.ts";

/** `epoch 0 closes with checkpoint 4: v1, v2 and v3 stay, v4 leaves, v5 joins; fees stay`. */
export function closingText(
  { epoch, header, next }: Pick<ClosingValue, "epoch" | "header" | "next">,
  before: EpochParameters,
  directory: Directory,
): string {
  return `epoch ${epoch} closes with checkpoint ${header.number}: ${changeText(before, next, directory)}`;
}

/** `close epoch 0: next v1, v2, v3 and v5`. */
export function proposalText({ proposal: { epoch, next } }: SignedProposal, directory: Directory): string {
  return `close epoch ${epoch}: next ${joinNames(keysOf(next, directory))}`;
}

/** Committee changes, fees and other changed parameters. */
export function changeText(before: EpochParameters, after: EpochParameters, directory: Directory): string {
  const [old, now] = [keysOf(before, directory), keysOf(after, directory)];
  const members = [
    told(
      now.filter((key) => old.includes(key)),
      "stays",
      "stay",
    ),
    told(
      old.filter((key) => !now.includes(key)),
      "leaves",
      "leave",
    ),
    told(
      now.filter((key) => !old.includes(key)),
      "joins",
      "join",
    ),
  ];
  return [members.filter((words) => words !== "").join(", "), ...otherChangesText(before, after, directory)].join("; ");
}

function otherChangesText(before: EpochParameters, after: EpochParameters, directory: Directory): readonly string[] {
  const fees = feeText(after, directory);
  return [
    fees === feeText(before, directory) ? "fees stay" : `fees ${fees}`,
    ...(text(before.checkpoints) === text(after.checkpoints) ? [] : ["checkpoints change"]),
    ...(before.epochLength === after.epochLength ? [] : [lengthText(after)]),
    ...(isPaidElsewhere(before, after) ? ["rewards change"] : []),
  ];
}

/** Fees by named token, or the default row in base units if no token has a name. */
function feeText({ fees }: EpochParameters, directory: Directory): string {
  const rows = [...directory.tokens].map(([name, { address, decimals }]) => {
    const row = fees.tokens.get(address) ?? fees.default;
    return `${name} ${feeRowText(row, decimals)}`;
  });
  return rows.length === 0 ? feeRowText(fees.default, 0) : rows.join(", ");
}

function feeRowText({ payment, cancellation, recovery }: FeeEntry, decimals: number): string {
  return [payment, cancellation, recovery].map((amount) => decimalText(amount, decimals)).join("/");
}

function lengthText({ epochLength }: EpochParameters): string {
  if (epochLength === undefined) return "closes by governance only";
  return `closes after ${countText(epochLength, "checkpoint")}`;
}

/** True if a remaining member has another reward account. */
function isPaidElsewhere(before: EpochParameters, after: EpochParameters): boolean {
  const accounts = new Map(before.validators.map(({ key, reward }) => [key, reward]));
  return after.validators.some(({ key, reward }) => (accounts.get(key) ?? reward) !== reward);
}

function text(part: unknown): string {
  return JSON.stringify(part) ?? "none";
}

function keysOf({ validators }: EpochParameters, directory: Directory): readonly string[] {
  return validators.map(({ key }) => directory.nameOf(key));
}

function told(names: readonly string[], one: string, many: string): string {
  return names.length === 0 ? "" : `${joinNames(names)} ${names.length === 1 ? one : many}`;
}
