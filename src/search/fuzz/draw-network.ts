/** Generated links and disks, and the behaviour of clients: entry validators, window and timeouts. */
import { equivocators } from "../../scenario/declarations.ts";
import type { Rng } from "../../scenario/rng.ts";
import type { ClientSpec, NetworkSpec, Scenario } from "../../scenario/scenario.ts";
import type { Name } from "../../scenario/schema/scalars.ts";
import { BARRED, BURNER, FUNDED, GUARD, ISSUER, MINTER, OWNER, PAYERS, type Roles, SCRIBE, WALLETS } from "./roles.ts";
import type { StepBuilder } from "./step-builder.ts";
import { HOT_WINDOW } from "./steps-crowds.ts";
import type { Intensity, SwarmKind } from "./swarm.ts";

/** Difference between the slowest and the fastest message in virtual milliseconds: minimum and maximum. */
const SLOWER = { 1: { least: 20, most: 90 }, 2: { least: 100, most: 600 } } as const;

/** Draws the section `network`. */
export function drawNetwork(rng: Rng, { swarm, validators, spares, twins, joins }: Roles): NetworkSpec {
  const fast = rng.split("delay");
  const least = fast.pick([1, 1, 5, 10]);
  const slower = swarm.slow === 0 ? undefined : SLOWER[swarm.slow];
  const more = slower === undefined ? fast.pick([0, 4, 15]) : fast.integer(slower.least, slower.most);
  const write = rng.split("disks");
  return {
    validators: validators.length,
    ...(spares.length === 0 ? {} : { spares }),
    delay_ms: `${least}..${least + more}`,
    ...(rng.split("clients").chance(1, 4) ? { client_delay_ms: `1..${rng.split("clients").pickSkewed(1, 100)}` } : {}),
    ...networkRate("loss", swarm.loss, ["1/30", "1/5"]),
    ...networkRate("duplicate", swarm.duplicate, ["1/20", "1/3"]),
    ...networkRate("reorder", swarm.reorder, ["1/10", "1/2"]),
    ...(swarm.disks === 0
      ? {}
      : { write_ms: `0..${swarm.disks === 1 ? write.pickSkewed(1, 20) : write.integer(20, 60)}` }),
    ...(joins ? { write_ms: write.integer(100, 200) } : {}),
    ...(twins.length === 0 ? {} : { twins }),
  };
}

function networkRate<K extends "loss" | "duplicate" | "reorder">(
  key: K,
  level: Intensity,
  [some, extreme]: readonly [string, string],
): Pick<NetworkSpec, K> {
  if (level === 0) return {} as Pick<NetworkSpec, K>;
  return { [key]: level === 1 ? some : extreme } as Pick<NetworkSpec, K>;
}

const CLIENTS: readonly Name[] = [
  ...PAYERS,
  BARRED,
  FUNDED,
  ...WALLETS,
  ISSUER,
  OWNER,
  BURNER,
  GUARD,
  MINTER,
  SCRIBE,
  "operator",
];

/**
 * Equivocating clients and those that a step makes so are scripted; all others either trust undisclosed refusals or not, and
 * cancel in case of doubt.
 */
export function drawClients(
  rng: Rng,
  roles: Roles,
  scenario: Scenario,
  { scripted: more, hot }: Pick<StepBuilder, "scripted" | "hot">,
): Readonly<Record<Name, ClientSpec>> {
  // A client that reuses nonces signs the second operation only if the first is refused undisclosed, so it does not
  // equivocate.
  const withReuse = (names: readonly Name[]): Scenario => ({
    ...scenario,
    clients: Object.fromEntries(names.map((name) => [name, { on_refusal: "reuse" }])),
  });
  const habits = rng.split("habits");
  const trusting = CLIENTS.filter(() => habits.chance(1, 2));
  const scripted = new Set([...equivocators(withReuse(trusting)), ...more]);
  return Object.fromEntries(
    CLIENTS.map((name) => {
      const own = rng.split(name);
      if (scripted.has(name) || (hasEndlessBurns(scenario) && BURNERS.includes(name)))
        return [name, { behaviour: "scripted" }];
      if (hot.has(name))
        return [name, { ...drawClientOptions(own, roles, false), window: HOT_WINDOW, cancel_after: 0 }];
      return [name, drawClientOptions(own, roles, trusting.includes(name))];
    }),
  );
}

function drawClientOptions(rng: Rng, roles: Roles, isTrusting: boolean): ClientSpec {
  return {
    home: rng.pick(roles.validators),
    window: rng.pickWeighted([3, 1], [2, 2], [1, 4]),
    ...drawTimeouts(rng, roles),
    cancel_after: rng.pickWeighted([2, 3], [2, 0], [1, 1]),
    ...(isTrusting ? { on_refusal: "reuse" } : {}),
  };
}

/** Faults by which all copies of a submission may be lost. */
const FORGETTING = [
  "loss",
  "drops",
  "crashes",
  "suspensions",
  "wipes",
  "absences",
  "meetings",
] as const satisfies readonly SwarmKind[];

/**
 * A client that gives up before faults end may leave operations that only a validator's lost memory held; one that
 * still retries at the end of the run leaves operations open. All of these last for 24 to 47 virtual seconds.
 */
function drawTimeouts(rng: Rng, { swarm }: Roles): Pick<ClientSpec, "timeout_ms" | "give_up_after"> {
  // Where nothing gets lost, validators owe an outcome to one that asks once.
  if (FORGETTING.every((kind) => swarm[kind] === 0) && rng.split("once").chance(1, 3)) return { give_up_after: 1 };
  return rng.pickWeighted<Pick<ClientSpec, "timeout_ms" | "give_up_after">>(
    [4, { give_up_after: 6 }],
    [1, { give_up_after: 7 }],
    [1, { timeout_ms: 300, give_up_after: 12 }],
    [1, { timeout_ms: 500, give_up_after: 9 }],
    [1, { timeout_ms: 2_000, give_up_after: 5 }],
    [1, { timeout_ms: 3_000, give_up_after: 4 }],
  );
}

/** Authorities of more forced burns and clawbacks than the bound leaves time for: no outcome of each is owed to them. */
const BURNS_OWED = 8;
const BURNERS: readonly Name[] = [ISSUER, BURNER];

function hasEndlessBurns({ steps }: Scenario): boolean {
  const forced = (steps ?? []).filter(({ submit }) => (submit?.burn ?? submit?.clawback)?.account !== undefined);
  return forced.length > BURNS_OWED;
}
