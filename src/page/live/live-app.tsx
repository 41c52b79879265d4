/** The page of a served network: committee, faults, operations, ledger, diagram, invariants. */
import { useMemo, useState } from "preact/hooks";
import type { LiveState } from "../../report/live-state.ts";
import { useServedState } from "../hooks.ts";
import { adminCalls, type Outcome, ownCall, type RunAction } from "./admin.ts";
import { Committee } from "./committee.tsx";
import { Controls } from "./controls.tsx";
import { LiveHeader } from "./live-header.tsx";
import { OperationPage, useChosenOperation } from "./operation-page.tsx";
import { Operations } from "./operations.tsx";
import { Payment } from "./payment.tsx";
import { Rates } from "./rates.tsx";
import { RecentDiagram } from "./recent-diagram.tsx";
import { Checkpoints, Epoch, Invariants, Ledger } from "./state.tsx";
import { STATE_MS, useOperations } from "./use-network.ts";

export function LiveApp() {
  const { state, fault, refresh } = useServedState<LiveState>(STATE_MS);
  const rows = useOperations();
  const chosen = useChosenOperation();
  const [outcome, setOutcome] = useState<{ readonly name: string; readonly outcome: Outcome }>();
  if (state === undefined)
    return (
      <main>
        <p role="status">{fault === "" ? "Reading the state of the network…" : fault}</p>
      </main>
    );
  if (chosen !== undefined) return <OperationPage key={chosen} state={state} hash={chosen} />;
  const act: RunAction = async (name, path, body) => {
    const call = path.startsWith("/") ? ownCall : adminCalls(state.adminUrl ?? "");
    setOutcome({ name, outcome: await call(path, body) });
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
      <Details state={state} />
    </main>
  );
}

/** Parts that change with a checkpoint or a violation only. */
function Details({ state }: { readonly state: LiveState }) {
  const { checkpoints, invariants, violations } = state;
  const key = `${checkpoints[0]?.hash} ${violations.length}`;
  return useMemo(
    () => (
      <div class="halves">
        <Checkpoints state={state} />
        <Invariants invariants={invariants} violations={violations} />
      </div>
    ),
    [key],
  );
}
