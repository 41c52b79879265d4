/** Signing and addressing of a node's messages: peers are keys, and one key may have several nodes. */
import { requireDefined, unreachable } from "../../core/base/assert.ts";
import type { Address, Signature } from "../../core/base/ids.ts";
import type { SignedMessage, StatementContent } from "../../core/consensus/message.ts";
import type { Peer, PeerMessage, UnsignedMessage } from "../../core/validator/message.ts";
import { EVENT_KIND } from "../digest.ts";
import type { Engine } from "../engine.ts";
import { sendToSelf, transmit } from "../network/transmit.ts";
import { fireTriggers } from "../network/triggers.ts";
import type { Lanes } from "../random.ts";
import type { Node } from "./node.ts";

/** Makes the signature, tells listeners and triggers of it, and sends unless a trigger crashed the node. */
export function signAndSend(engine: Engine, node: Node, to: readonly Peer[], message: UnsignedMessage): void {
  const { body, contents, reason } = message;
  const signer = requireDefined(node.config.signers.get(node.key), `signer of ${node.key}`);
  const { digest: statement, signature } = signer.sign(body);
  const made = { type: "consensus", body: withSignature(body, signer.address, signature), contents, reason } as const;
  const digest = engine.config.digester.digestOfSigned(made, statement);
  engine.trace.digest(EVENT_KIND.sign, node.config.index, digest);
  node.noteSignature();
  engine.listener.signed?.(node, body, statement, reason);
  if (engine.armed.length > 0) {
    const { incarnation } = node;
    fireTriggers(engine, { on: "signed", node: node.name, message });
    if (!node.running || node.incarnation !== incarnation) return;
  }
  sendTo(engine, node, signer.address, to, made, digest);
}

/**
 * Sends in the name of one of the node's keys, to each key in order; a key without a node, or one that its node has lost,
 * reaches no node. A message to a key of the node's own reaches the node itself.
 */
export function sendTo(
  engine: Engine,
  node: Node,
  key: Address,
  to: readonly Peer[],
  message: PeerMessage,
  digest: Lanes = engine.config.digester.digestOfMessage(message),
): void {
  const { index } = node.config;
  const { keys } = node;
  const parcel = { type: "peer", sender: key, message, digest } as const;
  engine.trace.digest(EVENT_KIND.send, index, digest);
  for (const peer of to) {
    if (peer === key || (keys.length > 1 && keys.includes(peer))) sendToSelf(engine, index, parcel);
    else for (const holder of keyHolders(engine, node, peer)) transmit(engine, index, holder, parcel);
  }
}

/** A body with its signature, field by field: a spread would cost more than signing. */
function withSignature(body: StatementContent, signer: Address, signature: Signature): SignedMessage {
  const { epoch, slot, round } = body;
  switch (body.type) {
    case "vote":
    case "commit":
      return { type: body.type, epoch, slot, round, value: body.value, signer, signature };
    case "roundChange":
      return { type: body.type, epoch, slot, round, lock: body.lock, signer, signature };
    case "proposal": {
      const { value, justification } = body;
      return { type: body.type, epoch, slot, round, value, justification, signer, signature };
    }
    case "close":
      return { type: body.type, epoch, slot, round, claims: body.claims, signer, signature };
    default:
      return unreachable(body);
  }
}

function keyHolders(engine: Engine, node: Node, peer: Peer): readonly number[] {
  const holders = holdersOf(engine, peer);
  if (holders.length < 2) return holders;
  const route = engine.routes.get(`${node.name}>${peer}`);
  return route === undefined ? holders : [engine.index(route)];
}

const NO_HOLDERS: readonly number[] = [];

/** Nodes with a key that have not lost it. Called for each message and peer: without a loss it makes nothing new. */
function holdersOf({ config, nodes }: Engine, peer: Peer): readonly number[] {
  const holders = config.holders.get(peer) ?? NO_HOLDERS;
  for (const index of holders)
    if (hasLost(nodes, index, peer)) return holders.filter((other) => !hasLost(nodes, other, peer));
  return holders;
}

function hasLost(nodes: readonly Node[], index: number, key: Peer): boolean {
  return requireDefined(nodes[index], "holder of a key").hasLost(key);
}
