/** State of a served network as its page shows it. */
import { requireDefined } from "../../core/base/assert.ts";
import { definedMembers } from "../../core/base/given.ts";
import type { Address } from "../../core/base/ids.ts";
import { quorumOf } from "../../core/consensus/committee.ts";
import { accountOf, balanceOf, type LedgerState, supplyOf } from "../../core/ledger/state.ts";
import type { Token } from "../../core/ledger/token.ts";
import type {
  LiveAccount,
  LiveCheckpoint,
  LiveEpoch,
  LiveNode,
  LiveState,
  LiveToken,
} from "../../report/live-state.ts";
import { decimalText } from "../../scenario/decimal.ts";
import { STRATEGIES, STRATEGY_NAMES } from "../../simulator/byzantine/registry.ts";
import { firstRunning } from "../host/host.ts";
import type { RealHost } from "../host/real-host.ts";

/** Parts of a served network that its page reads. */
export interface PageSource {
  readonly host: RealHost;
  readonly entry: string;
  readonly version: string;
  /** Accounts that are shown: names and addresses. */
  readonly accounts: readonly { readonly name: string; readonly address: Address }[];
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
export function pageState(source: PageSource): LiveState {
  const { host, entry, version, accounts, validators, adminUrl, hasFaucet } = source;
  const { network } = host;
  const { correct, faults, excluded } = network.liveness;
  const isCorrect = new Set(correct);
  const ledger = network.ledgerOf(entry) ?? firstRunning(host)?.ledger;
  const tokens = ledger === undefined ? [] : [...ledger.tokens.entries()].slice(0, ROWS);
  const committee = ledger?.parameters.validators.length ?? network.nodes.length;
  return {
    ...{ version, chainId: network.chainId, entry },
    ...{ virtualMs: network.now, rate: host.rate, steps: network.steps, hash: network.hash },
    ...{ pending: network.pending, final: network.finals },
    ...{ committee, quorum: quorumOf(committee), epoch: epochState(ledger, validators, tokens) },
    nodes: network.nodes.map((node) => nodeState(host, node, isCorrect.has(node))),
    faults: [...excluded, ...faults],
    tokens: tokens.map(([address, token]): LiveToken => {
      const supply = decimalText(supplyOf(requireDefined(ledger, "ledger"), address as Address), token.decimals);
      const { symbol, decimals, isPaused, isPrivate } = token;
      return { symbol, address, decimals, supply, isPaused, isPrivate };
    }),
    accounts: ledger === undefined ? [] : accounts.slice(0, ROWS).map((one) => accountState(ledger, one, tokens)),
    checkpoints: checkpointsOf(host),
    invariants: network.invariants.map(({ name, sentence }) => ({ name, sentence })),
    violations: network.findings.slice(0, VIOLATIONS).map(({ invariant, at, detail }) => ({ invariant, at, detail })),
    snapshots: host.snapshots,
    ...definedMembers({ adminUrl: adminUrl() }),
    hasFaucet,
    strategies: READY_STRATEGIES,
  };
}

function epochState(
  ledger: LedgerState | undefined,
  names: PageSource["validators"],
  tokens: readonly (readonly [address: string, Token])[],
): LiveEpoch {
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

function nodeState({ network }: RealHost, node: string, isCorrect: boolean): LiveNode {
  const ledger = network.ledgerOf(node);
  return {
    ...{ node, isRunning: ledger !== undefined, isCorrect },
    ...definedMembers({ epoch: ledger?.epoch }),
    checkpoint: network.checkpointOf(node),
    pending: network.pendingAt(node),
  };
}

type Tokens = readonly (readonly [address: string, token: { readonly decimals: number }])[];

function accountState(
  ledger: LedgerState,
  { name, address }: PageSource["accounts"][number],
  tokens: Tokens,
): LiveAccount {
  const balances = tokens.map(([token, { decimals }]) =>
    decimalText(balanceOf(ledger, address, token as Address), decimals),
  );
  return { name, address, nonce: accountOf(ledger, address).nonce, balances };
}

function checkpointsOf({ network }: RealHost): readonly LiveCheckpoint[] {
  const last = Math.max(...network.nodes.map((node) => network.checkpointOf(node)));
  const found: LiveCheckpoint[] = [];
  for (let number = last; number > Math.max(0, last - CHECKPOINTS); number--) {
    const link = network.archive.link(number);
    if (link === undefined) break;
    const { hash, content, applications } = link;
    const operations = applications.reduce((sum, { event }) => sum + event.receipts.length, 0);
    found.push({ number, hash, operations, timestamp: content.value.header.timestamp });
  }
  return found;
}
