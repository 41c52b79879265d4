/**
 * Oracle of protocol 7.5: every effect was authorised at its position, caps and allowances hold, restrictions bar; one
 * id names one operation; and only proposals of the operator change the parameters of an epoch.
 */
import { unreachable } from "../../../core/base/assert.ts";
import type { GovernanceProposal } from "../../../core/base/epoch.ts";
import type { Address } from "../../../core/base/ids.ts";
import { type OperationId, ROLES, type SignedOperation } from "../../../core/base/operation.ts";
import { type SlotKey, slotKey } from "../../../core/base/slot.ts";
import { Trie } from "../../../core/base/trie.ts";
import { type Oracle, oracle, type ReportViolation } from "../../fold.ts";
import { type Chronicle, contentOf, lacksWeight, type SignatureRecord } from "../../history/chronicle.ts";
import { type Application, listedSlots, type ObservedContent, operationsOf } from "../../history/content.ts";
import { epochSlot } from "../../history/finality.ts";
import type { EventOf, RunSetting } from "../../observation.ts";
import { parametersText } from "../../reference/epoch.ts";
import { identityOf, isSpending } from "../../reference/operation-meaning.ts";
import { CAPS, type Policy } from "../../reference/policy.ts";
import { isOfPermission, policyRefusals } from "../../reference/token-rules.ts";
import { closingName, shortId, slotKeyName, slotName, slotOf, tokenName } from "../../text.ts";
import {
  barringVersion,
  historyAtGenesis,
  type PolicyHistory,
  type PolicyVersion,
  policyVersionOf,
  versionAfter,
  withVersion,
} from "./policy-history.ts";

interface AuthorityState {
  readonly history: PolicyHistory;
  /** Policy of each token at each node, by the lists that it applied in its current incarnation. */
  readonly policiesByNode: Trie<Trie<PolicyVersion>>;
  readonly proposals: Proposals;
  /** Ids that stand for two operations or share one, each reported once. */
  readonly twofold: Trie<true>;
}

interface AuthorityContext {
  readonly setting: RunSetting;
  readonly seen: Chronicle;
  readonly report: ReportViolation;
}

const EVENT_TYPES = ["applied", "signed", "closed", "proposalReceived", "crashed", "restarted"] as const;

/** Checks effects in token slots by the token's order, and effects in account slots once they are final. */
export function authority(setting: RunSetting): Oracle {
  const start: AuthorityState = {
    history: historyAtGenesis(setting.genesis),
    policiesByNode: Trie.empty(),
    twofold: Trie.empty(),
    proposals: Trie.empty(),
  };
  return oracle("authority", EVENT_TYPES, start, (before, seen, record, report) => {
    const context = { setting, seen, report };
    let state = before;
    for (const signing of seen.signatures)
      if (signing.completed === "final") state = checkFinalValue(context, state, signing);
    switch (record.type) {
      case "applied":
        return record.honest ? checkAppliedList(context, checkIdentities(context, state, record), record) : state;
      case "signed":
        return state;
      case "closed":
        if (record.honest) checkGovernance(context, state, record);
        return state;
      case "proposalReceived":
        return { ...state, proposals: withProposal(state.proposals, record) };
      case "crashed":
      case "restarted":
        return { ...state, policiesByNode: state.policiesByNode.delete(record.node) };
      default:
        return unreachable(record);
    }
  });
}

/** Only the operator changes the parameters of an epoch. */
function checkGovernance(
  { setting, report }: AuthorityContext,
  { proposals }: AuthorityState,
  record: EventOf<"closed">,
): void {
  const reasons = governanceFaults(setting.genesis.chainId, proposals, record);
  if (reasons.length === 0) return;
  report(
    `${record.node} applied ${closingName(record.value.epoch)} on a proposal without authority: ${reasons.join("; ")}`,
  );
}

function checkFinalValue(
  context: AuthorityContext,
  state: AuthorityState,
  { statement }: SignatureRecord,
): AuthorityState {
  if (statement.kind !== "commit") return state;
  const content = contentOf(context.seen, statement.value);
  if (content === undefined) return state;
  const { value, operations } = content;
  if (value.type !== "closing") return checkFinalContent(context, state, statement.slot, content);
  if (statement.slot !== epochSlot(statement.epoch)) return state;
  // A locked value that the closing decides is final with the closing (protocol 6.3).
  let after = state;
  for (const { slot, ...part } of listedSlots(value.listed, operations)) {
    const key = slotKey(slot);
    if (!context.seen.finality.finals.has(key) && !context.seen.isForgotten(key))
      after = checkFinalContent(context, after, key, part);
  }
  return after;
}

function checkFinalContent(
  context: AuthorityContext,
  state: AuthorityState,
  key: SlotKey,
  { value, operations }: ObservedContent,
): AuthorityState {
  const { setting, seen } = context;
  const slot = slotOf(key);
  if (slot === undefined) return state;
  if (slot.kind === "token") {
    if (value.type !== "list") return state;
    const { token, version } = slot;
    const before = policyVersionOf(state.history, token, version);
    const after = versionAfter(before, version, value, operations, seen.count, setting.genesis);
    return { ...state, history: withVersion(state.history, token, after) };
  }
  // More than f Byzantine validators can finalize anything; the effects at honest nodes in token slots are checked all
  // the same.
  if (seen.isBeyond) return state;
  const [signed] = operations;
  context.report.judged();
  if (value.type === "operation" || (value.type === "skip" && value.by === "cancellation"))
    checkSubmitted(context, value.id, signed, key);
  checkWeights(context, operations, key);
  if (value.type === "operation" && signed !== undefined) checkAccountEffect(context, state, value.id, signed, key);
  return state;
}

/**
 * One id names one operation, and an operation has one id: what differs in any field, a memo included, is another
 * operation, and what differs in the signature alone is not (protocol 3.0).
 */
function checkIdentities(
  { seen, report }: AuthorityContext,
  state: AuthorityState,
  application: Application,
): AuthorityState {
  let { twofold } = state;
  for (const { id, signed } of operationsOf(application.value, application.operations)) {
    const identity = identityOf(signed);
    const fault =
      seen.named.get(id) !== identity || seen.shared.has(id)
        ? "but this id stands for another operation too, which differs in a signed field"
        : (seen.submitted.get(identity)?.id ?? id) !== id
          ? "but it was submitted under another id"
          : undefined;
    if (fault === undefined || twofold.has(id)) continue;
    twofold = twofold.set(id, true);
    const { operation, sender } = signed;
    report(
      `${application.node} applied ${operation.kind} ${shortId(id)} of ${shortId(sender)} in ${slotName(application.slot)}, ${fault}`,
    );
  }
  return twofold === state.twofold ? state : { ...state, twofold };
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

function checkAppliedList(context: AuthorityContext, state: AuthorityState, application: Application): AuthorityState {
  const { setting, seen, report } = context;
  for (const change of application.changes)
    if (change.of === "token") checkRoleCaps(setting, application, change.after.roles, change.token, report);
  if (application.slot.kind !== "token" || application.value.type !== "list") return state;
  const { token, version } = application.slot;
  // Beyond f several lists of one version can be final, and contents that others show may be false: a node is judged by
  // what it applied itself.
  const versions = state.policiesByNode.get(application.node) ?? Trie.empty<PolicyVersion>();
  const before = versions.get(token) ?? policyVersionOf(state.history, token, 0);
  const due = before?.version ?? 0;
  if (version !== due) {
    report(`${application.node} applied ${slotName(application.slot)} where version ${due} is next`);
  }
  const after = versionAfter(before, version, application.value, application.operations, seen.count, setting.genesis);
  for (const receipt of application.receipts) {
    const reasons = after.verdicts.get(receipt.id) ?? ["not in the list"];
    if (!receipt.success || reasons.length === 0) continue;
    report(
      `at ${application.node} ${operationWords(application, receipt.id)} took effect in ${slotName(application.slot)}, ` +
        `where the token's order refuses it: ${reasons.join(", ")}`,
    );
  }
  const history = withVersion(state.history, token, after);
  return { ...state, history, policiesByNode: state.policiesByNode.set(application.node, versions.set(token, after)) };
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

/** Authentic proposals that reached any validator, as text. */
type Proposals = Trie<true>;

/** Returns the proposals with one more; one without the operator's signature is ignored. */
function withProposal(proposals: Proposals, { proposal, authentic }: EventOf<"proposalReceived">): Proposals {
  return authentic ? proposals.set(proposalText(proposal), true) : proposals;
}

/** Returns the faults of the proposal that closed an epoch; empty if another cause closed it. */
function governanceFaults(
  chainId: number,
  proposals: Proposals,
  { value, cause }: EventOf<"closed">,
): readonly string[] {
  if (cause.kind !== "proposal") return [];
  const { proposal } = cause;
  const found: string[] = [];
  if (proposal.chainId !== chainId) found.push(`it is for chain ${proposal.chainId}`);
  if (proposal.epoch !== value.epoch) found.push(`it is for epoch ${proposal.epoch}`);
  if (parametersText(proposal.next) !== parametersText(value.next)) found.push("it names other parameters");
  if (!proposals.has(proposalText(proposal))) found.push("the operator signed no such proposal");
  return found;
}

function proposalText({ chainId, epoch, next }: GovernanceProposal): string {
  return [chainId, epoch, parametersText(next)].join("/");
}
