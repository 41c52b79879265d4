/** The committee of each epoch, as whoever watches the closings knows it: a certificate counts with that of its epoch only. */

import { type Epoch, next } from "../../core/base/ids.ts";
import type { ClosingValue } from "../../core/base/slot.ts";
import type { Committee } from "../../core/consensus/committee.ts";
import type { Shared } from "../../core/validator/environment.ts";

export interface Committees {
  /** `undefined` for an epoch that nobody was seen to open. */
  of(epoch: Epoch): Committee | undefined;
  /** An honest closing says who is next; the first one of each epoch counts. */
  learn(closing: Pick<ClosingValue, "epoch" | "next">): void;
}

/** The committees of a run, by the quorum arithmetic that its validators use. */
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
