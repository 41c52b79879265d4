/** Design 7.13: whatever an honest validator signs satisfies the rules of the independent reference ledger. */
import { Trie } from "../core/base/trie.ts";
import type { Application } from "./application.ts";
import { type Chronicle, contentOf, type Signing } from "./chronicle.ts";
import { type Oracle, oracle, type Report } from "./fold.ts";
import { changesUnlike, receiptsUnlike } from "./likeness.ts";
import type { NodeName, Setting } from "./observation.ts";
import { maybeForced } from "./offence.ts";
import { atGenesis, type Constants, changesBetween, type LedgerState } from "./reference/state.ts";
import { applySlot, placeReasons, voteReasons } from "./reference-ledger.ts";
import { tokenAddress } from "./token-address.ts";
import { short, slotKeyName, slotName, slotOf, valueName } from "./words.ts";

/** The reference ledger of each honest node in its present life; `undefined` once the node has left it. */
type State = Trie<{ readonly ledger: LedgerState | undefined }>;

const START: State = Trie.empty();

/** Runs one reference ledger per node over the slots that the node applied, and judges its votes and proposals by it. */
export function validity(setting: Setting): Oracle {
  const constants: Constants = { genesis: setting.genesis, addressOf: tokenAddress };
  const genesis = atGenesis(setting.genesis);
  const ledgerOf = (state: State, node: NodeName): LedgerState | undefined => {
    const known = state.get(node);
    return known === undefined ? genesis : known.ledger;
  };
  return oracle("validity", ["applied", "signed", "crashed", "restarted"], START, (state, seen, record, report) => {
    if (record.type === "crashed" || record.type === "restarted") return state.delete(record.node);
    const ledger = record.honest ? ledgerOf(state, record.node) : undefined;
    if (ledger === undefined) return state;
    if (record.type === "applied") {
      return state.set(record.node, { ledger: applied(ledger, record, constants, report) });
    }
    if (seen.signing !== undefined) chosen(ledger, record.node, seen, seen.signing, constants, report);
    return state;
  });
}

/**
 * The reference after one slot, or `undefined` where the node departed from it: whatever such a node does next would
 * only repeat the first difference, so it is judged again in its next life.
 */
function applied(ledger: LedgerState, one: Application, constants: Constants, report: Report): LedgerState | undefined {
  const outcome = applySlot(ledger, one.slot, one.value, one.operations, constants);
  const unlike = [
    ...outcome.problems,
    ...receiptsUnlike(one, outcome.receipts),
    ...changesUnlike(one, changesBetween(ledger, outcome.state), constants.genesis),
  ];
  if (unlike.length === 0) return outcome.state;
  report(
    `${one.node} applied ${valueName(one.value)} in ${slotName(one.slot)} unlike the reference ledger: ` +
      `${unlike.join("; ")}`,
    { where: one },
  );
  return undefined;
}

/** What a node votes for or proposes must be what it may vote for itself (design 3.1, 1b; 3.2: a free choice). */
function chosen(
  ledger: LedgerState,
  node: NodeName,
  seen: Chronicle,
  { statement, book }: Signing,
  constants: Constants,
  report: Report,
): void {
  if (statement.kind !== "vote" && statement.kind !== "proposal") return;
  const { kind, round, value: hash } = statement;
  const slot = slotOf(statement.slot);
  const content = contentOf(seen, hash);
  if (slot === undefined) return;
  const reasons: string[] = [];
  if (round > 0 && maybeForced(book, round, hash)) {
    // A forced value needs its justification only, and its place: f + 1 honest ones have checked it (design 3.1 a, c).
    if (kind === "vote") reasons.push(...placeReasons(ledger, slot));
  } else if (content !== undefined) {
    const { value, operations } = content;
    if (value.type === "checkpoint") reasons.push("an account's or a token's slot decides no checkpoint");
    else reasons.push(...voteReasons(ledger, slot, value, operations, constants));
    if (round === 0 && value.type === "skip") reasons.push("a skip is no choice of round 0");
    if (round > 0 && value.type === "operation")
      reasons.push(`an owner's operation is no free choice of round ${round}`);
  }
  if (reasons.length === 0) return;
  report(
    `${node} ${kind === "vote" ? "voted for" : "proposed"} ${content === undefined ? `value ${short(hash)}` : valueName(content.value)} in round ${round} of ${slotKeyName(statement.slot)}: ${reasons.join("; ")}`,
  );
}
