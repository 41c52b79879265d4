/** Golden transcript of a run: signatures, decisions and responses in short lines for its scenario file. */
import { unreachable } from "../core/base/assert.ts";
import type { EpochParameters } from "../core/base/epoch.ts";
import type { Hash } from "../core/base/ids.ts";
import type { OperationId } from "../core/base/operation.ts";
import type { ClosingValue, SlotKey, Value } from "../core/base/slot.ts";
import type { ObservedEvent, Statement } from "../invariants/observation.ts";
import type { Compiled } from "../scenario/compile/compile.ts";
import { TRANSCRIPT_LINES } from "../scenario/limits.ts";
import type { WorldListener } from "../simulator/listener.ts";
import { closingText, proposalText } from "./epoch-text.ts";

export interface Transcript {
  readonly lines: readonly string[];
  observe(record: ObservedEvent): void;
  /** Reads governance proposals, which no record of the translator holds. */
  readonly listener: WorldListener;
}

/** A transcript with names instead of hashes, of at most `TRANSCRIPT_LINES` lines. */
export function createTranscript({ operations, directory, setting }: Compiled): Transcript {
  const lines: string[] = [];
  let now = 0;
  const names = new Map([...operations].map(([name, id]) => [id, name]));
  const contents = new Map<Hash, Value>();
  const nameOf = (id: OperationId): string => names.get(id) ?? `${id.slice(0, 10)}…`;
  const slotName = (key: SlotKey): string => {
    const [kind, owner, number] = key.split("/");
    if (number === undefined) return `${kind}#${Number(owner)}`;
    return `${directory.nameOf((owner ?? "") as never)}#${Number(number)}`;
  };
  const valueName = (hash: Hash): string => {
    const value = contents.get(hash);
    return value === undefined ? `${hash.slice(0, 10)}…` : valueText(value, nameOf);
  };
  const epochs = new Map<number, EpochParameters>([[0, setting.genesis]]);
  const closingName = ({ epoch, header, next }: ClosingValue): string => {
    // The first validator that applies it shows its changes; later lines only name it.
    if (epochs.has(epoch + 1)) return `the closing of epoch ${epoch}`;
    epochs.set(epoch + 1, next);
    return `the closing: ${closingText({ epoch, header, next }, epochs.get(epoch) ?? next, directory)}`;
  };
  const tell = (at: number, line: string): void => {
    if (lines.length < TRANSCRIPT_LINES) lines.push(`${at} ${line}`);
  };
  return {
    lines,
    observe: (record) => {
      if (lines.length >= TRANSCRIPT_LINES) return;
      if (record.type === "content") contents.set(record.hash, record.value);
      for (const line of linesOf(record, { nameOf, slotName, valueName, closingName })) tell(record.at, line);
    },
    listener: {
      eventBegins: (_step, at) => {
        now = at;
      },
      acted: (action) => {
        if (action.do !== "govern") return;
        tell(now, `${action.to.join(" ")} receives a proposal: ${proposalText(action.signed, directory)}`);
      },
    },
  };
}

/** The first line that differs from the transcript in the file, as a sentence; empty if there is none. */
export function diffTranscript(expected: readonly string[] | undefined, got: readonly string[]): readonly string[] {
  if (expected === undefined) return [];
  const at = Array.from({ length: Math.max(expected.length, got.length) }, (_, index) => index).find(
    (index) => expected[index] !== got[index],
  );
  if (at === undefined) return [];
  return [`transcript line ${at + 1}: expected "${expected[at] ?? "the end"}", got "${got[at] ?? "the end"}"`];
}

interface TranscriptLabels {
  readonly nameOf: (id: OperationId) => string;
  readonly slotName: (key: SlotKey) => string;
  readonly valueName: (hash: Hash) => string;
  readonly closingName: (closing: ClosingValue) => string;
}

const NOTHING: readonly string[] = [];

function linesOf(
  record: ObservedEvent,
  { nameOf, slotName, valueName, closingName }: TranscriptLabels,
): readonly string[] {
  switch (record.type) {
    case "signed": {
      const { statement } = record;
      if (statement.kind === "close")
        return [`${record.node} stops in ${slotName(statement.slot)}${claimsText(statement)}`];
      const what = statement.kind === "roundChange" ? "" : ` ${valueName(statement.value)}`;
      return [`${record.node} ${statement.kind} ${slotName(statement.slot)} round ${statement.round}${what}`];
    }
    case "submitted":
      return [`${record.client} submits ${nameOf(record.id)} to ${record.to}`];
    case "answered": {
      const { answer } = record;
      const code = answer.status === "refused" ? ` ${answer.refusal.code}` : "";
      return [`${record.client} receives from ${record.from}: ${nameOf(record.id)} ${answer.status}${code}`];
    }
    case "applied":
      return record.receipts.map(
        ({ id, success, error }) =>
          `${record.node} applies ${nameOf(id)}${success ? "" : ` failed ${error?.code ?? ""}`}`,
      );
    case "checkpointed":
      return [`${record.node} applies checkpoint ${record.value.header.number}`];
    case "governed":
      return [
        `${record.node} receives a proposal to close epoch ${record.proposal.epoch}${record.authentic ? "" : ", not of the operator"}`,
      ];
    case "closed":
      return [`${record.node} applies ${closingName(record.value)}`];
    case "halted":
      return [`${record.node} halts at ${slotName(record.slot)}: ${record.reason}`];
    case "crashed":
      return [`${record.node} crashes`];
    case "restarted":
      return [`${record.node} restarts`];
    case "healed":
      return [`healing: ${record.core.join(" ")}`];
    case "reported":
      return [`${record.node} reports ${record.misbehaviour} in ${slotName(record.slot)}`];
    case "content":
    case "asked":
    case "replied":
    case "decided":
    case "root":
    case "ended":
      return NOTHING;
    default:
      return unreachable(record);
  }
}

/** Numbers of claims with a finality certificate and with a lock. */
function claimsText({ claims }: Extract<Statement, { kind: "close" }>): string {
  const decided = claims.filter(({ final }) => final).length;
  return ` with ${decided} decided, ${claims.length - decided} locked`;
}

function valueText(value: Value, nameOf: (id: OperationId) => string): string {
  switch (value.type) {
    case "operation":
      return nameOf(value.id);
    case "burn":
      return `${nameOf(value.id)} ${value.outcome}`;
    case "skip":
      return `skip ${nameOf(value.id)}`;
    case "list":
      return `[${value.ids.map(nameOf).join(" ")}]`;
    case "checkpoint":
      return `${value.listed.length} slots`;
    case "closing":
      return `closing of epoch ${value.epoch}, ${value.listed.length} slots`;
    default:
      return unreachable(value);
  }
}
