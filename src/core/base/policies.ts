/** Policies of a network: decisions that the published specification leaves open (specification 12.1). */

/** Choices of each policy, the default first. */
export const POLICY_CHOICES = {
  issuedTokens: ["paused", "open"],
  excludedMinters: ["allowed", "refused"],
  excludedBurners: ["allowed", "refused"],
  clawbacks: ["any", "excluded"],
  allowances: ["set", "added"],
  batchFees: ["pool", "operator"],
  deposits: ["text", "bytes"],
} as const;

export type PolicyName = keyof typeof POLICY_CHOICES;
/** Choices of one network, fixed by its genesis. */
export type Policies = { readonly [P in PolicyName]: (typeof POLICY_CHOICES)[P][number] };

export const POLICY_NAMES = Object.keys(POLICY_CHOICES) as readonly PolicyName[];

const DEFAULTS = Object.fromEntries(POLICY_NAMES.map((name) => [name, POLICY_CHOICES[name][0]])) as unknown as Policies;

/** Returns the default choices, with others in their place. */
export function policiesWith(choices: Partial<Policies> = {}): Policies {
  return { ...DEFAULTS, ...choices };
}
