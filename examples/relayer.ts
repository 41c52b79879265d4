/**
 * A relayer: burns to another chain on one network are minted on the other, each once. What it mints is final and
 * certified on the source; the websocket only says early that there is something to look for. It keeps nothing: after a
 * restart it reads all checkpoints again, and the target refuses what was minted before.
 */
import { RLP } from "@ethereumjs/rlp";
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { WebSocket } from "ws";

/** Networks by their URLs; the key of an account that may mint for other chains on the target, and the token there. */
export interface RelayerOptions {
  readonly source: string;
  readonly target: string;
  readonly key: string;
  readonly token: string;
}

interface Answer<T> {
  readonly status: number;
  readonly body: T & { readonly error_code?: string };
}

type Burn = Readonly<{
  destination_chain_id: number;
  destination_address: string;
  value: string;
  bridge_metadata: string;
}>;
type Entry = Readonly<{ hash: string; transaction_type: string; data: Burn }>;

interface Finalized {
  readonly success: boolean;
  readonly transaction_hash: string;
  readonly epoch: number;
  readonly fee: string;
  readonly fee_bound: boolean;
  readonly counter_signature: { readonly signer_bitmask: string; readonly signature: string };
}

const PAUSE_MS = 100;
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const bytesOf = (hex: string) => hexToBytes(hex.slice(2));

/** Relays until it is stopped. Errors of either network are reported, and what failed is tried again. */
export class Relayer {
  readonly #options: RelayerOptions;
  readonly #report: (error: unknown) => void;
  readonly #certified: string[] = [];
  readonly #relayed = new Set<string>();
  #checkpoint = 1;
  #socket: WebSocket | undefined;
  #isStopped = false;

  constructor(options: RelayerOptions, report: (error: unknown) => void) {
    this.#options = options;
    this.#report = report;
  }

  async run(): Promise<void> {
    while (!this.#isStopped) {
      try {
        this.#listen();
        for (const hash of this.#certified.splice(0)) await this.#relay(hash);
        await this.#scan();
      } catch (error) {
        this.#report(error);
      }
      await sleep(PAUSE_MS);
    }
    this.#socket?.terminate();
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Hears of burns before a checkpoint lists them. A frame that is missed is found in its checkpoint. */
  #listen(): void {
    if (this.#socket !== undefined) return;
    const socket = new WebSocket(this.#options.source.replace(/^http/, "ws"));
    const stream = { name: "CERTIFIED_TRANSACTIONS", full: true };
    socket.on("open", () => socket.send(JSON.stringify({ id: 1, method: "SUBSCRIBE", stream })));
    socket.on("error", this.#report);
    socket.on("close", () => {
      this.#socket = undefined;
    });
    socket.on("message", (data) => {
      const { result } = JSON.parse(String(data));
      if (result?.certificate?.V0.tx.UserTransaction.envelope.TokenBurnAndBridge) this.#certified.push(result.tx_hash);
    });
    this.#socket = socket;
  }

  async #scan(): Promise<void> {
    const { number } = await this.#read<{ number: number }>("source", "/v1/checkpoints/number");
    for (; this.#checkpoint <= number && !this.#isStopped; this.#checkpoint++) {
      const path = `/v1/checkpoints/by_number?number=${this.#checkpoint}&full=true`;
      const { transactions } = await this.#read<{ transactions: readonly Entry[] }>("source", path);
      for (const { hash, transaction_type: type } of transactions)
        if (type === "TokenBurnAndBridge") await this.#relay(hash);
    }
  }

  /** Mints what a burn names, unless it is of another chain or is not proved. */
  async #relay(hash: string): Promise<void> {
    if (this.#relayed.has(hash)) return;
    const { chain_id: chain } = await this.#read<{ chain_id: number }>("target", "/v1/chains/chain_id");
    const burn = await this.#read<Entry & { chain_id: number }>("source", `/v1/transactions/by_hash?hash=${hash}`);
    const final = await this.#read<Finalized>("source", `/v1/transactions/finalized/by_hash?hash=${hash}`);
    if (burn.data.destination_chain_id === chain && final.success) {
      if (!(await this.#isCertified(final))) throw new Error(`${hash}: the aggregate signature proves nothing`);
      while (!this.#isStopped && !(await this.#mint(chain, burn))) await sleep(PAUSE_MS);
    }
    if (!this.#isStopped) this.#relayed.add(hash);
  }

  /** Two thirds of the committee have signed the hash (wire 1.4, Finalized). */
  async #isCertified({
    transaction_hash: hash,
    epoch,
    fee,
    fee_bound,
    counter_signature,
  }: Finalized): Promise<boolean> {
    const path = `/v1/governances/epoch/by_id?id=${epoch}&members=all`;
    const { certificate } = await this.#read<{ certificate: { bls_public_keys: string[] } }>("source", path);
    const mask = bytesOf(counter_signature.signer_bitmask);
    const signers = certificate.bls_public_keys.filter((_, index) => ((mask[index >> 3] ?? 0) >> (index & 7)) & 1);
    if (3 * signers.length < 2 * certificate.bls_public_keys.length) return false;
    const signed = ["counter-signature", bytesOf(hash), epoch, ...(fee_bound ? [BigInt(fee)] : [])];
    const { verify, hash: toCurve, aggregatePublicKeys } = bls12_381.shortSignatures;
    const message = toCurve(keccak_256(RLP.encode(signed)));
    return verify(bytesOf(counter_signature.signature), message, aggregatePublicKeys(signers.map(bytesOf)));
  }

  /** True once the deposit is minted, by this relayer or by one before it. The same nonce gives the same bytes again. */
  async #mint(
    chain_id: number,
    { hash, chain_id: source_chain_id, data }: Entry & { chain_id: number },
  ): Promise<boolean> {
    const { key, token } = this.#options;
    const point = secp256k1.getPublicKey(bytesOf(key), false);
    const address = `0x${bytesToHex(keccak_256(point.slice(1)).slice(12))}`;
    const { nonce } = await this.#read<{ nonce: number }>("target", `/v1/accounts/nonce?address=${address}`);
    const { destination_address: recipient, value, bridge_metadata } = data;
    const fields = [chain_id, nonce, recipient, BigInt(value), token, source_chain_id];
    const digest = keccak_256(RLP.encode([...fields, new TextEncoder().encode(hash), bridge_metadata]));
    const bytes = secp256k1.sign(digest, bytesOf(key), { prehash: false, format: "recovered" });
    const [r, s] = [bytes.slice(1, 33), bytes.slice(33)].map((part) => `0x${bytesToHex(part)}`);
    const deposit = { recipient, value, token, source_chain_id, source_tx_hash: hash, bridge_metadata };
    const body = { chain_id, nonce, ...deposit, signature: { r, s, v: bytes[0] } };
    const sent = await this.#request<{ hash: string }>("target", "/v1/tokens/bridge_and_mint", body);
    if (sent.body.error_code === "business_bridge_replayed") return true;
    if (sent.status !== 200) return false;
    const path = `/v1/transactions/receipt/by_hash?hash=${sent.body.hash}`;
    const receipt = await this.#request<{ success: boolean }>("target", path);
    return receipt.status === 200 && receipt.body.success;
  }

  /** @throws Error for any status but 200. */
  async #read<T>(network: "source" | "target", path: string): Promise<T> {
    const { status, body } = await this.#request<T>(network, path);
    if (status !== 200) throw new Error(`${network} ${path}: ${status} ${body.error_code}`);
    return body;
  }

  async #request<T>(network: "source" | "target", path: string, body?: object): Promise<Answer<T>> {
    const headers = { "content-type": "application/json" };
    const init = body === undefined ? {} : { method: "POST", headers, body: JSON.stringify(body) };
    const answer = await fetch(this.#options[network] + path, init);
    return { status: answer.status, body: (await answer.json()) as Answer<T>["body"] };
  }
}
