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
import { type Chronicle, lacksWeight, type SignatureRecord } from "../../history/chronicle.ts";
import { type Application, listedSlots, type ObservedContent, operationsOf } from "../../history/content.ts";
import { epochSlot } from "../../history/finality.ts";
import type { EventOf, NodeName, RunSetting } from "../../observation.ts";
import { parametersText } from "../../reference/epoch.ts";
import { identityOf, isSpending } from "../../reference/operation-meaning.ts";
import { CAPS, type Policy } from "../../reference/policy.ts";
import { isOfPermission, policyRefusals } from "../../reference/token-rules.ts";
import { closingName, shortId, slotKeyName, slotName, slotOf, tokenName } from "../../text.ts";
import {
  addVersion,
  barringVersion,
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

interface AuthorityContext {
  readonly setting: RunSetting;
  readonly seen: Chronicle;
  readonly report: ReportViolation;
}

/** Checks effects in token slots by the token's order, and effects in account slots once they are final. */
export function authority(setting: RunSetting): Oracle {
  const start: AuthorityState = {
    history: historyAtGenesis(setting.genesis),
    policiesByNode: new Map(),
    twofold: new Set(),
    proposals: new Set(),
  };
  const checkFinalValues = (state: AuthorityState, seen: Chronicle, report: ReportViolation): void => {
    for (const signing of seen.signatures)
      if (signing.completed === "final") checkFinalValue({ setting, seen, report }, state, signing);
  };
  return oracle("authority", start, {
    signed: (state, _record, seen, report) => checkFinalValues(state, seen, report),
    closed: (state, record, seen, report) => {
      checkFinalValues(state, seen, report);
      if (record.honest) checkGovernance({ setting, seen, report }, state, record);
    },
    applied: (state, record, seen, report) => {
      if (!record.honest) return;
      const context = { setting, seen, report };
      checkIdentities(context, state, record);
      checkAppliedList(context, state, record);
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
  { setting, report }: AuthorityContext,
  { proposals }: AuthorityState,
  record: EventOf<"closed">,
): void {
  const { cause, value } = record;
  if (cause.kind !== "proposal") return;
  const { proposal } = cause;
  const { chainId } = setting.genesis;
  const reasons: string[] = [];
  if (proposal.chainId !== chainId) reasons.push(`it is for chain ${proposal.chainId}`);
  if (proposal.epoch !== value.epoch) reasons.push(`it is for epoch ${proposal.epoch}`);
  if (parametersText(proposal.next) !== parametersText(value.next)) reasons.push("it names other parameters");
  if (!proposals.has(proposalText(proposal))) reasons.push("the operator signed no such proposal");
  if (reasons.length === 0) return;
  report(
    `${record.node} applied ${closingName(record.value.epoch)} on a proposal without authority: ${reasons.join("; ")}`,
  );
}

function checkFinalValue(context: AuthorityContext, state: AuthorityState, { statement }: SignatureRecord): void {
  const { seen } = context;
  const content = statement.kind === "commit" ? seen.contents.get(statement.value) : undefined;
  if (content === undefined) return;
  const { value, operations } = content;
  if (value.type !== "closing") checkFinalContent(context, state, statement.slot, content);
  else if (statement.slot === epochSlot(statement.epoch)) {
    // A locked value that the closing decides is final with the closing (protocol 6.3).
    for (const { slot, ...part } of listedSlots(value.listed, operations)) {
      const key = slotKey(slot);
      if (!seen.finality.finals.has(key) && !seen.isForgotten(key)) checkFinalContent(context, state, key, part);
    }
  }
}

function checkFinalContent(
  context: AuthorityContext,
  state: AuthorityState,
  key: SlotKey,
  { value, operations }: ObservedContent,
): void {
  const { setting, seen } = context;
  const slot = slotOf(key);
  if (slot === undefined) return;
  if (slot.kind === "token") {
    if (value.type !== "list") return;
    const { token, version } = slot;
    const before = state.history.get(token)?.[version];
    const { after } = versionAfter(before, version, value, operations, seen.count, setting.genesis);
    addVersion(state.history, token, after);
    return;
  }
  // More than f Byzantine validators can finalize anything; the effects at honest nodes in token slots are checked all
  // the same.
  if (seen.isBeyond) return;
  const [signed] = operations;
  context.report.judged();
  if (value.type === "operation" || (value.type === "skip" && value.by === "cancellation"))
    checkSubmitted(context, value.id, signed, key);
  checkWeights(context, operations, key);
  if (value.type === "operation" && signed !== undefined) checkAccountEffect(context, state, value.id, signed, key);
}

/**
 * One id names one operation, and an operation has one id: what differs in any field, a memo included, is another
 * operation, and what differs in the signature alone is not (protocol 3.0).
 */
function checkIdentities(
  { seen, report }: AuthorityContext,
  { twofold }: AuthorityState,
  application: Application,
): void {
  for (const { id, signed } of operationsOf(application.value, application.operations)) {
    const identity = identityOf(signed);
    const fault =
      seen.named.get(id) !== identity || seen.shared.has(id)
        ? "but this id stands for another operation too, which differs in a signed field"
        : (seen.submitted.get(identity)?.id ?? id) !== id
          ? "but it was submitted under another id"
          : undefined;
    if (fault === undefined || twofold.has(id)) continue;
    twofold.add(id);
    const { operation, sender } = signed;
    report(
      `${application.node} applied ${operation.kind} ${shortId(id)} of ${shortId(sender)} in ${slotName(application.slot)}, ${fault}`,
    );
  }
}

/**
 * The owner of an account submits its operations, in exactly these fields: a final one without a submission is forged
 * (specification 4.1).
 */
function checkSubmitted(
  { seen, report }: AuthorityContext,
  id: OperationId,
  signed: SignedOperation | undefined,
  slot: SlotKey,
): void {
  if (signed === undefined || seen.submitted.has(identityOf(signed))) return;
  const { operation, sender } = signed;
  report(
    `${operation.kind} ${shortId(id)} of ${shortId(sender)} became final in ${slotKeyName(slot)}, but no client submitted it`,
  );
}

/** Members of a multisig account with enough weight submitted what it does, a skip's evidence included (specification 4.1). */
function checkWeights({ seen, report }: AuthorityContext, operations: readonly SignedOperation[], slot: SlotKey): void {
  for (const signed of operations) {
    if (!lacksWeight(seen, signed)) continue;
    const { operation, sender } = signed;
    report(
      `${operation.kind} of ${shortId(sender)} became final in ${slotKeyName(slot)}, but its signers lack the weight that the account needs`,
    );
  }
}

/** Payments, and burns at authorisation, must be allowed in some version that no final restriction has overtaken. */
function checkAccountEffect(
  { setting, seen, report }: AuthorityContext,
  state: AuthorityState,
  id: OperationId,
  signed: SignedOperation,
  slot: SlotKey,
): void {
  const { operation, sender } = signed;
  if (!isSpending(operation) && operation.kind !== "burn" && operation.kind !== "clawback") return;
  const policyRefusal = (policy: Policy | undefined): string | undefined =>
    policyRefusals(policy, signed, setting.genesis).find(isOfPermission);
  const submittedAt = seen.submitted.get(identityOf(signed))?.at ?? -1;
  const bar = barringVersion(state.history, operation.token, submittedAt, policyRefusal);
  if (bar === undefined) return;
  const token = tokenName(setting.genesis, operation.token);
  const when =
    bar.since === undefined
      ? `in every version of ${token}`
      : `since version ${bar.since.version} of ${token}, whose list was final before it was first submitted`;
  report(
    `${operation.kind} ${shortId(id)} of ${shortId(sender)} became final in ${slotKeyName(slot)}, ` +
      `barred by ${bar.reason} ${when}`,
  );
}

function checkAppliedList(context: AuthorityContext, state: AuthorityState, application: Application): void {
  const { setting, seen, report } = context;
  for (const change of application.changes)
    if (change.of === "token") checkRoleCaps(setting, application, change.after.roles, change.token, report);
  if (application.slot.kind !== "token" || application.value.type !== "list") return;
  const { token, version } = application.slot;
  // Beyond f several lists of one version can be final, and contents that others show may be false: a node is judged by
  // what it applied itself.
  const versions = entryOf(state.policiesByNode, application.node, () => new Map<Address, PolicyVersion>());
  const before = versions.get(token) ?? state.history.get(token)?.[0];
  const due = before?.version ?? 0;
  if (version !== due) {
    report(`${application.node} applied ${slotName(application.slot)} where version ${due} is next`);
  }
  const { value, operations } = application;
  const { after, verdicts } = versionAfter(before, version, value, operations, seen.count, setting.genesis);
  for (const receipt of application.receipts) {
    const reasons = verdicts.get(receipt.id) ?? ["not in the list"];
    if (!receipt.success || reasons.length === 0) continue;
    report(
      `at ${application.node} ${operationWords(application, receipt.id)} took effect in ${slotName(application.slot)}, ` +
        `where the token's order refuses it: ${reasons.join(", ")}`,
    );
  }
  addVersion(state.history, token, after);
  versions.set(token, after);
}

function operationWords(application: Application, id: OperationId): string {
  const index = application.value.type === "list" ? application.value.ids.indexOf(id) : -1;
  const signed = application.operations[index];
  return signed === undefined ? shortId(id) : `${signed.operation.kind} ${shortId(id)} of ${shortId(signed.sender)}`;
}

function checkRoleCaps(
  setting: RunSetting,
  application: Application,
  roles: readonly { readonly role: string }[],
  token: Address,
  report: ReportViolation,
): void {
  for (const role of ROLES) {
    const count = roles.filter((held) => held.role === role).length;
    if (count <= CAPS[role]) continue;
    report(
      `at ${application.node} after ${slotName(application.slot)} ${count} addresses hold ${role} ` +
        `of ${tokenName(setting.genesis, token)}, at most ${CAPS[role]} may`,
    );
  }
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
    applied: (signed, { node, honest, slot, operations, receipts }, _seen, report) => {
      if (!honest) return;
      for (const [index, applied] of operations.entries()) {
        report.judged();
        const { operation, sender } = applied;
        const id = receipts[index]?.id ?? "";
        const fault =
          operation.chainId !== chainId
            ? `which is for chain ${operation.chainId}: this one is ${chainId}`
            : signed.has(identityOf(applied))
              ? undefined
              : "which its sender has not signed";
        if (fault === undefined) continue;
        report(`${node} applied ${operation.kind} ${shortId(id)} of ${shortId(sender)} in ${slotName(slot)}, ${fault}`);
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
    applied: (first, { honest, slot, value, operations }, _seen, report) => {
      for (const { id, signed } of honest ? operationsOf(value, operations) : []) {
        const key = `${signed.sender} ${signed.signature}`;
        const reading = first.get(key);
        if (reading === undefined || reading.id === id) continue;
        first.delete(key);
        report(
          `${signed.operation.kind} ${shortId(id)} of ${shortId(signed.sender)} took effect in ${slotName(slot)}, ` +
            `but its signature was submitted as ${reading.kind} ${shortId(reading.id)} before`,
        );
      }
    },
  });
}
