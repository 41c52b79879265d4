/** Findings of a campaign, open ones first, with their reports; failures that wait for a minimization. */
import type { CampaignState, ShownFinding } from "../../report/campaign-state.ts";
import { Section, Table } from "../parts.tsx";

export function Findings({ state: { findings, failures } }: { readonly state: CampaignState }) {
  const sorted = [...findings].sort((a, b) =>
    a.state === b.state ? b.worlds - a.worlds : a.state === "open" ? -1 : 1,
  );
  return (
    <Section label="Findings">
      <Table head={["State", "Files", "Failure signature", "Worlds", "Steps", "Commit"]} numbers={[3, 4]} none="None.">
        {[
          ...sorted.map((finding) => <Row key={finding.key} finding={finding} />),
          ...failures.map(({ signature, worlds, seed }) => (
            <tr key={signature}>
              <td class="bad">new</td>
              <td>seed {seed}</td>
              <td class="signature">{signature}</td>
              <td class="number">{worlds}</td>
              <td class="number">–</td>
              <td>–</td>
            </tr>
          )),
        ]}
      </Table>
    </Section>
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
