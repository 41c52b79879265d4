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

const ROWS = {
  issuedTokens: {
    name: "issued_tokens",
    about: "an issued token",
    meanings: { paused: "It starts paused, and its master unpauses it.", open: "It can be used at once." },
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
