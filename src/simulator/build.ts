/** Construction of a world's state from its plan. */
import type { Address } from "../core/base/ids.ts";
import { Client } from "./clients/client.ts";
import { Digester, Trace } from "./digest.ts";
import { Engine, type Intervention, type WorldConfig } from "./engine.ts";
import { performAction } from "./faults.ts";
import type { WorldListener } from "./listener.ts";
import { type Link, Network } from "./network/network.ts";
import { armTrigger } from "./network/triggers.ts";
import { activateStrategy } from "./nodes/apply-strategies.ts";
import { Disk } from "./nodes/disk.ts";
import { createSigner, Node, type Signer } from "./nodes/node.ts";
import type { Action, ClientPlan, NodePlan, WorldPlan } from "./plan.ts";
import { Choices, type Stream } from "./random.ts";
import { scheduleOf } from "./schedule/schedule.ts";
import { DEFAULT_CLIENT, DEFAULT_LINK, type LinkSettings, PARTIES_MAX, type Party } from "./settings.ts";

type Signers = readonly Signer[];

/** @throws RangeError if names clash, a client's home is unknown, or settings are impossible. */
export function buildEngine(plan: WorldPlan, listener: WorldListener, intervention: Intervention): Engine {
  const parties = [...plan.nodes.map(({ name }) => name), ...plan.clients.map(({ name }) => name)];
  const choices = new Choices(plan.seed);
  const signers = plan.nodes.map((node) => signersOf(plan, node));
  const config = worldConfig(plan, intervention, parties, signers);
  const engine = new Engine(config, listener, {
    choices,
    trace: new Trace(),
    nodes: plan.nodes.map((_, index) => nodeOf(plan, config, choices, signers, index)),
    clients: plan.clients.map((client, index) => clientOf(config, client, plan.nodes.length + index)),
    network: networkOf(plan, parties, choices),
  });
  engine.scheduler = scheduleOf(plan, choices);
  scheduleAll(engine, plan);
  return engine;
}

/** One for each key of a node, its first key first. */
function signersOf({ scheme, statements }: WorldPlan, { key, otherKeys = [] }: NodePlan): Signers {
  return [key, ...otherKeys].map((signingKey) => createSigner(scheme, signingKey, statements));
}

/**
 * Actions of the plan at time 0 precede the first start, so that a link set there applies to every message; actions on
 * running nodes follow it.
 */
function scheduleAll(engine: Engine, { nodes, actions }: WorldPlan): void {
  const afterStart: Action[] = [];
  for (const planned of actions) {
    if ("when" in planned) armTrigger(engine, planned);
    else if (planned.at === 0 && NEEDS_RUNNING.has(planned.action.do)) afterStart.push(planned.action);
    else engine.schedule(planned.at, { type: "action", action: planned.action });
  }
  for (const { name } of nodes) engine.schedule(0, { type: "start", node: name });
  for (const action of afterStart) engine.schedule(0, { type: "action", action });
}

/** Actions on running nodes. */
const NEEDS_RUNNING: ReadonlySet<Action["do"]> = new Set(["crash", "restart", "restore", "suspend", "wipe"]);

function worldConfig(
  plan: WorldPlan,
  intervention: Intervention,
  parties: readonly Party[],
  signers: readonly Signers[],
): WorldConfig {
  const indexOf = new Map(parties.map((name, index) => [name, index]));
  if (indexOf.size !== parties.length) throw new RangeError("world: two nodes or clients have one name");
  if (parties.length > PARTIES_MAX)
    throw new RangeError(`world: expected at most ${PARTIES_MAX} parties, got ${parties.length}`);
  const holders = new Map<Address, number[]>();
  for (const [index, own] of signers.entries()) {
    for (const { address } of own) holders.set(address, [...(holders.get(address) ?? []), index]);
  }
  const entryNodes = [...new Set([...holders.values()].map(([first]) => parties[first as number] as Party))];
  return {
    plan,
    parties,
    indexOf,
    holders,
    entryNodes,
    digester: new Digester(),
    intervention,
    act: performAction,
    activated: activateStrategy,
  };
}

function nodeOf(
  plan: WorldPlan,
  config: WorldConfig,
  choices: Choices,
  signers: readonly Signers[],
  index: number,
): Node {
  const { name, program, disk, honest } = plan.nodes[index] as NodePlan;
  const own = new Map((signers[index] as Signers).map((signer) => [signer.address, signer]));
  const keys = [...own.keys()];
  const diskStream = choices.stream(`disk ${name}`);
  const isTwin = keys.some((key) => (config.holders.get(key)?.length ?? 0) > 1);
  const fixture = { name, index, signers: own, keys, program, diskStream };
  return new Node(fixture, new Disk({ ...plan.disk, ...disk }), honest ?? !isTwin);
}

function clientOf(config: WorldConfig, plan: ClientPlan, index: number): Client {
  const home = config.indexOf.get(plan.home);
  if (home === undefined || home >= config.plan.nodes.length) {
    throw new RangeError(`client "${plan.name}": its home "${plan.home}" is not a node`);
  }
  return new Client(index, { ...DEFAULT_CLIENT, ...plan });
}

function networkOf(plan: WorldPlan, parties: readonly Party[], choices: Choices): Network {
  const nodes = plan.nodes.length;
  const between: LinkSettings = { ...DEFAULT_LINK, ...plan.link };
  const toClients: LinkSettings = { ...DEFAULT_LINK, ...plan.clientLink };
  const makeLink = (from: number, to: number): Link => {
    const name = `${parties[from]}>${parties[to]}`;
    const stream = (kind: string): Stream => choices.stream(`${kind} ${name}`);
    const streams = {
      delay: stream("delay"),
      copy: stream("copy"),
      loss: stream("loss"),
      duplicate: stream("duplicate"),
      reorder: stream("reorder"),
    };
    const settings = from < nodes && to < nodes ? between : toClients;
    return { streams, settings, isCut: false, sent: 0, lastArrival: 0 };
  };
  return new Network(parties, makeLink);
}
