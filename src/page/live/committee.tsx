/** Validators with their state, and the faults of each. */
import type { LiveNode, LiveState } from "../../report/live-state.ts";
import { Choice, Section, Table } from "../parts.tsx";
import type { RunAction } from "./admin.ts";

interface CommitteeProps {
  readonly state: LiveState;
  readonly act: RunAction;
}

export function Committee({ state, act }: CommitteeProps) {
  const { nodes, faults, adminUrl } = state;
  return (
    <Section class="validators" label="Validators">
      <Table
        head={["Name", "State", "Checkpoint", "Pending", ...(adminUrl === undefined ? [] : ["Faults"])]}
        numbers={[2, 3]}
      >
        {nodes.map((node) => (
          <Row key={node.node} node={node} state={state} act={act} />
        ))}
      </Table>
      <h3>Faults in force</h3>
      {faults.length === 0 ? <p class="hint">none</p> : <Faults faults={faults.slice(0, FAULTS_SHOWN)} />}
      {faults.length > FAULTS_SHOWN ? (
        <details>
          <summary>{faults.length - FAULTS_SHOWN} more</summary>
          <Faults faults={faults.slice(FAULTS_SHOWN)} />
        </details>
      ) : null}
    </Section>
  );
}

/** Faults that are listed at once: each link may have one. */
const FAULTS_SHOWN = 5;

function Faults({ faults }: Pick<LiveState, "faults">) {
  return (
    <ul class="plain">
      {faults.map((fault) => (
        <li key={fault}>{fault}</li>
      ))}
    </ul>
  );
}

function Row({ node, state, act }: CommitteeProps & { readonly node: LiveNode }) {
  const { node: name, isRunning, isCorrect, checkpoint, pending } = node;
  const step = (words: string, verb: object): void => void act(`${name} ${words}`, "step", verb);
  const status = `${isRunning ? "runs" : "down"}${isCorrect ? "" : ", not correct"}`;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class={isRunning && isCorrect ? "good" : "bad"}>{status}</td>
      <td class="number">{checkpoint}</td>
      <td class="number">{pending}</td>
      {state.adminUrl === undefined ? null : (
        <td class="buttons">
          {isRunning ? (
            <button type="button" onClick={() => step("crashes", { crash: { node: name } })}>
              Crash<span class="hidden"> {name}</span>
            </button>
          ) : (
            <button type="button" onClick={() => step("restarts", { restart: name })}>
              Restart<span class="hidden"> {name}</span>
            </button>
          )}
          {isCorrect ? (
            <Choice
              name={`Make ${name} Byzantine`}
              isNameHidden
              value=""
              options={[["", "Byzantine…"], ...state.strategies]}
              set={(strategy) => {
                if (strategy !== "") step(`is Byzantine (${strategy})`, { byzantine: { node: name, strategy } });
              }}
            />
          ) : (
            <button type="button" onClick={() => step("behaves again", { behave: { node: name } })}>
              Behave<span class="hidden"> {name}</span>
            </button>
          )}
        </td>
      )}
    </tr>
  );
}
