/** Vectors of the validator wire: the shortest of each kind that runs of some scenario files show, with its hashes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { requireDefined } from "../../src/core/base/assert.ts";
import type { SignedProposal } from "../../src/core/base/epoch.ts";
import type { Address } from "../../src/core/base/ids.ts";
import { slotKey } from "../../src/core/base/slot.ts";
import { digestOfScheme, statementDigest } from "../../src/core/consensus/authenticator.ts";
import { closesOf } from "../../src/core/consensus/close.ts";
import { proposerOf } from "../../src/core/consensus/committee.ts";
import type { StatementContent } from "../../src/core/consensus/message.ts";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import { submissionId } from "../../src/core/ledger/identity.ts";
import { stateRoots } from "../../src/core/ledger/roots.ts";
import type { LedgerState } from "../../src/core/ledger/state.ts";
import { proposalDigest, valueHash } from "../../src/core/ledger/value.ts";
import { type Content, isClosing } from "../../src/core/validator/content.ts";
import type { Output } from "../../src/core/validator/output.ts";
import type { Input } from "../../src/core/validator/step.ts";
import { ledgerState, signedProposal, slot, value } from "../../src/external/forms/ledger-forms.ts";
import { submission } from "../../src/external/forms/operation-forms.ts";
import {
  durableRecord,
  type NativeMessage,
  type NativeRecord,
  peerMessage,
  reply,
  statement,
  validatorEvent,
} from "../../src/external/forms/protocol-forms.ts";
import { runScenario } from "../../src/run/run.ts";
import type { CompiledScenario } from "../../src/scenario/compile/compile.ts";
import { createParser } from "../../src/scenario/parse.ts";
import { seedOf } from "../../src/scenario/scenario.ts";

/** Payments, tokens, multisig accounts, cancellations, recoveries, epochs, governance and transfers of a state. */
const FILES = [
  "attacks/relays/lock-in-place-of-a-decision.yaml",
  "rules/burns/burn-races-a-payment.yaml",
  "rules/cancellation/cancellation-during-split.yaml",
  "rules/checkpoints/state-installed-at-a-checkpoint.yaml",
  "rules/epochs/epoch-closes-by-governance.yaml",
  "rules/epochs/epoch-committee-grows-from-4-to-7.yaml",
  "rules/epochs/epoch-closes-after-its-checkpoints.yaml",
  "regressions/lock-of-a-higher-round.yaml",
  "regressions/state-offered-before-a-lost-disk.yaml",
  "rules/multisig/roles-and-lists.yaml",
  "rules/recovery/nonces-conflict-and-block.yaml",
  "rules/recovery/recovery.yaml",
  "rules/roles/allowance-is-set-not-added.yaml",
];

type Json = Readonly<Record<string, unknown>>;

const CATEGORIES = [
  ...(["statements", "values", "slots", "states", "submissions", "proposals", "warrants"] as const),
  ...(["messages", "records", "replies", "events"] as const),
] as const;

type Add = (category: (typeof CATEGORIES)[number], kind: string, vector: Json) => void;

/** Returns the vectors of each file in test/vectors/validator, by its name. */
export function validatorVectors(root: string): ReadonlyMap<string, readonly Json[]> {
  const all = new Map(CATEGORIES.map((category) => [category, new Map<string, Json>()]));
  const add: Add = (category, kind, vector) => {
    const kinds = requireDefined(all.get(category), category);
    const known = kinds.get(kind);
    if (known === undefined || JSON.stringify(vector).length < JSON.stringify(known).length) kinds.set(kind, vector);
  };
  for (const file of FILES) collect(readFileSync(join(root, "scenarios", file), "utf8"), add);
  return new Map([...all].map(([category, kinds]) => [category, sortedValues(kinds)]));
}

function sortedValues(kinds: ReadonlyMap<string, Json>): readonly Json[] {
  return [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, vector]) => vector);
}

function collect(text: string, add: Add): void {
  const parsed = createParser().parse(text);
  if (!parsed.ok) throw new Error(parsed.error.map(({ message }) => message).join("\n"));
  let compiled: CompiledScenario | undefined;
  runScenario(parsed.value, {
    seed: seedOf(parsed.value, undefined),
    watch: (made) => {
      compiled = made;
      const { chainId } = made.setting.genesis;
      return {
        signed: ({ key }, body) => addStatement(add, chainId, key, body),
        stepped: (_, input, outputs) => {
          addInput(add, input, chainId);
          for (const output of outputs) addOutput(add, output, chainId);
        },
      };
    },
  });
  if (compiled === undefined) throw new Error("the scenario did not start");
  addSlots(add, compiled);
  addState(add, "genesis", compiled.commons.shared.genesis);
}

function addStatement(add: Add, chain: number, signer: Address, body: StatementContent): void {
  const kind = body.type === "roundChange" && body.lock === undefined ? "roundChange without a lock" : body.type;
  const standIn = digestOfScheme(keyedHash)(chain, body);
  add("statements", `${kind} ${body.slot.kind}`, {
    chain,
    statement: statement.write(body),
    digest: statementDigest(chain, body),
    standIn,
    signer,
    signature: keyedHash.sign("0x" as never, standIn, signer),
  });
  add("slots", body.slot.kind, slotVector(body.slot));
}

function slotVector(of: StatementContent["slot"]): Json {
  return { slot: slot.write(of), key: slotKey(of) };
}

function addSlots(add: Add, { commons, setting }: CompiledScenario): void {
  const { committee } = commons.shared;
  const [first] = setting.genesis.balances;
  if (first === undefined) return;
  const of = { kind: "account", address: first.address, sequence: 3 } as StatementContent["slot"];
  for (const round of [0, 1, 2]) {
    const proposer = committee.members.indexOf(proposerOf(committee, of, round as never));
    const members = committee.members.length;
    add("slots", `proposer ${members} ${round}`, { ...slotVector(of), members, epoch: 0, round, proposer });
  }
}

function addState(add: Add, kind: string, state: LedgerState): void {
  add("states", kind, { state: ledgerState.write(state), ...stateRoots(state) });
}

function addInput(add: Add, input: Input, chainId: number): void {
  if (input.type === "submit") {
    const { submission: submitted } = input;
    const kind = "evidence" in submitted ? "recovery" : submitted.operation.kind;
    add("submissions", kind, { submission: submission.write(submitted), id: submissionId(submitted) });
  }
  if (input.type === "govern") addProposal(add, input.signed);
  if (input.type !== "message" || input.message.type === "opaque") return;
  addMessage(add, input.message, chainId);
}

function addProposal(add: Add, signed: SignedProposal): void {
  add("proposals", "proposal", { signed: signedProposal.write(signed), digest: proposalDigest(signed.proposal) });
}

function addMessage(add: Add, message: NativeMessage, chain: number): void {
  const kind = message.type === "consensus" ? `consensus ${message.body.type}` : message.type;
  const more = message.type === "consensus" && message.reason !== undefined ? ` ${message.reason.kind}` : "";
  add("messages", `${kind}${more}`, { chain, message: peerMessage.write(message) });
}

function addContent(add: Add, content: Content, chain: number): void {
  add("values", content.value.type, { value: value.write(content.value), hash: valueHash(content.value) });
  if (!isClosing(content)) return;
  const closes = closesOf(content.closing, content.value.epoch);
  if (closes === undefined) throw new Error("an honest closing shows its closes");
  add("warrants", content.closing.cause.kind, { chain, warrant: warrantJson(content), hash: content.value.warrant });
}

function warrantJson(content: Content): unknown {
  const message = peerMessage.write({ type: "decisions", decided: [], contents: [content] }) as {
    readonly contents: readonly { readonly value: unknown; readonly closing: unknown }[];
  };
  const [{ value: closed, closing } = { value: undefined, closing: undefined }] = message.contents;
  return { value: closed, closing };
}

function addOutput(add: Add, output: Output, chain: number): void {
  if (output.type === "persist")
    add("records", output.record.of, { record: durableRecord.write(output.record as NativeRecord) });
  if (output.type === "reply") add("replies", output.reply.status, { reply: reply.write(output.reply) });
  if (output.type !== "event") return;
  const { event } = output;
  add("events", event.type, { event: validatorEvent.write(event) });
  if (event.type !== "halted" && event.content !== undefined) addContent(add, event.content, chain);
  if (event.type === "checkpointed" || event.type === "closed") addState(add, event.type, event.state);
}

/** Returns the text of a file: one vector a line. */
export function vectorsText(vectors: readonly Json[]): string {
  return `[\n${vectors.map((vector) => `  ${JSON.stringify(vector)}`).join(",\n")}\n]\n`;
}
