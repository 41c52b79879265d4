/**
 * Oracle of protocol 7.15: a validator at rest keeps what is open, what no checkpoint lists yet, and the last
 * checkpoints. Judged by where the slots and nonces of its items stand, collection by collection.
 */
import { appended } from "../../core/base/appended.ts";
import { entryOf } from "../../core/base/entry.ts";
import type { Address } from "../../core/base/ids.ts";
import type { OperationId } from "../../core/base/operation.ts";
import { type LedgerSlot, type SlotKey, slotKey, slotNumber } from "../../core/base/slot.ts";
import { copyOfMap } from "../copies.ts";
import { type Oracle, oracle } from "../fold.ts";
import type { Application } from "../history/content.ts";
import { CHECKPOINTS_KEPT } from "../limits.ts";
import type { EventOf, KeptItem, KeptSubject, NodeName, RunSetting } from "../observation.ts";
import { countText, shortId, slotKeyName } from "../text.ts";

/** End of an item in a collection: its nonce is used, a checkpoint lists its slot, or that checkpoint is old. */
type Lifetime = "used" | "listed" | "old";

/** Where an authorised operation stands: it waits, it is executed, or a link lists that. */
type Stage = "waits" | "used" | "listed";

/** Collections that keep their items until a checkpoint lists them are not named. */
const LIFETIMES: Readonly<Record<string, Lifetime>> = {
  pending: "used",
  pendingByAccount: "used",
  evictable: "used",
  subscribers: "used",
  outcomes: "old",
};

/** Items of a collection that late messages, and operations which wait to be executed, bring back until the next link. */
const LATE_ITEMS: Readonly<Record<string, number>> = { contents: 64, digests: 64 };

/** Next nonces of accounts, and next numbers of the sequences of accounts and tokens. */
interface Positions {
  readonly nonces: Map<Address, number>;
  readonly numbers: Map<string, number>;
}

/** Positions of the sequences of a node, in its present incarnation. */
interface Standing {
  /** By what links list and by what old links list; by all that is applied, the nonces alone. */
  readonly positions: Readonly<Record<Lifetime, Positions>>;
  /** Authorised operations, but for those whose execution an old link lists. */
  readonly authorised: Map<OperationId, Stage>;
  /** Nonce after each account slot that no link lists. */
  readonly unlisted: Map<SlotKey, number>;
  /** Authorised operations that each such slot executed, of an account or a token. */
  readonly executed: Map<SlotKey, readonly OperationId[]>;
  readonly recent: RecentLink[];
  /** Operations whose last answer was a refusal. */
  readonly refused: Set<OperationId>;
}

/** Contents of one of the last links. Those of one step are one: a state transfer keeps the last one only. */
interface RecentLink {
  readonly number: number;
  readonly step: number;
  readonly positions: Positions;
  readonly executed: OperationId[];
}

type State = Map<NodeName, Standing>;

type Link = EventOf<"checkpointed"> | EventOf<"closed">;

const EVENT_TYPES = ["applied", "checkpointed", "closed", "replied", "crashed", "restarted", "kept"] as const;

/** Follows the positions of each honest node, and judges what it keeps at the end of the run. */
export function footprint(_setting: RunSetting): Oracle {
  const start: State = new Map();
  return oracle(
    "footprint",
    EVENT_TYPES,
    start,
    (state, _seen, record, report) => {
      if (record.type === "crashed" || record.type === "restarted") state.delete(record.node);
      else if (record.honest) {
        const standing = standingOf(state, record.node);
        if (record.type === "applied") applied(standing, record);
        else if (record.type === "replied") replied(standing, record);
        else if (record.type !== "kept") linked(standing, record);
        else for (const text of overKept(standing, record)) report(text);
      }
      return state;
    },
    (state) => copyOfMap(state, copyOf),
  );
}

function standingOf(state: State, node: NodeName): Standing {
  return entryOf(state, node, () => ({
    positions: { used: nowhere(), listed: nowhere(), old: nowhere() },
    authorised: new Map(),
    unlisted: new Map(),
    executed: new Map(),
    recent: [],
    refused: new Set(),
  }));
}

function nowhere(): Positions {
  return { nonces: new Map(), numbers: new Map() };
}

function copyOf({ positions, authorised, unlisted, executed, recent, refused }: Standing): Standing {
  const { used, listed, old } = positions;
  return {
    positions: { used: raised(nowhere(), used), listed: raised(nowhere(), listed), old: raised(nowhere(), old) },
    authorised: new Map(authorised),
    unlisted: new Map(unlisted),
    executed: new Map(executed),
    // A further link of the same step changes the last one.
    recent: recent.map((link) => ({
      ...link,
      positions: raised(nowhere(), link.positions),
      executed: [...link.executed],
    })),
    refused: new Set(refused),
  };
}

function applied({ positions, authorised, unlisted, executed }: Standing, { slot, changes }: Application): void {
  for (const change of changes) {
    if (change.of === "authorised") {
      authorised.set(change.id, change.present ? "waits" : "used");
      if (!change.present) executed.set(slotKey(slot), appended(executed.get(slotKey(slot)) ?? NONE, change.id));
    } else if (change.of === "account") {
      raise(positions.used.nonces, change.address, change.nonce);
      if (slot.kind === "account" && slot.address === change.address) unlisted.set(slotKey(slot), change.nonce);
    }
  }
}

function replied({ refused }: Standing, { id, answer }: EventOf<"replied">): void {
  if (answer.status === "refused") refused.add(id);
  else refused.delete(id);
}

const NONE: readonly OperationId[] = [];

/** A link of the chain is applied: what it lists is pruned, and the outcomes of what the oldest one lists. */
function linked({ positions, authorised, unlisted, executed, recent }: Standing, { step, value }: Link): void {
  const { number } = value.header;
  const previous = recent.at(-1)?.step === step ? recent.pop() : undefined;
  const brought = previous?.positions ?? nowhere();
  const ids = previous?.executed ?? [];
  for (const { slot } of value.listed) {
    raise(brought.numbers, ownerOf(slot), slotNumber(slot) + 1);
    const key = slotKey(slot);
    const nonce = unlisted.get(key);
    unlisted.delete(key);
    if (nonce !== undefined && slot.kind === "account") raise(brought.nonces, slot.address, nonce);
    ids.push(...(executed.get(key) ?? NONE));
    executed.delete(key);
  }
  raised(positions.listed, brought);
  for (const id of ids) authorised.set(id, "listed");
  recent.push({ number, step, positions: brought, executed: ids });
  // After a state transfer older ones go with the next link whose eighth predecessor was applied here.
  const old = recent.findIndex((link) => link.number === number - CHECKPOINTS_KEPT);
  for (const link of recent.splice(0, old + 1)) {
    raised(positions.old, link.positions);
    for (const id of link.executed) authorised.delete(id);
  }
}

function raised(positions: Positions, { nonces, numbers }: Positions): Positions {
  for (const [account, nonce] of nonces) raise(positions.nonces, account, nonce);
  for (const [owner, number] of numbers) raise(positions.numbers, owner, number);
  return positions;
}

function raise<K>(table: Map<K, number>, key: K, value: number): void {
  if (value > (table.get(key) ?? 0)) table.set(key, value);
}

function ownerOf(slot: LedgerSlot): string {
  return slot.kind === "account" ? `account/${slot.address}` : `token/${slot.token}`;
}

/** One sentence for each collection with items that are over. */
function overKept(standing: Standing, { node, items }: EventOf<"kept">): readonly string[] {
  const over = new Map<string, KeptItem[]>();
  for (const item of items) {
    const lifetime = LIFETIMES[item.collection] ?? "listed";
    const isOverBy = (end: Lifetime): boolean => item.subjects.every((subject) => isOver(standing, subject, end));
    // The next link takes what is used.
    const isLeft = item.subjects.some((subject) => isUnowned(standing, subject)) && !isOverBy("used");
    if (!isLeft && !isOverBy(lifetime)) continue;
    const part = isLeft ? `${item.collection}, in nobody's room,` : item.collection;
    over.set(part, [...(over.get(part) ?? []), item]);
  }
  const found = [...over].filter(([part, all]) => all.length > (LATE_ITEMS[part] ?? 0));
  return found.map(
    ([collection, [first, ...more]]) =>
      `${node} keeps ${countText(1 + more.length, "item")} in ${collection} that ${more.length > 0 ? "are" : "is"} over` +
      `, the first about ${subjectsText(first?.subjects ?? [])}`,
  );
}

/** Returns true for what nothing bounds: refused to its client, or shown by a peer and in no budget (protocol 9.2). */
function isUnowned({ refused }: Standing, subject: KeptSubject): boolean {
  return subject.of === "nobody" || (subject.of === "request" && refused.has(subject.id));
}

function isOver({ positions, authorised, recent }: Standing, subject: KeptSubject, lifetime: Lifetime): boolean {
  const { nonces, numbers } = positions[lifetime];
  switch (subject.of) {
    case "slot": {
      const cut = subject.slot.lastIndexOf("/");
      return Number(subject.slot.slice(cut + 1)) < (numbers.get(subject.slot.slice(0, cut)) ?? 0);
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
function isExecuted(stage: Stage | undefined, lifetime: Lifetime): boolean {
  if (stage === undefined) return true;
  return lifetime === "used" ? stage !== "waits" : lifetime === "listed" && stage === "listed";
}

function subjectsText(subjects: readonly KeptSubject[]): string {
  return subjects.length === 0 ? "nothing" : subjects.map(subjectText).join(", ");
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
