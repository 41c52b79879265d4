/** Committee of each epoch, learned from closings: a certificate counts members of its epoch only. */

import { type Epoch, next } from "../../core/base/ids.ts";
import type { ClosingValue } from "../../core/base/slot.ts";
import type { Committee } from "../../core/consensus/committee.ts";
import type { Shared } from "../../core/validator/environment.ts";

export interface Committees {
  /** Returns `undefined` for an epoch that no closing has opened. */
  of(epoch: Epoch): Committee | undefined;
  /** An honest closing names the next committee; the first one of each epoch counts. */
  learn(closing: Pick<ClosingValue, "epoch" | "next">): void;
}

/** Returns the committees of a run, with the quorum arithmetic of its validators. */
export function createCommittees({ committee, committeeOf }: Pick<Shared, "committee" | "committeeOf">): Committees {
  const known = new Map<Epoch, Committee>([[committee.epoch, committee]]);
  return {
    of: (epoch) => known.get(epoch),
    learn: ({ epoch, next: parameters }) => {
      const following = next(epoch);
      if (!known.has(following)) known.set(following, committeeOf(following, parameters.validators));
    },
  };
}
