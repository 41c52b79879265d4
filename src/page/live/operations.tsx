/** Operations on their way to finality, the newest first. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { amountText, type LiveState } from "../../report/live-state.ts";
import { readJson } from "../hooks.ts";
import { List, Section, Table } from "../parts.tsx";
import { nameOf, shortHash } from "./naming.ts";
import { operationPage } from "./operation-page.tsx";
import { type OperationRow, TONES } from "./operation-rows.ts";

interface OperationsProps {
  readonly state: LiveState;
  readonly rows: readonly OperationRow[];
}

export function Operations({ state, rows }: OperationsProps) {
  return (
    <Section class="operations" label="Operations">
      <Table
        head={["Hash", "Type", "From", "To", "Amount", "Status", "ms"]}
        numbers={[4, 6]}
        class="scroll tall"
        none={
          <>
            None since this page was opened. Pay on this page, or from a shell: <code>{exampleOf(state)}</code>
          </>
        }
        rows={rows.map((row) => cellsOf(state, row))}
        keys={rows.map(({ hash }) => hash)}
      />
    </Section>
  );
}

/** A payment by the command, to this network. */
function exampleOf({ accounts, tokens }: LiveState): string {
  const [from = "alice", to = "bob"] = accounts.slice(2).map(({ name }) => name);
  const url = location.port === "18555" ? "" : ` --url ${location.origin}`;
  return `npx quorumlab send payment --from ${from} --to ${to} --token ${tokens[0]?.symbol ?? "USDX"} --value 1${url}`;
}

function cellsOf(state: LiveState, row: OperationRow): readonly ComponentChildren[] {
  const { hash, type, from, to, token, value, status, detail, ms } = row;
  return [
    <a key="hash" href={operationPage(hash)}>
      <code>{shortHash(hash)}</code>
    </a>,
    type,
    nameOf(state, from),
    type === "BatchPayment" ? <Recipients key="to" state={state} row={row} /> : to === null ? "" : nameOf(state, to),
    amountText(state, value, token),
    <span key="status" class={TONES[status]}>
      {status}
      {detail === "" ? "" : `, ${detail}`}
    </span>,
    ms === undefined ? "" : Math.round(ms),
  ];
}

interface Leg {
  readonly recipient: string;
  readonly amount: string;
}

/** Recipients of a batch with their amounts, which its events do not name: read once from the interface. */
function Recipients({ state, row }: { readonly state: LiveState; readonly row: OperationRow }) {
  const { hash, token, status } = row;
  const [legs, setLegs] = useState<readonly Leg[]>();
  useEffect(() => {
    // A server that did not know it yet is asked again when the operation gets on.
    if (legs === undefined) void legsOf(hash).then(setLegs);
  }, [hash, status, legs === undefined]);
  if (legs === undefined) return null;
  return (
    <details>
      <summary>{`${legs.length} ${legs.length === 1 ? "recipient" : "recipients"}`}</summary>
      <List
        items={legs.map(({ recipient, amount }) => `${nameOf(state, recipient)}: ${amountText(state, amount, token)}`)}
      />
    </details>
  );
}

/** `undefined` where the server does not answer: the row then says nothing of them. */
async function legsOf(hash: string): Promise<readonly Leg[] | undefined> {
  type Batch = { readonly data: { readonly operations?: readonly Leg[] } };
  return (await readJson<Batch>(`/v1/transactions/by_hash?hash=${hash}`))?.data.operations;
}
