/** `quorumlab send`: signs one operation with a ready account's key and hands it to a served network. */
import { requireDefined } from "../../core/base/assert.ts";
import type { Nonce } from "../../core/base/ids.ts";
import type { SignedOperation } from "../../core/base/operation.ts";
import { readCount } from "../../core/base/spelled-number.ts";
import { paddedHash, recoveryId, transactionHash } from "../../core/ledger/identity.ts";
import { readText } from "../../scenario/files.ts";
import type { OperationVerb } from "../../scenario/verbs.ts";
import { type WriteRequest, writeOf } from "../../server/wire/write-of.ts";
import { type Command, EXIT, type ExitCode, UsageError } from "../command.ts";
import { type JsonMembers, objectIn, textIn } from "../http.ts";
import { type Io, painterFor } from "../io.ts";
import { flagOption, JSON_OPTION, textArgument, textOption } from "../options.ts";
import {
  type Api,
  type ApiResponse,
  createApi,
  findToken,
  readChainId,
  readNonce,
  readToken,
  type SendToken,
} from "./network.ts";
import { type Accounts, accountsFor, draftOf } from "./operation.ts";
import { FIELDS, MNEMONIC_OPTION, readSendRequest, SEND_KINDS, type SendRequest, WAIT_MS } from "./order.ts";
import {
  immediateOutcome,
  orderText,
  pollOutcome,
  type SendOutcome,
  type SendReport,
  sendReportLine,
  sendReportText,
} from "./outcome.ts";

export const sendCommand: Command = {
  examples: [
    ["$0 send payment --from alice --to bob --token USDX --value 12.5", "pay, and wait for the outcome"],
    ["$0 send faucet --to alice --token USDX --value 1000", "give alice more of a ready token"],
    ["$0 send grant --to carol --token USDX --role Pause", "grant a role, signed by the token's master authority"],
    ["$0 send multisig --from alice --account 2-of-alice,bob", "create a multisig account of two keys"],
    [
      "$0 send payment --from 2-of-alice,bob --to carol --token USDX --value 1",
      "pay from it, signed by as many keys as it needs",
    ],
    ["$0 send cancellation --from alice --nonce 3 --json", "cancel the operation of a nonce, with the result as JSON"],
    [
      "$0 send payment --from alice --to bob --token USDX --value 1 --nonce 3 --print > first.json",
      "sign a payment, and keep it in a file",
    ],
    [
      "$0 send recovery --account alice --evidence first.json --evidence second.json",
      "free an account that two conflicting operations block",
    ],
  ],
  positionals: { kind: { ...textArgument("operation to send"), choices: SEND_KINDS } },
  options: {
    ...FIELDS,
    nonce: textOption("nonce of the operation; default: the signer's next one"),
    url: textOption("address of the network; default: http://127.0.0.1:18555"),
    mnemonic: MNEMONIC_OPTION,
    accounts: textOption("number of ready accounts of the network; default: 10"),
    wait: flagOption("wait for the outcome; --no-wait returns once the network has received the operation", true),
    print: flagOption("print the signed write, {path, body} in JSON, and send nothing"),
    timeout: textOption(`longest wait in milliseconds; default: ${WAIT_MS}`),
    json: JSON_OPTION,
  },
  run: async (args, io) => {
    const request = readSendRequest(args, io.env);
    const [api, accounts] = [createApi(request.url), accountsFor(request)];
    const { kind } = request;
    const parcel =
      kind === "recovery"
        ? recoveryParcel(request, accounts, api)
        : await operationParcel(kind === "faucet" ? "mint" : kind, request, accounts, api);
    if (request.print) {
      io.out(`${JSON.stringify(parcel.write)}\n`);
      return EXIT.expected;
    }
    const report = await sendOperation(request, parcel, api, io);
    io.out(request.json ? `${sendReportLine(report)}\n` : await textOf(report, accounts, api, io));
    return exitCodeOf(report.outcome);
  },
};

/** Returns the report with a refusal in the words of the order; the JSON line has it as the network sends it. */
async function textOf(report: SendReport, { names }: Accounts, api: Api, io: Io): Promise<string> {
  const { outcome } = report;
  if (outcome.status !== "refused") return sendReportText(report, painterFor(io));
  const message = await orderText(outcome.message, names, api);
  return sendReportText({ ...report, outcome: { ...outcome, message } }, painterFor(io));
}

/** Write that is ready to be sent. */
interface PreparedWrite {
  readonly write: WriteRequest;
  readonly from: SendReport["from"];
  readonly token: SendToken | undefined;
  /** Posts the write; returns the response with what was posted in the end. */
  post(): Promise<PostResult>;
}

/** `padded`: the other spelling of the hash, where it differs (wire 3.3). */
type PostResult = Readonly<{ answer: ApiResponse; hash: string; padded?: string | undefined; nonce: number }>;

async function sendOperation(request: SendRequest, parcel: PreparedWrite, api: Api, io: Io): Promise<SendReport> {
  const start = io.now();
  const { answer, hash, padded, nonce } = await parcel.post();
  const refused = immediateOutcome(answer, [hash, padded ?? hash]);
  const outcome =
    refused ?? (request.wait ? await pollOutcome(api, hash, request.waitMs, io) : { status: "submitted" });
  const elapsedMs = io.now() - start;
  return {
    request,
    from: parcel.from,
    nonce,
    hash,
    issued: (answer.type === "answer" && textIn(answer.body, "token")) || undefined,
    outcome,
    elapsedMs,
    feeToken: await feeTokenOf(api, outcome, parcel.token),
  };
}

/**
 * A recovery's hash is the same for every proof. The network checks the signatures.
 * @throws UsageError unless two files hold writes of one chain and nonce
 */
function recoveryParcel({ fields, evidence: files }: SendRequest, { party }: Accounts, api: Api): PreparedWrite {
  const name = requireDefined(fields["account"], "account");
  const account = party("account", name);
  const [first, second, ...surplus] = files.map(evidenceIn);
  if (first === undefined || second === undefined || surplus.length > 0)
    throw new UsageError(`--evidence: expected two files, got ${files.length}`);
  const { chainId, nonce } = first;
  if (second.chainId !== chainId || second.nonce !== nonce)
    throw new UsageError(
      `--evidence: expected two writes of one chain and nonce, got chain ${chainId}, nonce ${nonce} in ${first.file} and chain ${second.chainId}, nonce ${second.nonce} in ${second.file}`,
    );
  const evidence = [first, second].map(({ path, body }) => ({ path, body }));
  const body = { chain_id: chainId, account, nonce, evidence };
  const write = { path: "/v1/transactions/recovery", body };
  const hash = recoveryId(chainId, account, nonce);
  const post = async (): Promise<PostResult> => ({ answer: await api.post(write.path, body, false), hash, nonce });
  return { write, from: { name, address: account }, token: undefined, post };
}

/** Returns the write that a file holds. @throws UsageError for a file without one. */
function evidenceIn(file: string) {
  const text = readText(file);
  if (!text.ok) throw new UsageError(`${file}: ${text.error.message}`);
  const { path, body } = objectIn(text.value) ?? {};
  const [chainId, nonce] = ["chain_id", "nonce"].map((member) =>
    readCount((body as JsonMembers | null | undefined)?.[member]),
  );
  if (typeof path === "string" && chainId !== undefined && nonce !== undefined)
    return { file, path, body: body as JsonMembers, chainId, nonce: nonce as Nonce };
  throw new UsageError(
    `${file}: expected a write as send --print prints it, {"path": "/v1/...", "body": {"chain_id": 1, "nonce": 0, ...}}`,
  );
}

/** Completes all reads before the key is used. */
async function operationParcel(
  verb: OperationVerb,
  request: SendRequest,
  { signer: signerOf, party, multisig }: Accounts,
  api: Api,
): Promise<PreparedWrite> {
  const signer = signerOf();
  const { name, address } = signer;
  const { issuer = "issuer", token: tokenText } = request.fields;
  const chainId = await readChainId(api);
  const token =
    tokenText === undefined
      ? undefined
      : await readToken(api, tokenText, { name: issuer, address: party("issuer", issuer) });
  const first = request.nonce ?? (await readNonce(api, address));
  const draft: SignDraft = (nonce) =>
    signer.sign(draftOf(verb, request, { chainId, nonce: nonce as Nonce, token, party, multisig }));
  return {
    write: writeOf(draft(first)),
    from: { name, address },
    token,
    post: () => postWithNextNonce(request, draft, first, api),
  };
}

/** Makes the signed operation for a nonce. */
type SignDraft = (nonce: number) => SignedOperation;

/** Most nonces that are tried: a validator holds no more operations of one account. */
const NONCES_TRIED = 256;

/**
 * Signs and posts. Several senders of one account at once each get a nonce of their own: where another one was quicker,
 * the next nonce is tried, unless the request names one, or cancels one.
 */
async function postWithNextNonce(request: SendRequest, draft: SignDraft, first: number, api: Api): Promise<PostResult> {
  const isFree = request.nonce === undefined && request.kind !== "cancellation";
  let nonce = first;
  for (let tries = 1; ; tries++) {
    const signed = draft(nonce);
    const hash = transactionHash(signed);
    const { path, body } = writeOf(signed);
    const answer = await api.post(path, body, isFree);
    const code = answer.type === "answer" ? textIn(answer.body, "error_code") : "";
    if (!isFree || tries === NONCES_TRIED || !LOST_RACES.has(code))
      return { answer, hash, padded: paddedHash(signed), nonce };
    nonce = code === "business_nonce_pending" ? nonce + 1 : await readNonce(api, signed.sender);
  }
}

/** Refusals of a nonce that was free when it was read. */
const LOST_RACES: ReadonlySet<string> = new Set([
  "business_nonce_pending",
  "business_nonce_too_low",
  "business_nonce_gap",
]);

/** Returns the fee's token; a cancellation does not name it. */
async function feeTokenOf(
  api: Api,
  outcome: SendOutcome,
  token: SendToken | undefined,
): Promise<SendToken | undefined> {
  if (outcome.status !== "final" || outcome.feeToken === undefined || outcome.fee === 0n) return undefined;
  return outcome.feeToken === token?.address ? token : findToken(api, outcome.feeToken);
}

function exitCodeOf(outcome: SendOutcome): ExitCode {
  if (outcome.status === "interrupted") return EXIT.interrupted;
  const isFine = outcome.status === "submitted" || (outcome.status === "final" && outcome.success);
  return isFine ? EXIT.expected : EXIT.failed;
}
