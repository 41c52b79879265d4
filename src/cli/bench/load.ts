/** Load on a served network: signed operations from several connections, each of which waits for its receipt. */

import { Agent, request } from "node:http";
import { request as requestSecurely, Agent as SecureAgent } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { realScheme } from "../../backends/secp256k1.ts";
import type { Address, Nonce } from "../../core/base/ids.ts";
import { digestOf } from "../../core/ledger/layout.ts";
import { Rng, type WeightedItem } from "../../scenario/rng.ts";
import type { NamedAccount } from "../../server/setup/accounts.ts";
import { writeOf } from "../../server/wire/write-of.ts";
import { answerIn, type JsonMembers, textIn } from "../http.ts";
import { type Api, readNonce, type SendToken } from "../send/network.ts";
import { draftOf } from "../send/operation.ts";
import { countCode, latencyOf, type Measurement } from "./measurement.ts";

/** Kinds of operations that a load can mix. */
export const LOAD_KINDS = ["payment", "mint", "burn", "issue"] as const;

export type LoadKind = (typeof LOAD_KINDS)[number];

/** Load on a network at an address. */
export interface ServedLoad {
  readonly api: Api;
  readonly chainId: number;
  readonly token: SendToken;
  /** Of all operations; `undefined`: the usual one of each kind. */
  readonly layout: string | undefined;
  /** One for each connection. */
  readonly payers: readonly NamedAccount[];
  /** Master authority of the token. */
  readonly issuer: NamedAccount;
  /** Signs issues. */
  readonly operator: NamedAccount;
  readonly mix: readonly WeightedItem<LoadKind>[];
  /** Operations a second over all connections; `undefined`: each connection goes on at once. */
  readonly rate: number | undefined;
  /** End of the load: seconds, or a number of operations. */
  readonly until: { readonly seconds: number } | { readonly operations: number };
  readonly seed: string;
  readonly interrupted: () => Promise<boolean>;
  /** Called after each operation that is over, with the number of the final ones so far. */
  readonly counted?: (final: number) => void;
  /** Milliseconds of a steady clock. */
  readonly now: () => number;
}

/** Milliseconds until an admitted operation counts as unanswered. */
const OUTCOME_MS = 30_000;
/** Milliseconds between two reads of a receipt where the network does not wait with its response. */
const POLL_MS = 5;
/** Status of a receipt that will never exist. */
const NEVER_FINAL = 422;
/** Milliseconds until a connection goes on after a refusal. */
const PAUSE_MS = 50;

const RECEIPT = "/v1/transactions/receipt/by_hash";

type LoadResult = Omit<Measurement, "network" | "clock" | "violations">;

/** Carries out a load. @throws UsageError if the network does not answer the reads before it. */
export async function servedLoad(load: ServedLoad): Promise<LoadResult> {
  const state = new LoadState(load);
  const connections = load.payers.map(() => connectionTo(load.api.url, replyOf));
  try {
    await Promise.all(connections.map((connection, at) => runLane(state, connection, load.payers[at] as NamedAccount)));
  } finally {
    for (const connection of connections) connection.close();
  }
  return state.result();
}

/** Operations and outcomes of one load, shared by its connections. */
class LoadState {
  readonly load: ServedLoad;
  isInterrupted = false;
  readonly #rng: Rng;
  readonly #start: number;
  /** Operations begun. */
  #begun = 0;
  #last: number;
  #final = 0;
  #unanswered = 0;
  readonly #failed = new Map<string, number>();
  readonly #refused = new Map<string, number>();
  readonly #admission: number[] = [];
  readonly #finality: number[] = [];
  /** Signatures of an account follow each other: the next nonce is known once the last one is admitted or refused. */
  readonly #turns = new Map<Address, Promise<unknown>>();
  readonly #nonces = new Map<Address, Nonce>();

  constructor(load: ServedLoad) {
    this.load = load;
    this.#rng = new Rng(load.seed, "load");
    this.#start = load.now();
    this.#last = this.#start;
  }

  /** Returns the next operation, and the time at which it is due; `undefined` at the end of the load. */
  next(): { readonly number: number; readonly kind: LoadKind; readonly due: number } | undefined {
    const { rate, until, mix } = this.load;
    const number = this.#begun;
    const due = rate === undefined ? this.load.now() : this.#start + (number * 1_000) / rate;
    const isOver =
      "seconds" in until
        ? Math.max(due, this.load.now()) >= this.#start + until.seconds * 1_000
        : number >= until.operations;
    if (isOver || this.isInterrupted) return undefined;
    this.#begun += 1;
    return { number, kind: this.#rng.pickWeighted(...mix), due };
  }

  /** Runs `work` with the next nonce of an account, after what it signed before. `work` returns true if it was admitted. */
  runInTurn(account: NamedAccount, work: (nonce: Nonce) => Promise<boolean>): Promise<void> {
    const { address } = account;
    const before = this.#turns.get(address) ?? Promise.resolve();
    const turn = before.then(async () => {
      const nonce = this.#nonces.get(address) ?? (await readNonce(this.load.api, address));
      const isAdmitted = await work(nonce);
      if (isAdmitted) this.#nonces.set(address, (nonce + 1) as Nonce);
      else this.#nonces.delete(address);
    });
    // A turn that failed is reported to its own connection; the next one does not depend on it.
    this.#turns.set(
      address,
      turn.catch(() => undefined),
    );
    return turn;
  }

  noteAdmission(due: number): void {
    this.#admission.push(this.load.now() - due);
  }

  noteEnd(due: number, code: string | undefined): void {
    this.#last = this.load.now();
    this.#finality.push(this.#last - due);
    if (code === undefined) this.#final += 1;
    else countCode(this.#failed, code);
    this.load.counted?.(this.#final);
  }

  noteRefusal(code: string): void {
    this.#last = this.load.now();
    countCode(this.#refused, code);
  }

  /** Counts an operation that was admitted and will never be final: its nonce is open again, or taken by another one. */
  noteDropped({ address }: NamedAccount, code: string): void {
    this.noteRefusal(code);
    this.#nonces.delete(address);
  }

  noteUnanswered(): undefined {
    this.#unanswered += 1;
    return undefined;
  }

  result(): LoadResult {
    const { rate, until } = this.load;
    const due = rate === undefined || !("seconds" in until) ? this.#begun : Math.floor(rate * until.seconds);
    return {
      seconds: (this.#last - this.#start) / 1_000,
      missed: Math.max(0, due - this.#begun),
      final: this.#final,
      failed: Object.fromEntries(this.#failed),
      refused: Object.fromEntries(this.#refused),
      unanswered: this.#unanswered,
      finality: latencyOf(this.#finality),
      admission: latencyOf(this.#admission),
      isInterrupted: this.isInterrupted,
    };
  }
}

/** Operations of one connection, one after the other. */
async function runLane(state: LoadState, connection: Connection<LoadReply>, payer: NamedAccount): Promise<void> {
  for (;;) {
    const next = state.next();
    if (next === undefined) return;
    const wait = next.due - state.load.now();
    if (wait > 0) await sleep(wait);
    if (await state.load.interrupted()) state.isInterrupted = true;
    if (state.isInterrupted) return;
    await runOperation(state, connection, payer, next);
  }
}

async function runOperation(
  state: LoadState,
  connection: Connection<LoadReply>,
  payer: NamedAccount,
  { number, kind, due }: { readonly number: number; readonly kind: LoadKind; readonly due: number },
): Promise<void> {
  const order = orderOf(state.load, kind, payer, number);
  const { signer } = order;
  let hash: string | undefined;
  await state.runInTurn(signer, async (nonce) => {
    const response = await postOrder(state.load, connection, order, nonce);
    if (response !== undefined && response.status !== 200) state.noteRefusal(codeOf(response));
    else hash = textIn(response?.body, "hash") || state.noteUnanswered();
    return hash !== undefined;
  });
  if (hash === undefined) {
    await sleep(PAUSE_MS);
    return;
  }
  state.noteAdmission(due);
  const outcome = await outcomeOf(connection, hash, state.load.now);
  const success = outcome?.body["success"];
  if (outcome?.status === NEVER_FINAL) state.noteDropped(signer, codeOf(outcome));
  else if (outcome === undefined || typeof success !== "boolean") state.noteUnanswered();
  else state.noteEnd(due, success ? undefined : codeOf(outcome));
}

/** Returns the response to a submission; `undefined` without one: it may have been admitted. */
async function postOrder(
  { chainId, token, layout, payers, issuer, operator }: ServedLoad,
  connection: Connection<LoadReply>,
  { kind, fields, signer }: LoadOrder,
  nonce: Nonce,
): Promise<LoadReply | undefined> {
  const known = [...payers, issuer, operator];
  const party = (_option: string, text: string): Address =>
    known.find(({ name }) => name === text)?.address ?? signer.address;
  const operation = draftOf(
    kind,
    { fields: { ...fields, layout }, additional: [], legs: [] },
    { chainId, nonce, token, party },
  );
  const signature = realScheme().sign(signer.key, digestOf(operation), signer.address);
  const { path, body } = writeOf({ operation, sender: signer.address, signature });
  return responseOf(connection, "POST", path, body);
}

/** Returns the receipt, or the error that says that there will be none (wire 1.4); `undefined` without either within `OUTCOME_MS`. */
async function outcomeOf(
  connection: Connection<LoadReply>,
  hash: string,
  now: () => number,
): Promise<LoadReply | undefined> {
  const path = `${RECEIPT}?hash=${hash}&min_receipt=${hash}`;
  for (const until = now() + OUTCOME_MS; now() < until; await sleep(POLL_MS)) {
    const response = await responseOf(connection, "GET", path);
    if (response?.status === 200 || response?.status === NEVER_FINAL) return response;
  }
  return undefined;
}

/** Response with its status and body; a body that is no JSON object counts as empty. */
interface LoadReply {
  readonly status: number;
  readonly body: JsonMembers;
}

function codeOf({ status, body }: LoadReply): string {
  return textIn(body, "error_code") || `status ${status}`;
}

function replyOf({ status, text }: Response): LoadReply {
  return { status, body: answerIn(text) ?? {} };
}

/** A connection that breaks counts as an operation without an outcome; the next request opens another one. */
async function responseOf(
  connection: Connection<LoadReply>,
  method: "GET" | "POST",
  path: string,
  body?: JsonMembers,
): Promise<LoadReply | undefined> {
  try {
    return await connection.ask(method, path, body === undefined ? undefined : JSON.stringify(body));
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** Operation of a load: its fields as `quorumlab send` takes them, and its signer. */
interface LoadOrder {
  readonly kind: LoadKind;
  readonly fields: Readonly<Record<string, string>>;
  readonly signer: NamedAccount;
}

function orderOf(
  { token: { symbol }, payers, issuer, operator }: ServedLoad,
  kind: LoadKind,
  payer: NamedAccount,
  number: number,
): LoadOrder {
  const recipient = payers[(payers.indexOf(payer) + 1) % payers.length] as NamedAccount;
  switch (kind) {
    case "payment":
      return {
        kind,
        signer: payer,
        fields: { to: recipient === payer ? issuer.name : recipient.name, token: symbol, value: "0.01" },
      };
    case "mint":
      return { kind, signer: issuer, fields: { to: payer.name, token: symbol, value: "1" } };
    case "burn":
      return { kind, signer: issuer, fields: { token: symbol, value: "0.01" } };
    case "issue":
      return {
        kind,
        signer: operator,
        fields: { symbol: `B${Date.now().toString(36)}${number}`, decimals: "6", master: issuer.name, name: "bench" },
      };
  }
}

/** Longest time until a response in milliseconds; longer than the longest wait for a receipt. */
const RESPONSE_MS = 15_000;

/** Response with its status and the text of its body. */
export interface Response {
  readonly status: number;
  readonly text: string;
}

export interface Connection<T> {
  /** Resolves with what was read of the response; `body` is JSON. @throws Error without one, and what reading it throws. */
  ask(method: "GET" | "POST", path: string, body?: string): Promise<T>;
  close(): void;
}

/** Returns a connection to a server; it opens with the first request. `url` has no slash at its end. */
export function connectionTo<T>(url: string, read: (response: Response) => T): Connection<T> {
  const isSecure = url.startsWith("https:");
  const agent = new (isSecure ? SecureAgent : Agent)({ keepAlive: true, maxSockets: 1 });
  const send = isSecure ? requestSecurely : request;
  const { hostname: host, port, pathname } = new URL(url);
  const hostname = host.replace(/^\[|\]$/g, "");
  const folder = pathname === "/" ? "" : pathname;
  return {
    ask: (method, path, body) =>
      new Promise((resolve, reject) => {
        const headers =
          body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
        // A literal: one that spreads another makes a request a fifth more expensive.
        const sent = send({ agent, hostname, port, method, path: `${folder}${path}`, headers }, (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () => {
            try {
              resolve(read({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
            } catch (error) {
              reject(error);
            }
          });
        });
        sent.on("error", reject);
        sent.setTimeout(RESPONSE_MS, () =>
          sent.destroy(new Error(`${method} ${path}: no response within ${RESPONSE_MS} ms`)),
        );
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
}
