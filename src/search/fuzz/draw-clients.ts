/** The habits of drawn clients: whom they ask, how much at once, how soon they doubt. */
import { equivocators } from "../../scenario/declared.ts";
import type { ClientPart, Scenario } from "../../scenario/scenario.ts";
import type { Name } from "../../scenario/scenario-words.ts";
import { BARRED, BURNER, type Cast, GUARD, ISSUER, MINTER, OWNER, PAYERS, SCRIBE, WALLETS } from "./cast.ts";
import type { Dice } from "./dice.ts";

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

/** Whoever equivocates is scripted, and `more`; all others trust a refusal that was shown to nobody, or do not, and cancel after doubt. */
export function drawClients(
  dice: Dice,
  { validators }: Cast,
  scenario: Scenario,
  more: ReadonlySet<Name>,
): Readonly<Record<Name, ClientPart>> {
  // Who reuses a nonce signs the second operation only where the first is refused and shown to nobody: no equivocator.
  const reusing = (names: readonly Name[]): Scenario => ({
    ...scenario,
    clients: Object.fromEntries(names.map((name) => [name, { on_refusal: "reuse" }])),
  });
  const habits = dice.part("habits");
  const trusting = CLIENTS.filter(() => habits.chance(1, 2));
  const scripted = new Set([...equivocators(reusing(trusting)), ...more]);
  return Object.fromEntries(
    CLIENTS.map((name) => {
      const own = dice.part(name);
      if (scripted.has(name) || (hasEndlessBurns(scenario) && BURNERS.includes(name)))
        return [name, { behaviour: "scripted" }];
      return [name, habitsOf(own, validators, trusting.includes(name))];
    }),
  );
}

function habitsOf(dice: Dice, validators: readonly Name[], isTrusting: boolean): ClientPart {
  return {
    home: dice.pick(validators),
    window: dice.weighted([
      [3, 1],
      [2, 2],
      [1, 4],
    ]),
    ...drawPatience(dice),
    cancel_after: dice.weighted([
      [2, 3],
      [2, 0],
      [1, 1],
    ]),
    ...(isTrusting ? { on_refusal: "reuse" } : {}),
  };
}

/**
 * Whoever gives up sooner than the faults end leaves behind what only a validator's lost memory knew of; whoever still
 * tries when the run ends has something open. All of these last for 24 to 47 virtual seconds.
 */
function drawPatience(dice: Dice): Pick<ClientPart, "timeout_ms" | "give_up_after"> {
  return dice.weighted<Pick<ClientPart, "timeout_ms" | "give_up_after">>([
    [4, { give_up_after: 6 }],
    [1, { give_up_after: 7 }],
    [1, { timeout_ms: 300, give_up_after: 12 }],
    [1, { timeout_ms: 500, give_up_after: 9 }],
    [1, { timeout_ms: 2_000, give_up_after: 5 }],
    [1, { timeout_ms: 3_000, give_up_after: 4 }],
  ]);
}

/** More forced burns than the bound leaves time for: their authorities are owed no end of each. */
const BURNS_OWED = 8;
const BURNERS: readonly Name[] = [ISSUER, BURNER];

function hasEndlessBurns({ steps }: Scenario): boolean {
  return (steps ?? []).filter(({ submit }) => submit?.burn?.account !== undefined).length > BURNS_OWED;
}
