/** Report of an operation that was sent: text for people, or one JSON line for programs. */
import { unreachable } from "../../core/base/assert.ts";
import type { Paint } from "../../report/paint.ts";
import { decimalText } from "../../scenario/decimal.ts";
import type { SendToken } from "./network.ts";
import type { Order } from "./order.ts";
import type { SendOutcome } from "./outcome.ts";

/** Order after sending. */
export interface SendReport {
  readonly order: Order;
  readonly from: string;
  /** Of the signer, or of the account that a recovery frees. */
  readonly address: string;
  readonly nonce: number;
  readonly hash: string;
  /** Token that was issued. */
  readonly issued: string | undefined;
  readonly outcome: SendOutcome;
  /** Real milliseconds between the request and the end. */
  readonly afterMs: number;
  /** The token in which the fee was paid. */
  readonly feeToken: SendToken | undefined;
}

/** Returns a line for the operation, and one for each known fact. */
export function sentText(report: SendReport, paint: Paint): string {
  const { outcome, hash, issued } = report;
  const lines = [
    `hash   ${hash}`,
    ...(issued === undefined ? [] : [`token  ${issued}`]),
    ...outcomeLines(report, outcome, paint),
  ];
  return `${paint("strong", sentence(report))}\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

/** Returns the JSON line: a contract with users' programs (add freely, change nothing). Amounts in the smallest unit. */
export function sentLine({
  order,
  from,
  address,
  nonce,
  hash,
  issued,
  outcome,
  afterMs,
  feeToken,
}: SendReport): string {
  const { status } = outcome;
  return JSON.stringify({
    type: "sent",
    kind: order.kind,
    hash,
    from: { name: from, address },
    nonce,
    ...(issued === undefined ? {} : { token: issued }),
    status,
    after_ms: Math.round(afterMs),
    ...(outcome.status === "final"
      ? {
          success: outcome.success,
          fee: outcome.fee?.toString() ?? null,
          fee_token: feeToken?.address ?? null,
          epoch: outcome.epoch ?? null,
          signers: outcome.signers ?? null,
          validators: outcome.validators ?? null,
        }
      : {}),
    ...(outcome.status === "refused" ? { http_status: outcome.http } : {}),
    ...("code" in outcome ? { error_code: outcome.code } : {}),
    ...(outcome.status === "final" && !outcome.success ? { error_code: outcome.message } : {}),
    ...("message" in outcome && outcome.message !== "" ? { message: outcome.message } : {}),
  });
}

function outcomeLines(report: SendReport, outcome: SendOutcome, paint: Paint): readonly string[] {
  switch (outcome.status) {
    case "submitted":
      return [`${paint("good", "admitted")}; --wait waits until it is final`];
    case "final": {
      const { success, message } = outcome;
      const word = success ? paint("good", "final") : paint("bad", `final without effect, ${message}`);
      return [`${word} after ${Math.round(report.afterMs)} ms${signersText(outcome)}`, feeLine(report, outcome.fee)];
    }
    case "refused":
      return [`${paint("bad", "refused")} ${outcome.http} ${outcome.code}: ${outcome.message}`];
    case "superseded":
    case "void":
      return [`${paint("bad", outcome.status)} ${outcome.code}: ${outcome.message}`];
    case "unknown":
      return [
        `${paint("warn", "unknown")}: ${outcome.message}`,
        `it may still become final: GET ${report.order.url}/v1/transactions/by_hash?hash=${report.hash}`,
      ];
    case "interrupted":
      return [paint("warn", "interrupted: it may still become final")];
    default:
      return unreachable(outcome);
  }
}

function signersText({ signers, validators }: Extract<SendOutcome, { status: "final" }>): string {
  if (signers === undefined) return "";
  return `, signed by ${signers}${validators === undefined ? "" : ` of ${validators}`} validators`;
}

function feeLine({ feeToken }: SendReport, fee: bigint | undefined): string {
  if (fee === undefined) return "fee    unknown: the network does not say";
  if (fee === 0n) return "fee    none";
  if (feeToken === undefined) return `fee    ${fee} of the smallest unit`;
  return `fee    ${decimalText(fee, feeToken.decimals)} ${feeToken.symbol}`;
}

/** "grant Pause of USDX to bob, signed by issuer, nonce 4". */
function sentence({ order, from, nonce }: SendReport): string {
  const { kind, fields, legs } = order;
  const { value, token, to, account, symbol, role } = fields;
  const parts = [role, value].filter((word) => word !== undefined);
  const words = [
    kind,
    ...parts,
    ...(parts.length > 0 || legs.length > 0 ? ["of"] : []),
    ...(token === undefined ? [] : [token]),
    ...(symbol === undefined ? [] : [symbol]),
    ...(legs.length === 0 ? [] : [`with ${legs.map(([payee, amount]) => `${amount} to ${payee}`).join(", ")}`]),
    ...(to === undefined ? [] : [`to ${to}`]),
    ...(account === undefined ? [] : [`for ${account}`]),
  ];
  const signed = kind === "recovery" ? "" : `, signed by ${from}`;
  return `${words.join(" ")}${signed}, nonce ${nonce}`;
}
