/**
 * The served network with stand-in signatures, which its command does not offer: what is left is its own cost. A program
 * of its own, with the flags of V8 that the command sets.
 */
import { optimiseLater, optimiseOnceWarm } from "../../src/cli/optimise-later.ts";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import { RECORDING_FORMAT, type RecordingHead } from "../../src/live/recording.ts";
import { MemorySink } from "../../src/server/host/state-file.ts";
import { readNetworkOptions } from "../../src/server/network/start-network.ts";
import { setupOf } from "../../src/server/setup/setup-of.ts";
import { serve } from "../../src/server/start.ts";

optimiseLater();
const accounts = Number(process.argv[2]);
const read = readNetworkOptions({ accounts, delay: "0" });
if (!read.ok) throw new Error(read.error);
const head: RecordingHead = {
  type: "recording",
  format: RECORDING_FORMAT,
  quorumlab: "bench",
  node: process.versions.node,
  setup: { ...setupOf(read.value, Date.now()), crypto: "stand-in" },
};
const sink = new MemorySink(head, []);
const { url, host } = await serve({
  setup: head.setup,
  sink,
  recording: () => sink.text(),
  host: "127.0.0.1",
  port: 0,
  validator: "v1",
  admin: undefined,
  faucet: false,
  requestsPerMinute: undefined,
  version: head.quorumlab,
  catchUp: true,
  scheme: keyedHash,
});
optimiseOnceWarm(host);
console.log(url);
