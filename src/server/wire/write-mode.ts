/** Versions of writes that an interface serves (specification 15.4; wire 1.3). Validators accept both in any mode. */

/** Words of `--write-mode`. */
export const WRITE_MODES = ["v1-only", "dual", "v2-only"] as const;

export type WriteMode = (typeof WRITE_MODES)[number];

export const WRITE_MODE_DEFAULT: WriteMode = "dual";

/** Version of a write by its path. */
export type WriteVersion = 1 | 2;

/** Returns true if a mode serves writes of a version. */
export function servesVersion(mode: WriteMode, version: WriteVersion): boolean {
  return mode === "dual" || mode === `v${version}-only`;
}
