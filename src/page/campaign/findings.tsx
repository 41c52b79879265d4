/** Findings of a campaign, open ones first, with their reports; failures that wait for a minimization. */
import type { CampaignState, ShownFinding } from "../../report/campaign-state.ts";

export function Findings({ state: { findings, failures } }: { readonly state: CampaignState }) {
  const sorted = [...findings].sort((a, b) =>
    a.state === b.state ? b.worlds - a.worlds : a.state === "open" ? -1 : 1,
  );
  return (
    <section aria-label="Findings">
      <h2>Findings</h2>
      {findings.length + failures.length === 0 ? (
        <p class="hint">None.</p>
      ) : (
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th>State</th>
                <th>Files</th>
                <th>Failure signature</th>
                <th class="number">Worlds</th>
                <th class="number">Steps</th>
                <th>Commit</th>
              </tr>
            </thead>
            <tbody>
              {sorted.map((finding) => (
                <Row key={finding.key} finding={finding} />
              ))}
              {failures.map(({ signature, worlds, seed }) => (
                <tr key={signature}>
                  <td class="bad">new</td>
                  <td>seed {seed}</td>
                  <td class="signature">{signature}</td>
                  <td class="number">{worlds}</td>
                  <td class="number">–</td>
                  <td>–</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Row({ finding }: { readonly finding: ShownFinding }) {
  const { key, state, commit, closedBy, worlds, steps, page, file } = finding;
  const short = (hash: string | null): string => (hash === null ? "unknown" : hash.slice(0, 8));
  return (
    <tr>
      <td class={state === "open" ? "bad" : "good"}>{state}</td>
      <td>
        {page === null ? null : <a href={page}>report</a>} {file === null ? null : <a href={file}>scenario</a>}
      </td>
      <td class="signature">{key}</td>
      <td class="number">{worlds}</td>
      <td class="number">{steps}</td>
      <td>{closedBy === null ? short(commit) : `${short(commit)}, closed by ${short(closedBy)}`}</td>
    </tr>
  );
}
