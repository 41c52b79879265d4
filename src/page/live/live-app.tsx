/** The page of a served network: health, committee, faults, operations, ledger, diagram, invariants. */
import { useState } from "preact/hooks";
import type { LiveState } from "../../report/live-state.ts";
import { useServedState } from "../hooks.ts";
import { Head } from "../parts.tsx";
import { type Outcome, post, type RunAction } from "./admin.ts";
import { Committee } from "./committee.tsx";
import { Controls } from "./controls.tsx";
import { healthOf } from "./health.ts";
import { durationText } from "./naming.ts";
import { OperationPage, useChosenOperation } from "./operation-page.tsx";
import { useOperations } from "./operation-rows.ts";
import { Operations } from "./operations.tsx";
import { Payment } from "./payment.tsx";
import { Rates } from "./rates.tsx";
import { RecentDiagram } from "./recent-diagram.tsx";
import { Checkpoints, Epoch, Invariants, Ledger } from "./state.tsx";

/** Milliseconds between two reads of the state. */
const STATE_MS = 1_000;

/** Outcome of the action with this name. */
interface NamedOutcome {
  readonly name: string;
  readonly outcome: Outcome;
}

export function LiveApp() {
  const { state, fault, refresh } = useServedState<LiveState>("/page/state.json", STATE_MS);
  const rows = useOperations();
  const chosen = useChosenOperation();
  const [outcome, setOutcome] = useState<NamedOutcome>();
  if (state === undefined)
    return (
      <main>
        <p role="status">{fault === "" ? "Reading the state of the network…" : fault}</p>
      </main>
    );
  if (chosen !== undefined) return <OperationPage key={chosen} state={state} hash={chosen} />;
  const act: RunAction = async (name, path, body) => {
    setOutcome({ name, outcome: await post(path, body, state.adminUrl) });
    refresh();
  };
  return (
    <main class="live">
      <LiveHeader state={state} fault={fault} outcome={outcome} />
      <div class="halves">
        <Committee state={state} act={act} />
        <Controls state={state} act={act} />
      </div>
      <Operations state={state} rows={rows} />
      <Rates state={state} rows={rows} />
      <div class="halves">
        <Ledger state={state} />
        <div class="stack">
          <Payment state={state} act={act} />
          <Epoch state={state} />
        </div>
      </div>
      <RecentDiagram />
      <div class="halves">
        <Checkpoints state={state} />
        <Invariants state={state} />
      </div>
    </main>
  );
}

interface HeaderProps {
  readonly state: LiveState;
  /** Says why the state is old; empty if it is not. */
  readonly fault: string;
  readonly outcome: NamedOutcome | undefined;
}

function LiveHeader({ state, fault, outcome }: HeaderProps) {
  const { version, chainId, entry, virtualMs, rate, steps, pending, final, committee, quorum, epoch, hash } = state;
  const { tone, word, reason } = healthOf(state);
  return (
    <Head
      brand={
        <>
          {version} · <a href="/docs">HTTP interface</a> · <a href="/metrics">metrics</a>
        </>
      }
      title={`Network ${chainId}`}
      tone={tone}
      outcome={word}
      reason={reason}
      facts={{
        Finality: `${quorum} of ${committee} validators`,
        Epoch: epoch.number,
        "Final operations": final,
        Pending: pending,
        "Virtual time": `${durationText(virtualMs)}${rate === 1 ? "" : `, × ${rate}`}`,
        Events: steps,
        Entry: entry,
        Hash: `${hash.slice(0, 12)}…`,
      }}
    >
      <p class={fault === "" && outcome?.outcome.isDone !== false ? "outcome" : "outcome bad"} aria-live="polite">
        {fault !== "" ? fault : outcome === undefined ? "" : `${outcome.name}: ${outcome.outcome.text}`}
      </p>
    </Head>
  );
}
