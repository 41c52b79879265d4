/**
 * Oracle of protocol 7.13: every signature of an honest validator satisfies the rules of the independent reference
 * ledger.
 */
import type { Address, Epoch } from "../../core/base/ids.ts";
import { Trie } from "../../core/base/trie.ts";
import { mayBeForced } from "../evidence/rule-violations.ts";
import { type Oracle, oracle, type ReportViolation } from "../fold.ts";
import { type Chronicle, committeeOf, contentOf, type SignatureRecord } from "../history/chronicle.ts";
import { type Application, valueLabel } from "../history/content.ts";
import { type CommitteeDirectory, committeeDirectory } from "../history/epochs.ts";
import { epochSlot } from "../history/finality.ts";
import type { DurableStatement, EventOf, NodeName, RunSetting } from "../observation.ts";
import { applyClosing } from "../reference/epoch.ts";
import { applySlot, effectRefusals, voteRefusals } from "../reference/ledger.ts";
import { atGenesis, type Constants, changesBetween, type LedgerState } from "../reference/state.ts";
import { closingName, slotKeyName, slotName, slotOf, valueName } from "../text.ts";
import { tokenAddress } from "../token-address.ts";
import { diffChanges, diffReceipts } from "./reference-diff.ts";

/** Current incarnation of an honest node. */
interface IncarnationLedger {
  /** Reference ledger; `undefined` once the node has diverged. */
  readonly ledger: LedgerState | undefined;
  /** Durable statements of the last incarnation, whose ledger is gone. */
  readonly durableStatements: ReadonlySet<string>;
}

type State = Trie<IncarnationLedger>;

const START: State = Trie.empty();

const EVENT_TYPES = ["applied", "closed", "signed", "crashed", "restarted"] as const;

/**
 * Runs one reference ledger per node over the slots that it applied and the epochs that it closed, and checks the
 * node's votes and proposals by it.
 */
export function validity(setting: RunSetting): Oracle {
  const directory = committeeDirectory(setting);
  const constants: Constants = { genesis: setting.genesis, addressOf: tokenAddress };
  const genesis = atGenesis(setting.genesis);
  const first: IncarnationLedger = { ledger: genesis, durableStatements: new Set() };
  return oracle("validity", EVENT_TYPES, START, (state, seen, record, report) => {
    if (record.type === "crashed") return state.delete(record.node);
    const incarnation = state.get(record.node) ?? first;
    if (record.type === "restarted") {
      return state.set(record.node, {
        ledger: genesis,
        durableStatements: new Set([
          ...incarnation.durableStatements,
          ...record.durableStatements.map(durableStatementKey),
        ]),
      });
    }
    const { ledger, durableStatements: statements } = incarnation;
    if (!record.honest || ledger === undefined) return state;
    if (record.type === "applied") {
      return state.set(record.node, {
        ledger: applied(ledger, record, constants, seen, report),
        durableStatements: statements,
      });
    }
    if (record.type === "closed") {
      return state.set(record.node, {
        ledger: closed(ledger, record, constants, report),
        durableStatements: statements,
      });
    }
    inItsEpoch(ledger, record, seen, directory, report);
    const [signing] = seen.signatures;
    if (signing === undefined || signing.statement.epoch !== ledger.epoch.number) return state;
    const { statement } = signing;
    if (statement.kind !== "vote" && statement.kind !== "proposal") return state;
    if (!statements.has(durableStatementKey(statement))) chosen(ledger, record.node, seen, signing, constants, report);
    return state;
  });
}

function durableStatementKey({
  kind,
  epoch,
  slot,
  round,
  value,
}: Omit<DurableStatement, "kind"> & { readonly kind: string }): string {
  return `${kind} ${epoch} ${slot} ${round} ${value}`;
}

/**
 * A validator signs as a member of its epoch's committee, from the application of the previous epoch's closing on.
 * After its closing an epoch is over, except for its own slot (protocol 6.3).
 */
function inItsEpoch(
  { epoch }: LedgerState,
  { node, key, statement }: EventOf<"signed">,
  seen: Chronicle,
  directory: CommitteeDirectory,
  report: ReportViolation,
): void {
  const isNew = seen.signatures.length > 0;
  const say = (detail: string): void => {
    const kind = statement.kind === "roundChange" ? "round change" : statement.kind;
    report(`${node} signed a ${kind} in ${slotKeyName(statement.slot)} of epoch ${statement.epoch}, ${detail}`);
  };
  if (statement.epoch > epoch.number) {
    say(`though it has applied ${closingsWords(epoch.number)} only`);
    return;
  }
  // A first statement of a member is among the recorded signatures by now.
  if (!isNew && !isMember(seen, directory, key, statement.epoch)) say("but is not in its committee");
  if (statement.epoch < epoch.number && isNew && statement.slot !== epochSlot(statement.epoch))
    say("though it had applied the closing of that epoch");
}

function isMember(seen: Chronicle, directory: CommitteeDirectory, key: Address, epoch: Epoch): boolean {
  const index = directory.indexOf(key);
  return index !== undefined && committeeOf(seen, epoch)?.isMember(index) === true;
}

function closingsWords(count: number): string {
  return count === 0 ? "the genesis" : closingName((count - 1) as Epoch);
}

/** Returns the reference ledger after an epoch's end, or `undefined` if the node diverged. */
function closed(
  ledger: LedgerState,
  one: EventOf<"closed">,
  constants: Constants,
  report: ReportViolation,
): LedgerState | undefined {
  const outcome = applyClosing(ledger, one.value);
  const unlike = [
    ...outcome.problems,
    ...diffChanges(one.changes, changesBetween(ledger, outcome.state), constants.genesis),
  ];
  if (unlike.length === 0) return outcome.state;
  report(`${one.node} applied ${closingName(one.value.epoch)} unlike the reference ledger: ${unlike.join("; ")}`);
  return undefined;
}

/**
 * Returns the reference ledger after one slot, or `undefined` if the node diverged: its later steps would repeat the
 * first difference, so checks resume in its next incarnation. More than f Byzantine validators can decide what no
 * honest one votes for; then the node that applies it is not faulty, and the reference has no rule for it.
 */
function applied(
  ledger: LedgerState,
  one: Application,
  constants: Constants,
  seen: Chronicle,
  report: ReportViolation,
): LedgerState | undefined {
  const outcome = applySlot(ledger, one.slot, one.value, one.operations, constants);
  if (outcome.problems.length > 0 && seen.isBeyond) return undefined;
  const unlike = [
    ...outcome.problems,
    ...diffReceipts(one, outcome.receipts),
    ...diffChanges(one.changes, changesBetween(ledger, outcome.state), constants.genesis),
  ];
  if (unlike.length === 0) return outcome.state;
  report(
    `${one.node} applied ${valueName(one.value)} in ${slotName(one.slot)} unlike the reference ledger: ` +
      `${unlike.join("; ")}`,
    { where: one },
  );
  return undefined;
}

/** A node votes for and proposes only what it may vote for itself (protocol 3.1, 1b; 3.2: a free choice). */
function chosen(
  ledger: LedgerState,
  node: NodeName,
  seen: Chronicle,
  { statement, book: signatures }: SignatureRecord,
  constants: Constants,
  report: ReportViolation,
): void {
  if (statement.kind !== "vote" && statement.kind !== "proposal") return;
  const { kind, round, value: hash } = statement;
  const slot = slotOf(statement.slot);
  const content = contentOf(seen, hash);
  if (slot === undefined) return;
  const reasons: string[] = [];
  if (round > 0 && mayBeForced(signatures, round, hash)) {
    // A forced value needs only its justification and its position: f + 1 honest validators have checked it (protocol
    // 3.1 a, c).
    if (kind === "vote") reasons.push(...effectRefusals(ledger, slot));
  } else if (content !== undefined) {
    const { value, operations } = content;
    if (value.type === "checkpoint" || value.type === "closing")
      reasons.push("an account's or a token's slot decides no checkpoint");
    else reasons.push(...voteRefusals(ledger, slot, value, operations, constants));
    if (round === 0 && value.type === "skip") reasons.push("a skip is not allowed in round 0");
    if (round > 0 && value.type === "operation")
      reasons.push(`an owner's operation is not a free choice in round ${round}`);
  }
  if (reasons.length === 0) return;
  report(
    `${node} ${kind === "vote" ? "voted for" : "proposed"} ${valueLabel(seen.contents, hash)} in round ${round} of ` +
      `${slotKeyName(statement.slot)}: ${reasons.join("; ")}`,
  );
}
