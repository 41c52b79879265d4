/** Head of the live page: health, clock, counts, and the outcome of the last action. */
import type { LiveState } from "../../report/live-state.ts";
import { Head } from "../parts.tsx";
import type { Outcome } from "./admin.ts";
import { healthOf } from "./health.ts";
import { durationText } from "./naming.ts";

interface HeaderProps {
  readonly state: LiveState;
  /** Says why the state is old; empty if it is not. */
  readonly fault: string;
  readonly outcome: { readonly name: string; readonly outcome: Outcome } | undefined;
}

export function LiveHeader({ state, fault, outcome }: HeaderProps) {
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
