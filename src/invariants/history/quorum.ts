/**
 * Quorum arithmetic of the oracles, derived from protocol 1.1 independently of the core: a mistake in the core's
 * arithmetic must not blind its checkers (architecture law 1).
 *
 * For n validators:
 *
 * - f is the number of Byzantine validators tolerated: the greatest f with 3f < n, which is floor((n - 1) / 3) and the
 * same as ceil(n / 3) - 1.
 * - q is the quorum: the least q for which any two quorums share an honest validator. Two sets of q out of n share at
 * least 2q - n members, of which f may be Byzantine, so 2q - n >= f + 1, which gives q = ceil((n + f + 1) / 2). It
 * equals ceil(2n / 3), and n - f >= q, so the honest validators alone form a quorum.
 */
export interface QuorumBounds {
  readonly validators: number;
  /** Largest number of Byzantine validators that agreement tolerates. */
  readonly faults: number;
  /** Number of distinct members whose signatures make a certificate. */
  readonly quorum: number;
}

/**
 * Returns the bounds of a committee of `validators` members (protocol 1.1). @throws RangeError for an empty committee.
 */
export function bounds(validators: number): QuorumBounds {
  if (!Number.isSafeInteger(validators) || validators < 1) {
    throw new RangeError(`committee: expected at least one validator, got ${validators}`);
  }
  const faults = Math.floor((validators - 1) / 3);
  const quorum = Math.floor((validators + faults + 2) / 2);
  return { validators, faults, quorum };
}
