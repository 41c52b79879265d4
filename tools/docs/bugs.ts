/** docs/bugs.md: the known-bad variants, by class, and the numbers of the classes. */
import { BUGS } from "../../src/bugs/catalogue.ts";
import type { KnownBadVariant } from "../../src/bugs/known-bad-variant.ts";
import { rules as realRules } from "../../src/core/validator/rules.ts";
import { CATALOGUE } from "../../src/invariants/catalogue.ts";
import { asSentence } from "../../src/report/explain.ts";
import { type HuntRow, lastHunt } from "./hunt.ts";
import { code, codes, page, preface, type ScenarioText, scenarioTexts, table, wrapText } from "./markdown.ts";

/** The number of a row, as the code cites it. */
const NUMBER = /\b([A-J])-?\d{1,2}\b/g;

export function bugsDocument(root: string): string {
  const scenarios = scenarioTexts(root);
  checkNumbers(scenarios);
  const hunted = lastHunt(root);
  const letters = Object.keys(CLASSES).filter((letter) => BUGS.some((bug) => letterOf(bug) === letter));
  return page([
    preface(root, "bugs"),
    "## 4 Numbers",
    ...Object.entries(CLASSES).flatMap(([letter, name], index) => [
      `### 4.${index + 1} ${letter === "none" ? "" : `Class ${letter}: `}${name}`,
      letter === "none"
        ? "Variants without a number come from traps of this protocol. Section 5 lists them."
        : numberTable(letter),
    ]),
    "## 5 Known-bad variants",
    wrapText(
      `There are ${BUGS.length} variants. Each has a scenario of its own name among the scenarios of bugs. A variant stands under the first class that its source names. The column *found by* ` +
        "names the oracle that caught the variant in the last hunt, with the median number of seeds until then; `0 of 3 ranges` " +
        "stands for a variant that it did not find, `not hunted` " +
        "stands for a variant that the hunt did not contain. The oracles behind the semicolon may catch the variant too.",
    ),
    ...letters.flatMap((letter, index) => [
      `### 5.${index + 1} ${CLASSES[letter as keyof typeof CLASSES]}`,
      variantTable(
        BUGS.filter((bug) => letterOf(bug) === letter),
        hunted,
      ),
    ]),
  ]);
}

function numberTable(letter: string): string {
  const rows = Object.entries(NUMBERS).filter(([number]) => number.startsWith(letter));
  const variants = (number: string): string =>
    codes(BUGS.filter(({ source }) => numbersIn(source).includes(number)).map(({ name }) => name)) || "–";
  const oracles = (number: string): string =>
    codes(CATALOGUE.filter(({ bugs }) => bugs.includes(number)).map(({ name }) => name)) || "–";
  return letter === "I"
    ? table(
        ["number", "property", "oracles"],
        rows.map(([number, text]) => [number, text, oracles(number)]),
      )
    : table(
        ["number", "mistake", "variants"],
        rows.map(([number, text]) => [number, text, variants(number)]),
      );
}

function variantTable(bugs: readonly KnownBadVariant[], hunted: ReadonlyMap<string, HuntRow>): string {
  const rows = bugs.map((bug) => {
    const { name, mistake: wrong, source, caughtBy } = bug;
    return [
      code(name),
      asSentence(wrong),
      [...numbersIn(source), sectionsIn(source)].filter((part) => part !== "").join("; "),
      changedFunctions(bug),
      detectionText(hunted.get(name), caughtBy),
    ];
  });
  return table(["variant", "mistake", "source", "changes", "found by"], rows);
}

function detectionText(hunted: HuntRow | undefined, caughtBy: readonly string[]): string {
  const first = firstDetectionText(hunted);
  const others = caughtBy.filter((name) => name !== hunted?.invariant);
  return others.length === 0 ? first : `${first}; ${codes(others)}`;
}

/** The oracle and the median, and the ranges where some did not contain a detection. */
function firstDetectionText(hunted: HuntRow | undefined): string {
  if (hunted === undefined) return "not hunted";
  const { invariant, seeds, ranges, ranges_found: found } = hunted;
  if (invariant === null) return `${found} of ${ranges} ranges`;
  const median = seeds === null ? "no median" : `${seeds} ${seeds === 1 ? "seed" : "seeds"}`;
  return `${code(invariant)}, ${found === ranges ? median : `${median}, ${found} of ${ranges} ranges`}`;
}

/** The functions of the core that a variant replaces, or the part of the program that it wraps. */
function changedFunctions({ rules, statement, program, attack }: KnownBadVariant): string {
  const changed = rules?.(realRules);
  const functions =
    changed === undefined
      ? []
      : (["consensus", "ledger", "validator"] as const).flatMap((room) =>
          Object.entries(changed[room])
            .filter(([name, value]) => value !== (realRules[room] as unknown as Record<string, unknown>)[name])
            .map(([name]) => code(name)),
        );
  return [
    ...functions,
    ...(statement === undefined ? [] : ["signed bytes"]),
    ...(program === undefined || attack !== undefined ? [] : ["steps of the program"]),
    ...(attack === undefined ? [] : ["with an attack"]),
  ].join(", ");
}

function numbersIn(source: string): readonly string[] {
  return [...source.matchAll(NUMBER)].map(([number]) => number);
}

function letterOf({ source }: KnownBadVariant): string {
  return numbersIn(source)[0]?.charAt(0) ?? "none";
}

/** The sections of the protocol, without the numbers of the catalogue. */
function sectionsIn(source: string): string {
  return source
    .split(/;\s*/)
    .filter((part) => numbersIn(part).length === 0)
    .join("; ")
    .replaceAll("design", "protocol");
}

/** Each number that the code or a scenario cites has a row. */
function checkNumbers(scenarios: readonly ScenarioText[]): void {
  const phrases = scenarios.map(({ shows = "" }) => /bug[^;]*$/.exec(shows)?.[0] ?? "");
  const cited = [...BUGS.map(({ source }) => source), ...CATALOGUE.map(({ bugs }) => bugs.join(" ")), ...phrases];
  const missing = new Set(cited.flatMap(numbersIn).filter((number) => !(number in NUMBERS)));
  if (missing.size > 0) throw new Error(`tools/docs/bugs.ts: no sentence for ${[...missing].join(", ")}`);
}

/** Classes of mistakes. */
const CLASSES = {
  A: "Quorums and certificates",
  B: "Durable state, locks and equivocation",
  C: "Cancellation and recovery",
  D: "Nonces, balances, fees and supply",
  E: "Roles, lists and pause of tokens",
  F: "Checkpoints, epochs and state transfer",
  G: "Encoding and signatures",
  H: "Liveness and resources",
  I: "Properties that the oracles check",
  none: "Traps of this protocol",
} as const;

/** Numbers that code and scenarios cite, each with a sentence. */
const NUMBERS: Readonly<Record<string, string>> = {
  A1: "A certificate is accepted with one signature less than a quorum.",
  A2: "The quorum is 2f + 1 although N is not 3f + 1, so that two quorums may share no honest validator.",
  A4: "A signer that stands in a certificate twice counts twice.",
  A7: "A repeated vote keeps its collector from forming a certificate.",
  A10: "The signature of a key outside the committee counts.",
  A11: "Votes for different values merge, because the signed bytes do not name the value.",
  A12: "One invalid signature discredits the valid ones beside it, or their signers.",
  A15: "A certificate can be shown with another value than the one that was certified.",
  B1: "A statement leaves a validator before it is durable, and a crash makes the validator forget it.",
  B2: "A validator that lost its disk signs as if it had signed nothing before.",
  B3: "A vote locks the operation in place of the slot.",
  B5: "Two running services sign with one key, each unaware of the other.",
  B8: "A new epoch begins although a value of the old one can still become final there.",
  C1: "A cancellation and the operation that it cancels can both become final.",
  C2: "A validator that voted for an operation helps to cancel it and does not show its lock.",
  C3: "A recovery overlooks a finality certificate that a Byzantine validator hides.",
  C4: "A recovery needs more reports of a value than the protocol guarantees, and selects another one.",
  C5: "A validator commits in a round that it has left.",
  C6: "Two recoveries of one slot have no order, so that each selects a value of its own.",
  C7: "A recovery accepts a statement of an earlier round or epoch.",
  C15: "An account that a pause or list concerns cannot be recovered.",
  D1: "A slot takes a nonce that is not the next one.",
  D2: "A failed operation does not use up its nonce, and the same bytes run again.",
  D4: "The nonce wraps around at its largest value.",
  D5: "A decision that arrives twice credits the recipient twice.",
  D6: "A payment to oneself creates units.",
  D7: "A credit beyond the largest amount is cut off, and units are lost.",
  D8: "A sum of amounts wraps around.",
  D9: "A part of a list takes effect although the operation or the list fails.",
  D11: "The shares of a fee pool add up to more than the pool.",
  D13: "The balance is compared with the amount alone, and not with amount and fee.",
  D15: "An operation over the amount 0 is accepted.",
  D16: "Amounts lose precision in floating-point numbers.",
  D17: "A validator that lacks a credit refuses the operation that spends it for ever.",
  D18: "A credit is spent before the payment that brings it is final.",
  D19: "Two operations share one allowance, because neither counts the other.",
  E1: "A pause and a payment take effect in different orders at different validators.",
  E2: "A list change and a payment take effect in different orders at different validators.",
  E3: "A decided operation is judged again when it is applied, and fails at some validators only.",
  E4: "An operation takes effect after the role of its signer was revoked.",
  E5: "A grant adds to an allowance in place of setting it.",
  E6: "Operations of two authorities change one token without a common order.",
  E7: "A forced burn takes more than the balance that is left.",
  E10: "Two services with the key of an authority sign conflicting operations.",
  F1: "A checkpoint leaves out an operation that is final.",
  F3: "Validators accept a checkpoint with roots that they did not compute.",
  F5: "Validators cut checkpoints by their own time, and each lists other slots.",
  F8: "A vote of one epoch counts in the next one.",
  F9: "A signature of one network or epoch is valid in another one.",
  F10: "The end of an epoch drops an operation that is final.",
  F11: "A quorum of an earlier committee still counts.",
  F13: "A validator prunes a record that recovery or execution still needs.",
  F14: "A validator takes over a state without checking it against a certificate.",
  F16: "The clock of a validator decides whether a value is valid.",
  F18: "A restarted validator goes on from a state that does not belong to its checkpoint.",
  G1: "The identifier of an operation covers its signature, so that a second signature makes a second operation.",
  G3: "Statements of two kinds are signed under one tag.",
  G6: "The identifier of an operation leaves a field out, so that two operations which differ in it are one.",
  G7: "A field is accepted that no signature covers.",
  G8: "A message loses a field of what it relays.",
  H1: "The network waits for all validators in place of a quorum.",
  H2: "A lost message is never sent again.",
  H5: "One operation stops every validator that applies it, before and after a restart.",
  H7: "One slow account delays all others.",
  H9: "What is over is never dropped, and memory grows with the history.",
  I1: "A slot has at most one final value.",
  I2: "No two conflicting finality certificates can be assembled from all signatures ever made.",
  I3: "Each accepted certificate holds a quorum of distinct committee members over the same bytes.",
  I4: "An honest validator signs at most one vote and one commit in a round, restarts included.",
  I5: "A vote is durable before it leaves the validator.",
  I6: "A final operation is never undone.",
  I7: "Balances and fee pool equal genesis plus minted minus burned.",
  I8: "No amount becomes negative, overflows or loses precision.",
  I9: "The nonces of an account are used in order, each once.",
  I10: "Validators that applied the same decisions hold the same state.",
  I11: "There is one chain of checkpoints, and each final operation stands in exactly one of them.",
  I12: "A signature is valid in its own network and epoch only, and an epoch's closing carries its final operations.",
  I13: "A privileged operation takes effect only where its signer holds the role.",
  I14: "Pause and list rules have one outcome for each operation at all validators.",
  I15: "A blocked account becomes usable within a bound after the healing.",
  I16: "A valid operation is final within a bound after the healing, and trouble in one account delays no other.",
  I17: "Evidence never names an honest key, and a conflict names at least f + 1 keys.",
  I19: "An operation has exactly one identifier, which does not depend on malleable bytes.",
  I21: "A client takes an operation for final only with a valid certificate.",
  I22: "A client is told the outcome that was applied, and an entry validator refuses what its state refuses.",
  I23: "What a validator keeps is bounded by what is open and by the last checkpoints.",
  I24: "What an account waits for does not depend on how much other accounts ask for.",
  I25: "A recovery frees an account that is blocked, and does nothing else.",
};
