/**
 * A validator that others wrote, which speaks the protocol of docs/protocol.md, as a program of the world: its messages,
 * records and ledger are those of our own, read from JSON (docs/validator-wire.md).
 */
import { unreachable } from "../core/base/assert.ts";
import { definedMembers } from "../core/base/defined-members.ts";
import type { Address } from "../core/base/ids.ts";
import { slotKey } from "../core/base/slot.ts";
import type { Trie } from "../core/base/trie.ts";
import { draftOf, type LedgerState } from "../core/ledger/state.ts";
import { type ChainContent, isChainContent } from "../core/validator/content.ts";
import type { PeerMessage } from "../core/validator/message.ts";
import { isWellFormed } from "../core/validator/message-form.ts";
import type { DurableRecord, Output, ValidatorEvent } from "../core/validator/output.ts";
import type { Input } from "../core/validator/step.ts";
import type { NetworkFacts } from "../scenario/compile/compile.ts";
import type { RestingState } from "../simulator/nodes/program.ts";
import { type ActiveKey, OPAQUE_TIMER, type Program } from "../simulator/plan.ts";
import { lanesHex, mixTexts } from "../simulator/random.ts";
import { FormFault } from "./forms/form.ts";
import type { EntryChange } from "./forms/ledger-forms.ts";
import type { NativeMessage, NativeRecord } from "./forms/protocol-forms.ts";
import { type HostFactory, NodeFault, type NodeHost } from "./host.ts";
import { type NativeInput, type NativeOutput, nativeInput, nativeOutput } from "./native-shapes.ts";
import { checkReadiness, readLine } from "./read-outputs.ts";
import { INTERFACE_VERSION } from "./shapes.ts";

/** A running validator, as far as it is known here: by its outputs. */
interface NativeState extends RestingState {
  readonly host: NodeHost;
  readonly keys: readonly Address[];
  ledger: LedgerState;
  activeKey: ActiveKey;
}

/** Returns the program of a validator of these keys. */
export function nativeProgram(
  network: NetworkFacts,
  hosts: HostFactory,
  name: string,
  all: readonly Address[],
): Program {
  const node = new NativeNode(network, hosts, name);
  return {
    start: (keys = all) => node.start(keys),
    step: (state, input) => node.step(state as NativeState, input),
    fork: () => {
      throw new NodeFault("cannot be copied in the middle of a run: its memory is its own");
    },
    activeKeyOf: (state) => (state as NativeState).activeKey,
  };
}

class NativeNode {
  readonly #network: NetworkFacts;
  readonly #hosts: HostFactory;
  readonly #name: string;

  constructor(network: NetworkFacts, hosts: HostFactory, name: string) {
    this.#network = network;
    this.#hosts = hosts;
    this.#name = name;
  }

  start(keys: readonly Address[]): NativeState {
    const { shared, hashes } = this.#network.commons;
    const { genesis: ledger } = shared;
    const genesis = hashes.genesisCheckpoint(ledger);
    return {
      host: this.#hosts(this.#name),
      keys,
      ledger,
      activeKey: activeKeyIn(keys, ledger),
      mempool: { pending: { size: 0 } },
      epochs: { closed: undefined },
      checkpoints: { last: { hash: hashes.value(genesis), header: genesis.header } },
    };
  }

  step(state: NativeState, input: Input): readonly Output[] {
    const asked = this.#inputOf(state, input);
    if (input.type === "restart") {
      for (const [, record] of input.records)
        if (record.of === "snapshot" && isChainContent(record.content))
          this.#resume(state, record.content, record.state);
    }
    const outputs = readLine(state.host.ask(JSON.stringify(jsonOf(asked))), asked, nativeOutput.read);
    checkReadiness(asked, outputs);
    return outputs.flatMap((output) => this.#effectOf(state, output) ?? []);
  }

  #inputOf({ keys }: NativeState, input: Input): NativeInput {
    const at = { at: input.at, ...(input.clock === undefined ? {} : { clock: input.clock }) };
    switch (input.type) {
      case "start":
      case "restart": {
        const { genesis, seed, commons } = this.#network;
        return {
          input: "start",
          ...at,
          version: INTERFACE_VERSION,
          self: this.#name,
          keys,
          crypto: commons.authenticator.scheme,
          random: lanesHex(mixTexts("node", seed, this.#name)),
          genesis,
          ...(input.type === "start" ? {} : { records: input.records.filter(isNativeRecord) }),
        };
      }
      case "message":
        return { input: "message", ...at, from: input.from, message: messageIn(input.message) };
      case "timer":
        return { input: "timer", ...at, name: input.name.replace(OWN_NAME, "") };
      case "submit":
        return { input: "submit", ...at, client: input.client, submission: input.submission };
      case "govern":
        return { input: "govern", ...at, signed: input.signed };
      default:
        return unreachable(input);
    }
  }

  #effectOf(state: NativeState, output: NativeOutput): Output | undefined {
    switch (output.output) {
      case "ready":
        return undefined;
      case "timer":
        return { type: "setTimer", name: timerInWorld(output.name), at: output.at, background: output.background };
      case "cancel":
        return { type: "cancelTimer", name: timerInWorld(output.name) };
      case "event":
        this.#noteEvent(state, output.event);
        return { type: "event", event: output.event };
      case "ledger":
        state.ledger = ledgerAfter(state.ledger, output.changes);
        return undefined;
      case "rest":
        state.mempool = { pending: { size: output.pending } };
        state.epochs = { closed: output.closing ? output : undefined };
        return undefined;
      default: {
        // The forms of all others have the members of the core's outputs.
        const { output: type, ...members } = output;
        return { type, ...definedMembers(members) } as Output;
      }
    }
  }

  #noteEvent(state: NativeState, event: ValidatorEvent): void {
    const { log, commons } = this.#network;
    switch (event.type) {
      case "applied":
        log.note({ slot: slotKey(event.slot), after: state.ledger });
        return;
      case "checkpointed":
        this.#link(state, event.content);
        return;
      case "closed":
        commons.committees.learn(event.content.value);
        this.#resume(state, event.content, event.state);
        return;
      case "joined":
        this.#resume(state, event.content, event.state);
        return;
      default:
    }
  }

  #resume(state: NativeState, content: ChainContent, ledger: LedgerState): void {
    state.ledger = ledger;
    state.activeKey = activeKeyIn(state.keys, ledger);
    this.#link(state, content);
  }

  #link(state: NativeState, { value }: ChainContent): void {
    state.checkpoints = { last: { hash: this.#network.commons.hashes.value(value), header: value.header } };
  }
}

/** Returns what the world signs with in the epoch of a ledger. */
function activeKeyIn(keys: readonly Address[], { epoch, parameters }: LedgerState): ActiveKey {
  const members = new Set(parameters.validators.map(({ key }) => key));
  return { self: keys.find((key) => members.has(key)) ?? (keys[0] as Address), epoch };
}

type KeyedRecord = readonly [key: string, record: DurableRecord];

function isNativeRecord(entry: KeyedRecord): entry is readonly [string, NativeRecord] {
  return entry[1].of !== "opaque";
}

function messageIn(message: PeerMessage): NativeMessage | undefined {
  return message.type === "opaque" || !isWellFormed(message) ? undefined : message;
}

/** Returns the JSON of an input; a Byzantine validator's message need not have the form of one. */
function jsonOf(input: NativeInput): unknown {
  try {
    return nativeInput.write(input);
  } catch (error) {
    if (input.input !== "message" || !(error instanceof FormFault)) throw error;
    return nativeInput.write({ ...input, message: undefined });
  }
}

const SLOT = "((account|token)/0x[0-9a-f]{40}|checkpoint|epoch)/\\d{16}";
/** Names of the timers of our validators, which say what they wait for. */
const TIMERS = new RegExp(
  `^(sync|transfer|(burn|turn) 0x[0-9a-f]{40}|cancel 0x[0-9a-f]{64}|round ${SLOT} \\d{1,15}|wait ${SLOT} 0x[0-9a-f]{64}|` +
    `(retry|token|checkpoint|closing|due|judge|evidence) ${SLOT})$`,
);
const OWN_NAME = new RegExp(`^${OPAQUE_TIMER}`);

function timerInWorld(name: string): string {
  return TIMERS.test(name) ? name : OPAQUE_TIMER + name;
}

/** Returns the ledger with other entries. */
function ledgerAfter(before: LedgerState, changes: readonly EntryChange[]): LedgerState {
  const draft = draftOf(before);
  for (const { part, key, value } of changes) {
    if (part === "authorised") {
      const { id } = (value ?? draft.authorised.get(key)) as { readonly id: string };
      draft.authorisedKeys = value === undefined ? draft.authorisedKeys.delete(id) : draft.authorisedKeys.set(id, key);
    }
    const entries = draft[part] as Trie<unknown>;
    draft[part] = (value === undefined ? entries.delete(key) : entries.set(key, value)) as never;
  }
  return draft;
}
