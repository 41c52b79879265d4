/** Sessions of real clients, replayed from their recording. */
import { ok } from "node:assert/strict";
import { describe, expect, test } from "vitest";
import { toHash } from "../../../src/core/base/ids.ts";
import { secp256k1 } from "../../../src/core/crypto/secp256k1.ts";
import type { Notification } from "../../../src/live/notifications.ts";
import { readRecording } from "../../../src/live/recording.ts";
import { type ReplayedRun, replayRecording } from "../../../src/live/replay.ts";
import { certificateFile } from "../../../src/proofs/certificate-file.ts";
import { postPayment, SWIFT } from "./settle.ts";
import { network } from "./support.ts";

function again(recording: string): ReplayedRun {
  const read = readRecording(recording);
  ok(read.ok, read.ok ? "" : read.error);
  return replayRecording(read.value, secp256k1);
}

describe("the recording of a network", () => {
  test("replays faults, a return and whatever clients sent to the same hash, roots and certificates", async () => {
    const net = await network({ "checkpoint-interval": "100" }, "each");
    const hashes: string[] = [];
    const round = async (nonce: number, at: string): Promise<void> => {
      const sent = await Promise.all(
        ["alice", "bob", "carol"].map((from) => postPayment(net, at, from, "dave", nonce)),
      );
      for (const { hash } of sent) await net.clientOf(at).receipt(hash, SWIFT);
      hashes.push(...sent.map(({ hash }) => hash));
    };
    await round(0, "v1");
    await net.step({ crash: { node: "v4" } });
    await net.step({ delay: { ms: "5..30" } });
    await round(1, "v2");
    const snapshot = (await net.admin("snapshot")).body["result"];
    await postPayment(net, "v1", "erin", "dave", 0);
    await net.admin("advance", { ms: 700 });
    expect(await net.admin("revert", { snapshot })).toMatchObject({ status: 200 });
    expect(await net.client.nonce(net.address("erin"))).toBe(0);
    await net.step({ restart: "v4" });
    // It was away, and knows nothing of the nonces that were used meanwhile before it has caught up.
    for (const hash of hashes) await net.clientOf("v4").receipt(hash, SWIFT);
    await net.step({ byzantine: { node: "v3", strategy: "double-vote" } });
    await round(2, "v4");
    await net.admin("role", { account: "frank", token: "USDX", role: "Pause", action: "Grant" });
    // Nothing happens from here on but what is asked for.
    await net.admin("rate", { rate: 0 });
    const last = await postPayment(net, "v1", "heidi", "dave", 0);
    await net.admin("advance", { ms: 3_000 });
    hashes.push(last.hash);

    const { body: status } = await net.call("/admin/status");
    const answers = await Promise.all(hashes.map((hash) => net.client.finalized(hash)));
    const recording = await net.recording();
    await net.stop();

    const { run, differs, roots, certificates } = again(recording);
    expect(differs).toBeUndefined();
    expect([run.world.hash, run.world.steps, run.archive.finals]).toEqual([
      status["hash"],
      status["steps"],
      status["final"],
    ]);
    expect(run.findings).toEqual([]);
    expect(new Set(roots.map(({ root }) => root)).size).toBe(1);
    expect(again(recording).certificates).toBe(certificates);
    for (const [place, hash] of hashes.entries()) {
      const copy = run.archive.find(toHash(hash));
      const progress = copy === undefined ? undefined : run.archive.progressOf(copy.id);
      ok(progress?.status === "final");
      expect(certificateFile(31_337, run.withSignatures(progress.final.certificate))).toEqual(
        answers[place]?.["certificate"],
      );
    }
  });
});

/** Beyond f: two of four validators run twice with one key, and each half of the network receives from one of each. */
const BROKEN = {
  name: "beyond f",
  network: { twins: ["v3", "v4"] },
  genesis: { tokens: { USDX: { decimals: 6, master: "issuer" } } },
  steps: [
    { at: 0, twin: { v3: ["v1", "v4"], v4: ["v1", "v3"], "v3'": ["v2", "v4'"], "v4'": ["v2", "v3'"] } },
    {
      at: 0,
      partition: [
        ["v1", "v3", "v4"],
        ["v2", "v3'", "v4'"],
      ],
    },
  ],
  expect: [{ violation: "agreement" }],
};

describe("a network with more than f Byzantine validators", () => {
  test("reports that agreement broke, goes on, and its recording replays to the same violation", async () => {
    const scenario = { file: "broken.json", text: JSON.stringify(BROKEN) };
    const net = await network({ scenario, balance: "1000000" }, "each");
    const received: Notification[] = [];
    net.served.host.subscribe((news) => received.push(news));
    const [one, two] = [
      await postPayment(net, "v1", "alice", "bob", 0),
      await postPayment(net, "v2", "alice", "carol", 0),
    ];
    expect(await net.clientOf("v1").receipt(one.hash, SWIFT)).toMatchObject({ success: true });
    // A violation is told once the recording contains it.
    const told = () => received.flatMap((news) => (news.type === "violation" ? [news.finding] : []));
    const isTold = (): boolean => told().length > 0 && told().length === net.served.host.network.findings.length;
    await net.served.host.waitUntil(isTold, 20_000);

    const { findings } = net.served.host.network;
    expect(findings).toContainEqual(expect.objectContaining({ invariant: "agreement" }));
    const violations = told();
    expect(violations).toEqual(findings);
    const { body: status } = await net.call("/admin/status");
    expect(status["violations"]).toContainEqual(expect.objectContaining({ invariant: "agreement" }));
    expect(await net.clientOf("v2").transaction(two.hash)).toMatchObject({ hash: two.hash });
    expect(await net.clientOf("v1").health()).toBe("UP");

    const recording = await net.recording();
    await net.stop();
    const { run, differs } = again(recording);
    expect(differs).toBeUndefined();
    expect(run.findings.slice(0, violations.length)).toEqual(violations);
  });
});
