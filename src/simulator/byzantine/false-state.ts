/**
 * Strategy: serves false states; a joining validator must detect each false piece and ask another peer (protocol 6.2).
 */
import type { Hash } from "../../core/base/ids.ts";
import type { StatePieces } from "../../core/validator/message.ts";
import type { Output } from "../../core/validator/output.ts";
import type { Strategy } from "./strategy.ts";

type Piece = StatePieces["pieces"][number]["piece"];

/** Uses the next deviation for each response. */
export function falseState(): Strategy<number> {
  return {
    memory: 0,
    intercept: ({ outputs }, told) => {
      let next = told;
      return { outputs: outputs.map((output) => (isServed(output) ? lied(output, next++) : output)), memory: next };
    },
  };
}

function isServed(output: Output): boolean {
  return output.type === "send" && (output.message.type === "snapshot" || output.message.type === "statePieces");
}

function lied(output: Output, told: number): Output {
  if (output.type !== "send") return output;
  const { message } = output;
  if (message.type === "snapshot" && told % 3 === 1) {
    const { certificate } = message;
    return {
      ...output,
      message: { ...message, certificate: { ...certificate, seals: certificate.seals.slice(0, 1) } },
    };
  }
  if (message.type === "snapshot" && told % 3 === 2) {
    return { ...output, message: { ...message, parts: message.parts.map(() => message.certificate.value) } };
  }
  if (message.type !== "statePieces") return output;
  const pieces = message.pieces.map(({ place, piece }) => ({ place, piece: spoilt(piece, told) }));
  return { ...output, message: { ...message, pieces } };
}

/** Returns a piece with another hash below, or with one entry fewer; unchanged without entries. */
function spoilt(piece: Piece, told: number): Piece {
  if (piece.type === "entries") return { ...piece, entries: piece.entries.slice(1) };
  const other: Hash = piece.right;
  return told % 2 === 0 ? { ...piece, left: other } : { ...piece, bit: piece.bit + 1 };
}
