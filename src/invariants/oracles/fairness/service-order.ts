/**
 * Order in which due operations are served (protocol 3, 5): the list of an honest proposer serves by age, and no
 * authority burns twice from an account before another whose burn is due.
 */
import { entryOf } from "../../../core/base/entry.ts";
import type { Address, Hash, Millis, Sequence } from "../../../core/base/ids.ts";
import type { OperationId, SignedOperation } from "../../../core/base/operation.ts";
import type { ReportViolation } from "../../fold.ts";
import type { Chronicle } from "../../history/chronicle.ts";
import type { Application } from "../../history/content.ts";
import { type RoundSignatures, signersOf } from "../../history/slot-signatures.ts";
import { LIST_WAIT_MS } from "../../limits.ts";
import type { EventOf, NodeName, RunSetting } from "../../observation.ts";
import { debitedAccount, effectSlotOf, isForcedDebit, listOf, tokenOf } from "../../reference/operation-meaning.ts";
import { shortId, slotKeyName } from "../../text.ts";

/** Token operation that waits at a node, since a time of its own clock. */
interface WaitingOperation {
  readonly signed: SignedOperation;
  readonly since: Millis;
}

/** Forced burn that some honest node holds due. */
interface DueBurn {
  readonly id: OperationId;
  /** Running honest nodes that hold it due. */
  readonly nodes: Set<NodeName>;
  /** First slot of the debited account that is decided after all held it due; `undefined` before that. */
  from: number | undefined;
  /** Authorities that were served from that slot on. */
  readonly passedBy: Set<Address>;
}

export interface ServiceOrder {
  /** Waiting operations by node, token and id, in the order in which they became due there. */
  readonly lists: Map<NodeName, Map<Address, Map<OperationId, WaitingOperation>>>;
  /** Due burns by debited account and authority, in the authority's order. */
  readonly burns: Map<Address, Map<Address, DueBurn[]>>;
  /** Honest nodes that run. */
  readonly running: Set<NodeName>;
  /** Next slot of each debited account, by the most advanced honest node. */
  readonly next: Map<Address, Sequence>;
  /** Proposals that a restarted node may say again as they were. */
  readonly durable: Map<NodeName, ReadonlySet<string>>;
}

/** Returns the state before any event. */
export function emptyOrder({ nodes }: RunSetting): ServiceOrder {
  return {
    lists: new Map(),
    burns: new Map(),
    running: new Set(nodes.filter(({ honest }) => honest).map(({ node }) => node)),
    next: new Map(),
    durable: new Map(),
  };
}

/** The volatile ages of a node are gone, and with them the authority that it served last. */
export function noteIncarnation(order: ServiceOrder, record: EventOf<"crashed"> | EventOf<"restarted">): void {
  const { node } = record;
  order.lists.delete(node);
  order.durable.delete(node);
  if (record.type === "crashed") order.running.delete(node);
  else {
    order.running.add(node);
    const proposals = record.durableStatements.filter(({ kind }) => kind === "proposal");
    if (proposals.length > 0) order.durable.set(node, new Set(proposals.map(nameOfProposal)));
  }
  restartTurns(order, node);
}

/** The turns of authorities begin anew, as at an epoch's end; a node that is named holds nothing due any more. */
export function restartTurns({ burns }: ServiceOrder, node?: NodeName): void {
  for (const authorities of burns.values())
    for (const burn of [...authorities.values()].flat()) {
      if (node !== undefined) burn.nodes.delete(node);
      burn.from = undefined;
      burn.passedBy.clear();
    }
}

/** Folds an application of an honest node in. O(authorities with a due burn of the account). */
export function noteServed(order: ServiceOrder, record: Application, judged: boolean, report: ReportViolation): void {
  const { node, slot, value, operations } = record;
  const [signed] = operations;
  if (slot.kind === "token") {
    const waiting = order.lists.get(node)?.get(slot.token);
    if (value.type === "list") for (const id of value.ids) waiting?.delete(id);
    if (waiting?.size === 0) order.lists.get(node)?.delete(slot.token);
    return;
  }
  if (value.type === "burn" || order.burns.has(slot.address)) judgeAccountSlot(order, record, slot, judged, report);
  if (value.type !== "operation" || signed === undefined || effectSlotOf(signed) === "account") return;
  if (!record.changes.some((change) => change.of === "authorised" && change.present && change.id === value.id)) return;
  if (isForcedDebit(signed)) addDueBurn(order, node, value.id, signed);
  else {
    const token = tokenOf(signed.operation);
    if (token === undefined) return;
    const tokens = entryOf(order.lists, node, () => new Map<Address, Map<OperationId, WaitingOperation>>());
    const waiting = entryOf(tokens, token, () => new Map<OperationId, WaitingOperation>());
    waiting.set(value.id, { signed, since: record.at });
  }
}

function addDueBurn({ burns }: ServiceOrder, node: NodeName, id: OperationId, { operation, sender }: SignedOperation) {
  const authorities = entryOf(burns, debitedAccount(operation, sender), () => new Map<Address, DueBurn[]>());
  const due = entryOf(authorities, sender, () => []);
  const dueBurn = due.find((burn) => burn.id === id);
  if (dueBurn === undefined) due.push({ id, nodes: new Set([node]), from: undefined, passedBy: new Set() });
  else dueBurn.nodes.add(node);
}

/** A slot of an account with due burns was applied. Only its first application by an honest node is judged. */
function judgeAccountSlot(
  { burns, next, running }: ServiceOrder,
  { value, operations: [signed] }: Application,
  { address, sequence }: { readonly address: Address; readonly sequence: Sequence },
  judged: boolean,
  report: ReportViolation,
): void {
  const authorities = burns.get(address);
  if (authorities === undefined) return;
  const isFirst = sequence >= (next.get(address) ?? 0);
  if (isFirst) next.set(address, (sequence + 1) as Sequence);
  const by = value.type === "burn" ? signed?.sender : undefined;
  for (const [authority, due] of authorities) {
    const [head] = due;
    if (by === undefined || by === authority || head === undefined) continue;
    if (!isFirst || !judged || head.from === undefined || head.from > sequence) continue;
    if (head.passedBy.has(by)) {
      report(
        `slot ${sequence} of account ${shortId(address)} serves a second burn of authority ${shortId(by)} ` +
          `while burn ${shortId(head.id)} of authority ${shortId(authority)} is due at every validator`,
      );
      head.passedBy.clear();
    } else head.passedBy.add(by);
  }
  if (value.type === "burn" && by !== undefined) {
    const remaining = authorities.get(by)?.filter(({ id }) => id !== value.id) ?? [];
    if (remaining.length > 0) authorities.set(by, remaining);
    else authorities.delete(by);
  }
  if (isFirst) for (const [head] of authorities.values()) startTurn(head, running, sequence);
  if (authorities.size === 0) burns.delete(address);
}

/** The oldest burn of an authority counts from the next slot on if all running validators hold it due by now. */
function startTurn(head: DueBurn | undefined, running: ReadonlySet<NodeName>, sequence: Sequence): void {
  if (head === undefined || head.from !== undefined) return;
  for (const node of running) if (!head.nodes.has(node)) return;
  head.from = sequence + 1;
}

type ProposalKey = { readonly slot: string; readonly round: number; readonly value: string };

function nameOfProposal({ slot, round, value }: ProposalKey): string {
  return `${slot}/${round}/${value}`;
}

/**
 * Judges the list of an honest proposer by the ages that it knows: an operation may precede one that became due there
 * before it only as an issue, or as a restriction, with all earlier ones of their signers, and then not one that
 * restricts too or has been due for 5 s. O(operations due for the token).
 */
export function judgeProposal(
  { lists, durable }: ServiceOrder,
  chronicle: Chronicle,
  { node, statement, at }: EventOf<"signed">,
  listLimit: number,
  report: ReportViolation,
): void {
  if (statement.kind !== "proposal" || !statement.slot.startsWith("token/")) return;
  const value = chronicle.contents.get(statement.value)?.value;
  if (value?.type !== "list" || !isOwnChoice(chronicle, statement.value)) return;
  if (durable.get(node)?.has(nameOfProposal(statement)) === true) return;
  const waiting = lists.get(node)?.get(statement.slot.split("/")[1] as Address);
  if (waiting === undefined) return;
  report.judged();
  const [older, younger] = firstDisorder(waiting, value.ids, at, listLimit) ?? [];
  if (older === undefined || younger === undefined) return;
  const [since, later] = [waiting.get(older)?.since ?? at, waiting.get(younger)?.since ?? at];
  report(
    `${node} proposes ${shortId(younger)} ahead of ${shortId(older)} in ${slotKeyName(statement.slot)}, where that has ` +
      `been due for ${at - since} ms, ${later - since} ms longer`,
  );
}

/** Returns false if the value may be forced on its proposer: a lock of an earlier round exists (protocol 3.2). */
function isOwnChoice({ signatures }: Chronicle, value: Hash): boolean {
  const [signing] = signatures;
  if (signing === undefined) return false;
  const { book, statement, committee } = signing;
  const isLocked = ({ round }: RoundSignatures): boolean =>
    round < statement.round && signersOf(book, "votes", round, value).length >= committee.bounds.quorum;
  return !book.rounds.some(isLocked);
}

/**
 * Returns an operation that should precede another one, and the other one; `undefined` if the list serves by age. A pure
 * function of the ages; both are among `waiting`. `limit`: a list that is full may end before the restriction for whose
 * sake its last operation, an earlier one of the same signer, stands in it.
 */
export function firstDisorder(
  waiting: ReadonlyMap<OperationId, WaitingOperation>,
  ids: readonly OperationId[],
  at: Millis,
  limit: number,
): readonly [older: OperationId, younger: OperationId] | undefined {
  const chosen = new Set(ids);
  let oldest: OperationId | undefined;
  let oldestFirm: OperationId | undefined;
  const age = (id: OperationId | undefined): number =>
    id === undefined ? -1 : at - (waiting.get(id)?.since ?? at + 1);
  const leaveBehind = (id: OperationId): void => {
    if (age(id) > age(oldest)) oldest = id;
    const waitingOperation = waiting.get(id);
    const isFirm =
      age(id) >= LIST_WAIT_MS ||
      (waitingOperation !== undefined && precedence(waitingOperation.signed) === "restricts");
    if (isFirm && age(id) > age(oldestFirm)) oldestFirm = id;
  };
  const issuing = new Set<Address>();
  const restricting = new Set<Address>();
  const precede = ({ signed }: WaitingOperation): void => {
    const appliedPrecedence = precedence(signed);
    if (appliedPrecedence === "issues") issuing.add(signed.sender);
    else if (appliedPrecedence !== "none") restricting.add(signed.sender);
  };
  const last = ids.length < limit ? undefined : waiting.get(ids[ids.length - 1] as OperationId)?.signed.sender;
  for (const [id, waitingOperation] of waiting) {
    if (chosen.has(id)) continue;
    leaveBehind(id);
    if (waitingOperation.signed.sender === last) precede(waitingOperation);
  }
  for (const id of [...ids].reverse()) {
    const waitingOperation = waiting.get(id);
    if (waitingOperation === undefined) continue;
    precede(waitingOperation);
    const { sender } = waitingOperation.signed;
    const older = restricting.has(sender) ? oldestFirm : oldest;
    if (!issuing.has(sender) && older !== undefined && age(older) > age(id)) return [older, id];
    leaveBehind(id);
  }
  return undefined;
}

/** Returns the precedence that the kind of an operation gives it; that of a grant depends on the allowances. */
function precedence({ operation }: SignedOperation): "issues" | "restricts" | "maybe" | "none" {
  switch (operation.kind) {
    case "issue":
      return "issues";
    case "pause":
      return operation.action === "Pause" ? "restricts" : "none";
    case "list": {
      const target = listOf(operation.list, operation.action);
      return target === (operation.list === "blacklist" ? "add" : "remove") ? "restricts" : "none";
    }
    case "authority":
      return "maybe";
    default:
      return "none";
  }
}
