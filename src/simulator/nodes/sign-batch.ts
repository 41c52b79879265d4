/**
 * Batches of a node: it takes the statements of one virtual time and signs them at once when the events that waited for
 * it at this time are worked through (protocol 3.5). A crash before that leaves no signature.
 */
import { required } from "../../core/base/assert.ts";
import type { Hash } from "../../core/base/ids.ts";
import type { SignedRecord } from "../../core/crypto/batch.ts";
import type { Peer, UnsignedMessage } from "../../core/validator/message.ts";
import { applyToSeals } from "../byzantine/apply-strategies.ts";
import type { Engine } from "../engine.ts";
import { announce, sealed, sendTo } from "./delivery.ts";
import type { Node, Signer, WaitingStatement } from "./node.ts";

/** Takes a statement into the open batch; the first one schedules its end. */
export function collect(engine: Engine, node: Node, to: readonly Peer[], message: UnsignedMessage): void {
  const signer = required(node.config.signers.get(node.key), `signer of ${node.key}`);
  if (!announce(engine, node, message, signer.digestOf(message.body))) return;
  node.batch ??= { sequence: engine.schedule(engine.now, { type: "batch", node: node.name }), statements: [] };
  node.batch.statements.push({ to, message, signer });
}

/** Drops the open batch unsigned. */
export function abandonBatch(engine: Engine, node: Node): void {
  if (node.batch === undefined) return;
  node.batch = undefined;
  engine.foreground -= 1;
}

/** Signs the open batch, with each key its own statements, and sends them in the order in which they were taken. */
export function closeBatch(engine: Engine, node: Node): void {
  const { statements } = required(node.batch, "open batch");
  node.batch = undefined;
  const made = new Map<Signer, ReadonlyMap<Hash, SignedRecord>>();
  for (const { signer } of statements)
    if (!made.has(signer)) made.set(signer, recordsOf(engine, node, signer, statements));
  for (const { to, message, signer } of statements) {
    const record = required(made.get(signer)?.get(signer.digestOf(message.body)), "signature of a statement");
    const whole = sealed(engine, node, signer.address, message, record);
    sendTo(engine, node, signer.address, to, whole.message, whole.digest);
  }
}

function recordsOf(
  engine: Engine,
  node: Node,
  signer: Signer,
  statements: readonly WaitingStatement[],
): ReadonlyMap<Hash, SignedRecord> {
  const own = statements.filter((one) => one.signer === signer).map(({ message }) => message.body);
  const made = signer.signAll(own);
  const records = node.strategies.length === 0 ? made : applyToSeals(engine, node, signer, made);
  engine.listener.sealed?.(node, records);
  return new Map(records.map((record) => [record.digest, record]));
}
