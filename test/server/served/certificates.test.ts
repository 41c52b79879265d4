/** Finality of an operation in responses, and its check by `verify` (specification 8.1; wire 1.4, Finalized). */
import { describe, expect, test } from "vitest";
import { proofRefusal, readCommittee, readProof } from "../../../src/proofs/verify.ts";
import { epoch as epochSchema } from "../../../src/server/wire/schemas/network.ts";
import { finalized as finalizedSchema } from "../../../src/server/wire/schemas/transactions.ts";
import {
  epochTextOf,
  expectNoCommitteeProves,
  expectNoMutationProved,
  expectProved,
  finalizedTextOf,
  textAt,
  untilListed,
  verdictOf,
} from "./proved.ts";
import { pay, type Settled, settle } from "./settle.ts";
import { expectShape } from "./shapes.ts";
import { type Json, sharedNetwork } from "./support.ts";

const net = sharedNetwork({ delay: "100", "checkpoint-interval": "500" }, "each");

const finalizedText = (hash: string): Promise<string> => finalizedTextOf(net, hash);
const epochText = (id: number): Promise<string> => epochTextOf(net, id);
const refusalOf = (finalized: string, epoch: string): string | undefined => verdictOf(finalized, epoch).reason;

/** Why a certificate proves nothing. */
function certificateRefusalOf(certificate: unknown, epoch: string): string | undefined {
  const [proof, committee] = [readProof(JSON.stringify(certificate)), readCommittee(epoch)];
  if (!proof.ok || !committee.ok) return "malformed";
  return proofRefusal(proof.value, committee.value);
}

const membersOf = (epoch: string): readonly string[] =>
  (JSON.parse(epoch) as { readonly certificate: { readonly validators: readonly string[] } }).certificate.validators;
const signersOf = (finalized: string): readonly string[] =>
  (JSON.parse(finalized) as { certificate: { signatures: readonly { signer: string }[] } }).certificate.signatures.map(
    ({ signer }) => signer,
  );

describe("over links of 100 ms, with one Byzantine validator", () => {
  let hash = "";

  // holds: 74
  test("a payment becomes final, and its certificate says by whom and in which round", async () => {
    await net.step({ byzantine: { node: "v2", strategy: "double-vote" } });
    await net.step({ byzantine: { node: "v2", strategy: "withhold-commits" } });
    const start = net.served.host.network.now;
    hash = (await pay(net, "alice")).hash;
    expect(net.served.host.network.now - start).toBeGreaterThanOrEqual(400);
    const text_ = await finalizedText(hash);
    const answer = JSON.parse(text_) as Json;
    expectShape(finalizedSchema, answer);
    expect(answer).toMatchObject({
      ...{ success: true, transaction_hash: hash, epoch: 0 },
      certificate: { epoch: 0, round: 0, slot: { kind: "account", address: net.address("alice"), number: 0 } },
    });
    const members = membersOf(await epochText(0));
    expect(members).toHaveLength(4);
    const signers = signersOf(text_);
    expect(signers).toHaveLength(3);
    expect(signers).not.toContain(members[1]);
    expect(answer["counter_signatures"]).toHaveLength(3);
  });
});

describe("of an answer as it came", () => {
  const PRIVATE = "success_info.is_private";
  const mint = (): Promise<Settled> =>
    settle(net.client, "mint", { recipient: net.address("bob"), value: "7", token: net.token() }, net.key("issuer"));

  test("no changed member is taken, whether a checkpoint lists the operation or not", async () => {
    const { hash } = await pay(net, "dave");
    const early = await finalizedText(hash);
    await untilListed(net, hash);
    const [listed, epoch] = [await expectProved(net, hash, [PRIVATE]), await epochText(0)];
    expect(JSON.parse(listed)).toMatchObject({ checkpoint_hash: expect.stringMatching(/^0x/) });
    // On a slow machine a checkpoint has listed it before the first answer.
    for (const text of [early, listed]) expect(expectNoMutationProved(text, epoch)).toBeGreaterThan(100);
    expect(expectNoCommitteeProves(listed, epoch)).toBeGreaterThan(30);
  });

  test("it is refused as long as nothing proves whether the operation took effect", async () => {
    await net.admin("checkpoint");
    await net.admin("rate", { rate: 0 });
    const sent = await net.client.send(
      "mint",
      { recipient: net.address("bob"), value: "7", token: net.token() },
      net.key("issuer"),
    );
    let text = "";
    for (let step = 0; step < 100 && !text.includes("counter_signatures"); step++) {
      await net.admin("advance", { ms: 10 });
      text = await finalizedText(sent.hash);
    }
    await net.admin("rate", { rate: 1 });
    expect(refusalOf(text, await epochText(0))).toMatch(/no checkpoint lists it yet/);
    await untilListed(net, sent.hash);
    const listed = await expectProved(net, sent.hash, [PRIVATE]);
    expectNoMutationProved(listed, await epochText(0));
  });

  test("it is refused without its proof, and with a proof of another operation", async () => {
    const [one, other] = [await mint(), await pay(net, "erin")];
    await untilListed(net, one.hash, other.hash);
    const [first, second] = [await finalizedText(one.hash), await finalizedText(other.hash)];
    const { proof: _proof, ...bare } = JSON.parse(first) as Json;
    const epoch = await epochText(0);
    expect(refusalOf(JSON.stringify(bare), epoch)).toMatch(/expected the proof of an answer/);
    const { proof } = JSON.parse(second) as Json;
    expect(refusalOf(JSON.stringify({ ...bare, proof }), epoch)).toMatch(/the certificate decides another value/);
  });
});

describe("after the epoch has changed", () => {
  test("each certificate counts with its own epoch's committee, and with no other", async () => {
    const before = await pay(net, "carol");
    expect(await net.admin("epoch", { validators: ["v3", "v1", "v2", "v4"] })).toMatchObject({ body: { result: 1 } });
    const after = await pay(net, "carol");
    const [first, second] = [await epochText(0), await epochText(1)];
    for (const one of [first, second]) expectShape(epochSchema, JSON.parse(one));
    expect(JSON.parse(second)).toMatchObject({ epoch_id: 1, certificate: { proposal: { epoch: 1 } } });
    expect(await textAt(net, "/v1/governances/epoch")).toBe(second);
    expect(JSON.parse(await finalizedText(after.hash))).toMatchObject({ epoch: 1, certificate: { epoch: 1 } });
    expect(refusalOf(await finalizedText(before.hash), first)).toBeUndefined();
    expect(refusalOf(await finalizedText(after.hash), second)).toBeUndefined();
    expect(refusalOf(await finalizedText(before.hash), second)).toMatch(/wrong epoch/);
    expect(refusalOf(await finalizedText(after.hash), first)).toMatch(/wrong epoch/);
  });

  test("what opened the new one is proved by the committee of the old one", async () => {
    const { certificate, certificate_hash } = JSON.parse(await epochText(1)) as {
      readonly certificate: { readonly opening: Json };
      readonly certificate_hash: string;
    };
    expect(certificate.opening).toMatchObject({ epoch: 0, value: certificate_hash });
    expect(certificateRefusalOf(certificate.opening, await epochText(0))).toBeUndefined();
    expect(certificateRefusalOf(certificate.opening, await epochText(1))).toMatch(/wrong epoch/);
    expect(await net.client.latestEpochCheckpoint()).toMatchObject({ epoch: 1 });
  });

  // holds: 12, 15
  test("fees of the new one are charged and estimated", async () => {
    const fees = { payment: "0.5", cancellation: "1", recovery: "1" };
    expect(await net.admin("epoch", { fees })).toMatchObject({ status: 200, body: { result: 2 } });
    const query = { from: net.address("carol"), value: "1", token: net.token() };
    expect(await net.client.estimateFee(query)).toBe(500_000n);
    expect((await pay(net, "carol")).receipt).toMatchObject({ fee_used: "500000" });
    const units = { payment: "500000", cancellation: "1000000", recovery: "1000000" };
    const members = net.served.host.network.ledgerOf("v1")?.parameters.validators;
    expect((await net.client.epoch())["certificate"]).toMatchObject({
      rewards: members?.map(({ reward }) => reward),
      fees: { payment: "1", cancellation: "2", recovery: "2", tokens: [{ token: net.token(), ...units }] },
    });
  });
});

test("no invariant broke", () => {
  expect(net.served.host.network.findings).toEqual([]);
});
