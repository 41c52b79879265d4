/** Bounds of the admin API and of its operations. */

/** Bytes of the body of one request. */
export const ADMIN_BODY_BYTES: number = 256 * 1_024;
/** Time limit of an operation of the server (real milliseconds). */
export const TOOL_MS: number = 10_000;
/** Time limit of a checkpoint or an epoch's end beyond its interval (virtual milliseconds). */
export const CHAIN_MS: number = 30_000;
/** Default amount of one faucet call, in whole tokens. */
export const FAUCET_TOKENS: bigint = 100n;
/** Largest amount of one faucet call, in whole tokens. */
export const FAUCET_TOKENS_MAX: bigint = 1_000_000n;
