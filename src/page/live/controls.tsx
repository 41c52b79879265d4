/** Faults between validators, time, snapshots and the recording, all through the admin interface. */
import { useState } from "preact/hooks";
import { Choice, Section } from "../parts.tsx";
import { type ActionProps, adminToken, type Outcome, type RunAction, saveRecording, TOKEN_KEY } from "./admin.ts";
import { durationText } from "./naming.ts";

export function Controls({ state, act }: ActionProps) {
  const { adminUrl } = state;
  if (adminUrl === undefined)
    return (
      <Section label="Controls">
        <p class="hint">This network has no admin interface: it was started with --admin-port none.</p>
      </Section>
    );
  return (
    <Section class="controls" label="Controls">
      <LinkControls state={state} act={act} />
      <TimeControls state={state} act={act} />
      <RecordingControls adminUrl={adminUrl} />
      <Token />
    </Section>
  );
}

/** Returns a function that makes buttons: `name` says what a button does, in a few words. */
function buttonsOf(act: RunAction) {
  return (label: string, name: string, path: string, body: object) => (
    <button key={label} type="button" onClick={() => act(name, path, body)}>
      {label}
    </button>
  );
}

function LinkControls({ state, act }: ActionProps) {
  const button = buttonsOf(act);
  const names = state.nodes.map(({ node }) => node);
  const [apart, setApart] = useState(names.at(-1) ?? "");
  const [delay, setDelay] = useState("200");
  const others = names.filter((name) => name !== apart);
  const half = Math.ceil(names.length / 2);
  const halves = [names.slice(0, half), names.slice(half)];
  return (
    <fieldset>
      <legend>Links</legend>
      <Choice name="Validator" value={apart} options={names} set={setApart} />
      {button("Separate it", `${apart} is apart`, "step", { partition: [others, [apart]] })}
      {button("Separate halves", "two halves are apart", "step", { partition: halves })}
      <label>
        <span>Delay in ms</span>
        <input
          type="number"
          min={0}
          max={10_000}
          value={delay}
          onInput={({ currentTarget: { value } }) => setDelay(value)}
        />
      </label>
      {button("Set delay", `links take ${delay} ms`, "step", { delay: { ms: Number(delay) } })}
      <button
        type="button"
        class="main"
        disabled={state.cut.length === 0}
        onClick={() => act("links are whole", "step", { heal: true })}
      >
        Heal partitions
      </button>
    </fieldset>
  );
}

function TimeControls({ state: { snapshots }, act }: ActionProps) {
  const button = buttonsOf(act);
  const [chosen, setChosen] = useState("");
  const last = snapshots.at(-1)?.name ?? "";
  // Others drop snapshots, too.
  const name = snapshots.some((one) => one.name === chosen) ? chosen : last;
  return (
    <fieldset>
      <legend>Time</legend>
      {[1, 10, 60].map((seconds) =>
        button(`+ ${seconds} s`, `${seconds} s of virtual time pass`, "advance", { ms: seconds * 1_000 }),
      )}
      {button("Next checkpoint", "the next checkpoint", "checkpoint", {})}
      {button("Next epoch", "the next epoch", "epoch", {})}
      {button("Snapshot", "a snapshot", "snapshot", {})}
      {snapshots.length === 0 ? null : (
        <>
          <Choice
            name="Snapshot"
            value={name}
            options={snapshots.map((one) => [one.name, `${one.name}, at ${durationText(one.at)}`] as const)}
            set={setChosen}
          />
          {button("Undo to it", `back to snapshot ${name}`, "revert", { snapshot: name })}
        </>
      )}
      {button("Undo everything", "back to the start", "reset", {})}
    </fieldset>
  );
}

function RecordingControls({ adminUrl }: { readonly adminUrl: string }) {
  const [outcome, setOutcome] = useState<Outcome>();
  return (
    <fieldset>
      <legend>Recording</legend>
      <button type="button" onClick={async () => setOutcome(await saveRecording(adminUrl))}>
        Save recording
      </button>
      <code>npx quorumlab replay network.ndjson</code>
      <span role="status">{outcome?.text ?? ""}</span>
    </fieldset>
  );
}

/** Only networks that other machines reach have a token. */
function Token() {
  const [token, setToken] = useState(adminToken);
  return (
    <details>
      <summary>Admin token</summary>
      <form onSubmit={(event) => event.preventDefault()}>
        <label>
          <span>Value of --admin-token, kept in this tab</span>
          <input
            type="password"
            autocomplete="off"
            value={token}
            onInput={({ currentTarget: { value } }) => {
              setToken(value);
              sessionStorage.setItem(TOKEN_KEY, value);
            }}
          />
        </label>
      </form>
    </details>
  );
}
