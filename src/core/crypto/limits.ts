/** Bounds of the crypto layer. */

/**
 * Recoveries that one `Verifier` keeps. Each entry is about 350 bytes of text, and a real recovery costs about 2 ms,
 * while a node meets the same vote, proposal or operation again within seconds.
 */
export const VERIFIER_CACHE = 16_384;

/** Signatures that a caching scheme keeps: of the last 1,000 payments or more, in some 20 MB. */
export const SIGNATURES_CACHED = 32_768;
