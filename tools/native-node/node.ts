/**
 * The real validator as a native node of the node interface (docs/validator-wire.md), in a module: it shows that the
 * interface loses nothing.
 */
import { unreachable } from "../../src/core/base/assert.ts";
import { slotKey } from "../../src/core/base/slot.ts";
import type { Trie } from "../../src/core/base/trie.ts";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import { secp256k1 } from "../../src/core/crypto/secp256k1.ts";
import { STATE_PARTS } from "../../src/core/ledger/roots.ts";
import type { LedgerState } from "../../src/core/ledger/state.ts";
import type { Output } from "../../src/core/validator/output.ts";
import { rules } from "../../src/core/validator/rules.ts";
import type { ValidatorState } from "../../src/core/validator/state.ts";
import type { Input } from "../../src/core/validator/step.ts";
import type { EntryChange } from "../../src/external/forms/ledger-forms.ts";
import type { NativeMessage } from "../../src/external/forms/protocol-forms.ts";
import { type NativeInput, type NativeOutput, nativeInput, nativeOutput } from "../../src/external/native-shapes.ts";
import {
  type ApplicationLog,
  createApplicationLog,
  programOf,
  sharedContextOf,
} from "../../src/simulator/nodes/program.ts";
import type { Program } from "../../src/simulator/plan.ts";

const VERSION = 1;

/** A life of the validator, from `start` to the next one. */
class Life {
  readonly #program: Program;
  readonly #log: ApplicationLog = createApplicationLog();
  readonly #state: ValidatorState;
  /** Ledger that its outputs have told so far. */
  #told: LedgerState;
  #rest = { pending: 0, closing: false };

  constructor({ genesis, keys, crypto }: Extract<NativeInput, { input: "start" }>) {
    const scheme = crypto === "keyed-hash" ? keyedHash : secp256k1;
    this.#program = programOf(sharedContextOf(genesis, scheme, rules, this.#log), keys);
    this.#state = this.#program.start() as ValidatorState;
    this.#told = this.#state.ledger;
  }

  step(input: Input): readonly NativeOutput[] {
    if (input.type === "restart")
      for (const [, record] of input.records) if (record.of === "snapshot") this.#told = record.state;
    const outputs = this.#program.step(this.#state, input);
    const applications = [...this.#log.drain()];
    const written = outputs.flatMap((output): NativeOutput[] => {
      if (output.type !== "event") return [outputForm(output)];
      const { event } = output;
      const changes: EntryChange[] = [];
      if (event.type === "applied") {
        const place = applications.findIndex(({ slot }) => slot === slotKey(event.slot));
        const [application] = applications.splice(0, place + 1).slice(-1);
        if (application !== undefined) changes.push(...this.#changesTo(application.after));
      }
      if (event.type === "closed" || event.type === "joined") this.#told = event.state;
      return [...ledgerOutput(changes), outputForm(output)];
    });
    return [...written, ...ledgerOutput(this.#changesTo(this.#state.ledger)), ...this.#restOutput()];
  }

  #changesTo(ledger: LedgerState): readonly EntryChange[] {
    const before = this.#told;
    this.#told = ledger;
    return STATE_PARTS.flatMap((part) =>
      (before[part] as Trie<unknown>)
        .differences(ledger[part] as Trie<unknown>)
        .map(({ key, after: value }) => ({ part, key, value })),
    );
  }

  #restOutput(): readonly NativeOutput[] {
    const { mempool, epochs } = this.#state;
    const rest = { pending: mempool.pending.size, closing: epochs.closed !== undefined };
    if (rest.pending === this.#rest.pending && rest.closing === this.#rest.closing) return [];
    this.#rest = rest;
    return [{ output: "rest", ...rest }];
  }
}

function ledgerOutput(changes: readonly EntryChange[]): NativeOutput[] {
  return changes.length === 0 ? [] : [{ output: "ledger", changes }];
}

function outputForm(output: Output): NativeOutput {
  switch (output.type) {
    case "setTimer":
      return { output: "timer", name: output.name, at: output.at, background: output.background };
    case "cancelTimer":
      return { output: "cancel", name: output.name };
    default: {
      // The forms of all others have the members of the core's outputs.
      const { type, ...members } = output;
      return { output: type, ...members } as NativeOutput;
    }
  }
}

function coreInput(input: NativeInput): Input {
  const at = { at: input.at, ...(input.clock === undefined ? {} : { clock: input.clock }) };
  switch (input.input) {
    case "start":
      return input.records === undefined
        ? { type: "start", ...at }
        : { type: "restart", ...at, records: input.records };
    case "submit":
      return { type: "submit", ...at, client: input.client, submission: input.submission };
    case "govern":
      return { type: "govern", ...at, signed: input.signed };
    case "message":
      // A message without a form is dropped, as one that is none.
      return { type: "message", ...at, from: input.from, message: input.message ?? ({} as NativeMessage) };
    case "timer":
      return { type: "timer", ...at, name: input.name };
    default:
      return unreachable(input);
  }
}

/** Returns a node: it answers the JSON of an input with that of its outputs. */
export function createNode(): (json: unknown) => readonly unknown[] {
  let life: Life | undefined;
  return (json) => {
    const input = nativeInput.read(json);
    const ready: NativeOutput[] = [];
    if (input.input === "start") {
      life = new Life(input);
      ready.push({ output: "ready", version: VERSION });
    }
    if (life === undefined) throw new Error("the first input is `start`");
    return [...ready, ...life.step(coreInput(input))].map((output) => nativeOutput.write(output));
  };
}
