/** Policies of a genesis (specification 12.1). */
import type { Static, TOptional } from "typebox";
import {
  POLICY_CHOICES,
  POLICY_NAMES,
  type Policies,
  type PolicyName,
  policiesWith,
} from "../../core/base/policies.ts";
import { choiceWithMeanings, object, type Shape, withDefault } from "../../schema/shape.ts";

/** Name of a policy in files and options, its subject, and what each choice means. */
type PolicyRow<P extends PolicyName> = Readonly<{
  name: string;
  about: string;
  meanings: Readonly<Record<Policies[P], string>>;
}>;

const OF_EXCLUDED_SIGNERS = { allowed: "The role decides alone.", refused: "The list binds the signer as well." };

const ROWS = {
  issuedTokens: {
    name: "issued_tokens",
    about: "an issued token",
    meanings: { paused: "It starts paused, and its master unpauses it.", open: "It can be used at once." },
  },
  excludedMinters: {
    name: "excluded_minters",
    about: "a mint, also one of a bridge, by a signer that the token's list excludes",
    meanings: OF_EXCLUDED_SIGNERS,
  },
  excludedBurners: {
    name: "excluded_burners",
    about: "a burn by a signer that the token's list excludes",
    meanings: OF_EXCLUDED_SIGNERS,
  },
  clawbacks: {
    name: "clawbacks",
    about: "the accounts that are clawed back from",
    meanings: { any: "Any account.", excluded: "Accounts that the token's list excludes, and no others." },
  },
  allowances: {
    name: "allowances",
    about: "a grant of the right to mint to an account that has it",
    meanings: {
      set: "Its value takes the place of what is left of the allowance.",
      added: "Its value is added to what is left of the allowance, up to 2^256 - 1.",
    },
  },
  batchFees: {
    name: "batch_fees",
    about: "the fee of a batch payment",
    meanings: {
      pool: "It goes to the token's pool, which the end of an epoch shares.",
      operator: "The operator has it at once.",
    },
  },
  deposits: {
    name: "deposits",
    about: "the names of transactions of other chains, each of which is minted once",
    meanings: {
      text: "They are compared as texts, of which A to Z count in either case.",
      bytes: "They are compared as the bytes that they spell: A to Z in either case, with or without 0x and blanks.",
    },
  },
} as const satisfies { readonly [P in PolicyName]: PolicyRow<P> };

type Rows = typeof ROWS;
/** Policies as files name them. */
export type PoliciesSpec = { readonly [P in PolicyName as Rows[P]["name"]]?: Policies[P] };

type Members = { readonly [P in PolicyName as Rows[P]["name"]]: TOptional<Shape<Policies[P]>> };

const members = Object.fromEntries(
  POLICY_NAMES.map((policy) => {
    const { name, about, meanings } = ROWS[policy] as PolicyRow<PolicyName>;
    const shape = choiceWithMeanings(about, meanings);
    return [name, withDefault(POLICY_CHOICES[policy][0], shape)] as const;
  }),
) as unknown as Members;

/** Shape of the policies of a genesis. */
export const policies = object(
  "Decisions that the published specification leaves open. The ledger and the oracles judge by them. Example: policies: { issued_tokens: open }",
  members,
);

/** Names of the policies in files and options, each with its choices. */
export const POLICY_WORDS: ReadonlyMap<string, readonly string[]> = new Map(
  POLICY_NAMES.map((policy) => [ROWS[policy].name, POLICY_CHOICES[policy]]),
);

/** Returns the policies of a genesis: those that its file names, and the defaults. */
export function policiesOf(spec: Static<typeof policies> | undefined): Policies {
  const named = POLICY_NAMES.flatMap((policy) => {
    const choice = spec?.[ROWS[policy].name];
    return choice === undefined ? [] : [[policy, choice] as const];
  });
  return policiesWith(Object.fromEntries(named));
}
