/** Actions of a plan on a world, and the healing, after which faults end inside a core of correct validators. */
import { unreachable } from "../core/base/assert.ts";
import { idOf, submitOperation } from "./clients/run-client.ts";
import { beginWorkload } from "./clients/run-workload.ts";
import type { Engine } from "./engine.ts";
import type { Link } from "./network/network.ts";
import { release } from "./network/transmit.ts";
import { switchOff, switchOn } from "./nodes/apply-strategies.ts";
import type { Node } from "./nodes/node.ts";
import { crashNode, deliverInput, resumeNode, startNode } from "./nodes/run-node.ts";
import type { Action, HealingPlan } from "./plan.ts";
import { HEALED_DELAY_MS, type NodeName, type Party } from "./settings.ts";

/** @throws RangeError for unknown names and impossible settings. */
export function performAction(engine: Engine, action: Action): void {
  engine.listener.acted?.(action);
  if (isNodeFault(action)) {
    // Faults no longer affect a healed node.
    if (!engine.network.spared.has(action.node)) nodeFault(engine, engine.node(action.node), action);
    return;
  }
  const { network } = engine;
  switch (action.do) {
    case "restart":
      startNode(engine, engine.node(action.node));
      return;
    case "resume":
      resumeNode(engine, engine.node(action.node));
      return;
    case "partition":
      partition(engine, action.groups);
      return;
    case "cut":
      cutLinks(engine, action.from, action.to);
      return;
    case "heal":
      healLinks(engine, action.parties);
      return;
    case "link":
      linkAction(engine, action);
      return;
    case "hold":
      network.holds = [...network.holds, { rule: action.rule, messages: action.messages }];
      return;
    case "release":
      network.holds = network.holds.filter(({ rule }) => action.rule !== undefined && rule !== action.rule);
      release(engine, ({ rule }) => action.rule === undefined || rule === action.rule);
      return;
    case "drop": {
      const left = action.count ?? Number.MAX_SAFE_INTEGER;
      network.drops = [...network.drops, { rule: action.rule, messages: action.messages, left }];
      return;
    }
    case "undrop":
      network.drops = network.drops.filter(({ rule }) => action.rule !== undefined && rule !== action.rule);
      return;
    case "behave":
      switchOff(engine.node(action.node), action.strategy);
      return;
    case "twins":
      setTwinRoutes(engine, action.routes);
      return;
    case "submit":
      if ("admittedBy" in action) submitAdmitted(engine, action);
      else submitByClient(engine, action);
      return;
    case "workload":
      beginWorkload(engine, action.workload);
      return;
    case "govern":
      // A separate event: a trigger may act while this node's outputs are carried out.
      for (const node of action.to) engine.schedule(engine.now, { type: "govern", node, signed: action.signed });
      return;
    case "endFaults":
      beginHealing(engine, action.healing);
      return;
    default:
      unreachable(action);
  }
}

type AdmittedSubmission = Extract<Action, { admittedBy: NodeName }>;

function submitAdmitted(engine: Engine, { client, submission, admittedBy }: AdmittedSubmission): void {
  engine.listener.submitted?.(client, idOf(engine, submission), submission, admittedBy, false);
  const node = engine.node(admittedBy);
  if (!node.running || node.isSuspended) return;
  deliverInput(engine, node, { type: "submit", at: engine.now, client, submission, admitted: true });
}

type ClientSubmission = Exclude<Extract<Action, { do: "submit" }>, AdmittedSubmission>;

function submitByClient(engine: Engine, { client: name, submission, to }: ClientSubmission): void {
  const client = engine.client(name);
  if (client === undefined) throw new RangeError(`action: "${name}" is not a client`);
  submitOperation(engine, client, submission, to ?? [client.plan.home]);
}

const NODE_FAULTS = ["crash", "suspend", "wipe", "backup", "restore", "clock", "disk", "byzantine"] as const;

type NodeFault = Extract<Action, { do: (typeof NODE_FAULTS)[number] }>;

function isNodeFault(action: Action): action is NodeFault {
  return NODE_FAULTS.some((name) => name === action.do);
}

function nodeFault(engine: Engine, node: Node, action: NodeFault): void {
  switch (action.do) {
    case "crash":
      crash(engine, node, action);
      return;
    case "suspend":
      suspend(engine, node, action.resumeAfterMs);
      return;
    case "wipe":
      crashNode(engine, node);
      node.loseDisk();
      return;
    case "backup":
      node.disk.backUp();
      return;
    case "restore":
      crashNode(engine, node);
      node.disk.rollBack();
      return;
    case "clock":
      node.ahead = action.aheadMs;
      return;
    case "disk":
      node.disk.change(action.settings);
      return;
    case "byzantine":
      switchOn(engine, node, action.strategy);
      return;
    default:
      unreachable(action);
  }
}

function crash(engine: Engine, node: Node, action: Extract<Action, { do: "crash" }>): void {
  if (!node.running) return;
  const { outputs, output, restartAfterMs } = action;
  if (output !== undefined || (outputs !== undefined && outputs > 0)) {
    node.pendingCrash = { left: outputs, output, restartAfterMs };
    return;
  }
  crashNode(engine, node, restartAfterMs);
}

function suspend(engine: Engine, node: Node, resumeAfterMs: number | undefined): void {
  if (!node.running || node.isSuspended) return;
  node.isSuspended = true;
  if (resumeAfterMs === undefined) return;
  engine.schedule(engine.now + resumeAfterMs, { type: "action", action: { do: "resume", node: node.name } });
}

function partition(engine: Engine, groups: readonly (readonly Party[])[]): void {
  for (const [index, group] of groups.entries()) {
    for (const [other, far] of groups.entries()) if (other !== index) cutLinks(engine, group, far);
  }
}

function cutLinks(engine: Engine, from: readonly Party[], to: readonly Party[]): void {
  changeLinks(engine, from, to, (link) => {
    link.isCut = true;
  });
}

function healLinks(engine: Engine, parties: readonly Party[] | undefined): void {
  const chosen = parties === undefined ? undefined : new Set(parties);
  for (const [from, to, link] of engine.network.usedLinks()) {
    if (chosen === undefined || (chosen.has(engine.nameOf(from)) && chosen.has(engine.nameOf(to)))) link.isCut = false;
  }
}

function linkAction(engine: Engine, { from, to, settings }: Extract<Action, { do: "link" }>): void {
  const all = engine.nodes.map(({ name }) => name);
  changeLinks(engine, from ?? all, to ?? all, (link) => {
    link.settings = { ...link.settings, ...settings };
  });
}

function changeLinks(engine: Engine, from: readonly Party[], to: readonly Party[], change: (link: Link) => void): void {
  for (const sender of from) {
    for (const receiver of to) {
      if (sender === receiver || engine.network.isSpared(sender, receiver)) continue;
      change(engine.network.link(engine.index(sender), engine.index(receiver)));
    }
  }
}

/** Replaces all earlier routes. */
function setTwinRoutes(engine: Engine, routes: Extract<Action, { do: "twins" }>["routes"]): void {
  const found = new Map<string, string>();
  for (const { from, to } of routes) {
    for (const key of engine.node(to).config.keys) for (const sender of from) found.set(`${sender}>${key}`, to);
  }
  engine.routes = found;
}

/**
 * Links inside the core, and between it and clients, are restored for good; crashed members restart, suspended ones go
 * on; their disks lose no more writes. All else stays as it is, unless `everywhere`. @throws RangeError if too few nodes are correct.
 */
function beginHealing(engine: Engine, plan: HealingPlan): void {
  const core = plan.core ?? drawCore(engine, plan.atLeast);
  const nodes = plan.everywhere === true ? engine.nodes.map(({ name }) => name) : core;
  const spared = new Set<Party>([...nodes, ...engine.clients.map(({ name }) => name)]);
  engine.core = core;
  engine.network.spared = spared;
  restoreLinks(engine, spared);
  release(engine, ({ arrival: { from, to } }) => spared.has(from) && spared.has(to));
  engine.listener.healed?.(core);
  for (const name of nodes) {
    const node = engine.node(name);
    node.pendingCrash = undefined;
    node.ahead = 0;
    node.disk.change({ losesLast: 0 });
    if (node.isSuspended) performAction(engine, { do: "resume", node: name });
    startNode(engine, node);
  }
}

function drawCore(engine: Engine, atLeast: number): readonly NodeName[] {
  const correct = engine.nodes.filter(({ honest, lostDisk }) => honest && !lostDisk).map(({ name }) => name);
  if (correct.length < atLeast) {
    throw new RangeError(`healing: expected at least ${atLeast} correct validators, got ${correct.length}`);
  }
  const { choices } = engine;
  const size = atLeast + choices.choose(choices.stream("healing size"), 0, correct.length - atLeast + 1);
  return choices.pick(choices.stream("healing core"), correct, size);
}

/** Includes unused links, whose settings may be as bad as any. */
function restoreLinks(engine: Engine, spared: ReadonlySet<Party>): void {
  const ends = [...spared].map((party) => engine.index(party));
  for (const from of ends) {
    for (const to of ends) {
      const isLink = from !== to && (engine.isNode(from) || engine.isNode(to));
      if (isLink) restoreNode(engine.network.link(from, to));
    }
  }
}

/** Parcels may still be late: those under way keep their delays, and later ones stay behind them in order. */
function restoreNode(link: Link): void {
  const { delayMs } = link.settings;
  const to = Math.min(delayMs.to, HEALED_DELAY_MS);
  const never = { of: 0, in: 1 };
  link.isCut = false;
  link.settings = { delayMs: { from: Math.min(delayMs.from, to), to }, loss: never, duplicate: never, reorder: never };
}
