/** Actions of a plan on a world, and the healing, after which faults end inside a core of correct validators. */
import { idOf, submitOperation } from "./clients/run-client.ts";
import { beginWorkload } from "./clients/run-workload.ts";
import type { Engine } from "./engine.ts";
import type { Link } from "./network/network.ts";
import { release } from "./network/transmit.ts";
import { switchOff, switchOn } from "./nodes/apply-strategies.ts";
import { crashNode, deliverInput, resumeNode, startNode } from "./nodes/run-node.ts";
import type { Action, HealingPlan } from "./plan.ts";
import { HEALED_DELAY_MS, type NodeName, type Party } from "./settings.ts";

/** @throws RangeError for unknown names and impossible settings. */
export function performAction(engine: Engine, action: Action): void {
  engine.listener.acted?.(action);
  // Faults no longer affect a healed node.
  if (NODE_FAULTS.has(action.do) && "node" in action && engine.network.spared.has(action.node)) return;
  (EFFECTS[action.do] as (engine: Engine, action: Action) => void)(engine, action);
}

const NODE_FAULTS: ReadonlySet<Action["do"]> = new Set([
  ...(["crash", "suspend", "wipe", "backup", "restore", "clock", "disk", "byzantine"] as const),
]);

type ActionOf<Name extends Action["do"]> = Extract<Action, { readonly do: Name }>;

const EFFECTS: { readonly [Name in Action["do"]]: (engine: Engine, action: ActionOf<Name>) => void } = {
  crash,
  restart: (engine, { node }) => startNode(engine, engine.node(node)),
  suspend(engine, { node: name, resumeAfterMs }) {
    const node = engine.node(name);
    if (!node.running || node.isSuspended) return;
    node.isSuspended = true;
    if (resumeAfterMs === undefined) return;
    engine.schedule(engine.now + resumeAfterMs, { type: "action", action: { do: "resume", node: name } });
  },
  resume: (engine, { node }) => resumeNode(engine, engine.node(node)),
  wipe(engine, { node: name }) {
    const node = engine.node(name);
    crashNode(engine, node);
    node.loseDisk();
  },
  backup: (engine, { node }) => engine.node(node).disk.backUp(),
  restore(engine, { node: name }) {
    const node = engine.node(name);
    crashNode(engine, node);
    node.disk.rollBack();
  },
  clock(engine, { node, aheadMs }) {
    engine.node(node).ahead = aheadMs;
  },
  disk: (engine, { node, settings }) => engine.node(node).disk.change(settings),
  partition(engine, { groups }) {
    for (const group of groups) {
      for (const other of groups) if (other !== group) cutLinks(engine, group, other);
    }
  },
  cut: (engine, { from, to }) => cutLinks(engine, from, to),
  heal(engine, { parties }) {
    const isChosen = (index: number): boolean => parties?.includes(engine.nameOf(index)) ?? true;
    for (const [from, to, link] of engine.network.usedLinks()) if (isChosen(from) && isChosen(to)) link.isCut = false;
  },
  link(engine, { from, to, settings }) {
    const all = engine.nodes.map(({ name }) => name);
    changeLinks(engine, from ?? all, to ?? all, (link) => {
      link.settings = { ...link.settings, ...settings };
    });
  },
  hold({ network }, { rule, messages }) {
    network.holds = [...network.holds, { rule, messages }];
  },
  release(engine, action) {
    const { network } = engine;
    network.holds = network.holds.filter(({ rule }) => action.rule !== undefined && rule !== action.rule);
    release(engine, ({ rule }) => action.rule === undefined || rule === action.rule);
  },
  drop({ network }, { rule, messages, count = Number.MAX_SAFE_INTEGER }) {
    network.drops = [...network.drops, { rule, messages, left: count }];
  },
  undrop({ network }, action) {
    network.drops = network.drops.filter(({ rule }) => action.rule !== undefined && rule !== action.rule);
  },
  byzantine: (engine, { node, strategy }) => switchOn(engine, engine.node(node), strategy),
  behave: (engine, { node, strategy }) => switchOff(engine.node(node), strategy),
  /** Replaces all earlier routes. */
  twins(engine, { routes }) {
    const found = new Map<string, string>();
    for (const { from, to } of routes) {
      for (const key of engine.node(to).config.keys) for (const sender of from) found.set(`${sender}>${key}`, to);
    }
    engine.routes = found;
  },
  submit(engine, action) {
    if ("admittedBy" in action) submitAdmitted(engine, action);
    else submitByClient(engine, action);
  },
  workload: (engine, { workload }) => beginWorkload(engine, workload),
  govern(engine, { to, signed }) {
    // A separate event: a trigger may act while this node's outputs are carried out.
    for (const node of to) engine.schedule(engine.now, { type: "govern", node, signed });
  },
  endFaults: (engine, { healing }) => beginHealing(engine, healing),
};

type AdmittedSubmission = Extract<Action, { admittedBy: NodeName }>;

function submitAdmitted(engine: Engine, { client, submission, admittedBy }: AdmittedSubmission): void {
  engine.listener.submitted?.(client, idOf(engine, submission), submission, admittedBy, false);
  const node = engine.node(admittedBy);
  if (!node.running || node.isSuspended) return;
  deliverInput(engine, node, { type: "submit", at: engine.now, client, submission, admitted: true });
}

type ClientSubmission = Exclude<ActionOf<"submit">, AdmittedSubmission>;

function submitByClient(engine: Engine, { client: name, submission, to }: ClientSubmission): void {
  const client = engine.client(name);
  if (client === undefined) throw new RangeError(`action: "${name}" is not a client`);
  submitOperation(engine, client, submission, to ?? [client.plan.home]);
}

function crash(engine: Engine, { node: name, outputs, output, restartAfterMs }: ActionOf<"crash">): void {
  const node = engine.node(name);
  if (!node.running) return;
  if (output === undefined && (outputs === undefined || outputs <= 0)) crashNode(engine, node, restartAfterMs);
  else node.pendingCrash = { left: outputs, output, restartAfterMs };
}

function cutLinks(engine: Engine, from: readonly Party[], to: readonly Party[]): void {
  changeLinks(engine, from, to, (link) => {
    link.isCut = true;
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
