/** Drawing the world of a fuzz seed, by profile. */
import { drawWorld } from "../../src/search/fuzz/draw.ts";
import { PROFILES } from "../../src/search/fuzz/swarm.ts";
import { callsRow, type MicroGroup } from "./harness.ts";

const SEEDS = Array.from({ length: 20 }, (_, at) => String(at + 1));

export const drawGroup: MicroGroup = {
  name: "draw",
  about: `the scenario of one seed, of the seeds 1 to ${SEEDS.length}; it is not run.`,
  rows: () =>
    PROFILES.map((profile) =>
      callsRow(
        profile,
        SEEDS.map((seed) => () => drawWorld(seed, profile).scenario),
      ),
    ),
};
