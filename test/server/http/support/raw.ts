/** Bytes on a bare connection. */
import { connect } from "node:net";

/** Everything that comes back for these bytes. */
export function sendRaw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    let text = "";
    socket.on("data", (data) => {
      text += String(data);
    });
    socket.on("end", () => resolve(text));
    socket.on("error", reject);
  });
}
