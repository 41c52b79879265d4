/**
 * docs/mutations.md: what a validator answers to each mutation of each field of each message. In real runs, forks of a
 * validator take the mutations of a message before the validator takes the message itself.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ValidatorProgram } from "../../src/bugs/known-bad-variant.ts";
import { standInDigest } from "../../src/core/consensus/authenticator.ts";
import { closesOf } from "../../src/core/consensus/close.ts";
import type { SignedMessage } from "../../src/core/consensus/message.ts";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import type { PrivateKey } from "../../src/core/crypto/scheme.ts";
import { type Content, isClosing } from "../../src/core/validator/content.ts";
import type { PeerMessage } from "../../src/core/validator/message.ts";
import type { Output } from "../../src/core/validator/output.ts";
import { rules } from "../../src/core/validator/rules.ts";
import { warrantHash } from "../../src/core/validator/slots/content-check.ts";
import type { ValidatorState } from "../../src/core/validator/state.ts";
import type { Input } from "../../src/core/validator/step.ts";
import { simulate } from "../../src/library/simulate.ts";
import {
  MUTATIONS,
  type Mutation,
  type MutationSource,
  mutatedAt,
  mutationsOf,
} from "../../src/simulator/byzantine/field-mutations.ts";
import { type Place, placesOf } from "../../src/simulator/byzantine/field-places.ts";
import { MESSAGE_KINDS } from "../../src/simulator/byzantine/message-fields.ts";
import { hashOf, messageKind } from "../../src/simulator/network/message-content.ts";
import { code, page, preface, table } from "./markdown.ts";

/** Answers by path of a field, as text. */
type Answers = ReadonlyMap<string, string>;

export function mutationsDocument(root: string, { rows }: MutationCensus): string {
  const meanings = Object.entries(MUTATIONS).map(([name, meaning]) => [code(name), meaning]);
  const placed = rows.map(placedRow);
  return page([
    preface(root, "mutations"),
    "## 2 Mutations",
    table(["mutation", "meaning"], meanings),
    "## 3 Answers",
    ...[...MESSAGE_KINDS, CONTENT].flatMap((name) =>
      section(
        name,
        placed.filter((row) => row.kind === name),
      ),
    ),
  ]);
}

/** Section of the fields of contents, which messages of many kinds carry. */
const CONTENT = "content";

/** Returns a row with the path below its section. */
function placedRow({ kind, path, ...row }: MutationAnswers): MutationAnswers {
  const [, inContent] = /^.*\b(?:contents\[\]|content|locked\[\])\.(.*)$/u.exec(path) ?? [];
  if (inContent !== undefined) return { ...row, kind: CONTENT, path: inContent };
  return { ...row, kind, path: path === kind ? WHOLE : path.slice(kind.length + 1) };
}

/** Path of a whole statement or certificate. */
const WHOLE = "(whole)";

function section(name: string, rows: readonly MutationAnswers[]): readonly string[] {
  const kept = answersOf(rows.filter(({ signing }) => signing === "kept"));
  const renewed = answersOf(rows.filter(({ signing }) => signing === "renewed"));
  const differing = new Map([...renewed].filter(([path, answers]) => kept.get(path) !== answers));
  const again = differing.size === 0 ? [] : ["Signed again, where that differs:", answerTable(differing)];
  return [`### ${name}`, answerTable(kept), ...again];
}

function answersOf(rows: readonly MutationAnswers[]): Answers {
  const paths = [...new Set(rows.map(({ path }) => path))].sort();
  return new Map(paths.map((path) => [path, cellOf(rows.filter((row) => row.path === path))]));
}

/** Mutations with the same answers stand together. */
function cellOf(rows: readonly MutationAnswers[]): string {
  const answers = new Map<string, Set<string>>();
  for (const row of rows) answers.set(row.mutation, new Set([...(answers.get(row.mutation) ?? []), ...row.answers]));
  const mutations = new Map<string, string[]>();
  for (const [mutation, all] of answers) {
    const told = [...all].filter((answer) => answer !== "nothing" || all.size === 1).sort();
    const words = told.join(" or ");
    mutations.set(words, [...(mutations.get(words) ?? []), mutation]);
  }
  const parts = [...mutations].map(([words, names]) => `**${words}**: ${names.sort().join(", ")}`);
  return parts.sort().join("; ");
}

/** Fields with the same answers stand in one row. */
function answerTable(answers: Answers): string {
  const fields = new Map<string, string[]>();
  for (const [path, cell] of answers) fields.set(cell, [...(fields.get(cell) ?? []), code(path)]);
  return table(
    ["fields", "answers"],
    [...fields].map(([cell, paths]) => [paths.join(", "), cell]),
  );
}

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

/** `kept`: a statement has the signature that it had; `renewed`: its signer signs the mutated one. */
export type SigningMode = "kept" | "renewed";

/** Answers to one mutation of one field. */
export interface MutationAnswers {
  readonly kind: string;
  readonly signing: SigningMode;
  /** From the kind of the message on. */
  readonly path: string;
  readonly mutation: Mutation;
  readonly answers: ReadonlySet<string>;
}

export interface MutationCensus {
  readonly rows: readonly MutationAnswers[];
  /** Mutations at which a validator threw, with its words. */
  readonly thrown: readonly string[];
}

interface Counts {
  readonly rows: Map<string, MutationAnswers & { readonly answers: Set<string> }>;
  readonly thrown: string[];
  /** Messages that were mutated, by their class. */
  readonly classes: Map<string, number>;
  readonly choose: MutationSource["choose"];
}

type MessageInput = Extract<Input, { readonly type: "message" }>;

/** Returns the answers in the runs below the root. Cost: some 30,000 steps of validators. */
export function mutationCensus(root: string): MutationCensus {
  const counts: Counts = { rows: new Map(), thrown: [], classes: new Map(), choose: chooser() };
  for (const run of RUNS) {
    const text = readFileSync(join(root, "scenarios", `${run}.yaml`), "utf8");
    const { verdict, reason } = simulate(text, { program: (real) => withProbes(real, counts) });
    if (verdict !== "pass") throw new Error(`${run}: ${reason}`);
  }
  return { rows: [...counts.rows.values()], thrown: counts.thrown };
}

/** Returns a sequence of choices that is always the same. */
function chooser(): MutationSource["choose"] {
  let draw = 0;
  return (bound) => {
    draw = (draw * 48_271 + 11) % 2_147_483_647;
    return draw % bound;
  };
}

/** The real program; before it takes a message, forks of it take the mutations of that message. */
function withProbes(real: ValidatorProgram, counts: Counts): ValidatorProgram {
  const known = new Map<string, readonly PeerMessage[]>();
  return {
    ...real,
    step: (state, input) => {
      if (input.type === "message" && input.from !== state.environment.self) {
        const kind = messageKind(input.message);
        const before = known.get(kind) ?? [];
        probe((message) => stepOfFork(real, state, { ...input, message }), state, input, before, counts);
        known.set(kind, [...before, input.message].slice(-KNOWN));
      }
      return real.step(state, input);
    },
  };
}

/** Returns the effects on a fork. Its rules are the real ones, so that the oracles of the run see nothing of it. */
function stepOfFork(real: ValidatorProgram, state: ValidatorState, input: MessageInput): readonly string[] {
  const fork = real.fork(state);
  fork.environment = { ...fork.environment, rules };
  return real.step(fork, input).map(effectOf);
}

function probe(
  effectsOf: (message: PeerMessage) => readonly string[],
  { environment, ledger }: ValidatorState,
  { message }: MessageInput,
  known: readonly PeerMessage[],
  counts: Counts,
): void {
  const usual = effectsOf(message);
  const name = classOf(message, usual);
  const count = counts.classes.get(name) ?? 0;
  if (count >= SAMPLES || name.includes("report")) return;
  counts.classes.set(name, count + 1);
  const kind = messageKind(message);
  for (const place of drawnPlaces(message, counts)) {
    for (const mutation of mutationsOf(place)) {
      const mutant = mutatedAt(message, place, mutation, {
        known,
        members: ledger.parameters.validators.length,
        choose: counts.choose,
      });
      if (mutant === undefined) continue;
      // Nothing encodes a malformed part, so nobody signs it.
      const renewed = mutation === "malformed" ? undefined : signMutant(message, mutant, environment);
      const ways = [["kept", mutant] as const, ...(renewed === undefined ? [] : [["renewed", renewed] as const])];
      for (const [signing, sent] of ways)
        noteAnswer(counts, { kind, signing, path: place.path, mutation }, () => answerOf(usual, effectsOf(sent)));
    }
  }
}

/** Returns the places of a message, with up to `DRAWS` entries of each list. */
function drawnPlaces(message: PeerMessage, counts: Counts): Iterable<Place> {
  const drawn = Array.from({ length: DRAWS }, () => placesOf(message, counts)).flat();
  return new Map(drawn.map((place) => [place.keys.join(), place])).values();
}

function noteAnswer(counts: Counts, row: Omit<MutationAnswers, "answers">, answer: () => string): void {
  const key = Object.values(row).join(" ");
  const { answers } = counts.rows.get(key) ?? { answers: new Set<string>() };
  counts.rows.set(key, { ...row, answers });
  try {
    answers.add(answer());
  } catch (error) {
    counts.thrown.push(`${key}: ${String(error)}`);
  }
}

/** Messages of one class are of one kind, about one kind of slot, for one kind of reason, and have effects of one kind. */
function classOf(message: PeerMessage, usual: readonly string[]): string {
  const about = message.type === "consensus" ? [message.body.slot.kind, message.reason?.kind] : [];
  const effects = usual.map((effect) => (effect.startsWith("coverage ") ? effect : effect.split(" ")[0]));
  return [messageKind(message), ...about, ...[...new Set(effects)].sort()].join();
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

/** Returns a text for the effect of an output, the same one for equal effects. */
function effectOf(output: Output): string {
  switch (output.type) {
    case "report":
      return `report ${output.misbehaviour}`;
    case "coverage":
      return `coverage ${output.point}`;
    case "persist":
    case "erase":
      return `${output.type} ${output.key}`;
    case "sign": {
      const { body } = output.message;
      return `sign ${body.type} ${body.round} ${"value" in body ? body.value : ""}`;
    }
    case "send":
      return `send ${messageKind(output.message)} ${output.to.length}`;
    case "reply":
      return `reply ${output.reply.status} ${output.id}`;
    case "event":
      return `event ${output.event.type}`;
    default:
      return `${output.type} ${output.name}`;
  }
}

/** Returns the answer of a validator to a mutated message, given its effects for that and for the original. */
function answerOf(usual: readonly string[], effects: readonly string[]): string {
  const added = effects.filter((effect) => !usual.includes(effect)).sort();
  const [report] = effectNames(added, "report ");
  if (report !== undefined) return report;
  if (effects.join() === usual.join()) return usual.length === 0 ? "nothing" : "same";
  if (effects.length === 0) return "ignored";
  const [point] = effectNames(added, "coverage ");
  return point ?? "other";
}

function effectNames(effects: readonly string[], type: string): readonly string[] {
  return effects.filter((effect) => effect.startsWith(type)).map((effect) => effect.slice(type.length));
}
