/** Validator program as the world runs it, and the applications that the oracles' translator reads. */
import { requireDefined, unreachable } from "../../core/base/assert.ts";
import type { Genesis, Member } from "../../core/base/epoch.ts";
import { type Address, type Epoch, nextCount } from "../../core/base/ids.ts";
import { type ClosingValue, type SlotKey, slotKey } from "../../core/base/slot.ts";
import {
  type Authenticator,
  type AuthenticatorParts,
  createAuthenticator,
} from "../../core/consensus/authenticator.ts";
import type { Committee } from "../../core/consensus/committee.ts";
import type { Scheme } from "../../core/crypto/scheme.ts";
import { ledgerRules } from "../../core/ledger/rules.ts";
import type { LedgerState } from "../../core/ledger/state.ts";
import { environmentOf, type SharedEnvironment, sharedEnvironment } from "../../core/validator/environment.ts";
import { createHashCache, type HashCache } from "../../core/validator/hash-cache.ts";
import type { Rules } from "../../core/validator/rules.ts";
import {
  type CapturedValidator,
  captureValidator,
  createValidator,
  forkValidator,
  restoreValidator,
  type ValidatorState,
} from "../../core/validator/state.ts";
import { type Input, step } from "../../core/validator/step.ts";
import type { AppliedChainLink } from "../../core/validator/sub-states.ts";
import type { ActiveKey, Program } from "../plan.ts";

/** Applied slot with the ledger right after it: one step may apply several. */
export interface LoggedApplication {
  readonly slot: SlotKey;
  readonly after: LedgerState;
}

/** Applications since the last read: filled by the rule that applies, drained after each step. */
export type ApplicationLog = ReturnType<typeof createApplicationLog>;

export function createApplicationLog() {
  let noted: LoggedApplication[] = [];
  return {
    note: (application: LoggedApplication): void => void noted.push(application),
    drain: (): readonly LoggedApplication[] => {
      if (noted.length === 0) return NO_APPLICATIONS;
      const all = noted;
      noted = [];
      return all;
    },
  };
}

const NO_APPLICATIONS: readonly LoggedApplication[] = [];

/** Returns the same rules; each application is logged with the state after it. */
function withApplicationLog(rules: Rules, log: ApplicationLog): Rules {
  const { apply } = rules.ledger;
  const loggingApply: typeof apply = (state, slot, value, operation, called) => {
    const applied = apply(state, slot, value, operation, called);
    if (applied.outcome === "applied") log.note({ slot: slotKey(slot), after: applied.state });
    return applied;
  };
  return { ...rules, ledger: { ...rules.ledger, apply: loggingApply } };
}

/** Data that the nodes of one world share. */
export interface SharedContext {
  readonly authenticator: Authenticator;
  readonly shared: SharedEnvironment;
  readonly rules: Rules;
  /** The same rules, without the log. */
  readonly plain: Rules;
  /** By the real rules, for clients and oracles. */
  readonly hashes: HashCache;
  /** Committees as clients know them. */
  readonly committees: Committees;
}

/**
 * `log` records applications of validators, not their replays of checkpoints. `signing`: for variants that sign other
 * bytes or check other parts. @throws RangeError for a genesis from which no ledger can start.
 */
export function sharedContextOf(
  genesis: Genesis,
  scheme: Scheme,
  rules: Rules,
  log?: ApplicationLog,
  signing?: Partial<AuthenticatorParts>,
): SharedContext {
  const authenticator = createAuthenticator(genesis.chainId, scheme, signing);
  const shared = sharedEnvironment(genesis, authenticator, rules);
  const isReal = rules.ledger.operationId === ledgerRules.operationId;
  const hashes = isReal ? shared.hashes : createHashCache(ledgerRules);
  const committees = createCommittees(shared);
  const plain = { ...rules, ledger: { ...rules.ledger, operationId: shared.hashes.operationId } };
  return {
    authenticator,
    shared,
    rules: log === undefined ? plain : withApplicationLog(plain, log),
    plain,
    hashes,
    committees,
  };
}

/** Returns the real validator program with these keys. */
export function programOf({ shared, rules, committees }: SharedContext, all: readonly Address[]): Program {
  const environment = environmentOf(shared, all, rules);
  return {
    start: (keys = all) => createValidator(environmentOf(shared, keys, rules)),
    step: (state, input) => {
      const outputs = step(state as ValidatorState, input);
      for (const output of outputs) {
        if (output.type === "event" && output.event.type === "closed") committees.learn(output.event.content.value);
      }
      return outputs;
    },
    fork: (state) => forkValidator(state as ValidatorState),
    capture: (state) => captureValidator(state as ValidatorState),
    restore: (captured) => restoreValidator(environment, captured as CapturedValidator),
    activeKeyOf: activeKeys(),
  };
}

/** Returns the key of a state; equal ones are one object, since the world asks after every input. */
function activeKeys(): (state: unknown) => ActiveKey {
  let last: ActiveKey | undefined;
  return (state) => {
    const { environment, ledger } = state as ValidatorState;
    const { self } = environment;
    if (last?.self !== self || last.epoch !== ledger.epoch) last = { self, epoch: ledger.epoch };
    return last;
  };
}

/** Returns the state of a running node, `undefined` for a program whose tables are elsewhere. */
export function validatorOf(state: unknown): ValidatorState | undefined {
  return "environment" in (state as object) ? (state as ValidatorState) : undefined;
}

/** Part of a validator's state by which a run is at rest. */
export interface RestingState {
  ledger: LedgerState;
  mempool: { readonly pending: { readonly size: number } };
  epochs: { readonly closed: unknown };
  checkpoints: { readonly last: Pick<AppliedChainLink, "hash" | "header"> };
}

/** Returns the ledger of a running node, ours or not. */
export function ledgerOf(state: unknown): LedgerState {
  return requireDefined(state as { readonly ledger: LedgerState } | undefined, "state of a running node").ledger;
}

type Committees = ReturnType<typeof createCommittees>;

/** Members of committees by their epochs. */
export type CommitteesState = ReadonlyMap<Epoch, readonly Address[]>;

/** Returns the committees of a run, with the quorum arithmetic of its validators. */
function createCommittees({ committee, committeeOf }: SharedEnvironment) {
  let known = new Map<Epoch, Committee>([[committee.epoch, committee]]);
  return {
    /** Returns `undefined` for an epoch that no closing has opened. */
    of: (epoch: Epoch): Committee | undefined => known.get(epoch),
    /** Returns the members of the committees so far. */
    capture: (): CommitteesState => new Map([...known].map(([epoch, { members }]) => [epoch, members])),
    restore: (captured: CommitteesState): void => {
      const asMembers = (members: readonly Address[]): readonly Pick<Member, "key">[] =>
        members.map((key) => ({ key }));
      known = new Map([...captured].map(([epoch, members]) => [epoch, committeeOf(epoch, asMembers(members))]));
    },
    /** An honest closing names the next committee; the first one of each epoch counts. */
    learn: ({ epoch, next: parameters }: Pick<ClosingValue, "epoch" | "next">): void => {
      const following = nextCount(epoch);
      if (!known.has(following)) known.set(following, committeeOf(following, parameters.validators));
    },
  };
}

/** Returns the same program; its exceptions begin with the node, the time and the input. */
export function withAssertionContext(node: string, program: Program): Program {
  return {
    ...program,
    step: (state, input) => {
      try {
        return program.step(state, input);
      } catch (error) {
        throw inputError(node, input, error);
      }
    },
  };
}

function inputError(node: string, input: Input, error: unknown): Error {
  const cause = error instanceof Error ? error : new Error(String(error));
  const words = `${node} threw ${cause.name} at ${input.at} ms on ${textOf(input)}: ${cause.message}`;
  const failure = new Error(words, { cause });
  // The location of the failure, not of its detection.
  const places = (cause.stack ?? "").split("\n").filter((line) => line.startsWith("    at "));
  failure.stack = [words, ...places].join("\n");
  return failure;
}

function textOf(input: Input): string {
  switch (input.type) {
    case "start":
      return "its start";
    case "message":
      return `a message (${input.message.type === "consensus" ? input.message.body.type : input.message.type})`;
    case "submit":
      return "a submission";
    case "govern":
      return "a governance proposal";
    case "timer":
      return `the timer "${input.name}"`;
    case "restart":
      return `its restart with ${input.records.length} records`;
    default:
      return unreachable(input);
  }
}
