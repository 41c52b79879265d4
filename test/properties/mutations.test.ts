/**
 * Goal: whatever field of a message is another one, no validator throws. Method: in real runs, forks of a validator take
 * the mutations of a message, under its own signature and signed again, before the validator takes the message itself.
 */
import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import type { ValidatorProgram } from "../../src/bugs/known-bad-variant.ts";
import { standInDigest } from "../../src/core/consensus/authenticator.ts";
import { closesOf } from "../../src/core/consensus/close.ts";
import type { SignedMessage } from "../../src/core/consensus/message.ts";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import type { PrivateKey } from "../../src/core/crypto/scheme.ts";
import { type Content, isClosing } from "../../src/core/validator/content.ts";
import type { PeerMessage } from "../../src/core/validator/message.ts";
import { rules } from "../../src/core/validator/rules.ts";
import { warrantHash } from "../../src/core/validator/slots/content-check.ts";
import type { ValidatorState } from "../../src/core/validator/state.ts";
import { simulate } from "../../src/library/simulate.ts";
import { MUTATIONS, mutatedAt, mutationsOf } from "../../src/simulator/byzantine/field-mutations.ts";
import { type Place, placesOf } from "../../src/simulator/byzantine/field-places.ts";
import { MESSAGE_KINDS } from "../../src/simulator/byzantine/message-fields.ts";
import { hashOf, messageKind } from "../../src/simulator/network/message-content.ts";

/** Runs in which every kind of message is sent, with every kind of operation, reason and cause. */
const RUNS = [
  "rules/tokens/every-kind-in-version-2",
  "attacks/barriers/grant-revoke-and-mint-race",
  "rules/checkpoints/state-installed-at-a-checkpoint",
  "attacks/epochs/epoch-state-that-is-false",
  "attacks/agreement/hidden-certificate-against-recovery",
  "rules/epochs/governance-by-way-of-a-spare",
  "rules/epochs/epoch-lost-disk-signs-with-a-new-key",
  "rules/epochs/epoch-closes-over-a-locked-checkpoint",
  "rules/epochs/epoch-three-epochs-missed",
  "rules/recovery/recovery",
  "rules/burns/burn-races-a-payment",
  "regressions/cancellation-by-way-of-a-lost-disk",
];

/** Messages of one class that are mutated, over all runs; none that is reported as it is. */
const SAMPLES = 4;
/** Draws of one entry from each list of a message. */
const DRAWS = 4;
/** Last messages of a kind from which other parts are taken. */
const KNOWN = 4;

/** Kinds of messages that were mutated, mutations that were made, and what validators threw at them. */
const kinds = new Set<string>();
const mutations = new Set<string>();
const thrown = new Set<string>();
/** Messages that were mutated, by their class. */
const classes = new Map<string, number>();

let draw = 0;
const choose = (bound: number): number => {
  draw = (draw * 48_271 + 11) % 2_147_483_647;
  return draw % bound;
};

beforeAll(() => {
  for (const run of RUNS) {
    const { verdict, reason } = simulate(readFileSync(`scenarios/${run}.yaml`, "utf8"), { program: withProbes });
    expect(verdict, `${run}: ${reason}`).toBe("pass");
  }
});

test("no mutation of any message makes a validator throw", () => expect([...thrown].slice(0, 20)).toEqual([]));

test("messages of every kind are mutated, in every way", () => {
  expect(kinds).toEqual(new Set(MESSAGE_KINDS));
  expect(mutations).toEqual(new Set(Object.keys(MUTATIONS)));
});

/** The real program; before it takes a message, forks of it take the mutations of that message. */
function withProbes(real: ValidatorProgram): ValidatorProgram {
  const known = new Map<string, readonly PeerMessage[]>();
  return {
    ...real,
    step: (state, input) => {
      if (input.type === "message" && input.from !== state.environment.self) {
        const kind = messageKind(input.message);
        const before = known.get(kind) ?? [];
        const take = (message: PeerMessage): ReturnType<typeof real.step> => {
          const fork = real.fork(state);
          // Its rules are the real ones, so that the oracles of the run see nothing of it.
          fork.environment = { ...fork.environment, rules };
          return real.step(fork, { ...input, message });
        };
        probe(take, state, input.message, before);
        known.set(kind, [...before, input.message].slice(-KNOWN));
      }
      return real.step(state, input);
    },
  };
}

function probe(
  take: (message: PeerMessage) => ReturnType<ValidatorProgram["step"]>,
  { environment, ledger }: ValidatorState,
  message: PeerMessage,
  known: readonly PeerMessage[],
): void {
  const effects = take(message).map((output) => (output.type === "coverage" ? output.point : output.type));
  const kind = messageKind(message);
  // Messages of one class are about one kind of slot, for one kind of reason, and have effects of one kind.
  const about = message.type === "consensus" ? [message.body.slot.kind, message.reason?.kind] : [];
  const name = [kind, ...about, ...[...new Set(effects)].sort()].join();
  const count = classes.get(name) ?? 0;
  if (count >= SAMPLES || effects.includes("report")) return;
  classes.set(name, count + 1);
  kinds.add(kind);
  const source = { known, members: ledger.parameters.validators.length, choose };
  for (const place of drawnPlaces(message)) {
    for (const mutation of mutationsOf(place)) {
      const mutant = mutatedAt(message, place, mutation, source);
      if (mutant === undefined) continue;
      mutations.add(mutation);
      // Nothing encodes a malformed part, so nobody signs it.
      const signed = mutation === "malformed" ? undefined : signMutant(message, mutant, environment);
      for (const sent of signed === undefined ? [mutant] : [mutant, signed]) {
        try {
          take(sent);
        } catch (error) {
          thrown.add(`${place.path} ${mutation}: ${String(error)}`);
        }
      }
    }
  }
}

/** Returns the places of a message, with up to `DRAWS` entries of each list. */
function drawnPlaces(message: PeerMessage): Iterable<Place> {
  const drawn = Array.from({ length: DRAWS }, () => placesOf(message, { choose })).flat();
  return new Map(drawn.map((place) => [place.keys.join(), place])).values();
}

/** Returns the mutant as its signer signs it; `undefined` if it has no own signature, or that is what is another one. */
function signMutant(
  message: PeerMessage,
  mutant: PeerMessage,
  environment: ValidatorState["environment"],
): PeerMessage | undefined {
  if (message.type !== "consensus" || mutant.type !== "consensus") return undefined;
  if ("seals" in message.body || "seals" in mutant.body) return undefined;
  const { signer, signature } = message.body;
  if (mutant.body.signer !== signer || mutant.body.signature !== signature) return undefined;
  const [before, after] = [message.contents[0], mutant.contents[0]];
  const isOther = after !== undefined && after !== before && "value" in mutant.body;
  const content = isOther ? withOwnWarrant(after, environment) : after;
  const body = isOther && content !== undefined ? { ...mutant.body, value: hashOf(content) } : mutant.body;
  // The stand-in signs for an address.
  const digest = standInDigest(environment.genesis.chainId, body);
  const sealed = { ...body, signature: keyedHash.sign("0x" as PrivateKey, digest, signer) } as SignedMessage;
  return { ...mutant, body: sealed, contents: content === undefined ? [] : [content, ...mutant.contents.slice(1)] };
}

/** The value of a closing names its warrant. */
function withOwnWarrant(content: Content, environment: ValidatorState["environment"]): Content {
  if (!isClosing(content)) return content;
  const { value, closing } = content;
  const closes = closesOf(closing, value.epoch) ?? [];
  return { ...content, value: { ...value, warrant: warrantHash(environment, closing.cause, closes) } };
}
