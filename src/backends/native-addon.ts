/** The addon of the package `secp256k1`. In a bundle, the builds that ship with this package stand in its place. */
import { createRequire } from "node:module";

const load = createRequire(import.meta.url);

/** Returns the addon itself: the package's own entry falls back to slow JavaScript without a word. @throws Error without a build for this machine */
export function nativeAddon(): unknown {
  return load("secp256k1/bindings");
}
