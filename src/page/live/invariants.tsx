/** Invariants that are judged while the network serves, and their violations. */
import type { LiveState } from "../../report/live-state.ts";

export function Invariants({ invariants, violations }: Pick<LiveState, "invariants" | "violations">) {
  const broken = new Set(violations.map(({ invariant }) => invariant));
  return (
    <section aria-label="Invariants">
      <h2>Invariants</h2>
      {violations.length === 0 ? <p class="hint">All hold so far.</p> : null}
      <ul class="plain bad">
        {violations.map(({ invariant, at, detail }) => (
          <li key={`${invariant} ${at} ${detail}`}>
            <strong>{invariant}</strong> at {at} ms: {detail}
          </li>
        ))}
      </ul>
      <ul class="invariants">
        {invariants.map(({ name, sentence }) => (
          <li key={name}>
            <details>
              <summary class={broken.has(name) ? "bad" : "good"}>
                {broken.has(name) ? "✗" : "✓"} {name}
              </summary>
              {sentence}
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}
