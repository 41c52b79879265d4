/** Outcomes of an operation that was sent, from the responses of the network. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Address, toAddress } from "../../core/base/ids.ts";
import { readCount, readWhole } from "../../core/base/spelled-number.ts";
import { type JsonMembers, textIn } from "../http.ts";
import type { Io } from "../io.ts";
import { type Api, type ApiResponse, isAddressText } from "./network.ts";

/** Milliseconds before the second poll for a decision; each later pause is 1.5 times as long. */
const POLL_FIRST_MS = 20;
/** Longest pause between polls in milliseconds. */
const POLL_LONGEST_MS = 500;

/** Outcome known when the command ends. */
export type SendOutcome =
  /** Admitted, and not waited for. */
  | { readonly status: "submitted" }
  | FinalOutcome
  /** Not admitted; the nonce is free. */
  | { readonly status: "refused"; readonly http: number; readonly code: string; readonly message: string }
  /** Admitted, and another operation was decided for its nonce, or its epoch closed without it. */
  | { readonly status: "superseded" | "void"; readonly code: string; readonly message: string }
  /** Not final within the time limit, or no response: it may still become final. */
  | { readonly status: "unknown"; readonly message: string }
  | { readonly status: "interrupted" };

/** Decided in the slot of its effect; members that the network does not return are `undefined`. */
export interface FinalOutcome {
  readonly status: "final";
  /** False if it was decided and could not take effect. */
  readonly success: boolean;
  readonly message: string;
  /** In the smallest unit of the fee's token. */
  readonly fee: bigint | undefined;
  readonly feeToken: Address | undefined;
  readonly epoch: number | undefined;
  readonly signers: number | undefined;
  readonly validators: number | undefined;
}

/** Returns the outcome of the first response; `undefined` if it was admitted under one of the expected hashes. */
export function refusalIn(answer: ApiResponse, hashes: readonly string[]): SendOutcome | undefined {
  if (answer.type === "none") return { status: "unknown", message: answer.reason };
  const { status: http, body } = answer;
  const [code, message] = [textIn(body, "error_code"), textIn(body, "message")];
  // Neither shows whether it was admitted (wire 2.3).
  if (http === 408 || http >= 500) return { status: "unknown", message: `status ${http}: ${code}: ${message}` };
  if (http !== 200) return { status: "refused", http, code, message };
  if (hashes.includes(textIn(body, "hash"))) return undefined;
  return { status: "unknown", message: `the network returned the hash ${textIn(body, "hash") || "(none)"}` };
}

/** Polls until it is decided, with growing pauses, for at most `waitMs`. */
export async function outcomeOf(api: Api, hash: string, waitMs: number, io: Io): Promise<SendOutcome> {
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
  const finalized = await bodyAt(api, "/v1/transactions/finalized/by_hash", { hash });
  if (finalized !== undefined) return finalIn(api, finalized);
  const body = await bodyAt(api, "/v1/transactions/by_hash", { hash });
  if (body === undefined) return undefined;
  const [by, code, node] = ["superseded_by", "error_code", "refused_by"].map((member) => textIn(body, member));
  switch (body["status"]) {
    case "superseded":
      return { status: "superseded", code: code ?? "", message: `${by || "another operation"} was decided` };
    case "void":
      return { status: "void", code: code ?? "", message: "its epoch closed without it" };
    case "refused":
      return {
        status: "refused",
        http: 422,
        code: code ?? "",
        message: `refused after admission${node === "" ? "" : `, by ${node}`}`,
      };
    default:
      return undefined;
  }
}

/** Returns `undefined` without a successful response: the next poll may have one. */
async function bodyAt(
  api: Api,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<JsonMembers | undefined> {
  const answer = await api.get(path, query);
  return answer.type === "answer" && answer.status === 200 ? answer.body : undefined;
}

async function finalIn(api: Api, body: JsonMembers): Promise<SendOutcome> {
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
    validators: epoch === undefined ? undefined : await validatorsIn(api, epoch),
  };
}

/** Returns the number of validators of an epoch; `undefined` if the network does not return it. */
async function validatorsIn(api: Api, epoch: number): Promise<number | undefined> {
  const body = await bodyAt(api, "/v1/governances/epoch/by_id", { id: String(epoch) });
  const validators = (body?.["certificate"] as JsonMembers | null | undefined)?.["validators"];
  return Array.isArray(validators) ? validators.length : undefined;
}
