/** A closing that its closes do not imply is refused, from any proposer (protocol 6.3, 8). */
import { beforeAll, describe, expect, it } from "vitest";
import type { EpochParameters } from "../../../src/core/base/epoch.ts";
import type { Epoch, Millis } from "../../../src/core/base/ids.ts";
import {
  type CheckpointHeader,
  type ClosingValue,
  chainSlotOf,
  type EpochSlot,
  type Slot,
  slotKey,
} from "../../../src/core/base/slot.ts";
import type { AnyCertificate } from "../../../src/core/consensus/certificate.ts";
import { closesOf, showCloses } from "../../../src/core/consensus/close.ts";
import type { Close } from "../../../src/core/consensus/message.ts";
import { closingTransitionOf } from "../../../src/core/ledger/checkpoint.ts";
import { baseOf, causeFault, checkClosing, claimsOf } from "../../../src/core/validator/check-chain.ts";
import { type ClosingContent, type ClosingWarrant, isClosing } from "../../../src/core/validator/content.ts";
import { CLOCK_AHEAD_MS } from "../../../src/core/validator/limits.ts";
import type { PeerMessage } from "../../../src/core/validator/message.ts";
import { rules } from "../../../src/core/validator/rules.ts";
import { contentFault, warrantHash } from "../../../src/core/validator/slots/content-check.ts";
import type { ValidatorState } from "../../../src/core/validator/state.ts";
import { by, envelope, NAMES } from "./support/certificates.ts";
import { Cluster, RARE } from "./support/cluster.ts";
import { addressOf, CHAIN, payment, proposalOf } from "./support/operations.ts";

const POLICY = { ...RARE, slots: 4, periodSeconds: 1 };
const SLOT: EpochSlot = { kind: "epoch", epoch: 0 as Epoch };

/** Proposals of the closing are never delivered. */
function isClosingProposal(message: PeerMessage): boolean {
  return message.type === "consensus" && message.body.type === "proposal" && message.body.slot.kind === "epoch";
}

/** Closings that validators proposed. */
function closingsOf({ recorded }: Cluster): readonly ClosingContent[] {
  return recorded
    .flatMap((steps) => steps.flatMap(({ outputs }) => outputs))
    .flatMap((output) =>
      output.type === "sign" && output.message.body.slot.kind === "epoch"
        ? output.message.contents.filter(isClosing)
        : [],
    );
}

/** Checkpoint 1 is final, three payments above it are decided, one is locked only, and the proposer has made a closing. */
function proposed(): { readonly of: Cluster; readonly honest: ClosingContent; readonly voter: ValidatorState } {
  const of = new Cluster(4, 5, rules, POLICY);
  of.begin();
  for (let nonce = 0; nonce < 7; nonce++) {
    of.submit(0, payment("alice", nonce, "bob", 1n));
    of.run(of.now + 50);
  }
  of.cut = (_, __, message) => message.type === "consensus" && message.body.type === "commit";
  of.submit(1, payment("carol", 0, "bob", 2n));
  of.run(of.now + 50);
  of.cut = (_, __, message) => isClosingProposal(message);
  of.govern(0, {});
  of.run(of.now + 100);
  const [honest] = closingsOf(of);
  const proposer = of.nodes.findIndex((node) =>
    [...node.slots.records.values()].some(({ slot, proposed: own }) => slot.kind === "epoch" && own !== undefined),
  );
  if (honest === undefined) throw new Error("nobody proposed a closing");
  return { of, honest, voter: of.node((proposer + 1) % 4) };
}

let honest: ClosingContent;
let voter: ValidatorState;
let of: Cluster;
beforeAll(() => {
  ({ of, honest, voter } = proposed());
});

const judged = (content: ClosingContent, state = voter) => checkClosing(state, of.now as Millis, SLOT, content);
const reason = (content: ClosingContent): string => {
  const verdict = judged(content);
  return verdict.answer === "refuse" && "reason" in verdict.refusal ? verdict.refusal.reason : verdict.answer;
};
const withValue = (parts: Partial<ClosingValue>): ClosingContent => ({
  ...honest,
  value: { ...honest.value, ...parts },
});
const withHeader = (parts: Partial<CheckpointHeader>) => withValue({ header: { ...honest.value.header, ...parts } });

/** The same list and operations with recomputed roots, so that nothing else is wrong. */
function replayed(content: ClosingContent): ClosingContent {
  const { hashes } = voter.environment;
  const made = hashes.replay(
    voter.checkpoints.last.state,
    content.value.listed,
    content.operations,
    closingTransitionOf(content.value),
  );
  const header = { ...content.value.header, ...(made.outcome === "replayed" ? made.roots : {}) };
  return { ...content, value: { ...content.value, header } };
}

function signed(at: number, close: Omit<Close, "signer" | "signature">): Close {
  return by(NAMES[at] as string, close);
}

/** The closes that the honest closing shows. */
function honestCloses(): readonly Close[] {
  return closesOf(honest.closing, honest.value.epoch) as readonly Close[];
}

function warranted({ cause = honest.closing.cause, closes = honestCloses() }: Warranting): ClosingContent {
  const closing = { ...honest.closing, cause, ...showCloses(closes) };
  return { ...honest, closing, value: { ...honest.value, warrant: warrantHash(voter.environment, cause, closes) } };
}

function withCertificates(certificates: ClosingWarrant["certificates"]): ClosingContent {
  return { ...honest, closing: { ...honest.closing, certificates } };
}

type Warranting = Partial<Pick<ClosingWarrant, "cause"> & { closes: readonly Close[] }>;

describe("the honest closing", () => {
  it("proves itself and is voted for: what is final above the checkpoint, and what is only locked", () => {
    expect(contentFault(voter, honest)).toBeUndefined();
    expect(judged(honest)).toEqual({ answer: "accept" });
    expect(honest.value.header.number).toBe(2);
    expect(honest.value.listed.map(({ slot }) => slotKey(slot)).sort()).toEqual(
      [4, 5, 6]
        .map((n) => slotKey({ kind: "account", address: addressOf("alice"), sequence: n } as Slot))
        .concat(slotKey({ kind: "account", address: addressOf("carol"), sequence: 0 } as Slot))
        .sort(),
    );
    expect(chainSlotOf(honest.value)).toEqual(SLOT);
  });

  it("waits for a clock that is too far behind, and for checkpoints that are not here", () => {
    expect(checkClosing(voter, 0 as Millis, SLOT, withHeader({ timestamp: CLOCK_AHEAD_MS / 1_000 + 1 })).answer).toBe(
      "wait",
    );
    const behind = { ...voter, checkpoints: { ...voter.checkpoints, last: of.fresh(3).checkpoints.last } };
    expect(judged(honest, behind).answer).toBe("wait");
  });
});

describe("a closing is refused", () => {
  it.each<[string, () => ClosingContent, string]>([
    ["with extra data without bound", () => withHeader({ extraData: "x".repeat(300) }), "extra data"],
  ])("%s", (_, content, expected) => expect(reason(content())).toContain(expected));

  it("without a slot that its closes show, its size right", () => {
    const [first, ...listed] = honest.value.listed;
    const operations = honest.operations.slice(1);
    const size = operations.reduce((sum, one) => sum + voter.environment.hashes.copy(one).bytes, 0);
    const less = replayed({ ...withValue({ listed, header: { ...honest.value.header, size } }), operations });
    expect(first).toBeDefined();
    expect(reason(less)).toContain("is missing");
  });

  it("that builds below a checkpoint which is final here", () => {
    const closes = honestCloses().map((close) => ({
      ...close,
      claims: close.claims.filter(({ slot }) => slot.kind !== "checkpoint"),
    }));
    expect(reason(warranted({ closes }))).toContain("it builds on checkpoint 0, and checkpoint 1 is final");
  });
});

describe("a cause counts for nothing", () => {
  const next = () => voter.ledger.parameters;
  it.each<[string, () => Parameters<typeof causeFault>[1], string]>([
    ["that nobody could carry out", () => disclosure({ ...next(), validators: [] }), "validators: expected 1 to"],
    ["of a checkpoint that is not the last", () => due(voter), "it is not the epoch's last checkpoint"],
  ])("%s", (_, cause, expected) => {
    expect(causeFault(voter, cause())).toContain(expected);
  });

  it("unless it is the last checkpoint of an epoch that ends there, with its own certificate", () => {
    const ending = { ...voter, ledger: { ...voter.ledger, parameters: { ...next(), epochLength: 1 } } };
    const cause = due(voter);
    expect(causeFault(ending, cause)).toBeUndefined();
    const { certificate } = cause;
    expect(causeFault(ending, { ...cause, certificate: { ...certificate, seals: certificate.seals.slice(1) } })).toBe(
      "too few signatures",
    );
    expect(causeFault(ending, { ...cause, certificate: { ...certificate, type: "lock" } as never })).toBe(
      "no finality certificate is shown",
    );
  });
});

function disclosure(next: EpochParameters, epoch = 0, by = "operator", chain = CHAIN) {
  return { kind: "proposal", signed: proposalOf(next, epoch as Epoch, by, chain) } as const;
}

function due({ slots: { records: slots }, checkpoints: { last: checkpoint } }: ValidatorState) {
  const certificate = slots.get(slotKey(checkpoint.slot))?.decided;
  if (certificate === undefined) throw new Error("no checkpoint is final");
  return { kind: "checkpoint", certificate } as const;
}

describe("where a closing begins", () => {
  const certificate = () => due(voter).certificate;
  it("at the checkpoint that is final here, also if closes show it locked only", () => {
    const locked = { ...certificate(), type: "lock" } as AnyCertificate;
    expect(baseOf(voter, [locked], [])).toMatchObject({
      kind: "base",
      base: { hash: voter.checkpoints.last.hash },
      above: [],
    });
  });

  it("nowhere where it would begin below, or at another value", () => {
    expect(baseOf(voter, [], [])).toMatchObject({ kind: "conflict" });
    expect(baseOf(voter, [{ ...certificate(), value: honest.value.warrant }], [])).toMatchObject({ kind: "conflict" });
  });

  it("later, once a final checkpoint above is here; not at a locked one without its content", () => {
    const slot = { kind: "checkpoint", number: 2 } as const;
    const above = { ...certificate(), slot } as unknown as AnyCertificate;
    expect(baseOf(voter, [above], [])).toEqual({ kind: "behind", number: 2 });
    expect(baseOf(voter, [{ ...above, type: "lock" } as AnyCertificate], [])).toMatchObject({ kind: "fault" });
  });
});

describe("the content of a closing", () => {
  it.each([
    [4, 3],
    [7, 10],
  ])("of %i validators shows each certificate once, for %i slots", (validators, slots) => {
    const cluster = new Cluster(validators, 5, rules, { ...POLICY, slots: 1_000 });
    cluster.begin();
    for (let nonce = 0; nonce < slots; nonce++) {
      cluster.submit(0, payment("alice", nonce, "bob", 1n));
      cluster.run(cluster.now + 50);
    }
    cluster.cut = (_, __, message) => isClosingProposal(message);
    cluster.govern(0, {});
    cluster.run(cluster.now + 100);
    const [content] = closingsOf(cluster);
    expect(content?.closing.closes.map(({ claims }) => claims.length)).toEqual(
      Array.from({ length: Math.ceil((2 * validators) / 3) }, () => slots),
    );
    expect(content?.closing.certificates).toHaveLength(slots);
    expect(cluster.nodes.map(({ epochs }) => epochs.claimed.size)).toEqual(cluster.nodes.map(() => slots));
  });
});

/** The closes with another one in place of the first, by the same signer and without claims. */
function withOtherClose(): readonly Close[] {
  const [{ signer, signature: _, ...body }] = honestCloses() as [Close];
  const at = NAMES.findIndex((name) => addressOf(name) === signer);
  return honestCloses().with(0, signed(at, { ...body, claims: [] }));
}

const shown = (closes: readonly Close[]): ClosingContent => ({
  ...honest,
  closing: { ...honest.closing, ...showCloses(closes) },
});
const nobodys = () => ({ kind: "proposal", signed: proposalOf(voter.ledger.parameters, 0 as Epoch, "alice") }) as const;
const withLocked = (): ClosingContent => {
  const locked = [{ ...honest, value: { ...honest.value, type: "checkpoint" } } as never];
  return { ...honest, closing: { ...honest.closing, locked } };
};
const bare = (): ClosingContent =>
  ({ value: honest.value, operations: honest.operations, certificates: [] }) as unknown as ClosingContent;

/** Contents by their faults. */
const FAULTS: Readonly<Record<string, Readonly<Record<string, () => ClosingContent>>>> = {
  "the warrant is not the value's": {
    "with another warrant than the value's": () => shown(honestCloses().toReversed()),
    "with another close of the same signer than the value's": () => shown(withOtherClose()),
  },
  "a closing lacks the closes of a quorum": {
    "with fewer closes than a quorum": () => warranted({ closes: honestCloses().slice(1) }),
    "with one close twice": () => warranted({ closes: [0, 0, 1].map((at) => honestCloses()[at] as Close) }),
  },
  "its certificates are not those of its closes": {
    "with a certificate twice": () =>
      withCertificates([...honest.closing.certificates, ...honest.closing.certificates.slice(0, 1)]),
    "without a certificate that its closes claim": () => withCertificates(honest.closing.certificates.slice(1)),
  },
  "the operator has not signed it": { "with a cause that nobody signed": () => warranted({ cause: nobodys() }) },
  "the closing is of another epoch": { "of another epoch": () => withValue({ epoch: 1 as Epoch }) },
  "the locked checkpoints differ from those in the closes": {
    "with checkpoints that its closes do not show locked": withLocked,
  },
  "a closing lacks its closes": { "without its warrant": bare },
};

describe("the content of a closing proves nothing", () => {
  for (const [fault, contents] of Object.entries(FAULTS))
    for (const [title, content] of Object.entries(contents))
      it(title, () => expect(contentFault(voter, content())).toContain(fault));
});

describe("a close", () => {
  it("claims the last final checkpoint, and every decision and lock above it, in order", () => {
    const claims = claimsOf(voter);
    expect(claims.map(({ slot, type }) => `${type} ${slot.kind}`).sort()).toEqual([
      "finality account",
      "finality account",
      "finality account",
      "finality checkpoint",
      "lock account",
    ]);
    const keys = claims.map(({ slot }) => slotKey(slot));
    expect(keys).toEqual([...keys].sort());
  });

  it("counts once: the second one of a signer is reported, and the first one stays", () => {
    const [one] = honestCloses() as readonly [Close];
    const at = NAMES.findIndex((name) => addressOf(name) === one.signer);
    const { signer: _, signature: __, ...body } = one;
    const another = signed(at, { ...body, claims: [] });
    const other = (at + 1) % 4;
    const before = of.reports.length;
    of.inject(at, other, envelope(another));
    of.run(of.now + 1);
    const reports = of.reports.slice(before).filter(({ misbehaviour }) => misbehaviour === "double close");
    expect(reports.map(({ peer }) => peer)).toEqual([one.signer]);
    expect(of.node(other).epochs.closes.get(one.signer)).toEqual(one);
  });
});
