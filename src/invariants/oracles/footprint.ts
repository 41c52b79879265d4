/**
 * Oracle of protocol 7.15: a validator at rest keeps what is open, what no checkpoint lists yet, and the last
 * checkpoints. Judged by where the slots and nonces of its items stand, collection by collection.
 */
import { append } from "../../core/base/append.ts";
import type { Address } from "../../core/base/ids.ts";
import type { OperationId } from "../../core/base/operation.ts";
import { type SlotKey, sequencePrefix, slotKey, slotNumber } from "../../core/base/slot.ts";
import { nodeOracle, type Oracle } from "../fold.ts";
import type { Application } from "../history/content.ts";
import { CHECKPOINTS_KEPT } from "../limits.ts";
import type { EventOf, KeptItem, KeptSubject } from "../observation.ts";
import { countText, shortId, slotKeyName } from "../text.ts";

/** End of an item in a collection: its nonce is used, a checkpoint lists its slot, or that checkpoint is old. */
type Lifetime = "used" | "listed" | "old";

/** Where an authorised operation stands: it waits, it is executed, or a link lists that. */
type AuthorisationStage = "waits" | "used" | "listed";

/** Collections that keep their items until a checkpoint lists them are not named. */
const LIFETIMES: Readonly<Record<string, Lifetime>> = {
  pending: "used",
  pendingByAccount: "used",
  subscribers: "used",
  outcomes: "old",
};

/** Items of a collection that late messages, and operations which wait to be executed, bring back until the next link. */
const LATE_ITEMS: Readonly<Record<string, number>> = { contents: 64, digests: 64 };

/** Next nonces of accounts, and next numbers of the sequences of accounts and tokens by the prefix of their slots. */
interface Positions {
  readonly nonces: Map<Address, number>;
  readonly numbers: Map<string, number>;
}

/**
 * Positions of the sequences of a node, in its present incarnation: by what links list and by what old links list; by all
 * that is applied, the nonces alone.
 */
interface NodeFootprint extends Readonly<Record<Lifetime, Positions>> {
  /** Authorised operations, but for those whose execution an old link lists. */
  readonly authorised: Map<OperationId, AuthorisationStage>;
  /** Nonce after each account slot that no link lists. */
  readonly unlisted: Map<SlotKey, number>;
  /** Authorised operations that each such slot executed, of an account or a token. */
  readonly executed: Map<SlotKey, readonly OperationId[]>;
  readonly recent: RecentLink[];
  /** Operations whose last answer was a refusal. */
  readonly refused: Set<OperationId>;
}

/** Contents of one of the last links. Those of one step are one: a state transfer keeps the last one only. */
interface RecentLink extends Positions {
  readonly number: number;
  readonly step: number;
  readonly executed: readonly OperationId[];
}

/** Follows the positions of each honest node, and judges what it keeps at the end of the run. */
export function footprint(): Oracle {
  return nodeOracle("footprint", emptyFootprint, {
    applied: noteChanges,
    replied: ({ refused }, { id, answer }) => {
      if (answer.status === "refused") refused.add(id);
      else refused.delete(id);
    },
    checkpointed: noteLink,
    closed: noteLink,
    kept: (standing, record, _chronicle, report) => {
      report.judged();
      for (const text of staleItemTexts(standing, record)) report(text);
    },
  });
}

function emptyFootprint(): NodeFootprint {
  return {
    used: emptyPositions(),
    listed: emptyPositions(),
    old: emptyPositions(),
    authorised: new Map(),
    unlisted: new Map(),
    executed: new Map(),
    recent: [],
    refused: new Set(),
  };
}

function emptyPositions(): Positions {
  return { nonces: new Map(), numbers: new Map() };
}

function noteChanges({ used, authorised, unlisted, executed }: NodeFootprint, { slot, changes }: Application): void {
  for (const change of changes) {
    if (change.of === "authorised") {
      authorised.set(change.id, change.present ? "waits" : "used");
      if (!change.present) executed.set(slotKey(slot), append(executed.get(slotKey(slot)) ?? NONE, change.id));
    } else if (change.of === "account") {
      raiseEntry(used.nonces, change.address, change.nonce);
      if (slot.kind === "account" && slot.address === change.address) unlisted.set(slotKey(slot), change.nonce);
    }
  }
}

const NONE: readonly OperationId[] = [];

/** A link of the chain is applied: what it lists is pruned, and the outcomes of what the oldest one lists. */
function noteLink(
  { listed, old, authorised, unlisted, executed, recent }: NodeFootprint,
  { step, value }: EventOf<"checkpointed" | "closed">,
): void {
  const { number } = value.header;
  const previous = recent.at(-1)?.step === step ? recent.pop() : undefined;
  const { nonces, numbers } = previous ?? emptyPositions();
  const ids = [...(previous?.executed ?? NONE)];
  for (const { slot } of value.listed) {
    raiseEntry(numbers, sequencePrefix(slot), slotNumber(slot) + 1);
    const key = slotKey(slot);
    const nonce = unlisted.get(key);
    unlisted.delete(key);
    if (nonce !== undefined && slot.kind === "account") raiseEntry(nonces, slot.address, nonce);
    ids.push(...(executed.get(key) ?? NONE));
    executed.delete(key);
  }
  raisePositions(listed, { nonces, numbers });
  for (const id of ids) authorised.set(id, "listed");
  recent.push({ number, step, nonces, numbers, executed: ids });
  // After a state transfer older ones go with the next link whose eighth predecessor was applied here.
  const last = recent.findIndex((link) => link.number === number - CHECKPOINTS_KEPT);
  for (const link of recent.splice(0, last + 1)) {
    raisePositions(old, link);
    for (const id of link.executed) authorised.delete(id);
  }
}

function raisePositions(positions: Positions, { nonces, numbers }: Positions): void {
  for (const [account, nonce] of nonces) raiseEntry(positions.nonces, account, nonce);
  for (const [prefix, number] of numbers) raiseEntry(positions.numbers, prefix, number);
}

function raiseEntry<K>(table: Map<K, number>, key: K, value: number): void {
  if (value > (table.get(key) ?? 0)) table.set(key, value);
}

/** One sentence for each collection with items that are over. */
function staleItemTexts(standing: NodeFootprint, { node, items }: EventOf<"kept">): readonly string[] {
  const staleItems = new Map<string, KeptItem[]>();
  for (const item of items) {
    const lifetime = LIFETIMES[item.collection] ?? "listed";
    const isOverBy = (end: Lifetime): boolean => item.subjects.every((subject) => isOver(standing, subject, end));
    // The next link takes what is used.
    const isLeft = item.subjects.some((subject) => isUnowned(standing, subject)) && !isOverBy("used");
    if (!isLeft && !isOverBy(lifetime)) continue;
    const part = isLeft ? `${item.collection}, in nobody's room,` : item.collection;
    staleItems.set(part, [...(staleItems.get(part) ?? []), item]);
  }
  const found = [...staleItems].filter(([part, all]) => all.length > (LATE_ITEMS[part] ?? 0));
  return found.map(
    ([collection, [first, ...furtherItems]]) =>
      `${node} keeps ${countText(1 + furtherItems.length, "item")} in ${collection} that ${furtherItems.length > 0 ? "are" : "is"} over` +
      `, the first about ${first?.subjects.map(subjectText).join(", ") || "nothing"}`,
  );
}

/** Returns true for what nothing bounds: refused to its client, or shown by a peer and in no budget (protocol 9.2). */
function isUnowned({ refused }: NodeFootprint, subject: KeptSubject): boolean {
  return subject.of === "nobody" || (subject.of === "request" && refused.has(subject.id));
}

function isOver(standing: NodeFootprint, subject: KeptSubject, lifetime: Lifetime): boolean {
  const { authorised, recent } = standing;
  const { nonces, numbers } = standing[lifetime];
  switch (subject.of) {
    case "slot": {
      const cut = subject.slot.lastIndexOf("/") + 1;
      return Number(subject.slot.slice(cut)) < (numbers.get(subject.slot.slice(0, cut)) ?? 0);
    }
    case "nonce":
      return subject.nonce < (nonces.get(subject.account) ?? 0);
    case "authorised":
      return isExecuted(authorised.get(subject.id), lifetime);
    case "link":
      return subject.number <= (recent.at(-1)?.number ?? 0) - CHECKPOINTS_KEPT;
    case "request":
    case "nobody":
      return true;
  }
}

/** Returns true if the execution of an operation has come as far as a lifetime lasts. */
function isExecuted(stage: AuthorisationStage | undefined, lifetime: Lifetime): boolean {
  if (stage === undefined) return true;
  return lifetime === "used" ? stage !== "waits" : lifetime === "listed" && stage === "listed";
}

function subjectText(subject: KeptSubject): string {
  switch (subject.of) {
    case "slot":
      return slotKeyName(subject.slot);
    case "nonce":
      return `nonce ${subject.nonce} of ${shortId(subject.account)}`;
    case "authorised":
      return `operation ${shortId(subject.id)}`;
    case "link":
      return `checkpoint ${subject.number}`;
    case "request":
      return `refused operation ${shortId(subject.id)}`;
    case "nobody":
      return "what a peer showed";
  }
}
