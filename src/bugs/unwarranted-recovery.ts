import type { Address } from "../core/base/ids.ts";
import { recoveryId } from "../core/ledger/identity.ts";
import { accountOf } from "../core/ledger/state.ts";
import { operationsFor } from "../core/validator/mempool/pending.ts";
import type { Content } from "../core/validator/slots/content.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import { proposes, withByzantinePeer } from "./byzantine-peer.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

const attack = withByzantinePeer(
  proposes((state, slot, content) =>
    slot.kind === "account" && content.value.type === "burn" ? recoveryOf(state, slot.address, content) : undefined,
  ),
);

/** Free choice without a warrant (protocol 8): a recovery for an account that only had a due burn. */
export const unwarrantedRecovery: KnownBadVariant = {
  name: "unwarranted-recovery",
  mistake: "a free choice needs no warrant: a proposer proposes a recovery for an account that only had a due burn",
  source: "protocol 8; 3, table",
  caughtBy: ["validity"],
  rules: (real) => ({
    ...real,
    ledger: { ...real.ledger, checkRecovery: () => ({ answer: "accept" }) },
    validator: {
      ...real.validator,
      contentFault: (environment, content) =>
        content.value.type === "skip" && content.value.by === "recovery"
          ? undefined
          : real.validator.contentFault(environment, content),
    },
  }),
  program: attack,
  attack,
};

/** Returns the skip of a nonce for which its owner signed one operation: that one and the burn serve as the proof. */
function recoveryOf(state: ValidatorState, account: Address, { operations: [burn] }: Content): Content | undefined {
  const { ledger, environment } = state;
  const { nonce } = accountOf(ledger, account);
  const [signed] = operationsFor(state, account, nonce);
  if (signed === undefined || burn === undefined) return undefined;
  const operations = [signed, burn];
  const fee = environment.rules.ledger.skipFee(ledger, account, "recovery", operations);
  const id = recoveryId(ledger.chainId, account, nonce);
  return { value: { type: "skip", by: "recovery", id, ...fee }, operations, certificates: [] };
}
