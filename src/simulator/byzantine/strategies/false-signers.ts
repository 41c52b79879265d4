/** Strategy against the signatures of multisig accounts, which no operation id covers (specification 4.1; protocol 3.0). */
import type { PublicKey } from "../../../core/base/ids.ts";
import { isRecovery, type SignedOperation } from "../../../core/base/operation.ts";
import type { AccountSlot } from "../../../core/base/slot.ts";
import { Trie } from "../../../core/base/trie.ts";
import { operationId } from "../../../core/ledger/identity.ts";
import { decodeMultisig, encodeMultisig, type KeySignature } from "../../../core/ledger/multisig.ts";
import { STRATEGY_ROUNDS_MAX } from "../../settings.ts";
import { afterStep, appliedIn, NO_SEQUENCES, nextSlotOf, offerOperation, type Sequences } from "../known-operations.ts";
import {
  emptiedIfFull,
  type InterceptedStep,
  modeOf,
  type Strategy,
  type StrategyParameters,
  type StrategyRecord,
} from "../strategy.ts";

interface Memory {
  readonly sequences: Sequences;
  /** First signature of each key, of whatever operation. */
  readonly signatures: Trie<KeySignature>;
  /** Operations passed on, by id. */
  readonly done: Trie<true>;
}

const MODES = {
  any: "It does one of these.",
  drop: "It leaves the last one out.",
  double: "The last one stands there twice.",
  reverse: "They stand in descending order of their keys.",
  stranger: "One of a key that is no signer of the account is added.",
  borrow: "The signers whose signatures are missing lend those of other operations.",
  replace: "That of the last signer is one of another operation.",
} as const;
type Mode = keyof typeof MODES;
const CHOICES = Object.keys(MODES).filter((mode) => mode !== "any") as Exclude<Mode, "any">[];

export const falseSigners: StrategyRecord = {
  sentence: "Relays operations of multisig accounts with other signatures than their signers gave.",
  weight: 3,
  needs: "multisig accounts",
  modes: MODES,
  create: ({ mode }: StrategyParameters): Strategy<Memory> => ({
    memory: { sequences: NO_SEQUENCES, signatures: Trie.empty(), done: Trie.empty() },
    intercept: (step, before) => {
      const sequences = afterStep(before.sequences, appliedIn(step));
      const found = operationIn(step, sequences);
      const proof = found && decodeMultisig(found.signed.signature);
      if (found === undefined || proof === undefined)
        return { outputs: step.outputs, memory: { ...before, sequences } };
      const id = operationId(found.signed);
      const isDone = before.done.has(id);
      const { signatures, signers } = proof;
      const wanted = modeOf(MODES, mode);
      const how = wanted === "any" ? (CHOICES[step.choose(CHOICES.length)] ?? "drop") : wanted;
      const members = signers.map(({ key }) => key);
      const given = isDone ? [] : alterSignatures(how, signatures, members, before.signatures);
      const isSame = given.length === 0 || encodeMultisig({ ...proof, signatures: given }) === found.signed.signature;
      const signed = { ...found.signed, signature: encodeMultisig({ ...proof, signatures: given }) };
      return {
        outputs: isSame ? step.outputs : [...step.outputs, offerOperation(step, found.slot, signed)],
        memory: {
          sequences,
          signatures: signatures.reduce(rememberSignature, before.signatures),
          done: emptiedIfFull(before.done).set(id, true),
        },
      };
    },
  }),
};

function rememberSignature(signatures: Trie<KeySignature>, signature: KeySignature): Trie<KeySignature> {
  return signatures.has(signature.key) || signatures.size >= STRATEGY_ROUNDS_MAX
    ? signatures
    : signatures.set(signature.key, signature);
}

/** Operation of a multisig account that a client submits or another validator offers. */
function operationIn(
  { input, self }: InterceptedStep,
  sequences: Sequences,
): { readonly slot: AccountSlot; readonly signed: SignedOperation } | undefined {
  if (input.type === "submit" && !isRecovery(input.submission)) {
    const { submission: signed } = input;
    const { account } = signed.operation;
    return account === undefined ? undefined : { slot: nextSlotOf(sequences, account), signed };
  }
  if (input.type !== "message" || input.from === self || input.message.type !== "offer") return undefined;
  const { slot, content } = input.message;
  const [signed] = content.operations;
  const isOfAccount = signed?.operation.account !== undefined && content.value.type === "operation";
  return isOfAccount && slot.kind === "account" ? { slot, signed } : undefined;
}

/** Returns the signatures that go out; none where there is nothing to take them from. */
function alterSignatures(
  how: Exclude<Mode, "any">,
  own: readonly KeySignature[],
  members: readonly PublicKey[],
  known: Trie<KeySignature>,
): readonly KeySignature[] {
  const last = own.at(-1);
  if (last === undefined) return [];
  switch (how) {
    case "drop":
      return own.slice(0, -1);
    case "double":
      return [...own, last];
    case "reverse":
      return own.toReversed();
    case "stranger": {
      const stranger = known.values().find(({ key }) => !members.includes(key));
      return stranger === undefined ? [] : sortByKey([...own, stranger]);
    }
    case "borrow": {
      const missing = members.filter((key) => own.every((one) => one.key !== key));
      return sortByKey([...own, ...missing.flatMap((key) => known.get(key) ?? [])]);
    }
    case "replace": {
      const other = known.get(last.key);
      return other === undefined ? [] : [...own.slice(0, -1), other];
    }
  }
}

function sortByKey(signatures: readonly KeySignature[]): readonly KeySignature[] {
  return signatures.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}
