/** Posts of a session, and what their answers must be by the reference ledger of the validator that is asked. */
import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { type Address, type PublicKey, type Signature, toSignature } from "../../../src/core/base/ids.ts";
import type { OperationId, SignedOperation, SignerSet } from "../../../src/core/base/operation.ts";
import type { Refusal } from "../../../src/core/base/refusal.ts";
import { operationId } from "../../../src/core/ledger/identity.ts";
import { digestOf } from "../../../src/core/ledger/layout.ts";
import { wrongAdmission } from "../../../src/invariants/oracles/validity/admission.ts";
import { noRequests, noteRequest, type Requests } from "../../../src/invariants/oracles/validity/client-requests.ts";
import { tokenAddress } from "../../../src/invariants/reference/addresses.ts";
import { identityOf } from "../../../src/invariants/reference/operation-meaning.ts";
import { runToEnd } from "../../../src/run/interruptible.ts";
import type { WriteMode } from "../../../src/server/wire/paths.ts";
import { readWrite } from "../../../src/server/wire/write.ts";
import { type Kind, pathOf } from "../client/layouts.ts";
import type { Answer } from "../client/reference-client.ts";
import { publicKeyOf, recoveryHash, type SignedBody } from "../client/signing.ts";
import type { Json, Running } from "../served/support.ts";
import { BOARD, boardBody, CREATION, signersOf } from "./board.ts";
import { type Judge, knownOf, type Posted } from "./judge.ts";
import { KINDS, layoutIn, NODES, SIGNERS, type Surroundings, type Write } from "./writes.ts";

/** A body on its way to a validator. */
interface Draft extends Omit<Posted, "answer" | "at" | "epoch"> {
  readonly node: string;
  /** Its header says that it is no copy of an earlier one. */
  readonly isNew: boolean;
}

/** A validator that waits for its disk while it is posted to. */
export interface SlowDisk {
  readonly node: string;
  /** Abandons the requests that wait for it; absent: time passes until each is answered. */
  readonly abandon: (() => Promise<void>) | undefined;
}

/** Posts all at once, then the recoveries. Returns what is wrong with the answers. */
export async function post(
  net: Running,
  judge: Judge,
  known: Surroundings,
  { writes, mode, slow }: { writes: readonly Write[]; mode: WriteMode; slow: SlowDisk | undefined },
): Promise<readonly string[]> {
  const drafts = new Drafts(net, judge, known, mode);
  const made: Draft[] = [];
  const recoveries: Recovery[] = [];
  for (const one of writes) {
    if (one.kind === "recovery") recoveries.push(await drafts.recovery(one));
    else made.push(await drafts.write(one));
  }
  const first = [...made, ...recoveries.flatMap(({ evidence }) => evidence)];
  const faults = await sendAll(net, judge, mode, first, slow);
  faults.push(
    ...(await sendAll(
      net,
      judge,
      mode,
      recoveries.map(({ draft: one }) => one),
    )),
  );
  // A recovery that was refused may be refused again.
  for (const one of made) {
    const before = judge.posts.get(one.hash);
    if (before !== undefined) judge.posts.set(one.hash, [...before, ...before.slice(-1)]);
  }
  for (const { draft: one, touched } of recoveries)
    if (judge.posted.has(one.hash)) judge.posts.set(one.hash, [...(judge.posts.get(one.hash) ?? []), touched]);
  return faults;
}

interface Recovery {
  readonly draft: Draft;
  /** Operations that are posted before it. */
  readonly evidence: readonly Draft[];
  readonly touched: { readonly parties: readonly string[]; readonly tokens: readonly string[] };
}

/** Two operations of one account take two nonces, a cancellation the one before, a rival that of an earlier write. */
class Drafts {
  readonly #nonces = new Map<string, number>();
  readonly #net: Running;
  readonly #judge: Judge;
  readonly #known: Surroundings;
  readonly #mode: WriteMode;

  constructor(net: Running, judge: Judge, known: Surroundings, mode: WriteMode) {
    [this.#net, this.#judge, this.#known, this.#mode] = [net, judge, known, mode];
  }

  async write(one: Write): Promise<Draft> {
    const earlier = [...this.#judge.posted.values()];
    const { node, flag } = one;
    const chosen = earlier[one.value % Math.max(1, earlier.length)];
    if (one.kind === "again" && chosen !== undefined) return { ...chosen, node, isNew: !flag };
    if (one.kind === "board") {
      const facts = { recipient: this.#known.address(one.to), value: one.value, token: this.#known.token };
      const head = { chain_id: chainOf(this.#net), nonce: this.#next(BOARD, node) };
      const { path, ...made } = boardBody(one.value % 2 === 0, head, facts, signersOf(flag));
      const { signed, ...rest } = draft(node, path, made, BOARD, head.nonce);
      return { ...rest, signed: signed && { ...signed, signature: flag ? ENOUGH : signed.signature } };
    }
    const own = one.value % 5 === 0 ? one.from : (SIGNERS[one.kind] ?? one.from);
    const kind = one.kind === "again" || one.kind === "rival" || one.kind === "recovery" ? "payment" : one.kind;
    const before = earlier.filter(({ from }) => from === this.#net.address(own));
    const rival = one.kind === "rival" ? before[one.value % Math.max(1, before.length)]?.nonce : undefined;
    const next = rival ?? this.#next(this.#net.address(own), node, one.kind === "cancellation");
    return this.#signed(node, { ...one, kind }, own, next);
  }

  /** Two payments of one nonce, and their proof; they are posted to two validators before it if `flag`. */
  async recovery(one: Write): Promise<Recovery> {
    const { node, from: own, to, flag } = one;
    const [from, nonce] = [this.#net.address(own), this.#next(this.#net.address(own), node)];
    const other = NODES.find((each) => each !== node) ?? node;
    const first = await this.#signed(node, { ...one, kind: "payment" }, own, nonce);
    const second = await this.#signed(other, { ...one, kind: "payment", value: one.value + 1 }, own, nonce);
    const evidence = [first, second].map(({ path, body }) => ({ path, body }));
    const chain_id = chainOf(this.#net);
    return {
      draft: {
        ...{ node, path: "/v1/transactions/recovery", body: { chain_id, account: from, nonce, evidence }, from, nonce },
        ...{ hash: recoveryHash(chain_id, from, nonce), signed: undefined, known: undefined, isNew: false },
      },
      evidence: flag ? [first, second] : [],
      touched: { parties: [from, this.#known.address(to)], tokens: [this.#known.token] },
    };
  }

  async #signed(node: string, one: Write & { readonly kind: keyof typeof KINDS }, own: string, nonce: number) {
    const [kind, fields] = KINDS[one.kind](one, this.#known) as unknown as readonly [Kind, never];
    const layout = layoutIn(this.#mode, one.layout, kind, fields);
    const options = { nonce, layout, chainId: chainOf(this.#net) };
    const made = await this.#net.clientOf(node).prepare(kind, fields, this.#net.key(own), options);
    return draft(node, pathOf(kind, layout), made, this.#net.address(own), nonce);
  }

  #next(account: string, node: string, isCancellation = false): number {
    const next = this.#nonces.get(account) ?? this.#judge.nonce(runningNode(this.#net, node), account);
    const nonce = isCancellation ? Math.max(0, next - 1) : next;
    this.#nonces.set(account, Math.max(next, nonce + 1));
    return nonce;
  }
}

/** @throws Error for a body that the server cannot read. */
function draft(node: string, path: string, { body, digest, hash }: SignedBody, from: string, nonce: number): Draft {
  const reading = readWrite(path, body);
  if (!reading.ok) throw new Error(`${path}: ${reading.error.message}`);
  const operation = reading.value.operations.find((one) => digestOf(one) === digest);
  if (operation === undefined) throw new Error(`${path}: no reading has the digest that was signed`);
  const { signature } = reading.value;
  const signed = {
    ...{ operation, sender: from as Address },
    signature: typeof signature === "string" ? signature : UNSIGNED,
  };
  return { node, path, body, hash, from, nonce, signed, known: { ...knownOf(signed), hash }, isNew: false };
}

/** Of equal ones the first alone: the order in which a validator takes what is posted at once is unknown. */
async function sendAll(
  net: Running,
  judge: Judge,
  mode: WriteMode,
  all: readonly Draft[],
  slow?: SlowDisk,
): Promise<string[]> {
  const drafts = all.filter(({ hash }, at) => all.findIndex((one) => one.hash === hash) === at);
  const statuses = await Promise.all(drafts.map((one) => statusBefore(net, judge, one)));
  if (slow !== undefined) await net.step({ disk: { node: slow.node, write_ms: 20 } });
  judge.waiting.clear();
  const sending = new Sending(net, judge, drafts);
  await sending.arrive();
  const answers = [...sending.answers];
  const requests = askedOf(judge, drafts);
  // Before time passes: a write that waits now must be admitted.
  const faults = drafts.flatMap((one, at) =>
    answerFaults(net, judge, one, { answer: answers[at] ?? accepted(one), before: statuses[at], requests, mode }),
  );
  const isHeld = drafts.map((one, at) => statuses[at] === undefined || wouldAdmit(judge, one, requests));
  for (const [at, one] of drafts.entries()) {
    const answer = answers[at];
    if (answer?.status !== 200) continue;
    note(judge, one, answer, isHeld[at]);
    const { body } = await net.clientOf(one.node).request("GET", `/v1/transactions/by_hash?hash=${one.hash}`);
    const { status } = body as Json;
    if (status === "void" || status === "refused") faults.push(`${one.hash} is admitted and ${status} at once`);
  }
  const isAbandoned = slow?.abandon !== undefined && answers.includes(undefined);
  if (isAbandoned) await slow.abandon?.();
  await sending.finish(!isAbandoned);
  for (const [at, one] of drafts.entries()) {
    const answer = sending.answers[at] as Answer;
    if (answers[at] !== undefined) continue;
    const { status, body } = answer;
    const code = (body as Json)["error_code"];
    const isRight = isAbandoned
      ? status === 408 && code === "request_timeout"
      : isDeepStrictEqual({ status, body }, accepted(one));
    if (!isRight) faults.push(`a write that waited for ${one.node} is answered ${status} ${JSON.stringify(body)}`);
    if (!isAbandoned) note(judge, one, answer, isHeld[at]);
  }
  if (slow !== undefined && !isAbandoned) {
    await net.step({ disk: { node: slow.node, write_ms: 0 } });
    // A slot that waits for the disk is applied, and not yet observed.
    runToEnd(net.served.host.advance(60));
  }
  return [...faults, ...sending.faults];
}

/** Requests on their way. */
class Sending {
  readonly answers: (Answer | undefined)[] = [];
  readonly faults: string[] = [];
  readonly #net: Running;
  readonly #judge: Judge;
  readonly #requests: readonly Promise<void>[];

  constructor(net: Running, judge: Judge, drafts: readonly Draft[]) {
    [this.#net, this.#judge] = [net, judge];
    this.#requests = drafts.map(async ({ node, path, body, isNew, signed, hash }, at) => {
      this.answers[at] = undefined;
      const headers: Record<string, string> = isNew ? { "if-none-match": "*" } : {};
      const answer = await net.clientOf(node).request("POST", path, body, headers);
      this.answers[at] = answer;
      const id = signed === undefined ? hash : operationId(signed);
      if (answer.status === 200 && judge.waiting.has(`${node} ${id}`))
        this.faults.push(`${hash} is answered before ${node} has replied`);
    });
  }

  /** Resolves once each is answered or waits for the reply of its validator. */
  async arrive(): Promise<void> {
    const answered = (): number => this.answers.filter((one) => one !== undefined).length;
    for (let turn = 0; answered() + this.#judge.waiting.size < this.answers.length; turn++) {
      if (turn > TURNS_MAX) throw new Error("a request neither waits nor is answered");
      await setTimeout(1);
    }
  }

  /**
   * Resolves once each is answered. Where time is to pass for that, a millisecond at once: an answer that comes too early
   * is seen.
   */
  async finish(passesTime: boolean): Promise<void> {
    for (let ms = 0; passesTime && this.answers.includes(undefined) && ms < 2_000; ms++) {
      runToEnd(this.#net.served.host.advance(1));
      await this.arrive();
    }
    await Promise.all(this.#requests);
  }
}

/** A minute of a busy machine. */
const TURNS_MAX = 60_000;

function accepted({ hash, signed }: Pick<Draft, "hash" | "signed">): Pick<Answer, "status" | "body"> {
  return { status: 200, body: { hash, ...tokenOf(signed) } };
}

function note(judge: Judge, { node, isNew, ...one }: Draft, answer: Answer, isHeld = true): void {
  const at = [...(judge.posted.get(one.hash)?.at ?? []), ...(isHeld ? [node] : [])];
  judge.posted.set(one.hash, { ...one, answer: answer.body as Json, at, epoch: judge.at(node).ledger.epoch.number });
}

/** The status of what was admitted before; undefined for a new one, or where nobody tells it. */
async function statusBefore(net: Running, judge: Judge, { hash, node }: Draft): Promise<string | undefined> {
  if (!judge.posted.has(hash)) return undefined;
  const { body } = await net.clientOf(runningNode(net, node)).request("GET", `/v1/transactions/by_hash?hash=${hash}`);
  return String((body as Json)["status"]);
}

/** All that was admitted before, the server's own too, and what is posted now, with the ids by hash. */
interface Asked extends Requests {
  readonly ids: ReadonlyMap<string, OperationId>;
}

function askedOf(judge: Judge, drafts: readonly Pick<Draft, "signed" | "hash">[] = []): Asked {
  const [requests, ids] = [noRequests(), new Map<string, OperationId>()];
  const others = [...judge.submitted].map(([hash, signed]) => ({ hash, signed }));
  for (const { hash, signed } of [...judge.posted.values(), ...drafts, ...others]) {
    if (signed === undefined) continue;
    ids.set(hash, operationId(signed));
    noteRequest(requests, { id: operationId(signed), submission: signed }, undefined);
  }
  return { ...requests, ids };
}

interface Told {
  readonly answer: Pick<Answer, "status" | "body">;
  readonly before: string | undefined;
  readonly requests: Asked;
  readonly mode: WriteMode;
}

function answerFaults(
  net: Running,
  judge: Judge,
  one: Draft,
  { answer, before, requests, mode }: Told,
): readonly string[] {
  const { node, path, signed } = one;
  const { status, body } = answer;
  const { error_code: code, message, ...rest } = body as Json;
  const about = `${path} at ${node} for ${one.from}, nonce ${one.nonce}: ${status} ${JSON.stringify(body)}`;
  const expect = (isRight: boolean, what: string): readonly string[] => (isRight ? [] : [`${about}, expected ${what}`]);
  const isCode = (wanted: string, must: number): readonly string[] =>
    expect(status === must && code === wanted && typeof message === "string", `${must} ${wanted}`);
  const isV2 = path.startsWith("/v2/");
  if (isV2 && mode === "v1-only") return isCode("DOMAIN_SEPARATED_SIGNATURE_NOT_ACTIVE", 403);
  if (signed !== undefined && !isV2 && mode === "v2-only") return isCode("LEGACY_NATIVE_WRITE_ENDPOINT_DISABLED", 410);
  const right = accepted(one).body;
  const isKnown = before !== undefined && before !== "void" && before !== "refused";
  if (!isUp(net, node) && !isKnown) return isCode("business_validator_down", 422);
  if (isKnown) {
    if (one.isNew && signed !== undefined) return isCode("business_nonce_pending", 422);
    if (!isUp(net, node) && before === "pending") return isCode("request_timeout", 408);
    return expect(status === 200 && JSON.stringify(body) === JSON.stringify(right), "the first answer");
  }
  if (signed === undefined) return [];
  if (status === 200) {
    const isRight = JSON.stringify(body) === JSON.stringify(right);
    return [
      ...expect(isRight, JSON.stringify(right)),
      ...(before === undefined ? expect(wouldAdmit(judge, one, requests), "a refusal") : []),
    ];
  }
  const named = code === "business_transaction_failed" ? String(message).split(":")[0] : code;
  const refusal = { code: named, pending: pendingIn(requests, String(message)) } as Refusal;
  const wrong = wrongIn(judge, one, requests, { status: "refused", disclosed: false, refusal });
  return [
    ...expect(status === STATUS[String(named).split("_")[0] ?? ""] && Object.keys(rest).length === 0, "its status"),
    ...expect(typeof message === "string" && String(message).includes(one.from), "a message that names the sender"),
    ...(wrong === undefined ? [] : expect(false, `no such refusal: it ${wrong}`)),
  ];
}

/** In the place of signatures of a multisig account, and of those that have enough weight. */
const [UNSIGNED, ENOUGH] = ["00", "01"].map((byte) => toSignature(`0x${byte.repeat(65)}`)) as [Signature, Signature];

/** By the first word of a code (specification 13.1). */
const STATUS: Readonly<Record<string, number>> = { validation: 400, resource: 404, business: 422, system: 429 };

/** The operation that a message names by its hash. */
function pendingIn({ ids }: Asked, message: string): OperationId {
  return ids.get(/0x[0-9a-f]{64}/.exec(message)?.[0] ?? "") ?? ("" as OperationId);
}

function tokenOf(signed: SignedOperation | undefined): Json {
  if (signed?.operation.kind !== "issue") return {};
  return { token: tokenAddress(signed.operation.masterAuthority, signed.operation.symbol) };
}

/** True if nothing that its state knows is against a new operation. */
function wouldAdmit(judge: Judge, one: Pick<Draft, "node" | "signed">, requests: Requests): boolean {
  return wrongIn(judge, one, requests, { status: "pending" }) === undefined;
}

type Reply = Parameters<typeof wrongAdmission>[1]["answer"];

function wrongIn(judge: Judge, { node, signed }: Pick<Draft, "node" | "signed">, requests: Requests, answer: Reply) {
  if (signed === undefined) return undefined;
  const { ledger } = judge.at(node);
  const place = {
    chronicle: weightOf(signed),
    ledger,
    requests,
    admitted: undefined,
    barrier: undefined,
    ledgers: () => undefined,
  };
  return wrongAdmission(place, { id: operationId(signed), answer, isFirst: true });
}

/** The signers of the multisig account: enough of them, or too few. */
function weightOf(signed: SignedOperation): Parameters<typeof wrongAdmission>[0]["chronicle"] {
  const { operation, sender } = signed;
  if (operation.account === undefined) return { keys: new Map(), signerSets: new Map() };
  const isRegular = signed.signature === ENOUGH;
  const keys = new Set(signersOf(isRegular).map((key) => publicKeyOf(key) as PublicKey));
  return { keys: new Map([[identityOf(signed), { keys, isRegular }]]), signerSets: new Map([[sender, BOARD_SET]]) };
}

const BOARD_SET: SignerSet = {
  signers: CREATION.signers.map(({ public_key, weight }) => {
    return { key: `0x${Buffer.from(public_key).toString("hex")}` as PublicKey, weight };
  }),
  threshold: CREATION.threshold,
};

/**
 * Returns what is pending at rest although it is its turn, nothing is against it, it has no rival or is a recovery, and a
 * validator that admitted it has been up since.
 */
export async function owedFaults(net: Running, judge: Judge): Promise<readonly string[]> {
  const faults: string[] = [];
  const [all, requests] = [[...judge.posted.values()], askedOf(judge)];
  for (const one of all) {
    const rivals = all.filter(({ from, nonce }) => from === one.from && nonce === one.nonce);
    const node = one.at.find((name) => isUp(net, name));
    const isContested = rivals.length > 1 && one.signed !== undefined;
    if (isContested || node === undefined || judge.nonce(node, one.from) !== one.nonce) continue;
    const { body } = await net.clientOf(node).request("GET", `/v1/transactions/by_hash?hash=${one.hash}`);
    const { status, barred_by: barred } = body as Json;
    if (status === "pending" && barred === undefined && wouldAdmit(judge, { ...one, node }, requests))
      faults.push(`${one.path} of ${one.from}, nonce ${one.nonce}: is pending at ${node}, and nothing is against it`);
  }
  return faults;
}

function chainOf(net: Running): number {
  return net.served.host.network.chainId;
}

export function isUp(net: Running, node: string): boolean {
  return net.served.host.network.ledgerOf(node) !== undefined;
}

/** The validator, or one that is up in its place. */
function runningNode(net: Running, node: string): string {
  return [node, ...NODES].find((name) => isUp(net, name)) ?? node;
}
