/** Websockets of a session, with all that they were sent. */
import type { Json, Running } from "../served/support.ts";
import { connectTo } from "../websocket/support.ts";

export type Listening = Awaited<ReturnType<typeof listen>>;

/** A socket with one subscription, which keeps its frames. */
export async function listen(net: Running, node: string, name: string, members: object) {
  const connection = await connectTo(Number(new URL(net.served.urls.get(node) ?? "").port));
  let id = 0;
  const subscribe = async (): Promise<void> => {
    id += 1;
    await connection.ask({ id, method: "SUBSCRIBE", stream: { name, ...members } });
  };
  const frames: Json[] = [];
  /** Reads until the answer to a last request, which comes after all frames. */
  const rest = async (): Promise<void> => {
    id += 1;
    connection.socket.send(JSON.stringify({ id, method: "UNSUBSCRIBE", stream: name }));
    for (let frame = await connection.next(); frame["id"] !== id; frame = await connection.next())
      frames.push(frame["result"] as Json);
  };
  await subscribe();
  return {
    frames,
    /** Reads all frames so far, while nothing happens in the network. */
    drain: async (): Promise<void> => {
      await rest();
      await subscribe();
    },
    done: async (): Promise<void> => {
      await rest();
      connection.socket.close();
    },
  };
}
