/** Bounds of the admin API and of the operations that it makes. */

/** The body of one request. */
export const ADMIN_BODY_BYTES: number = 256 * 1_024;
/** How long a mint, burn or role of ours may take (real milliseconds). */
export const TOOL_MS: number = 10_000;
/** How long a checkpoint or an epoch's end may take beyond its interval (virtual milliseconds). */
export const CHAIN_MS: number = 30_000;
/** What one call of the faucet gives where it names no value, in whole tokens. */
export const FAUCET_TOKENS: bigint = 100n;
/** What one call of the faucet gives at most, in whole tokens. */
export const FAUCET_TOKENS_MAX: bigint = 1_000_000n;
