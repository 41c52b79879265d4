/** The page of a served network at its root, and the data that it reads: the state, and the last events. */
import type { FastifyInstance, FastifyReply } from "fastify";
import { requireDefined } from "../core/base/assert.ts";
import { definedMembers } from "../core/base/defined-members.ts";
import type { Address } from "../core/base/ids.ts";
import { quorumOf } from "../core/consensus/committee.ts";
import { accountOf, balanceOf, type LedgerState, supplyOf } from "../core/ledger/state.ts";
import type { Token } from "../core/ledger/token.ts";
import type { EventTap } from "../live/operation-log.ts";
import type { LiveAccount, LiveCheckpoint, LiveEpoch, LiveNode, LiveState, LiveToken } from "../report/live-state.ts";
import { pageAssets, servedHtml, servedPolicy } from "../report/page-file.ts";
import type { TimelineData } from "../report/timeline/model.ts";
import type { RunEvent, RunEventKind, RunEventOf } from "../run/events/run-event.ts";
import { decimalText } from "../scenario/decimal.ts";
import { STRATEGIES, STRATEGY_NAMES } from "../simulator/byzantine/registry.ts";
import { firstRunningNode } from "./admin/operations.ts";
import type { RealHost } from "./host/real-host.ts";
import { TEST_MNEMONIC } from "./setup/accounts.ts";

/** Paths below the root that the page reads. */
export const PAGE_FILES = { script: "/page/live.js", style: "/page/live.css" } as const;

const HIDDEN = { schema: { hide: true } };

/** Serves the page's files and data. The root itself is answered by `sendPage`. */
export function servePage(app: FastifyInstance, page: Page): void {
  for (const name of ["script", "style"] as const) {
    const type = name === "script" ? "text/javascript" : "text/css";
    let bytes: Buffer | undefined;
    app.get(PAGE_FILES[name], HIDDEN, (_request, reply) => {
      // Bytes that all answers share, read or not.
      bytes ??= Buffer.from(pageAssets("live")[name]);
      return reply.type(`${type}; charset=utf-8`).header("cache-control", "no-cache").send(bytes);
    });
  }
  app.get("/page/state.json", HIDDEN, (_request, reply) => sendData(reply, pageState(page)));
  app.get("/page/events.json", HIDDEN, (_request, reply) => sendData(reply, eventsOf(page)));
}

function eventsOf({ host, recent }: Page): TimelineData {
  const { nodes, liveness, lines } = host.network;
  const correct = new Set(liveness.correct);
  const byzantine = nodes.filter((node) => !correct.has(node));
  return { validators: nodes, clients: [], byzantine, events: recent.readEvents(lines) };
}

function sendData(reply: FastifyReply, value: unknown): FastifyReply {
  return reply.header("cache-control", "no-store").send(value);
}

/** Responds with the page. Its scripts and styles are files of this server; it asks this server and its admin interface only. */
export function sendPage(reply: FastifyReply, { entry, adminUrl }: Page): FastifyReply {
  return reply
    .type("text/html; charset=utf-8")
    .header("content-security-policy", servedPolicy(adminUrl()))
    .header("cache-control", "no-cache")
    .send(servedHtml(`quorumlab ${entry}`, PAGE_FILES, "the interface is described at /docs"));
}

/** Parts of a served network that its page reads. */
export interface Page {
  readonly host: RealHost;
  readonly recent: RecentEvents;
  readonly entry: string;
  readonly version: string;
  /** Accounts that are shown; each key is known to everybody. */
  readonly accounts: readonly { readonly name: string; readonly address: Address; readonly key?: string | undefined }[];
  /** Names of validators, by address. */
  readonly validators: ReadonlyMap<Address, string>;
  readonly adminUrl: () => string | undefined;
  readonly hasFaucet: boolean;
}

/** Most rows of each table. */
const ROWS = 50;
const CHECKPOINTS = 12;
const VIOLATIONS = 20;

/** Strategies that need no operation to be named. */
const READY_STRATEGIES: readonly string[] = STRATEGY_NAMES.filter((name) => STRATEGIES[name].readsOperation !== true);

/** Returns the state now. O(rows), and O(pending operations). */
function pageState(source: Page): LiveState {
  const { host, entry, version, accounts, validators, adminUrl, hasFaucet } = source;
  const { network } = host;
  const { correct, inForce, excluded, byzantine, cut } = network.liveness;
  const ledger = network.ledgerOf(entry) ?? firstRunningNode(host)?.ledger;
  const tokens = ledger === undefined ? [] : [...ledger.tokens.entries()].slice(0, ROWS);
  const committee = ledger?.parameters.validators.length ?? network.nodes.length;
  return {
    ...{ version, chainId: network.chainId, entry },
    ...{ virtualMs: network.now, rate: host.rate, steps: network.steps, hash: network.hash },
    ...{ pending: network.pendingCount, final: network.archive.finals },
    ...{ committee, quorum: quorumOf(committee), epoch: epochState(ledger, validators, tokens) },
    nodes: network.nodes.map((node): LiveNode => {
      return {
        ...{ node, isRunning: network.ledgerOf(node) !== undefined },
        checkpoint: network.checkpointOf(node),
        pending: network.pendingAt(node),
        ...{ isCorrect: correct.includes(node), isByzantine: byzantine.includes(node) },
      };
    }),
    faults: [...excluded, ...inForce],
    cut,
    tokens: tokens.map(([address, token]): LiveToken => {
      const supply = decimalText(supplyOf(requireDefined(ledger, "ledger"), address as Address), token.decimals);
      const { symbol, decimals, isPaused, isPrivate } = token;
      return { symbol, address, decimals, supply, isPaused, isPrivate };
    }),
    accounts:
      ledger === undefined ? [] : accounts.slice(0, ROWS).map((account) => accountState(ledger, account, tokens)),
    ...definedMembers({ mnemonic: accounts.some(({ key }) => key !== undefined) ? TEST_MNEMONIC : undefined }),
    checkpoints: checkpointsOf(host),
    invariants: network.invariants.map(({ name, sentence }) => ({ name, sentence })),
    violations: network.findings.slice(0, VIOLATIONS).map(({ invariant, at, detail }) => ({ invariant, at, detail })),
    snapshots: host.snapshots,
    ...definedMembers({ adminUrl: adminUrl() }),
    hasFaucet,
    strategies: READY_STRATEGIES,
  };
}

type TokenEntries = readonly (readonly [address: string, Token])[];

function epochState(ledger: LedgerState | undefined, names: Page["validators"], tokens: TokenEntries): LiveEpoch {
  if (ledger === undefined) return { number: 0, members: [], opened: 0, fees: [] };
  const { epoch, opened, parameters } = ledger;
  const { validators, fees, epochLength } = parameters;
  return {
    number: epoch,
    members: validators.map(({ key }) => names.get(key) ?? key),
    opened,
    ...definedMembers({ closes: epochLength === undefined ? undefined : opened + epochLength }),
    fees: tokens.map(([address, { symbol, decimals }]) => {
      const { payment, cancellation, recovery } = fees.tokens.get(address as Address) ?? fees.default;
      const text = (amount: bigint): string => decimalText(amount, decimals);
      return { symbol, payment: text(payment), cancellation: text(cancellation), recovery: text(recovery) };
    }),
  };
}

function accountState(
  ledger: LedgerState,
  { name, address, key }: Page["accounts"][number],
  tokens: TokenEntries,
): LiveAccount {
  const balances = tokens.map(([token, { decimals }]) =>
    decimalText(balanceOf(ledger, address, token as Address), decimals),
  );
  return { name, address, ...definedMembers({ key }), nonce: accountOf(ledger, address).nonce, balances };
}

function checkpointsOf({ network }: RealHost): readonly LiveCheckpoint[] {
  const last = Math.max(...network.nodes.map((node) => network.checkpointOf(node)));
  const checkpoints: LiveCheckpoint[] = [];
  for (let number = last; number > Math.max(0, last - CHECKPOINTS); number--) {
    const link = network.archive.link(number);
    if (link === undefined) break;
    const { hash, content, applications } = link;
    const operations = applications.reduce((sum, { event }) => sum + event.receipts.length, 0);
    checkpoints.push({ number, hash, operations, timestamp: content.value.header.timestamp });
  }
  return checkpoints;
}

/** Events that are kept: those of some dozen payments among four validators. */
const KEPT = 2_500;
/** Definitions of operations that are kept; events refer to them. */
const OPERATIONS_KEPT = 1_000;
/** Milliseconds after the last look for which events are kept. */
const LOOKED_AT_MS = 10_000;

/** Kinds that the diagram draws: no timers, no disks. */
const KINDS: ReadonlySet<RunEventKind> = new Set<RunEventKind>([
  ...(["submitted", "responded", "sent", "delivered", "lost", "held", "signed", "decided", "applied"] as const),
  ...(["checkpointApplied", "epochClosed", "stateTransferred", "halted", "reported", "timerExpired"] as const),
  ...(["action", "crashed", "restarted", "started", "healed", "operation"] as const),
]);

export class RecentEvents implements EventTap {
  readonly kinds: typeof KINDS = KINDS;
  #events: RunEvent[] = [];
  #operations = new Map<string, RunEventOf<"operation">>();
  #line = 0;
  #end: NodeJS.Timeout | undefined;

  isWanted = (): boolean => this.#end !== undefined;

  observe = (event: RunEvent): void => {
    if (event.kind === "operation") {
      this.#operations.set(event.operation, event);
      const [oldest] = this.#operations.keys();
      if (oldest !== undefined && this.#operations.size > OPERATIONS_KEPT) this.#operations.delete(oldest);
      return;
    }
    this.#events.push(event);
    if (this.#events.length > 2 * KEPT) this.#events = this.#events.slice(-KEPT);
  };

  /**
   * Returns the last events, in order, after the operations that they refer to. The first look finds none, and the first
   * one after a return to an earlier moment, which begins another line of time.
   */
  readEvents(line: number): readonly RunEvent[] {
    if (line !== this.#line) this.#forget();
    this.#line = line;
    clearTimeout(this.#end);
    this.#end = setTimeout(() => this.#forget(), LOOKED_AT_MS);
    this.#end.unref();
    return [...this.#operations.values(), ...this.#events.slice(-KEPT)];
  }

  #forget(): void {
    clearTimeout(this.#end);
    this.#end = undefined;
    this.#events = [];
    this.#operations = new Map();
  }
}
