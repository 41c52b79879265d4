/** Inputs and outputs of a node that speaks the protocol of docs/protocol.md, as JSON (docs/validator-wire.md). */
import type { Genesis, SignedProposal } from "../core/base/epoch.ts";
import type { Address, Millis } from "../core/base/ids.ts";
import type { OperationId, Submission } from "../core/base/operation.ts";
import type { SlotKey } from "../core/base/slot.ts";
import type { UnsignedMessage } from "../core/validator/message.ts";
import type { Reply, ValidatorEvent } from "../core/validator/output.ts";
import {
  anyText,
  count,
  DEFINITIONS,
  type Form,
  flag,
  list,
  nullable,
  optional,
  pair,
  record,
  signedCount,
  union,
  withMeaning,
  wordOf,
} from "./forms/form.ts";
import { type EntryChange, entryChange, genesis, millis, signedProposal, slotKeyText } from "./forms/ledger-forms.ts";
import { address, hash, submission } from "./forms/operation-forms.ts";
import {
  durableRecord,
  type NativeMessage,
  type NativeRecord,
  peerMessage,
  reply,
  unsignedMessage,
  validatorEvent,
} from "./forms/protocol-forms.ts";
import { INPUT_SHAPES, INTERFACE_VERSION, OUTPUT_SHAPES } from "./shapes.ts";

type InputTimes = Readonly<{ at: Millis; clock?: Millis | undefined }>;

/** Scheme by which validators and clients sign. */
export type SchemeName = "keyed-hash" | "secp256k1";

export type NativeInput = InputTimes &
  Readonly<
    | {
        input: "start";
        version: number;
        self: string;
        keys: readonly Address[];
        crypto: SchemeName;
        random: string;
        genesis: Genesis;
        records?: readonly (readonly [key: string, record: NativeRecord])[] | undefined;
      }
    | { input: "submit"; client: string; submission: Submission }
    | { input: "govern"; signed: SignedProposal }
    /** `undefined`: what the peer sent is no message. */
    | { input: "message"; from: Address; message: NativeMessage | undefined }
    | { input: "timer"; name: string }
  >;

export type NativeOutput = Readonly<
  | { output: "ready"; version: number }
  | { output: "persist"; key: string; record: NativeRecord }
  | { output: "erase"; key: string }
  | { output: "sign"; to: readonly Address[]; message: UnsignedMessage }
  | { output: "send"; to: readonly Address[]; message: NativeMessage }
  | { output: "timer"; name: string; at: Millis; background: boolean }
  | { output: "cancel"; name: string }
  | { output: "reply"; client: string; id: OperationId; reply: Reply }
  | { output: "ledger"; changes: readonly EntryChange[] }
  | { output: "event"; event: ValidatorEvent }
  | { output: "rest"; pending: number; closing: boolean }
  | { output: "report"; peer: Address; misbehaviour: string; slot: SlotKey; detail?: string | undefined }
  | { output: "coverage"; point: string }
>;

const TIMED = {
  at: withMeaning("the time of the input", millis),
  clock: optional(
    withMeaning("what the validator's own clock shows, where it is wrong", signedCount<Millis>("milliseconds")),
  ),
};
const recordKey = withMeaning("the key of the record", anyText<string>());
const peers = withMeaning("keys of the receiving validators", list(address));
const timerName = withMeaning("the name of the timer", anyText<string>());
const client = withMeaning("the client, for the replies", anyText<string>());

export const nativeInput: Form<NativeInput> = union<NativeInput, "input">("input", {
  start: record("First input, and after each crash.", {
    ...TIMED,
    version: withMeaning(`the version of the interface: ${INTERFACE_VERSION}`, count()),
    self: withMeaning("the name of this validator", anyText()),
    keys: withMeaning("its keys; the first that is in a committee signs there", list(address)),
    crypto: wordOf<SchemeName>("keyed-hash", "secp256k1"),
    random: withMeaning("the seed of all chance: 32 hex digits", anyText()),
    genesis,
    records: optional(
      withMeaning("after a restart: what was durable, by key", list(pair(anyText<string>(), durableRecord))),
    ),
  }) as never,
  submit: record("A client submits an operation.", { ...TIMED, client, submission }) as never,
  govern: record("A client submits a proposal of the operator.", { ...TIMED, signed: signedProposal }) as never,
  message: record("Message of a peer, or its own.", {
    ...TIMED,
    from: withMeaning("the key of the true sender", address),
    message: withMeaning("null for what is no message", nullable(peerMessage)),
  }) as never,
  timer: record("A timer expires.", { ...TIMED, name: timerName }) as never,
});

export const nativeOutput: Form<NativeOutput> = union<NativeOutput, "output">("output", {
  ready: record("First output of `start`.", { version: withMeaning("the version of the interface", count()) }),
  persist: record("Writes a record, in place of the one of this key.", {
    key: recordKey,
    record: durableRecord,
  }),
  erase: record("Erases a record.", { key: recordKey }),
  sign: record("The statement is signed with the node's key, and sent.", { to: peers, message: unsignedMessage }),
  send: record("Sends a message.", { to: peers, message: peerMessage }),
  timer: record("Sets a timer, in place of the one of this name.", {
    name: timerName,
    at: millis,
    background: withMeaning("true: a run that waits for nothing else is over", flag),
  }),
  cancel: record("Cancels a timer.", { name: timerName }),
  reply: record("Answers a client.", { client, id: hash, reply }),
  ledger: record("Changes of the ledger, before the event `applied` that they belong to.", {
    changes: list(entryChange),
  }),
  event: record("Tells what happened.", { event: validatorEvent }),
  rest: record("What the node waits for, when it changes; at first nothing.", {
    pending: withMeaning("operations without an outcome", count()),
    closing: withMeaning("it has closed its epoch, and the next has not begun", flag),
  }),
  report: record<Omit<Extract<NativeOutput, { output: "report" }>, "output">>("A peer broke a rule.", {
    peer: address,
    misbehaviour: withMeaning("as protocol 3.4 names it", anyText()),
    slot: slotKeyText,
    detail: optional(anyText<string>()),
  }) as never,
  coverage: record("A coverage point was reached.", { point: anyText<string>() }),
});

/** Returns the JSON Schema of an input and of the list of outputs that answers it, at both levels of the interface. */
export function interfaceSchema(): object {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: `quorumlab node interface, version ${INTERFACE_VERSION}`,
    $defs: {
      input: { oneOf: Object.values(INPUT_SHAPES) },
      outputs: { type: "array", items: { oneOf: Object.values(OUTPUT_SHAPES) } },
      nativeInput: nativeInput.schema,
      nativeOutputs: { type: "array", items: nativeOutput.schema },
      ...Object.fromEntries(DEFINITIONS),
    },
  };
}
