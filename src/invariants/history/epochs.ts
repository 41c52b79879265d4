/** Open epochs of a run with their starting point, parameters and committee (protocol 6.3). */
import type { EpochParameters } from "../../core/base/epoch.ts";
import type { Epoch } from "../../core/base/ids.ts";
import type { EventOf, RunSetting } from "../observation.ts";
import type { Committee, CommitteeDirectory } from "./committee-directory.ts";

export interface OpenEpoch {
  readonly epoch: Epoch;
  /** Number of the chain link that opened it; 0 for the genesis. */
  readonly opened: number;
  readonly parameters: EpochParameters;
  readonly committee: Committee;
}

/** Returns epoch 0. */
export function firstEpoch({ genesis }: RunSetting, who: CommitteeDirectory): OpenEpoch {
  return { epoch: 0 as Epoch, opened: 0, parameters: genesis, committee: who.committeeOf(genesis.validators) };
}

/** Returns the epoch that a closing opens. */
export function epochAfter({ value }: EventOf<"closed">, who: CommitteeDirectory): OpenEpoch {
  const { epoch, next, header } = value;
  return {
    epoch: (epoch + 1) as Epoch,
    opened: header.number,
    parameters: next,
    committee: who.committeeOf(next.validators),
  };
}
