/** A Byzantine validator signs with its own key only: a check of the world from outside. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Address, Signature } from "../../src/core/base/ids.ts";
import type { StatementContent } from "../../src/core/consensus/message.ts";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import { compile } from "../../src/scenario/compile/compile.ts";
import { findScenarios } from "../../src/scenario/files.ts";
import type { Scenario } from "../../src/scenario/scenario.ts";
import { STRATEGY_NAMES } from "../../src/simulator/byzantine/registry.ts";
import { createWorld } from "../../src/simulator/world.ts";
import { scenarioIn } from "../run/support.ts";

const STATEMENTS = ["vote", "commit", "roundChange", "proposal", "close"];

interface Shown {
  readonly body: StatementContent;
  readonly signer: Address;
  readonly signature: Signature;
}

/** Every statement with a signature, and every seal, anywhere in the messages. */
function shownIn(part: unknown, found: Shown[] = []): readonly Shown[] {
  if (typeof part !== "object" || part === null) return found;
  const { type, signer, signature, seals } = part as Record<string, unknown>;
  if (typeof signature === "string" && STATEMENTS.includes(type as string))
    found.push({ body: part as StatementContent, signer: signer as Address, signature: signature as Signature });
  if ((type === "lock" || type === "finality") && Array.isArray(seals)) {
    const body = { ...part, type: type === "lock" ? "vote" : "commit" } as unknown as StatementContent;
    for (const seal of seals as readonly Shown[]) found.push({ body, signer: seal.signer, signature: seal.signature });
  }
  for (const member of Object.values(part)) shownIn(member, found);
  return found;
}

/** The first attack of each strategy, or the first regression. */
function attacks(): ReadonlyMap<string, Scenario> {
  const found = new Map<string, Scenario>();
  for (const { path } of findScenarios(["scenarios/attacks", "scenarios/regressions"]).files) {
    const scenario = scenarioIn(path);
    for (const { byzantine } of scenario.steps ?? [])
      if (byzantine !== undefined && !found.has(byzantine.strategy)) found.set(byzantine.strategy, scenario);
  }
  return found;
}

test("under every strategy, each signature of a key is made by its own validator", () => {
  const scenarios = attacks();
  expect([...scenarios.keys()].sort()).toEqual(STRATEGY_NAMES);
  let seen = 0;
  for (const [strategy, scenario] of scenarios) {
    const { plan, commons } = compile(scenario, { seed: "1", scheme: keyedHash });
    const made = new Set<string>();
    const forged: string[] = [];
    const looked = new Set<unknown>();
    const world = createWorld(plan, {
      signed: ({ key }, _body, digest) => {
        made.add(`${digest} ${key}`);
      },
      sent: (_from, _to, parcel) => {
        if (parcel.type !== "peer" || looked.has(parcel.message)) return;
        looked.add(parcel.message);
        for (const { body, signer, signature } of shownIn(parcel.message)) {
          const digest = commons.authenticator.digest(body);
          if (keyedHash.recover(digest, signature) !== signer) continue;
          seen += 1;
          if (!made.has(`${digest} ${signer}`)) forged.push(`${body.type} by ${signer}`);
        }
      },
    });
    world.run({ at: 3_000 as typeof world.now });
    expect([strategy, forged]).toEqual([strategy, []]);
  }
  expect(seen).toBeGreaterThan(5_000);
});

test("no strategy can reach a scheme or a signer: it asks for signatures by outputs, and names no signer", () => {
  const folder = "src/simulator/byzantine";
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  expect(files).toContain("strategies/locks.ts");
  for (const name of files) {
    const text = readFileSync(`${folder}/${name}`, "utf8");
    expect([name, /from "[^"]*(core\/crypto\/(scheme|keyed-hash|secp256k1)|signer)\.ts"/.test(text)]).toEqual([
      name,
      false,
    ]);
  }
});
