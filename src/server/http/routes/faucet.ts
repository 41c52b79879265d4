/** POST /faucet: units of a ready token for any account. An addition (wire 1.5); `--no-faucet` disables it. */
import type { FastifyInstance } from "fastify";
import type { Static } from "typebox";
import { err, ok, type Result } from "../../../core/base/result.ts";
import { optional } from "../../../schema/shape.ts";
import type { NameResolver } from "../../admin/name-resolver.ts";
import type { ServerSigner, SubmissionFault } from "../../admin/signed-submission.ts";
import type { Host } from "../../host/real-host.ts";
import { FAUCET_TOKENS, FAUCET_TOKENS_MAX } from "../../limits.ts";
import type { Answers } from "../../wire/answers.ts";
import { edgeFault } from "../../wire/errors.ts";
import { hash, object, words } from "../../wire/schemas/schema-types.ts";
import { sendError } from "../errors.ts";
import { POST_REFUSALS, routeSchema } from "../route.ts";

const body = object("a faucet request", {
  address: words("the recipient: an address, or the name of a ready account", undefined, ["alice"]),
  token: optional(words("symbol or address of a token; the first ready one where absent", undefined, ["USDX"])),
  value: optional(
    words(`in the token's units, at most ${FAUCET_TOKENS_MAX}; ${FAUCET_TOKENS} where absent`, undefined, ["12.5"]),
  ),
});

const answer = object("the faucet's mint", {
  hash: hash("the mint"),
  token: words("the token's address"),
  value: words("the amount in the token's smallest unit"),
});

type FaucetBody = Static<typeof body>;
type FaucetAnswer = Static<typeof answer>;

export type Faucet = Readonly<{
  host: Host;
  signer: ServerSigner;
  names: NameResolver;
  answers: Pick<Answers, "hashOf">;
}>;

/** Serves the faucet: a mint signed with a key of the server; responds once it is final. */
export function serveFaucet(app: FastifyInstance, faucet: Faucet): void {
  const about = {
    path: "/faucet",
    tag: "tools",
    summary: "Get units of a ready token",
    description: "A mint signed with a key of this server. The response is sent once it is final.",
    section: "wire 1.5",
  };
  const refusals = { ...POST_REFUSALS, 422: "The token is paused, is not a ready one, or excludes the address." };
  app.post(about.path, { schema: routeSchema(about, { body }, answer, refusals) }, async (request, reply) => {
    const transfer = await giveTokens(faucet, request.body as FaucetBody);
    if (transfer.ok) return reply.send(transfer.value);
    const { error } = transfer;
    const isRefused = typeof error === "string";
    const fault = isRefused ? edgeFault("business_faucet_refused", error) : edgeFault("request_timeout", error.message);
    return sendError(reply, fault);
  });
}

async function giveTokens(
  { host, signer, names, answers }: Faucet,
  entry: FaucetBody,
): Promise<Result<FaucetAnswer, SubmissionFault>> {
  const [first = ""] = Object.keys(host.network.setup.scenario.genesis?.tokens ?? {});
  const { address, token = first, value = String(FAUCET_TOKENS) } = entry;
  const holding = names.holding(address, token, value);
  if (!holding.ok) return holding;
  const { token: issued, decimals, amount } = holding.value;
  if (amount === 0n || amount > FAUCET_TOKENS_MAX * 10n ** BigInt(decimals))
    return err(`value: expected more than 0 and at most ${FAUCET_TOKENS_MAX}, got ${entry.value}`);
  const transfer = await signer.give(holding.value);
  if (!transfer.ok) return transfer;
  const { hash } = transfer.value;
  const copy = host.network.archive.find(hash);
  return ok({ hash: copy === undefined ? hash : answers.hashOf(copy), token: issued, value: String(amount) });
}
