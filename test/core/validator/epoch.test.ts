/** Epochs: closings in a network, and the content of an honest closing (protocol 6.3). */

import { describe, expect, it } from "vitest";
import type { Epoch, Hash } from "../../../src/core/base/ids.ts";
import { slotKey } from "../../../src/core/base/slot.ts";
import type { AnyCertificate } from "../../../src/core/consensus/certificate.ts";
import { valueHash } from "../../../src/core/ledger/value.ts";
import type { Content } from "../../../src/core/validator/content.ts";
import type { PeerMessage } from "../../../src/core/validator/message.ts";
import type { Output } from "../../../src/core/validator/output.ts";
import { rules } from "../../../src/core/validator/rules.ts";
import { accountSlot, certificateOf, contentOf, envelope, NAMES, proposerIn } from "./support/certificates.ts";
import {
  A0,
  B0,
  CLOSING,
  checkpointOf,
  checkpointSlot,
  claimOf,
  claimsOf,
  closeOf,
  type Part,
} from "./support/closings.ts";
import { Cluster, type ClusterParts, RARE } from "./support/cluster.ts";
import { payment } from "./support/operations.ts";
import { sent } from "./support/single.ts";

const OFTEN = { ...RARE, slots: 2 };

function cluster(parts: ClusterParts = {}, n = 4): Cluster {
  const of = new Cluster(n, 5, rules, OFTEN, parts);
  of.begin();
  return of;
}

const isFinality = (message: PeerMessage): boolean => message.type === "consensus" && message.body.type === "finality";
const epochs = (of: Cluster): readonly number[] => of.nodes.map(({ ledger }) => ledger.epoch);

function paid(of: Cluster, count: number, from = 0): Cluster {
  for (let nonce = from; nonce < from + count; nonce++) {
    of.submit(0, payment("alice", nonce, "bob", 1n));
    of.run(of.now + 100);
  }
  return of;
}

describe("a validator that was disconnected", () => {
  it("passes a closing on after a restart, although the record of its decision is older than its content", () => {
    const of = paid(cluster(), 1);
    // v3 has voted for the closing and learns no decision; v4 learns nothing at all.
    of.cut = (_, to, message) =>
      to === 3 || (to === 2 && (message.type === "status" || "decided" in message || isFinality(message)));
    of.govern(0, {});
    of.run(of.now + 500);
    expect(epochs(of)).toEqual([1, 1, 0, 0]);
    const certificate = of.node(0).slots.records.get(slotKey({ kind: "epoch", epoch: 0 as Epoch }))?.decided;
    if (certificate === undefined) throw new Error("v1 holds no decision on the closing");
    const content = of.node(0).slots.contents.get(certificate.value);
    if (content === undefined) throw new Error("v1 holds no closing");
    for (const node of [0, 1]) of.stop(node);
    of.inject(0, 3, envelope(certificate));
    of.crash = (node, output) => node === 3 && output.type === "erase";
    of.inject(0, 3, { type: "decisions", decided: [], contents: [content] });
    of.run(of.now + 10);
    expect([...of.down]).toEqual([0, 1, 3]);
    of.cut = () => false;
    of.crash = () => false;
    of.restart(3);
    of.run(of.now + 10_000);
    expect(epochs(of).slice(2)).toEqual([1, 1]);
  });
});

const POLICY = { ...RARE, slots: 1 };
const FRESH = new Cluster(4, 5, rules, POLICY).node(0);
const PROPOSER = NAMES.indexOf(proposerIn(CLOSING));
const FIRST = checkpointOf(FRESH, FRESH.checkpoints.last, [A0]);
const LOCKED = claimOf("lock", checkpointSlot(1), FIRST);

/** The proposer alone, with closes of the others that show these claims. */
class Proposer {
  readonly cluster = new Cluster(4, 5, rules, POLICY);

  constructor(claims: readonly AnyCertificate[]) {
    this.cluster.cut = () => true;
    this.cluster.govern(PROPOSER, {});
    for (const [at, name] of NAMES.entries()) if (at !== PROPOSER) this.take(at, envelope(closeOf(name, claims)));
  }

  take(from: number, message: PeerMessage): void {
    this.cluster.inject(from, PROPOSER, message);
    this.cluster.run(this.cluster.now + 10);
  }

  give(...contents: Content[]): void {
    this.take((PROPOSER + 1) % 4, { type: "decisions", decided: [], contents });
  }

  get outputs(): readonly Output[] {
    return this.cluster.outputs(PROPOSER);
  }

  /** Keys of the slots that its first proposal lists; `undefined` without one. */
  get proposed(): readonly string[] | undefined {
    const [value] = this.outputs.flatMap((output) =>
      output.type === "sign" && output.message.body.type === "proposal"
        ? output.message.contents.map((two) => two.value)
        : [],
    );
    return value?.type === "closing" ? value.listed.map(({ slot }) => slotKey(slot)) : undefined;
  }

  get requested(): readonly Hash[] {
    return sent(this.outputs, "fetch").flatMap(({ values }) => values);
  }
}

describe("the proposer of a closing", () => {
  it.each<[string, readonly AnyCertificate[], Content, readonly string[]]>([
    ["a locked operation", claimsOf("lock", [B0]), contentOf(B0[1]), [slotKey(B0[0])]],
    ["a locked checkpoint", [LOCKED], FIRST, []],
  ])("waits for the content of %s, and requests it", (_, claims, content, listed) => {
    const proposer = new Proposer(claims);
    expect(proposer.proposed).toBeUndefined();
    expect(proposer.requested).toEqual([valueHash(content.value)]);
    proposer.give(content);
    expect(proposer.proposed).toEqual(listed);
  });

  it("proposes nothing while closes show a lock that nobody can apply", () => {
    const stranger: Part = [accountSlot("alice"), B0[1]];
    const proposer = new Proposer(claimsOf("lock", [stranger]));
    proposer.give(contentOf(B0[1]));
    expect(proposer.requested).toHaveLength(1);
    expect(proposer.proposed).toBeUndefined();
  });
});

describe("a close", () => {
  const fetched = ({ outputs }: Proposer): readonly string[] =>
    sent(outputs, "fetch").flatMap(({ slots }) => slots.map(slotKey));

  it("tells of final checkpoints only: of the others nobody has a decision", () => {
    expect(fetched(new Proposer([LOCKED]))).toEqual([]);
    const second = certificateOf("finality", checkpointSlot(2), valueHash(FIRST.value));
    expect(new Set(fetched(new Proposer([second])))).toEqual(new Set([slotKey(checkpointSlot(1))]));
  });

  it("brings no record back of a checkpoint that is pruned", () => {
    const cluster = new Cluster(4, 5, rules, POLICY);
    cluster.begin();
    for (let nonce = 0; nonce < 12; nonce++) {
      cluster.submit(0, payment("alice", nonce, "bob", 1n));
      cluster.run(cluster.now + 100);
    }
    const records = (): boolean => cluster.node(0).slots.records.has(slotKey(checkpointSlot(1)));
    expect([cluster.node(0).checkpoints.last.header.number, records()]).toEqual([12, false]);
    const old = certificateOf("finality", checkpointSlot(1), valueHash(FIRST.value));
    cluster.inject(1, 0, envelope(closeOf("v2", [old])));
    cluster.run(cluster.now + 10);
    expect(cluster.node(0).epochs.closes.size).toBe(1);
    expect(records()).toBe(false);
  });
});
