/** Checks of genesis, network, clients and healing: valid names and initial values. */
import { ROLE_CAPS } from "../../core/ledger/limits.ts";
import { issueAtKey, type Path, type ScenarioIssue } from "../../schema/problem.ts";
import { PARTIES_MAX } from "../../simulator/settings.ts";
import { byzantineValidators } from "../compile/compile.ts";
import { accountsInSteps, equivocators, twinServices, validatorNames } from "../declarations.ts";
import { type Declarations, isAddress } from "../names.ts";
import { checkCommands } from "../node-commands.ts";
import type { ClientSpec, Scenario, TokenSpec } from "../scenario.ts";
import { checkpointsIn } from "../schema/epoch.ts";
import { checkRange } from "../schema/scalars.ts";
import { checkKeyNames, checkNames } from "./name-check.ts";

/** The issues of everything but steps and expectations. */
export function checkNetwork(scenario: Scenario, declared: Declarations): readonly ScenarioIssue[] {
  const { genesis, clients, healing, network } = scenario;
  return [
    ...Object.keys(genesis?.balances ?? {}).flatMap((account) =>
      checkKeyNames(declared, "token", ["genesis", "balances", account], genesis?.balances?.[account]),
    ),
    ...checkKeyNames(declared, "token", ["genesis", "filler_accounts", "balances"], genesis?.filler_accounts?.balances),
    ...Object.entries(genesis?.tokens ?? {}).flatMap(([name, token]) => checkToken(name, token)),
    ...checkServices(scenario),
    ...checkKeyNames(declared, "token", ["genesis", "fees", "tokens"], genesis?.fees?.tokens),
    ...[...declared.accounts]
      .filter((name) => declared.nodes.has(name))
      .map((name) => ({
        path: placeOf(scenario, name),
        message: `"${name}" names a validator and an account: expected another name; \`rewards\` of the genesis names the account that gets its share`,
      })),
    ...checkSpares(scenario),
    ...checkEpochs(scenario, declared),
    ...checkParties(declared),
    ...checkNames(declared, "validator", ["network", "twins"], network?.twins),
    ...checkCommands(scenario, declared),
    ...checkNames(declared, "node", ["healing", "core"], healing?.core),
    ...checkCore(scenario),
    ...checkRange(["network", "delay_ms"], network?.delay_ms),
    ...checkRange(["network", "client_delay_ms"], network?.client_delay_ms),
    ...checkRange(["network", "write_ms"], network?.write_ms),
    ...checkKeyNames(declared, "account", ["clients"], clients),
    ...Object.entries(clients ?? {}).flatMap(([name, client]) => checkClient(scenario, name, client, declared)),
  ];
}

/** The issues of validators of the core that are Byzantine: nothing is owed by them. */
function checkCore(scenario: Scenario): readonly ScenarioIssue[] {
  const byzantine = byzantineValidators(scenario);
  return (scenario.healing?.core ?? []).flatMap((name, index): readonly ScenarioIssue[] => {
    const message = `${name} is Byzantine: expected a correct validator, since liveness is demanded of the core`;
    return byzantine.has(name) ? [{ path: ["healing", "core", index], message }] : [];
  });
}

/** Returns the step that names an account first, the genesis if none does. */
function placeOf({ steps = [] }: Scenario, account: string): Path {
  const step = steps.findIndex((candidate) => accountsInSteps([candidate]).includes(account));
  return step < 0 ? ["genesis"] : ["steps", step];
}

/** The issues of names that other validators have. */
function checkSpares(scenario: Scenario): readonly ScenarioIssue[] {
  const seen = new Set(validatorNames(scenario));
  return (scenario.network?.spares ?? []).flatMap((name, index): readonly ScenarioIssue[] => {
    const path = ["network", "spares", index];
    if (name.endsWith("'")) return [{ path, message: `${name} is the name of a twin: expected a name without '` }];
    if (seen.has(name)) return [{ path, message: `duplicate validator name "${name}"` }];
    seen.add(name);
    return [];
  });
}

/** Issues of balances of a second service: both services share one account. */
function checkServices(scenario: Scenario): readonly ScenarioIssue[] {
  const services = twinServices(scenario);
  return Object.keys(scenario.genesis?.balances ?? {}).flatMap((name): readonly ScenarioIssue[] => {
    const path = ["genesis", "balances", name];
    const message = `${name} is the second service of ${name.slice(0, -1)}: expected the account's name`;
    return services.has(name) ? [{ path, atKey: true, message }] : [];
  });
}

function checkEpochs({ genesis }: Scenario, declared: Declarations): readonly ScenarioIssue[] {
  const path = ["genesis"];
  const rewards = checkKeyNames(declared, "key", [...path, "rewards"], genesis?.rewards);
  if (genesis?.epochs === undefined || checkpointsIn(genesis) !== undefined) return rewards;
  const message = "`epochs` counts checkpoints, but none are formed: expected `checkpoints` beside it";
  return [...rewards, issueAtKey(path, "epochs", message)];
}

function checkClient(
  scenario: Scenario,
  name: string,
  client: ClientSpec,
  declared: Declarations,
): readonly ScenarioIssue[] {
  const path = ["clients", name];
  const { home, behaviour, on_refusal, twin } = client;
  const issues: ScenarioIssue[] = [...checkNames(declared, "node", [...path, "home"], home)];
  const isOdd = equivocators(scenario).has(name);
  if (behaviour === "correct" && isOdd)
    issues.push({
      path: [...path, "behaviour"],
      message: `${name} signs two operations for one nonce or with a false signature: only a scripted client does`,
    });
  if (twin === true && (behaviour === "scripted" || isOdd))
    issues.push(
      issueAtKey(path, "twin", "`twin` goes with correct clients: a scripted one sends two operations by itself"),
    );
  if (twin === true && name.endsWith("'"))
    issues.push(
      issueAtKey(path, "twin", `${name} is the name of the second service of an account: expected a name without '`),
    );
  if (on_refusal !== undefined && (behaviour === "scripted" || isOdd))
    issues.push(
      issueAtKey(path, "on_refusal", "`on_refusal` goes with correct clients: a scripted client reads no reply"),
    );
  return issues;
}

/** The issue of more parties than the simulated network allows. */
function checkParties({ nodes, accounts }: Declarations): readonly ScenarioIssue[] {
  const count = nodes.size + [...accounts].filter((name) => !isAddress(name)).length;
  if (count <= PARTIES_MAX) return [];
  return [{ path: [], message: `expected at most ${PARTIES_MAX} validators and named accounts, got ${count}` }];
}

function checkToken(name: string, token: TokenSpec): readonly ScenarioIssue[] {
  const path = ["genesis", "tokens", name];
  const issues: ScenarioIssue[] = [];
  for (const [role, holders] of Object.entries(token.roles ?? {}) as [keyof typeof ROLE_CAPS, readonly string[]][]) {
    if (holders.length > ROLE_CAPS[role])
      issues.push({
        path: [...path, "roles", role],
        message: `expected at most ${ROLE_CAPS[role]} addresses in ${role}, got ${holders.length}`,
      });
    if (new Set(holders).size < holders.length)
      issues.push({ path: [...path, "roles", role], message: `duplicate holder of ${role}` });
  }
  for (const holder of Object.keys(token.allowances ?? {})) {
    if (token.roles?.MintBurnTokens?.includes(holder) !== true)
      issues.push(
        issueAtKey([...path, "allowances"], holder, `${holder} has an allowance but not the role MintBurnTokens`),
      );
  }
  const wrongList = token.private === true ? "blacklist" : "whitelist";
  if ((token[wrongList] ?? []).length > 0)
    issues.push({
      path: [...path, wrongList],
      message: `a ${token.private === true ? "private" : "public"} token has no ${wrongList}`,
    });
  if (isAddress(name)) issues.push({ path, atKey: true, message: "expected a symbol, got an address" });
  return issues;
}
