/** Findings of a campaign, open ones first, with their reports; failures that wait for a minimization. */
import type { CampaignState, ShownFinding } from "../../report/campaign-state.ts";
import { Section, Table } from "../parts.tsx";

export function Findings({ state: { findings, failures, commit } }: { readonly state: CampaignState }) {
  const sorted = [...findings].sort((a, b) =>
    a.state === b.state ? b.worlds - a.worlds : a.state === "open" ? -1 : 1,
  );
  return (
    <Section label="Findings">
      <Table
        head={["State", "Files", "Failure signature", "Worlds", "Steps", "Commit"]}
        numbers={[3, 4]}
        none="None."
        rows={[
          ...sorted.map((finding) => rowOf(finding, commit)),
          ...failures.map(({ signature, worlds, seed }) => [
            <span key="state" class="bad">
              not minimized
            </span>,
            `seed ${seed}`,
            <Signature key="signature" text={signature} />,
            worlds,
            "–",
            "–",
          ]),
        ]}
      />
    </Section>
  );
}

function Signature({ text }: { readonly text: string }) {
  return <div class="signature">{text}</div>;
}

/** A row; of open findings those are new that no earlier commit has shown. */
function rowOf({ key, state, commit, closedBy, worlds, steps, page, file }: ShownFinding, own: string | null) {
  const short = (hash: string | null): string => (hash === null ? "unknown" : hash.slice(0, 8));
  return [
    <span key="state" class={state === "open" ? "bad" : "good"}>
      {state === "closed" ? "fixed" : commit === own ? "new" : "known"}
    </span>,
    <>
      {page === null ? null : <a href={page}>report</a>} {file === null ? null : <a href={file}>scenario</a>}
    </>,
    <Signature key="signature" text={key} />,
    worlds,
    steps,
    closedBy === null ? short(commit) : `${short(commit)}, closed by ${short(closedBy)}`,
  ];
}
