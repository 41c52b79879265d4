/** Comparison of answers and frames with the judge's reading of what was applied. Each returns faults in words. */
import { checkpointBytes } from "../../../src/core/ledger/value.ts";
import type { ReferenceClient } from "../client/reference-client.ts";
import type { Json } from "../served/support.ts";
import { aggregateFaults } from "./aggregates.ts";
import type { Judge, Known, ListedCheckpoint, Posted, Touched } from "./judge.ts";

/** A socket's filter. */
export interface Filter {
  readonly addresses?: readonly string[];
  readonly tokens?: readonly string[];
}

/** Returns the members that differ from what is expected. */
export function differences(about: string, got: Json | undefined, expected: Json): readonly string[] {
  return Object.entries(expected).flatMap(([name, value]) => {
    const [is, must] = [JSON.stringify(got?.[name]), JSON.stringify(value)];
    return is === must ? [] : [`${about}: ${name} is ${is}, expected ${must}`];
  });
}

/** Members of a receipt; the code is one of those that the reference ledger accepts. */
function receiptFaults(about: string, judge: Judge, id: string, got: Json): readonly string[] {
  const [final, known] = [judge.finals.get(id), judge.known.get(id)];
  if (final === undefined || known === undefined) return [`${about}: nobody applied it`];
  const code = got["error_code"];
  const isRight = final.success ? code === null : final.reasons.includes(String(code));
  return [
    ...(isRight ? [] : [`${about}: error_code is ${code}, expected ${final.success ? "null" : final.reasons}`]),
    ...differences(about, got, {
      ...{
        status: "final",
        success: final.success,
        transaction_hash: known.hash,
        fee_used: String(final.fee),
        from: known.from,
      },
      ...{ to: known.to, recipient: known.to, token_address: known.token ?? final.feeToken ?? null },
      ...(known.batch ?? { batch_info: undefined, execution_events: undefined }),
    }),
    ...differences(`${about}, success_info`, got["success_info"] as Json, {
      ...{ sender: known.from, receiver: known.to ?? `0x${"00".repeat(20)}`, message: code ?? known.message },
      bridge_info: known.bridge === undefined ? null : { bbnonce: (judge.bridged.get(id) ?? 0) + 1, ...known.bridge },
    }),
  ];
}

/** Every read of one operation at one validator: its faults, and its receipt if there is one. */
export async function operationFaults(
  judge: Judge,
  node: string,
  hash: string,
  client: ReferenceClient,
): Promise<{ readonly faults: readonly string[]; readonly receipt?: Json }> {
  const about = `${node}, ${hash.slice(0, 10)}`;
  const id = judge.idOf(hash) ?? "";
  const known = judge.known.get(id) ?? judge.posted.get(hash)?.known;
  const ask = (path: string) => client.request("GET", `/v1/transactions/${path}by_hash?hash=${hash}`);
  const [shown, receipt, finalized] = await Promise.all([ask(""), ask("receipt/"), ask("finalized/")]);
  const body = shown.body as Json;
  const faults = [...(shown.status === 200 ? [] : [`${about}: by_hash answers ${shown.status}`])];
  const status = statusOf(judge, node, id, hash);
  const isUndecided = status === "pending" && ["void", "refused"].includes(String(body["status"]));
  const expected = isUndecided ? String(body["status"]) : status;
  if (body["status"] !== expected) faults.push(`${about}: is ${body["status"]}, expected ${expected}`);
  if (known !== undefined)
    faults.push(
      ...differences(about, body, { hash, from: known.from, nonce: known.nonce, transaction_type: known.type }),
    );
  faults.push(
    ...dataFaults(about, judge.posted.get(hash), body),
    ...progressFaults(about, judge, hash, body, expected),
  );
  if (expected !== "final") {
    const code = expected === "pending" ? "resource_transaction_not_found" : body["error_code"];
    for (const { status: is, body: told } of [receipt, finalized])
      if (is !== (expected === "pending" ? 404 : 422) || (told as Json)["error_code"] !== code)
        faults.push(`${about}: the receipt is ${is} ${JSON.stringify(told)}, and it is ${expected}`);
    return { faults };
  }
  const final = judge.finals.get(id);
  faults.push(...differences(about, body, { success: final?.success }));
  const waited = await client.request("GET", `/v1/accounts/nonce?address=${known?.from}&min_receipt=${hash}`);
  if (waited.status !== 200) faults.push(`${about}: a read that waits for it is answered ${waited.status}`);
  for (const answer of [receipt, finalized]) {
    if (answer.status !== 200) faults.push(`${about}: no receipt (${answer.status})`);
    else faults.push(...receiptFaults(`${about}, receipt`, judge, id, answer.body as Json));
  }
  const place = placeOf(judge, node, id);
  for (const answer of [shown, receipt, finalized]) faults.push(...differences(about, answer.body as Json, place));
  if (finalized.status === 200)
    faults.push(...(await aggregateFaults(`${about}, finalized`, judge, id, finalized.body as Json, client)));
  const signatures = (finalized.body as Json)["counter_signatures"];
  if (!Array.isArray(signatures) || signatures.length < 3) faults.push(`${about}: the certificate has no quorum`);
  return { faults, receipt: receipt.body as Json };
}

/** An operation shows what was posted (wire 2.1), its action and its signers aside. */
function dataFaults(about: string, posted: Posted | undefined, shown: Json): readonly string[] {
  if (posted?.signed === undefined) return [];
  const { chain_id, signature, authorization, ...others } = posted.body;
  const { nonce, memo, action, signers, ...fields } = others;
  const { name, uri, additional_metadata, ...rest } = fields;
  const isMetadata = posted.path.endsWith("update_metadata");
  const single = signature ?? (authorization as Json)["signature"];
  return [
    ...differences(about, shown, { chain_id, ...(single === undefined ? {} : { signature: single }) }),
    ...differences(
      `${about}, data`,
      shown["data"] as Json,
      isMetadata ? { metadata: { name, uri, additional_metadata }, ...rest } : fields,
    ),
  ];
}

/** The members that tell how an operation stands (wire 1.4). */
function progressFaults(about: string, judge: Judge, hash: string, body: Json, status: string): readonly string[] {
  const { error_code: code, superseded_by: by, refused_by: node } = body;
  const posted = judge.posted.get(hash);
  const decider = judge.known.get(judge.deciders.get(`${posted?.from} ${posted?.nonce}`) ?? "");
  switch (status) {
    case "superseded":
      return differences(about, body, { error_code: "business_superseded", superseded_by: decider?.hash });
    case "void":
      return [
        ...differences(about, body, { error_code: "business_epoch_closed" }),
        ...(posted !== undefined && posted.epoch === judge.epoch ? [`${about}: is void, and no epoch closed`] : []),
      ];
    case "refused":
      return typeof code === "string" && typeof node === "string"
        ? []
        : [`${about}: is refused by ${node} for ${code}`];
    default:
      return by === undefined && node === undefined ? [] : [`${about}: is ${status}, and names what it is not`];
  }
}

function statusOf(judge: Judge, node: string, id: string, hash: string): string {
  if (judge.at(node).applied.has(id)) return "final";
  if (judge.finals.has(id)) return "pending";
  const posted = judge.posted.get(hash);
  const by = posted === undefined ? undefined : judge.deciders.get(`${posted.from} ${posted.nonce}`);
  return by === undefined || by === id ? "pending" : "superseded";
}

/** Where the checkpoints that a validator has applied list an operation. */
function placeOf(judge: Judge, node: string, id: string): Json {
  const { checkpoint } = judge.at(node);
  const link = judge.checkpoints.slice(0, checkpoint).find(({ ids }) => ids.includes(id));
  if (link === undefined) return { checkpoint_hash: null, checkpoint_number: null, transaction_index: null };
  const { hash, header, ids } = link;
  return { checkpoint_hash: hash, checkpoint_number: header.number, transaction_index: ids.indexOf(id) };
}

/** Balances, nonces and tokens at one validator. */
export async function ledgerFaults(
  judge: Judge,
  node: string,
  client: ReferenceClient,
  { accounts, tokens }: { readonly accounts: readonly string[]; readonly tokens: readonly string[] },
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const account of accounts) {
    const nonce = judge.nonce(node, account);
    if ((await client.nonce(account)) !== nonce) faults.push(`${node}: the nonce of ${account} is not ${nonce}`);
    const bridged = judge.bridgeNonce(node, account);
    if ((await client.bbnonce(account)) !== bridged) faults.push(`${node}: ${account} has not burned ${bridged} times`);
    for (const token of tokens) {
      const expected = { balance: String(judge.balance(node, account, token)), nonce };
      faults.push(...differences(`${node}, ${account}`, await client.tokenAccount(account, token), expected));
    }
  }
  for (const token of tokens) faults.push(...(await tokenFaults(judge, node, token, client)));
  return faults;
}

async function tokenFaults(judge: Judge, node: string, token: string, client: ReferenceClient) {
  const policy = judge.policy(node, token);
  const about = `${node}, token ${token.slice(0, 10)}`;
  const answer = await client.request("GET", `/v1/tokens/token_metadata?token=${token}`);
  const fee = await client.request("GET", `/v1/transactions/estimate_fee?from=${token}&value=1&token=${token}`);
  if (policy === undefined)
    return answer.status === 404 && fee.status === 404 ? [] : [`${about}: is shown and not issued`];
  const held = [...policy.roles.entries()].map(([key, allowance]) => ({ key, allowance }));
  const holders = (role: string) =>
    held
      .filter(({ key }) => key.startsWith(`${role}/`))
      .map(({ key, allowance }) => ({ who: key.slice(role.length + 1), allowance }));
  const names = (role: string) => holders(role).map(({ who }) => who);
  const minters = holders("MintBurnTokens");
  return [
    ...differences(about, answer.body as Json, {
      ...{ supply: String(judge.supply(node, token)), decimals: policy.decimals, master_authority: policy.master },
      ...{ is_paused: policy.isPaused, is_private: policy.isPrivate },
      mint_burn_authorities: minters.map(({ who, allowance }) => ({ minter: who, allowance: String(allowance ?? 0n) })),
      minter_authorities: minters.filter(({ allowance }) => allowance !== null).map(({ who }) => who),
      ...{ burn_authorities: minters.map(({ who }) => who) },
      ...{ pause_authorities: names("Pause"), list_authorities: names("ManageList") },
      ...{ metadata_update_authorities: names("UpdateMetadata") },
      black_list: [...policy.blacklist.entries()].map(([who]) => who),
      white_list: [...policy.whitelist.entries()].map(([who]) => who),
      ...{ bridge_mint_authorities: names("Bridge"), clawback_authorities: names("Clawback") },
      ...{ symbol: policy.symbol, clawback_enabled: policy.hasClawback },
      meta: {
        ...{ name: policy.name, uri: policy.uri },
        additional_metadata: policy.additional.map(([key, value]) => ({ key, value })),
      },
    }),
    ...differences(about, fee.body as Json, { fee: String(judge.paymentFee(node, token)) }),
  ];
}

/** Checkpoints and epochs at one validator. */
export async function chainFaults(judge: Judge, node: string, client: ReferenceClient): Promise<readonly string[]> {
  const { checkpoint, ledger } = judge.at(node);
  const faults = [...differences(node, { number: await client.checkpointNumber() }, { number: checkpoint })];
  const last = judge.checkpoints[checkpoint - 1];
  const latest = await client.latestEpochCheckpoint();
  faults.push(
    ...differences(node, latest, {
      checkpoint,
      epoch: ledger.epoch.number,
      ...(last && { checkpoint_hash: last.hash }),
    }),
  );
  const { number } = ledger.epoch;
  const shown = [await client.epoch(), await client.epochById(number)];
  const opening = judge.checkpoints.find(({ epoch }) => number > 0 && epoch === number);
  for (const one of shown)
    faults.push(...differences(node, one, { epoch_id: number, ...(opening && { certificate_hash: opening.hash }) }));
  const metrics = String((await client.request("GET", "/metrics")).body);
  // Between two posts nobody waits: who was answered has left his place.
  const gauges = { requests_waiting: 0, checkpoint_number: checkpoint, operations_final: judge.finals.size };
  for (const [name, value] of Object.entries(gauges))
    if (!metrics.includes(`\nquorumlab_${name} ${value}\n`)) faults.push(`${node}: the metric ${name} is not ${value}`);
  const next = await client.request("GET", `/v1/checkpoints/by_number?number=${checkpoint + 1}&full=false`);
  const ahead = judge.checkpoints[checkpoint];
  const byHash = ahead && (await client.request("GET", `/v1/checkpoints/by_hash?hash=${ahead.hash}&full=false`));
  for (const one of [next, byHash])
    if (one !== undefined && one.status !== 404) faults.push(`${node}: shows a checkpoint that it has not applied`);
  for (const link of judge.checkpoints.slice(0, checkpoint))
    faults.push(...(await linkFaults(judge, node, link, client)));
  return faults;
}

async function linkFaults(judge: Judge, node: string, link: ListedCheckpoint, client: ReferenceClient) {
  const { hash, header, ids } = link;
  const about = `${node}, checkpoint ${header.number}`;
  const hashes = ids.map((id) => judge.known.get(id)?.hash);
  const members = headerMembers(link);
  const [short, full, receipts] = await Promise.all([
    client.checkpointByHash(hash, false),
    client.checkpointByNumber(header.number, true),
    client.checkpointReceipts(header.number),
  ]);
  const faults = [...differences(about, short, { ...members, hash, transactions: hashes })];
  faults.push(...differences(about, full, { ...members, hash }));
  const entries = full["transactions"] as readonly Json[];
  faults.push(
    ...differences(
      about,
      { length: receipts.length, listed: entries.length },
      { length: ids.length, listed: ids.length },
    ),
  );
  for (const [index, id] of ids.entries()) {
    const place = { checkpoint_hash: hash, checkpoint_number: header.number, transaction_index: index };
    faults.push(
      ...differences(about, entries[index], { hash: hashes[index], fee: String(judge.finals.get(id)?.fee), ...place }),
    );
    faults.push(...receiptFaults(about, judge, id, receipts[index] ?? {}));
    faults.push(...differences(about, receipts[index], place));
  }
  return faults;
}

function headerMembers({ header, listed }: ListedCheckpoint): Json {
  return {
    ...{ parent_hash: header.parentHash, state_root: header.stateRoot, transactions_root: header.transactionsRoot },
    ...{ receipts_root: header.receiptsRoot, number: header.number, timestamp: header.timestamp },
    ...{ size: checkpointBytes({ header, listed }), extra_data: header.extraData },
  };
}

/** All frames of one socket of the stream TRANSACTIONS. */
export function eventFaults(judge: Judge, frames: readonly Json[], filter: Filter): readonly string[] {
  const faults: string[] = [];
  const about = `socket ${JSON.stringify(filter)}`;
  const finals = frames.filter(({ status }) => status === "final");
  const ids = new Map([...judge.known].map(([id, { hash }]) => [hash, id]));
  for (const frame of frames) {
    const hash = String(frame["hash"]);
    const known = judge.known.get(ids.get(hash) ?? "") ?? judge.posted.get(hash)?.known;
    if (known === undefined) continue;
    if (!touchedBy(judge, known).some((one) => passes(one, filter)))
      faults.push(`${about}: ${known.kind} ${known.hash.slice(0, 10)} does not pass`);
    const { from, to, value, type: transaction_type } = known;
    faults.push(...differences(`${about}, ${frame["status"]}`, frame, { from, to, value, transaction_type }));
  }
  for (const [id, known] of judge.known) {
    const final = judge.finals.get(id);
    if (final === undefined || !touchedBy(judge, known).every((one) => passes(one, filter))) continue;
    const [frame, another] = finals.filter(({ hash }) => hash === known.hash);
    const name = `${about}, ${known.kind} ${known.hash.slice(0, 10)}`;
    if (frame === undefined || another !== undefined)
      faults.push(`${name}: ${frame === undefined ? "no" : "a second"} frame`);
    if (frame === undefined) continue;
    const code = frame["error_code"];
    if (final.success ? code !== null : !final.reasons.includes(String(code)))
      faults.push(`${name}: error_code ${code}`);
    const token = known.token ?? final.feeToken ?? null;
    faults.push(...differences(name, frame, { success: final.success, fee_used: String(final.fee), token }));
  }
  for (const { hash } of finals)
    if (!judge.finals.has(ids.get(String(hash)) ?? ""))
      faults.push(`${about}: ${hash} is final, and nobody applied it`);
  return faults;
}

/** The frames of each operation: submitted before all others, votes that rise, the lock, and the end once and last. */
export function orderFaults(judge: Judge, frames: readonly Json[]): readonly string[] {
  const faults: string[] = [];
  for (const hash of new Set(frames.map((frame) => String(frame["hash"])))) {
    const own = frames.filter((frame) => frame["hash"] === hash);
    const words = own.map(({ status, round, signers }) => [status, round, signers].join(" ").trim());
    const fault = (what: string) => faults.push(`${what} of ${hash}: ${words.join(", ")}`);
    const posted = judge.posted.get(hash);
    const [first] = own;
    if (posted !== undefined && first?.["status"] !== "submitted") fault("frames without the first");
    // An operation that takes effect in a token's slot is voted for in two slots.
    const ends = own.filter(({ status }) => status !== "signed" && status !== "locked").map(({ status }) => status);
    // A recovery that was refused may be posted again, and be refused again.
    const again = Math.max(0, (judge.posts.get(hash)?.length ?? 0) - 1);
    if (new Set(ends).size + again < ends.length && !ends.includes("void")) fault("a frame twice");
    const final = own.findIndex(({ status }) => status === "final");
    if (final >= 0 && final < own.length - 1) fault("a frame after the end");
    const votes = new Map<unknown, number>();
    for (const { status, round, signers, validators } of own) {
      if (status !== "signed") continue;
      const isNext = signers === 1 || signers === (votes.get(round) ?? 0) + 1;
      if (!isNext || Number(signers) > Number(validators)) fault(`${signers} votes of ${validators} in round ${round}`);
      votes.set(round, Number(signers));
    }
  }
  return faults;
}

/** Several where a recovery was applied with another proof than those posted: the server tells of any one of them. */
function touchedBy({ posts }: Judge, known: Known): readonly Touched[] {
  return [known, ...(posts.get(known.hash) ?? [])];
}

function passes({ parties, tokens }: Touched, filter: Filter): boolean {
  const isNamed = (names: readonly string[] | undefined, own: readonly string[]): boolean =>
    names === undefined || own.some((one) => names.includes(one));
  return isNamed(filter.addresses, parties) && isNamed(filter.tokens, tokens);
}

/** All frames of one socket of the stream CHECKPOINTS. */
export function checkpointFrameFaults(judge: Judge, frames: readonly Json[], full: boolean): readonly string[] {
  const faults: string[] = [];
  if (frames.length !== judge.checkpoints.length)
    faults.push(`${frames.length} frames of ${judge.checkpoints.length} checkpoints`);
  for (const [index, link] of judge.checkpoints.entries()) {
    const frame = frames[index];
    const about = `frame of checkpoint ${link.header.number}`;
    const { number, timestamp, ...members } = headerMembers(link);
    const texts = { number: String(number), timestamp: String(timestamp), checkpoint: link.hash, hash: link.hash };
    faults.push(...differences(about, frame, { ...members, ...texts }));
    const entries = (frame?.["transactions"] ?? []) as readonly (Json | string)[];
    if (entries.length !== link.ids.length) faults.push(`${about}: ${entries.length} entries of ${link.ids.length}`);
    for (const [place, id] of link.ids.entries()) {
      const [entry, known] = [entries[place], judge.known.get(id)];
      if (!full && entry !== known?.hash) faults.push(`${about}: entry ${place} is ${JSON.stringify(entry)}`);
      if (!full || known === undefined) continue;
      const { signature, ...told } = (entry ?? {}) as Json;
      const { v, y_parity } = (signature ?? {}) as Json;
      if (v === undefined || v !== y_parity) faults.push(`${about}: y_parity is ${y_parity} beside ${v}`);
      faults.push(
        ...differences(about, told, {
          ...{ hash: known.hash, from: known.from, nonce: String(known.nonce), transaction_type: known.type },
          ...{ fee: String(judge.finals.get(id)?.fee), transaction_index: String(place) },
          ...{ chain_id: String(judge.genesis.chainId), checkpoint_number: texts.number },
        }),
      );
    }
  }
  return faults;
}
