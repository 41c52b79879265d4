import type { NativeStatus } from "../schemas/network.ts";

/** No validator supports domain-separated signatures: v1 writes only (wire 1.4). */
export function nativeStatus(validators: number): NativeStatus {
  return {
    native_write_mode: "v1_only",
    read_only: false,
    activation_source: "not_activated",
    dual_activated_at_secs: null,
    native_domain_separated_transactions: { support_count: 0, required_count: validators, full_support: false },
  };
}
