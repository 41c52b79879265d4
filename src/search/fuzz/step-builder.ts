/** Builder of a generated scenario's steps: nonces, operation names, times and amounts; strategies and holds of meetings. */
import type { ByzantineSpec } from "../../scenario/faults/byzantine.ts";
import { tokenIn } from "../../scenario/members.ts";
import type { Rng } from "../../scenario/rng.ts";
import type { Decimal, Name } from "../../scenario/schema/scalars.ts";
import type { Step } from "../../scenario/schema/step.ts";
import type { SubmitKinds, SubmitSpec } from "../../scenario/schema/submit.ts";
import type { TriggerSpec } from "../../scenario/schema/trigger.ts";
import type { MessageKind } from "../../simulator/plan.ts";
import type { GeneratorName } from "./generators.ts";
import type { Roles } from "./roles.ts";

/** Submitted operation, as faults refer to it. */
export interface KnownOperation {
  readonly id: Name;
  readonly from: Name;
  readonly nonce: number;
  /** Time of submission, exact or approximate. */
  readonly at: number;
  /** Account that it affects besides its signer's, and its token if it has a name. */
  readonly account: Name | undefined;
  readonly token: Name | undefined;
}

/** Options of a submission. Defaults: the builder's time, the signer's next nonce, the client's home. */
interface SubmitOptions {
  readonly nonce?: number;
  readonly at?: number;
  readonly after?: TriggerSpec;
  readonly only?: readonly Name[] | undefined;
  /** Further members of `submit`. */
  readonly more?: object | undefined;
}

/** Step without its time or trigger. */
type StepBody = Omit<Step, "at" | "after">;

export class StepBuilder {
  readonly steps: Step[] = [];
  readonly known: KnownOperation[] = [];
  /** Generators that have added steps. */
  readonly drawn: Set<GeneratorName> = new Set();
  /** Accounts that violate the client rules and are owed nothing. */
  readonly scripted: Set<Name> = new Set();
  /** Accounts that have many operations open at once. */
  readonly hot: Set<Name> = new Set();
  /** Time of the healing, where operations after it matter; `undefined`: when all steps are over. */
  healsAt: number | undefined;
  /** True if nothing is demanded of the end. */
  neverHeals = false;
  /** True if a restriction is hidden from some validators. */
  hides = false;
  /** Virtual milliseconds: start of the action that is being drawn. */
  at = 0;
  readonly #nonces = new Map<Name, number>();
  #rules = 0;

  /** True if an account has many operations open at once, in a network without faults. */
  get hasCrowd(): boolean {
    return this.hot.size > 0;
  }

  /** Returns the account's next unused nonce. */
  nonceOf(account: Name): number {
    return this.#nonces.get(account) ?? 0;
  }

  /** Submits an operation of `from`. */
  submit(from: Name, kinds: SubmitKinds, { nonce, at, after, only, more }: SubmitOptions = {}): KnownOperation {
    const used = nonce ?? this.nonceOf(from);
    const id = `o${this.known.length + 1}`;
    const when = after === undefined ? { at: at ?? this.at } : { after };
    const submit = { id, ...kinds, nonce: used, ...withoutLayout(kinds, more) };
    this.steps.push({ ...when, submit, ...(only === undefined ? {} : { only }) });
    this.#nonces.set(from, Math.max(this.nonceOf(from), used + 1));
    const named = tokenIn(kinds)?.name;
    // Of a token that nobody issued a file can name the address only, and no pattern of messages.
    const token = named?.startsWith("0x") === true ? undefined : named;
    const account = (kinds.burn ?? kinds.clawback)?.account;
    const operation: KnownOperation = { id, from, nonce: used, at: at ?? this.at, account, token };
    this.known.push(operation);
    return operation;
  }

  /** Submits a proof that an account signed two operations for one nonce. */
  recover(
    id: Name,
    recovery: NonNullable<SubmitSpec["recovery"]>,
    { nonce, at, only }: Pick<Required<SubmitOptions>, "nonce" | "at"> & Pick<SubmitOptions, "only">,
  ): void {
    this.addAt(at, { submit: { id, recovery, nonce }, ...(only === undefined ? {} : { only }) });
  }

  /** Runs a generator, which is drawn if it adds steps. */
  draw(name: GeneratorName, generate: () => void): void {
    const { length } = this.steps;
    generate();
    if (this.steps.length > length) this.drawn.add(name);
  }

  /** Adds a step at a time. */
  addAt(at: number, body: StepBody): void {
    this.steps.push({ at, ...body });
  }

  /** Adds a step after a trigger. */
  addAfter(after: TriggerSpec, body: StepBody): void {
    this.steps.push({ after, ...body });
  }

  /** Returns a new name for a hold or drop rule. */
  newRule(): Name {
    this.#rules += 1;
    return `r${this.#rules}`;
  }
}

/** A batch has one layout: those that are drawn are for others. */
function withoutLayout({ batch }: SubmitKinds, more: object | undefined): object | undefined {
  if (batch === undefined || more === undefined) return more;
  const { layout: _, recent_epoch: __, recent_checkpoint: ___, ...rest } = more as Partial<SubmitSpec>;
  return rest;
}

/** Decimals of every generated token. */
export const DECIMALS = 2;

/** Returns the decimal text of a number of cents. */
export function centsText(count: number): Decimal {
  const whole = Math.floor(count / 100);
  const rest = count % 100;
  return rest === 0 ? String(whole) : `${whole}.${String(rest).padStart(2, "0")}`;
}

/** 2^63 - 1 cents, the largest signed 64-bit amount: beyond the exact integers of a double. */
export const WIDE: Decimal = "92233720368547758.07";
/** 2^255 cents: two of them exceed the maximum supply. */
export const WIDEST: Decimal = "578960446186580977117854925043439539266349923328202820197287920039565648199.68";

/** Kinds of messages that carry decisions. */
export const DECISIONS: readonly MessageKind[] = ["finality", "decisions"];

/** Returns the Byzantine validators that run strategies. */
export function ownStrategies({ byzantine, twins, losing, restored, keepsLast, validators }: Roles): readonly Name[] {
  const isFree = (node: Name): boolean => ![twins, losing, restored].some((role) => role.includes(node));
  return byzantine.filter((node) => isFree(node) && !(keepsLast && node === validators.at(-1)));
}

/** Gives every Byzantine validator that runs a strategy a further one. */
export function addStrategyToAll(roles: Roles, strategy: Omit<ByzantineSpec, "node">, builder: StepBuilder): void {
  for (const node of ownStrategies(roles)) builder.addAt(0, { byzantine: { node, ...strategy } });
}

/** Holds messages from the builder's time until `end`. */
export function holdUntil(builder: StepBuilder, end: number, messages: object): void {
  const rule = builder.newRule();
  builder.addAt(builder.at, { hold: { rule, ...messages } });
  builder.addAt(end, { release: rule });
}

/** Holds list proposals for a while, so that operations authorised meanwhile share one list. */
export function gatherLists(rng: Rng, token: Name, builder: StepBuilder): void {
  holdUntil(builder, builder.at + rng.integer(200, 900), { kinds: ["proposal"], token });
}
