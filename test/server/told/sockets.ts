/** Websockets of a session, with all that they were sent (wire 4). */
import type { Json, Running } from "../served/support.ts";
import { type Connection, connectTo } from "../websocket/support.ts";

export type Stream = "CHECKPOINTS" | "TRANSACTIONS";

export class Listening {
  /** Results that no return has undone. */
  readonly frames: Json[] = [];
  /** All results, by stream. */
  readonly log: Readonly<Record<Stream, Json[]>> = { CHECKPOINTS: [], TRANSACTIONS: [] };
  readonly faults: string[] = [];
  readonly #connection: Connection;
  readonly #subscriptions = new Map<unknown, unknown>();
  #id = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  has(name: Stream): boolean {
    return this.#subscriptions.has(name);
  }

  async subscribe(name: Stream, members: object): Promise<void> {
    const frame = { method: "SUBSCRIBE", stream: { name, ...members } };
    this.#subscriptions.set(name, (await this.#ask(frame))["result"]);
    this.#expect(await this.#ask(frame), "business_subscribed");
  }

  async unsubscribe(name: Stream): Promise<void> {
    const frame = { method: "UNSUBSCRIBE", stream: name };
    const { result } = await this.#ask(frame);
    if (result !== true) this.faults.push(`the end of ${name} is answered ${JSON.stringify(result)}`);
    this.#subscriptions.delete(name);
    this.#expect(await this.#ask(frame), "business_not_subscribed");
  }

  /** Reads all frames so far, while nothing happens in the network. */
  async drain(): Promise<void> {
    this.#expect(await this.#ask({ method: "DRAIN" }), "validation_frame");
  }

  async close(): Promise<void> {
    await this.drain();
    this.#connection.socket.close();
  }

  #expect({ error }: Json, code: string): void {
    const told = (error as Json | undefined)?.["error_code"];
    if (told !== code) this.faults.push(`a frame is answered ${told}, expected ${code}`);
  }

  /** Reads until the answer, which comes after all frames. */
  async #ask(frame: Json): Promise<Json> {
    this.#id += 1;
    this.#connection.socket.send(JSON.stringify({ id: this.#id, ...frame }));
    for (;;) {
      const next = await this.#connection.next();
      if ("id" in next) {
        if (next["id"] !== this.#id) this.faults.push(`answer ${next["id"]} to frame ${this.#id}`);
        return next;
      }
      this.#take(next);
    }
  }

  #take({ subscription, stream, result }: Json): void {
    const known = this.#subscriptions.get(stream);
    if (known === undefined || subscription !== known)
      this.faults.push(`a frame of ${stream} under ${subscription}, subscribed as ${known}`);
    this.log[stream as Stream].push(result as Json);
    this.frames.push(result as Json);
  }
}

/** A socket with one subscription that stays. */
export async function listen(net: Running, node: string, name: Stream, members: object): Promise<Listening> {
  const socket = await open(net, node);
  await socket.subscribe(name, members);
  return socket;
}

async function open(net: Running, node: string): Promise<Listening> {
  return new Listening(await connectTo(Number(new URL(net.served.urls.get(node) ?? "").port)));
}

/** A subscription of a guest, and a socket that has the same one all the time. */
export type Followed = Readonly<Record<Stream, { readonly members: object; readonly source: Listening }>>;

/** A socket of both streams that subscribes, unsubscribes, closes and comes back. */
export class Guest {
  readonly #connect: () => Promise<Listening>;
  readonly #followed: Followed;
  #socket: Listening | undefined;
  /** Frames of the sources when the subscriptions began. */
  readonly #since = new Map<Stream, number>();
  readonly faults: string[] = [];

  constructor(net: Running, node: string, followed: Followed) {
    this.#connect = () => open(net, node);
    this.#followed = followed;
  }

  /** Begins a subscription, or ends it. */
  async toggle(name: Stream): Promise<void> {
    this.#socket ??= await this.#connect();
    const { members, source } = this.#followed[name];
    if (this.#socket.has(name)) await this.#judge(name, this.#socket, () => this.#socket?.unsubscribe(name));
    else {
      await source.drain();
      this.#since.set(name, source.log[name].length);
      await this.#socket.subscribe(name, members);
    }
  }

  async close(): Promise<void> {
    const socket = this.#socket;
    if (socket === undefined) return;
    for (const name of this.#since.keys()) await this.#judge(name, socket, () => socket.drain());
    await socket.close();
    this.faults.push(...socket.faults);
    this.#since.clear();
    this.#socket = undefined;
  }

  /** Compares what it got since it subscribed with what its source got. */
  async #judge(name: Stream, socket: Listening, last: () => Promise<void> | undefined): Promise<void> {
    const { source } = this.#followed[name];
    await source.drain();
    await last();
    const [got, all] = [socket.log[name].splice(0), source.log[name].slice(this.#since.get(name))];
    if (JSON.stringify(got) !== JSON.stringify(all))
      this.faults.push(`a guest of ${name} got ${got.length} frames that are not the ${all.length} of its source`);
    if (!socket.has(name)) this.#since.delete(name);
  }
}
