/** Data of the page of a served network: plain JSON, read from `/page/state.json` and `/page/events.json`. */
import { decimalText } from "../scenario/decimal.ts";

/** A validator, or a spare one, as it stands now. */
export interface LiveNode {
  readonly node: string;
  readonly isRunning: boolean;
  /** False for a Byzantine validator, and for one that lost its disk. */
  readonly isCorrect: boolean;
  /** True while it follows a Byzantine strategy. */
  readonly isByzantine: boolean;
  readonly checkpoint: number;
  /** Pending operations in its pool. */
  readonly pending: number;
}

export interface LiveToken {
  readonly symbol: string;
  readonly address: string;
  readonly decimals: number;
  /** In units of the token. */
  readonly supply: string;
  readonly isPaused: boolean;
  readonly isPrivate: boolean;
}

export interface LiveAccount {
  readonly name: string;
  readonly address: string;
  /** Private key of an account of the public test mnemonic; absent where the key is a secret. */
  readonly key?: string;
  readonly nonce: number;
  /** In units, in the order of the tokens. */
  readonly balances: readonly string[];
}

export interface LiveCheckpoint {
  readonly number: number;
  readonly hash: string;
  /** Operations that it lists. */
  readonly operations: number;
  /** Unix seconds. */
  readonly timestamp: number;
}

/** The epoch in force. */
export interface LiveEpoch {
  readonly number: number;
  /** Names of its validators, in the order in which proposers rotate. */
  readonly members: readonly string[];
  /** The checkpoint that opened it. */
  readonly opened: number;
  /** The checkpoint with which it is due to close; absent where governance alone closes it. */
  readonly closes?: number;
  /** In units of their tokens, of each token that is shown. */
  readonly fees: readonly Readonly<Record<"symbol" | "payment" | "cancellation" | "recovery", string>>[];
}

/** The network as its entry validator shows it. */
export interface LiveState {
  readonly version: string;
  readonly chainId: number;
  /** Entry validator of this page's interface. */
  readonly entry: string;
  readonly virtualMs: number;
  /** Virtual milliseconds for each real one. */
  readonly rate: number;
  readonly steps: number;
  readonly hash: string;
  readonly pending: number;
  readonly final: number;
  /** Validators of the current epoch, and how many signatures make final. */
  readonly committee: number;
  readonly quorum: number;
  readonly epoch: LiveEpoch;
  readonly nodes: readonly LiveNode[];
  /** Faults that act now, in words. */
  readonly faults: readonly string[];
  /** Links between validators that carry nothing: sender and receiver. */
  readonly cut: readonly (readonly [from: string, to: string])[];
  readonly tokens: readonly LiveToken[];
  readonly accounts: readonly LiveAccount[];
  /** Public mnemonic of the accounts whose keys are shown; absent where none is. */
  readonly mnemonic?: string;
  /** The newest first. */
  readonly checkpoints: readonly LiveCheckpoint[];
  readonly invariants: readonly { readonly name: string; readonly sentence: string }[];
  readonly violations: readonly { readonly invariant: string; readonly at: number; readonly detail: string }[];
  /** Snapshots to which it can return, with their virtual times, the oldest first. */
  readonly snapshots: readonly { readonly name: string; readonly at: number }[];
  /** Of the admin interface, which makes faults; absent without one. */
  readonly adminUrl?: string;
  readonly hasFaucet: boolean;
  /** Byzantine strategies that a validator can be given. */
  readonly strategies: readonly string[];
}

/** Returns an amount in units of its token, with the token's symbol; empty without an amount. */
export function amountText({ tokens }: LiveState, value: string | null, token: string | null): string {
  if (value === null) return "";
  const known = tokens.find(({ address }) => address === token);
  return known === undefined ? value : `${decimalText(BigInt(value), known.decimals)} ${known.symbol}`;
}
