/** Drawn worlds fit validators that others wrote, and keep conflicts, Byzantine validators and held messages. */
import { expect, test } from "vitest";
import { fitScenario } from "../../src/external/fit.ts";
import type { Scenario } from "../../src/scenario/scenario.ts";
import { drawWorld } from "../../src/search/fuzz/draw.ts";
import { scenarioText } from "../../src/search/fuzz/scenario-text.ts";
import { withoutDangling } from "../../src/search/shrink/json-tree.ts";
import { parsed } from "../run/support.ts";

const FITTED = Array.from({ length: 20 }, (_, seed) =>
  withoutDangling(fitScenario(drawWorld(String(seed + 1), "quick").scenario).scenario),
);

test("each is a valid scenario file", () => {
  for (const scenario of FITTED)
    expect(parsed(scenarioText(scenario, [])).steps).toHaveLength(scenario.steps?.length ?? 0);
});

test("many have Byzantine validators, and many conflicts for one nonce", () => {
  const share = (has: (scenario: Scenario) => boolean): number => FITTED.filter(has).length / FITTED.length;
  const isByzantine = ({ steps = [] }: Scenario): boolean =>
    steps.some(({ twin, byzantine }) => twin !== undefined || byzantine !== undefined);
  expect(share(isByzantine)).toBeGreaterThan(1 / 8);
  expect(share(({ steps = [] }) => new Set(noncesOf(steps)).size < noncesOf(steps).length)).toBeGreaterThan(1 / 5);
});

function noncesOf(steps: NonNullable<Scenario["steps"]>): readonly string[] {
  return steps.flatMap(({ submit }) =>
    submit?.payment === undefined ? [] : [`${submit.payment.from} ${submit.nonce}`],
  );
}

const BASE: Scenario = {
  name: "faults of protocol 1",
  network: { validators: 4 },
  genesis: { tokens: { USD: { decimals: 2, master: "issuer" } }, balances: { alice: { USD: "9" } } },
};

function fittedSteps(steps: NonNullable<Scenario["steps"]>): Scenario {
  return fitScenario({ ...BASE, steps }).scenario;
}

test("a rule about votes becomes one about all messages between the same validators", () => {
  const { steps } = fittedSteps([{ at: 0, hold: { rule: "r", kinds: ["vote"], of: "a", from: ["v1"], to: ["v2"] } }]);
  expect(steps).toEqual([{ at: 0, hold: { rule: "r", kinds: ["opaque"], from: ["v1"], to: ["v2"] } }]);
});

test("a crash after a vote becomes one soon after the submission, and a crash at a signature one at a message", () => {
  const crash = { node: "v2", after_output: "sign" as const };
  const { steps } = fittedSteps([{ after: { voted: "a", by: "v1", plus_ms: 5 }, crash }]);
  expect(steps).toEqual([{ after: { submitted: "a", plus_ms: 20 }, crash: { node: "v2", after_output: "send" } }]);
});

test("a signer of another operation pays in its place, and can", () => {
  const { steps, genesis } = fittedSteps([{ at: 0, submit: { nonce: 0, pause: { from: "issuer", token: "USD" } } }]);
  expect(steps?.[0]?.submit?.payment).toMatchObject({ from: "issuer", token: "USD" });
  expect(genesis?.balances?.["issuer"]).toEqual({ USD: "10" });
  expect(genesis?.balances?.["alice"]).toEqual({ USD: "9" });
});

test("a Byzantine validator does one thing in place of all strategies that send our messages", () => {
  const { steps = [] } = fittedSteps([
    { at: 0, byzantine: { node: "v4", strategy: "double-vote" } },
    { at: 0, byzantine: { node: "v4", strategy: "hide-locks" } },
  ]);
  expect(steps).toHaveLength(1);
  expect(steps[0]?.twin ?? steps[0]?.byzantine).toBeDefined();
});
