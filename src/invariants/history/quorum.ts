/**
 * The oracles' own quorum arithmetic, written from protocol 1.1 and not from the core's: a fault planted in the
 * core's arithmetic must not blind what judges it (architecture law 1).
 *
 * Let n validators be given.
 *
 * - f, how many may be Byzantine: fewer than a third, so the greatest f with 3f < n, which is floor((n - 1) / 3) and
 *   the same as ceil(n / 3) - 1.
 * - q, a quorum: the least q for which any two quorums share an honest validator. Two sets of q out of n share at
 *   least 2q - n members, and of these f may be Byzantine, so 2q - n >= f + 1, which gives q = ceil((n + f + 1) / 2).
 *   It is two thirds of n rounded up, and n - f >= q, so the honest ones alone can make one.
 */
export interface Bounds {
  readonly validators: number;
  /** Most Byzantine validators that agreement survives. */
  readonly faults: number;
  /** Distinct members whose signatures make a certificate. */
  readonly quorum: number;
}

/** The bounds of a committee of `validators` members (protocol 1.1). @throws RangeError for an empty committee. */
export function bounds(validators: number): Bounds {
  if (!Number.isSafeInteger(validators) || validators < 1) {
    throw new RangeError(`committee: expected at least one validator, got ${validators}`);
  }
  const faults = Math.floor((validators - 1) / 3);
  const quorum = Math.floor((validators + faults + 2) / 2);
  return { validators, faults, quorum };
}
