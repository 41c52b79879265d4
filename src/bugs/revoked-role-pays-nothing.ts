import { Trie } from "../core/base/trie.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Reason that becomes invalid while its slot is open (protocol 3.2). */
export const revokedRolePaysNothing: KnownBadVariant = {
  name: "revoked-role-pays-nothing",
  mistake: "a cancellation by an authority is invalid once its role is revoked",
  source: "protocol 3.2",
  caughtBy: ["liveness"],
  rules: (real) => ({
    ...real,
    ledger: {
      ...real.ledger,
      holdsRoleOfToken: (state, signed) => {
        const tokens = Trie.of(
          [...state.tokens.entries()].map(([key, token]) => [key, { ...token, formerHolders: Trie.empty<true>() }]),
        );
        return real.ledger.holdsRoleOfToken({ ...state, tokens }, signed);
      },
    },
  }),
};
