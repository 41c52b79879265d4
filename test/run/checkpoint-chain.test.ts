import { expect, test } from "vitest";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import { stateRoot } from "../../src/core/ledger/roots.ts";
import { CheckpointChain } from "../../src/run/checkpoint-chain.ts";
import { runScenario } from "../../src/run/run.ts";
import { compile } from "../../src/scenario/compile/compile.ts";
import { parsed } from "./support.ts";

const SCENARIO = parsed(`name: a chain
genesis:
  tokens: { USD: { decimals: 2, master: issuer } }
  balances: { alice: { USD: "1000" }, bob: { USD: "1000" } }
  checkpoints: { interval_ms: 200, period_s: 0 }
steps:
  - at: 0
    workload: { accounts: [alice, bob], count: 40, every_ms: 100, mix: [{ payment: { token: USD, value: "1" } }] }
expect: [{ violation: none }]
`);

/** The links of one run, in a chain that keeps the states of so many. */
function chainOf(whole?: number) {
  const { checkpoints } = runScenario(SCENARIO, { seed: "1" });
  const compiled = compile(SCENARIO, { seed: "1", scheme: keyedHash });
  const chain = new CheckpointChain(compiled.commons.shared.genesis, compiled.commons.plain.ledger, whole);
  for (const { certificate, content } of checkpoints) chain.add(certificate, content);
  return chain;
}

test("a chain keeps the accounts of its newest links only, whatever its length, and tells the same of all", () => {
  const [all, few] = [chainOf(), chainOf(3)];
  expect(all.links.length).toBeGreaterThan(10);
  expect(few.links.map(({ hash }) => hash)).toEqual(all.links.map(({ hash }) => hash));
  expect(few.links.filter(({ state }) => state.balances.size > 0)).toHaveLength(3);
  expect(few.links.map(({ applications }) => applications.map(({ event }) => event))).toEqual(
    all.links.map(({ applications }) => applications.map(({ event }) => event)),
  );
  const last = all.links.at(-1);
  if (last === undefined) throw new Error("no link");
  const roots = [all, few].map((chain) =>
    [...chain.upTo(last.content.value)].flatMap(({ applications, state }) => [
      ...applications.map(({ after }) => stateRoot(after)),
      stateRoot(state),
    ]),
  );
  expect(roots[1]).toEqual(roots[0]);
});

test("a second child of an old link is replayed from the genesis", () => {
  const chain = chainOf(1);
  const [first, second] = chain.links;
  if (first === undefined || second?.content.value.type !== "checkpoint") throw new Error("no links");
  const value = { ...second.content.value, header: { ...second.content.value.header, extraData: "0x01" as const } };
  chain.add({ ...second.certificate, value: `0x${"77".repeat(32)}` as typeof second.hash }, {
    ...second.content,
    value,
  } as typeof second.content);
  expect(chain.links.map(({ hash }) => hash)).not.toContain(`0x${"77".repeat(32)}`);
});
