/**
 * Oracle of protocol 7.5: every effect was authorised at its position, caps and allowances hold, restrictions bar; one
 * id names one operation; and only proposals of the operator change the parameters of an epoch.
 */
import { entryOf } from "../../../core/base/entry.ts";
import type { GovernanceProposal } from "../../../core/base/epoch.ts";
import type { Address } from "../../../core/base/ids.ts";
import { isRecovery, type OperationId, ROLES, type SignedOperation } from "../../../core/base/operation.ts";
import { type SlotKey, slotKey } from "../../../core/base/slot.ts";
import { dropNode, type Oracle, oracle, type ReportViolation } from "../../fold.ts";
import { type Chronicle, lacksWeight } from "../../history/chronicle.ts";
import {
  type Application,
  listedSlots,
  type ObservedContent,
  operationIn,
  operationsOf,
} from "../../history/content.ts";
import { epochSlot } from "../../history/finality.ts";
import type { EventOf, NodeName, RunSetting } from "../../observation.ts";
import { parametersText } from "../../reference/epoch.ts";
import { identityOf, isSpending } from "../../reference/operation-meaning.ts";
import { CAPS, type Policy } from "../../reference/policy.ts";
import { isOfPermission, policyRefusals } from "../../reference/token-rules.ts";
import { closingName, shortId, slotKeyName, slotName, slotOf, tokenName } from "../../text.ts";
import {
  addVersion,
  barringRefusal,
  historyAtGenesis,
  type PolicyHistory,
  type PolicyVersion,
  versionAfter,
} from "./policy-history.ts";

interface AuthorityState {
  readonly history: PolicyHistory;
  /** Policy of each token at each node, by the lists that it applied in its current incarnation. */
  readonly policiesByNode: Map<NodeName, Map<Address, PolicyVersion>>;
  /** Authentic proposals that reached any validator, as text. */
  readonly proposals: Set<string>;
  /** Ids that stand for two operations or share one, each reported once. */
  readonly twofold: Set<OperationId>;
}

/** Checks effects in token slots by the token's order, and effects in account slots once they are final. */
export function authority({ genesis }: RunSetting): Oracle {
  const start: AuthorityState = {
    history: historyAtGenesis(genesis),
    policiesByNode: new Map(),
    twofold: new Set(),
    proposals: new Set(),
  };
  return oracle("authority", start, {
    signed: checkFinalValues,
    closed: (state, record, chronicle, report) => {
      checkFinalValues(state, record, chronicle, report);
      if (record.honest) checkGovernance(state, record, chronicle, report);
    },
    applied: (state, record, chronicle, report) => {
      if (!record.honest) return;
      checkIdentities(state, record, chronicle, report);
      checkAppliedList(state, record, chronicle, report);
    },
    proposalReceived: ({ proposals }, { authentic, proposal }) => {
      if (authentic) proposals.add(proposalText(proposal));
    },
    crashed: ({ policiesByNode }, record) => dropNode(policiesByNode, record),
    restarted: ({ policiesByNode }, record) => dropNode(policiesByNode, record),
  });
}

/** Only the operator changes the parameters of an epoch: a proposal that closed one is as it was signed. */
function checkGovernance(
  { proposals }: AuthorityState,
  { node, cause, value }: EventOf<"closed">,
  { setting }: Chronicle,
  report: ReportViolation,
): void {
  if (cause.kind !== "proposal") return;
  const { proposal } = cause;
  const reasons: string[] = [];
  if (proposal.chainId !== setting.genesis.chainId) reasons.push(`it is for chain ${proposal.chainId}`);
  if (proposal.epoch !== value.epoch) reasons.push(`it is for epoch ${proposal.epoch}`);
  if (parametersText(proposal.next) !== parametersText(value.next)) reasons.push("it names other parameters");
  if (!proposals.has(proposalText(proposal))) reasons.push("the operator signed no such proposal");
  if (reasons.length === 0) return;
  report(`${node} applied ${closingName(value.epoch)} on a proposal without authority: ${reasons.join("; ")}`);
}

function checkFinalValues(
  state: AuthorityState,
  _record: unknown,
  chronicle: Chronicle,
  report: ReportViolation,
): void {
  for (const { statement, completed } of chronicle.signatures) {
    const isFinal = completed === "final" && statement.kind === "commit";
    const content = isFinal ? chronicle.contents.get(statement.value) : undefined;
    if (content === undefined) continue;
    const { value, operations } = content;
    if (value.type !== "closing") checkFinalContent(state, statement.slot, content, chronicle, report);
    else if (statement.slot === epochSlot(statement.epoch)) {
      // A locked value that the closing decides is final with the closing (protocol 6.3).
      for (const { slot, ...part } of listedSlots(value.listed, operations)) {
        const key = slotKey(slot);
        if (!chronicle.finality.finals.has(key) && !chronicle.isForgotten(key))
          checkFinalContent(state, key, part, chronicle, report);
      }
    }
  }
}

function checkFinalContent(
  state: AuthorityState,
  key: SlotKey,
  { value, operations }: ObservedContent,
  chronicle: Chronicle,
  report: ReportViolation,
): void {
  const slot = slotOf(key);
  if (slot === undefined) return;
  if (slot.kind === "token") {
    if (value.type !== "list") return;
    const { token, version } = slot;
    const before = state.history.get(token)?.[version];
    const { after } = versionAfter(before, version, value, operations, chronicle.count, chronicle.setting.genesis);
    addVersion(state.history, token, after);
    return;
  }
  // More than f Byzantine validators can finalize anything; the effects at honest nodes in token slots are checked all
  // the same.
  if (chronicle.isBeyond) return;
  const [signed] = operations;
  report.judged();
  // The owner of an account submits its operations, in exactly these fields: a final one without a submission is forged
  // (specification 4.1).
  const isOwners = value.type === "operation" || (value.type === "skip" && value.by === "cancellation");
  if (isOwners && signed !== undefined && !chronicle.submitted.has(identityOf(signed)))
    report(`${operationText(value.id, signed)} became final in ${slotKeyName(key)}, but no client submitted it`);
  if (value.type === "skip" && value.by === "recovery")
    for (const proof of operations)
      if (!chronicle.submitted.has(identityOf(proof)) && !chronicle.proven.has(identityOf(proof)))
        report(`${operationText(value.id, proof)} became the proof of ${slotKeyName(key)}, but its owner signed none`);
  // Members of a multisig account with enough weight submitted what it does, a skip's evidence included.
  for (const decided of operations)
    if (lacksWeight(chronicle, decided))
      report(
        `${decided.operation.kind} of ${shortId(decided.sender)} became final in ${slotKeyName(key)}, but its signers lack the weight that the account needs`,
      );
  if (value.type !== "operation" || signed === undefined) return;
  const bar = barOf(state, signed, chronicle);
  if (bar !== undefined)
    report(`${operationText(value.id, signed)} became final in ${slotKeyName(key)}, barred by ${bar}`);
}

/**
 * One id names one operation, and an operation has one id: what differs in any field, a memo included, is another
 * operation, and what differs in the signature alone is not (protocol 3.0).
 */
function checkIdentities(
  { twofold }: AuthorityState,
  { node, slot, value, operations }: Application,
  chronicle: Chronicle,
  report: ReportViolation,
): void {
  for (const { id, signed } of operationsOf(value, operations)) {
    const identity = identityOf(signed);
    const fault =
      chronicle.named.get(id) !== identity || chronicle.shared.has(id)
        ? "but this id stands for another operation too, which differs in a signed field"
        : (chronicle.submitted.get(identity)?.id ?? id) !== id
          ? "but it was submitted under another id"
          : undefined;
    if (fault === undefined || twofold.has(id)) continue;
    twofold.add(id);
    report(`${node} applied ${operationText(id, signed)} in ${slotName(slot)}, ${fault}`);
  }
}

/**
 * Returns what bars an operation, and since when. Payments, and burns at authorisation, must be allowed in some version
 * that no final restriction has overtaken.
 */
function barOf({ history }: AuthorityState, signed: SignedOperation, chronicle: Chronicle): string | undefined {
  const { genesis } = chronicle.setting;
  const { operation } = signed;
  if (!isSpending(operation) && operation.kind !== "burn" && operation.kind !== "clawback") return undefined;
  const policyRefusal = (policy: Policy | undefined): string | undefined =>
    policyRefusals(policy, signed, genesis).find(isOfPermission);
  const submittedAt = chronicle.submitted.get(identityOf(signed))?.at ?? -1;
  const bar = barringRefusal(history, operation.token, submittedAt, policyRefusal);
  if (bar === undefined) return undefined;
  const token = tokenName(genesis, operation.token);
  return bar.since === undefined
    ? `${bar.reason} in every version of ${token}`
    : `${bar.reason} since version ${bar.since.version} of ${token}, whose list was final before it was first submitted`;
}

function checkAppliedList(
  { history, policiesByNode }: AuthorityState,
  { node, slot, value, operations, changes, receipts }: Application,
  chronicle: Chronicle,
  report: ReportViolation,
): void {
  const { genesis } = chronicle.setting;
  for (const change of changes) {
    if (change.of !== "token") continue;
    for (const role of ROLES) {
      const count = change.after.roles.filter((held) => held.role === role).length;
      if (count <= CAPS[role]) continue;
      report(
        `at ${node} after ${slotName(slot)} ${count} addresses hold ${role} of ${tokenName(genesis, change.token)}, ` +
          `at most ${CAPS[role]} may`,
      );
    }
  }
  if (slot.kind !== "token" || value.type !== "list") return;
  const { token, version } = slot;
  // Beyond f several lists of one version can be final, and contents that others show may be false: a node is judged by
  // what it applied itself.
  const versions = entryOf(policiesByNode, node, () => new Map<Address, PolicyVersion>());
  const before = versions.get(token) ?? history.get(token)?.[0];
  const due = before?.version ?? 0;
  if (version !== due) report(`${node} applied ${slotName(slot)} where version ${due} is next`);
  const { after, verdicts } = versionAfter(before, version, value, operations, chronicle.count, genesis);
  for (const { id, success } of receipts) {
    const reasons = verdicts.get(id) ?? ["not in the list"];
    if (!success || reasons.length === 0) continue;
    const signed = operationIn(value, operations, id);
    report(
      `at ${node} ${signed === undefined ? shortId(id) : operationText(id, signed)} took effect in ${slotName(slot)}, ` +
        `where the token's order refuses it: ${reasons.join(", ")}`,
    );
  }
  addVersion(history, token, after);
  versions.set(token, after);
}

function operationText(id: string, { operation, sender }: SignedOperation): string {
  return `${operation.kind} ${shortId(id)} of ${shortId(sender)}`;
}

function proposalText({ chainId, epoch, next }: GovernanceProposal): string {
  return [chainId, epoch, parametersText(next)].join("/");
}

/**
 * Returns the oracle for validators with a protocol of their own: an honest one applies only what its sender signed for
 * this chain. Compares each operation with what clients have submitted with a valid signature.
 */
export function appliedAuthority({ genesis: { chainId } }: RunSetting): Oracle {
  return oracle("authority", new Set<string>(), {
    submitted: (signed, { submission, isForged = false }) => {
      if (!isRecovery(submission) && !isForged) signed.add(identityOf(submission));
    },
    applied: (signed, { node, honest, slot, operations, receipts }, _chronicle, report) => {
      if (!honest) return;
      for (const [index, applied] of operations.entries()) {
        report.judged();
        const id = receipts[index]?.id ?? "";
        const fault =
          applied.operation.chainId !== chainId
            ? `which is for chain ${applied.operation.chainId}: this one is ${chainId}`
            : signed.has(identityOf(applied))
              ? undefined
              : "which its sender has not signed";
        if (fault === undefined) continue;
        report(`${node} applied ${operationText(id, applied)} in ${slotName(slot)}, ${fault}`);
      }
    },
  });
}

/** Signatures that are remembered, the newest ones, until a checkpoint lists their operations. */
const READINGS_KEPT = 32_768;

/** First operation and its kind, by sender and signature. */
type FirstReadings = Map<string, { readonly id: OperationId; readonly kind: string }>;

/**
 * Returns the oracle beside the first for a served network, whose clients anybody may copy: an operation that takes effect
 * although its signature was submitted as another operation before is nothing that its owner is known to have meant
 * (specification 4.3). Each is reported once.
 */
export function secondReadings(): Oracle {
  return oracle<FirstReadings>("authority", new Map(), {
    submitted: (first, { submission, id }) => {
      if (isRecovery(submission)) return;
      const key = `${submission.sender} ${submission.signature}`;
      const [oldest] = first.keys();
      if (first.size >= READINGS_KEPT && oldest !== undefined) first.delete(oldest);
      if (!first.has(key)) first.set(key, { id, kind: submission.operation.kind });
    },
    forgotten: (first, { operations }) => {
      const forgotten = new Set(operations);
      for (const [key, { id }] of first) if (forgotten.has(id)) first.delete(key);
    },
    applied: (first, { honest, slot, value, operations }, _chronicle, report) => {
      for (const { id, signed } of honest ? operationsOf(value, operations) : []) {
        const key = `${signed.sender} ${signed.signature}`;
        const reading = first.get(key);
        if (reading === undefined || reading.id === id) continue;
        first.delete(key);
        report(
          `${operationText(id, signed)} took effect in ${slotName(slot)}, ` +
            `but its signature was submitted as ${reading.kind} ${shortId(reading.id)} before`,
        );
      }
    },
  });
}
