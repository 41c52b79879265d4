/** Generated client behaviour: entry validators, window and timeouts. */
import { equivocators } from "../../scenario/declared.ts";
import type { Name } from "../../scenario/scalar-types.ts";
import type { ClientSpec, Scenario } from "../../scenario/scenario.ts";
import type { Rng } from "./rng.ts";
import { BARRED, BURNER, GUARD, ISSUER, MINTER, OWNER, PAYERS, type Roles, SCRIBE, WALLETS } from "./roles.ts";

const CLIENTS: readonly Name[] = [
  ...PAYERS,
  BARRED,
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
 * Equivocating clients and those in `more` are scripted; all others either trust undisclosed refusals or not, and
 * cancel in case of doubt.
 */
export function drawClients(
  rng: Rng,
  { validators }: Roles,
  scenario: Scenario,
  more: ReadonlySet<Name>,
): Readonly<Record<Name, ClientSpec>> {
  // A client that reuses nonces signs the second operation only if the first is refused undisclosed, so it does not
  // equivocate.
  const reusing = (names: readonly Name[]): Scenario => ({
    ...scenario,
    clients: Object.fromEntries(names.map((name) => [name, { on_refusal: "reuse" }])),
  });
  const habits = rng.part("habits");
  const trusting = CLIENTS.filter(() => habits.chance(1, 2));
  const scripted = new Set([...equivocators(reusing(trusting)), ...more]);
  return Object.fromEntries(
    CLIENTS.map((name) => {
      const own = rng.part(name);
      if (scripted.has(name) || (hasEndlessBurns(scenario) && BURNERS.includes(name)))
        return [name, { behaviour: "scripted" }];
      return [name, habitsOf(own, validators, trusting.includes(name))];
    }),
  );
}

function habitsOf(rng: Rng, validators: readonly Name[], isTrusting: boolean): ClientSpec {
  return {
    home: rng.pick(validators),
    window: rng.weighted([
      [3, 1],
      [2, 2],
      [1, 4],
    ]),
    ...drawTimeouts(rng),
    cancel_after: rng.weighted([
      [2, 3],
      [2, 0],
      [1, 1],
    ]),
    ...(isTrusting ? { on_refusal: "reuse" } : {}),
  };
}

/**
 * A client that gives up before faults end may leave operations that only a validator's lost memory held; one that
 * still retries at the end of the run leaves operations open. All of these last for 24 to 47 virtual seconds.
 */
function drawTimeouts(rng: Rng): Pick<ClientSpec, "timeout_ms" | "give_up_after"> {
  return rng.weighted<Pick<ClientSpec, "timeout_ms" | "give_up_after">>([
    [4, { give_up_after: 6 }],
    [1, { give_up_after: 7 }],
    [1, { timeout_ms: 300, give_up_after: 12 }],
    [1, { timeout_ms: 500, give_up_after: 9 }],
    [1, { timeout_ms: 2_000, give_up_after: 5 }],
    [1, { timeout_ms: 3_000, give_up_after: 4 }],
  ]);
}

/** Authorities of more forced burns than the bound leaves time for: no outcome of each is owed to them. */
const BURNS_OWED = 8;
const BURNERS: readonly Name[] = [ISSUER, BURNER];

function hasEndlessBurns({ steps }: Scenario): boolean {
  return (steps ?? []).filter(({ submit }) => submit?.burn?.account !== undefined).length > BURNS_OWED;
}
