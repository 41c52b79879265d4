/** Outcomes of an operation that was sent, from the responses of the network, and their report. */
import { setTimeout as sleep } from "node:timers/promises";
import { unreachable } from "../../core/base/assert.ts";
import { definedMembers } from "../../core/base/defined-members.ts";
import { type Address, toAddress } from "../../core/base/ids.ts";
import { readCount, readWhole } from "../../core/base/spelled-number.ts";
import type { Paint } from "../../report/paint.ts";
import { decimalText } from "../../scenario/decimal.ts";
import { type JsonMembers, textIn } from "../http.ts";
import type { Io } from "../io.ts";
import { type Api, type ApiResponse, findToken, isAddressText, type SendToken } from "./network.ts";
import type { SendRequest } from "./order.ts";

/** Milliseconds before the second poll for a decision; each later pause is 1.5 times as long. */
const POLL_FIRST_MS = 20;
/** Longest pause between polls in milliseconds. */
const POLL_LONGEST_MS = 500;

/** Outcome known when the command ends. */
export type SendOutcome =
  /** The operation was admitted, and the command does not wait. */
  | { readonly status: "submitted" }
  | FinalOutcome
  /** The network did not admit the operation; the nonce is free. */
  | { readonly status: "refused"; readonly http: number; readonly code: string; readonly message: string }
  /** The operation was admitted, but another one was decided for its nonce, or its epoch closed without it. */
  | { readonly status: "superseded" | "void"; readonly code: string; readonly message: string }
  /** The operation was not final within the time limit, or there was no response: it may still become final. */
  | { readonly status: "unknown"; readonly message: string }
  | { readonly status: "interrupted" };

/** The operation was decided in the slot of its effect. Members that the network does not return are `undefined`. */
export interface FinalOutcome {
  readonly status: "final";
  /** False if the decided operation could not take effect. */
  readonly success: boolean;
  readonly message: string;
  /** Fee in the smallest unit of its token. */
  readonly fee: bigint | undefined;
  readonly feeToken: Address | undefined;
  readonly epoch: number | undefined;
  readonly signers: number | undefined;
  readonly validators: number | undefined;
}

/** Returns the outcome of the first response; `undefined` if it admits the operation under an expected hash. */
export function immediateOutcome(answer: ApiResponse, hashes: readonly string[]): SendOutcome | undefined {
  if (answer.type === "none") return { status: "unknown", message: answer.reason };
  const { status: http, body } = answer;
  const [code, message] = [textIn(body, "error_code"), textIn(body, "message")];
  // Such a status does not show whether the operation was admitted (wire 2.3).
  if (http === 408 || http >= 500) return { status: "unknown", message: `status ${http}: ${code}: ${message}` };
  if (http !== 200) return { status: "refused", http, code, message };
  if (hashes.includes(textIn(body, "hash"))) return undefined;
  return { status: "unknown", message: `the network returned the hash ${textIn(body, "hash") || "(none)"}` };
}

/** Polls with growing pauses until the operation is decided, for at most `waitMs` real milliseconds. */
export async function pollOutcome(api: Api, hash: string, waitMs: number, io: Io): Promise<SendOutcome> {
  let pause = POLL_FIRST_MS;
  for (let waited = 0; ; waited += pause, pause = Math.min(pause + pause / 2, POLL_LONGEST_MS)) {
    const found = await findOutcome(api, hash);
    if (found !== undefined) return found;
    if (waited >= waitMs) return { status: "unknown", message: `not final within ${waitMs} ms` };
    if (await io.interrupted()) return { status: "interrupted" };
    await sleep(pause);
  }
}

async function findOutcome(api: Api, hash: string): Promise<SendOutcome | undefined> {
  const finalized = await getBody(api, "/v1/transactions/finalized/by_hash", { hash });
  if (finalized !== undefined) return readFinalOutcome(api, finalized);
  const body = await getBody(api, "/v1/transactions/by_hash", { hash });
  if (body === undefined) return undefined;
  const [code, node] = [textIn(body, "error_code"), textIn(body, "refused_by")];
  const decided = textIn(body, "superseded_by") || "another operation";
  switch (body["status"]) {
    case "superseded":
      return { status: "superseded", code, message: `${decided} was decided` };
    case "void":
      return { status: "void", code, message: "its epoch closed without it" };
    case "refused": {
      const giver = node === "" ? "" : `, by ${node}`;
      return { status: "refused", http: 422, code, message: `refused after admission${giver}` };
    }
    default:
      return undefined;
  }
}

/** Returns `undefined` without a successful response: the next poll may have one. */
async function getBody(
  api: Api,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<JsonMembers | undefined> {
  const answer = await api.get(path, { ...query, members: "all" });
  return answer.type === "answer" && answer.status === 200 ? answer.body : undefined;
}

async function readFinalOutcome(api: Api, body: JsonMembers): Promise<SendOutcome> {
  const { success, token_address: token, counter_signatures: signatures } = body;
  const epoch = readCount(body["epoch"]);
  if (typeof success !== "boolean")
    return { status: "unknown", message: "it is final, and the network does not say whether it took effect" };
  return {
    status: "final",
    success,
    message: textIn(body, "error_code"),
    fee: readWhole(body["fee_used"]),
    feeToken: isAddressText(token) ? toAddress(token) : undefined,
    epoch,
    signers: Array.isArray(signatures) ? signatures.length : undefined,
    validators: epoch === undefined ? undefined : await countValidators(api, epoch),
  };
}

/** Returns the number of validators of an epoch; `undefined` if the network does not return it. */
async function countValidators(api: Api, epoch: number): Promise<number | undefined> {
  const body = await getBody(api, "/v1/governances/epoch/by_id", { id: String(epoch) });
  const validators = (body?.["certificate"] as JsonMembers | null | undefined)?.["validators"];
  return Array.isArray(validators) ? validators.length : undefined;
}

/** Request with its outcome. */
export interface SendReport {
  readonly request: SendRequest;
  /** The signer; of a recovery the account that it frees. */
  readonly from: Readonly<{ name: string; address: Address }>;
  readonly nonce: number;
  readonly hash: string;
  /** Token that the operation issued. */
  readonly issued: string | undefined;
  readonly outcome: SendOutcome;
  /** Real milliseconds from the request to the outcome. */
  readonly elapsedMs: number;
  /** Token in which the fee was paid. */
  readonly feeToken: SendToken | undefined;
}

/**
 * Returns a message of the network in the words of an order: symbols for its tokens, amounts in their units, and names
 * for accounts. A token that the network does not describe stays as it is.
 */
export async function orderText(message: string, names: ReadonlyMap<Address, string>, api: Api): Promise<string> {
  const found = [...message.matchAll(/token (0x[0-9a-f]{40})\b/g)].map(([, address]) => address as Address);
  const described = await Promise.all([...new Set(found)].map((address) => findToken(api, address)));
  const tokens = new Map(described.flatMap((token) => (token === undefined ? [] : [[token.address, token]])));
  return message
    .replace(/(?:(\d+) of )?token (0x[0-9a-f]{40})\b/g, (text, amount: string | undefined, address: Address) => {
      const token = tokens.get(address);
      if (token === undefined) return text;
      return amount === undefined
        ? `token ${token.symbol}`
        : `${decimalText(BigInt(amount), token.decimals)} ${token.symbol}`;
    })
    .replace(/0x[0-9a-f]{40}\b/g, (address) => names.get(address as Address) ?? address);
}

/** Returns a line for the operation, and one for each known fact. */
export function sendReportText(report: SendReport, paint: Paint): string {
  const { outcome, hash, issued } = report;
  const lines = [
    `hash   ${hash}`,
    ...(issued === undefined ? [] : [`token  ${issued}`]),
    ...outcomeLines(report, outcome, paint),
  ];
  return `${paint("strong", sentence(report))}\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

/** Returns the JSON line: a contract with users' programs (add freely, change nothing). Amounts in the smallest unit. */
export function sendReportLine(report: SendReport): string {
  const { outcome, issued } = report;
  return JSON.stringify({
    type: "sent",
    kind: report.request.kind,
    hash: report.hash,
    from: report.from,
    nonce: report.nonce,
    ...definedMembers({ token: issued }),
    status: outcome.status,
    after_ms: Math.round(report.elapsedMs),
    ...(outcome.status === "final"
      ? {
          success: outcome.success,
          fee: outcome.fee?.toString() ?? null,
          fee_token: report.feeToken?.address ?? null,
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
      return [`${word} after ${Math.round(report.elapsedMs)} ms${signersText(outcome)}`, feeLine(report, outcome.fee)];
    }
    case "refused":
      return [`${paint("bad", "refused")} ${outcome.http} ${outcome.code}: ${outcome.message}`];
    case "superseded":
    case "void":
      return [`${paint("bad", outcome.status)} ${outcome.code}: ${outcome.message}`];
    case "unknown":
      return [
        `${paint("warn", "unknown")}: ${outcome.message}`,
        `it may still become final: GET ${report.request.url}/v1/transactions/by_hash?hash=${report.hash}`,
      ];
    case "interrupted":
      return [paint("warn", "interrupted: it may still become final")];
    default:
      return unreachable(outcome);
  }
}

function signersText({ signers, validators }: FinalOutcome): string {
  if (signers === undefined) return "";
  return `, signed by ${signers}${validators === undefined ? "" : ` of ${validators}`} validators`;
}

function feeLine({ feeToken }: SendReport, fee: bigint | undefined): string {
  if (fee === undefined) return "fee    unknown: the network does not say";
  if (fee === 0n) return "fee    none";
  if (feeToken === undefined) return `fee    ${fee} of the smallest unit`;
  return `fee    ${decimalText(fee, feeToken.decimals)} ${feeToken.symbol}`;
}

/** Returns a description such as "grant Pause of USDX to bob, signed by issuer, nonce 4". */
function sentence({ request, from, nonce }: SendReport): string {
  const { kind, fields, legs } = request;
  const { value, token, to, account, symbol, role } = fields;
  const parts = [role, value].filter((word) => word !== undefined);
  const words = [
    kind,
    ...parts,
    ...(parts.length > 0 || legs.length > 0 ? ["of"] : []),
    ...[token, symbol].filter((word) => word !== undefined),
    ...(legs.length === 0 ? [] : [`with ${legs.map(([payee, amount]) => `${amount} to ${payee}`).join(", ")}`]),
    ...(to === undefined ? [] : [`to ${to}`]),
    ...(account === undefined ? [] : [`for ${account}`]),
  ];
  const signed = kind === "recovery" ? "" : `, signed by ${from.name}`;
  return `${words.join(" ")}${signed}, nonce ${nonce}`;
}
