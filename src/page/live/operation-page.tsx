/** Page of one operation: its status, the rules that refused it, and what happened to it. */
import { useEffect, useState } from "preact/hooks";
import type { LiveState } from "../../report/live-state.ts";
import type { TimelineData } from "../../report/timeline/model.ts";
import type { RunEvent } from "../../run/events/run-event.ts";
import { Head, Section, Table } from "../parts.tsx";
import { nameOf } from "./naming.ts";
import { EventDiagram } from "./recent-diagram.tsx";

const REFUSAL_MEMBERS = ["phase", "node", "error_code", "rule", "section"] as const;

/** Answer of `/v1/transactions/trace`. */
interface Trace {
  readonly hash: string;
  readonly transaction_type: string;
  readonly from: string;
  readonly nonce: number;
  readonly status: string;
  readonly success?: boolean;
  readonly superseded_by?: string;
  readonly refusals: readonly Readonly<Record<(typeof REFUSAL_MEMBERS)[number], string | undefined>>[];
  readonly complete: boolean;
  readonly narrative: readonly string[];
  readonly events: readonly RunEvent[];
}

const TRACE_PATH = "/v1/transactions/trace?hash=";

/** The address of an operation's page, below that of the network. */
export function operationPage(hash: string): string {
  return `#${hash}`;
}

/** Returns the hash of the operation that the page's address names. */
export function useChosenOperation(): string | undefined {
  const [fragment, setFragment] = useState(location.hash);
  useEffect(() => {
    const changed = () => setFragment(location.hash);
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return /^#0x[0-9a-f]{64}$/.test(fragment) ? fragment.slice(1) : undefined;
}

/**
 * Page of the hash that was asked for, which of a copy may be another one than that of its operation. Another hash is
 * another page, so that no late answer shows under it.
 */
export function OperationPage({ state, hash }: { readonly state: LiveState; readonly hash: string }) {
  const [trace, setTrace] = useState<Trace>();
  const [fault, setFault] = useState("");
  const read = async (): Promise<void> => {
    const response = await fetch(`${TRACE_PATH}${hash}`).catch(() => undefined);
    const answer = response === undefined ? undefined : await response.json();
    if (response?.ok === true) setTrace(answer as Trace);
    setFault(response?.ok === true ? "" : (answer?.message ?? "The server does not answer."));
  };
  useEffect(() => void read(), []);
  return (
    <main class="live">
      <Head
        brand={<a href="#network">the network</a>}
        title="Operation"
        tone={toneOf(trace)}
        outcome={trace === undefined ? (fault === "" ? "reading…" : "no trace") : outcomeOf(trace)}
        reason={fault === "" ? undefined : fault}
        facts={factsOf(state, hash, trace)}
      >
        <p>
          <button type="button" onClick={() => void read()}>
            Read again
          </button>{" "}
          <a href={`${TRACE_PATH}${hash}`}>JSON</a>
        </p>
      </Head>
      {trace === undefined ? null : <TraceSections state={state} trace={trace} />}
    </main>
  );
}

function toneOf(trace: Trace | undefined): string {
  if (trace === undefined || trace.status === "pending") return "";
  return trace.status === "final" && trace.success !== false ? "pass" : "violation";
}

function outcomeOf({ status, success }: Trace): string {
  return status === "final" && success === false ? "final, failed" : status;
}

function factsOf(state: LiveState, hash: string, trace: Trace | undefined): Parameters<typeof Head>[0]["facts"] {
  const by = trace?.superseded_by;
  return {
    "Hash asked for": <code>{hash}</code>,
    "Hash of the operation": trace === undefined || trace.hash === hash ? undefined : <code>{trace.hash}</code>,
    Type: trace?.transaction_type,
    From: trace && nameOf(state, trace.from),
    Nonce: trace?.nonce,
    "Decided instead": by === undefined ? undefined : <a href={operationPage(by)}>{by}</a>,
  };
}

function TraceSections({ state, trace }: { readonly state: LiveState; readonly trace: Trace }) {
  const { refusals, narrative, complete } = trace;
  const namesOf = (nodes: LiveState["nodes"]): readonly string[] => nodes.map(({ node }) => node);
  const events: TimelineData = {
    validators: namesOf(state.nodes),
    clients: [],
    byzantine: namesOf(state.nodes.filter(({ isCorrect }) => !isCorrect)),
    events: trace.events,
  };
  return (
    <>
      {refusals.length === 0 ? null : (
        <Section label="Refusals">
          <Table
            class="rows"
            head={["Phase", "Validator", "Code", "Rule", "Section"]}
            rows={refusals.map((refusal) => REFUSAL_MEMBERS.map((name) => refusal[name]))}
          />
        </Section>
      )}
      <Section label="What happened">
        {complete ? null : <p class="hint">This network has too many events to repeat its past.</p>}
        <ol>
          {narrative.map((line, at) => (
            <li key={at}>{line}</li>
          ))}
        </ol>
      </Section>
      {trace.events.length === 0 ? null : (
        <Section label="Messages">
          <EventDiagram events={events} isRunning={false} stop={() => undefined} />
        </Section>
      )}
    </>
  );
}
