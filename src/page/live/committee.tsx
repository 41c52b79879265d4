/** Validators with their state, and the faults of each. */
import type { ComponentChildren } from "preact";
import type { LiveNode } from "../../report/live-state.ts";
import { Choice, List, Section, Table } from "../parts.tsx";
import type { ActionProps } from "./admin.ts";

export function Committee({ state, act }: ActionProps) {
  const { nodes, faults, adminUrl } = state;
  return (
    <Section class="validators" label="Validators">
      <Table
        head={["Name", "State", "Checkpoint", "Pending", ...(adminUrl === undefined ? [] : ["Faults"])]}
        numbers={[2, 3]}
        rows={nodes.map((node) => cellsOf(node, { state, act }))}
      />
      <h3>Faults in force</h3>
      {faults.length === 0 ? <p class="hint">none</p> : <List items={faults.slice(0, FAULTS_SHOWN)} />}
      {faults.length > FAULTS_SHOWN ? (
        <details>
          <summary>{faults.length - FAULTS_SHOWN} more</summary>
          <List items={faults.slice(FAULTS_SHOWN)} />
        </details>
      ) : null}
    </Section>
  );
}

/** Faults that are listed at once: each link may have one. */
const FAULTS_SHOWN = 5;

function cellsOf(node: LiveNode, props: ActionProps): readonly ComponentChildren[] {
  const { node: name, isRunning, isCorrect, checkpoint, pending } = node;
  return [
    name,
    <span key="state" class={isRunning && isCorrect ? "good" : "bad"}>
      {`${isRunning ? "runs" : "down"}${faultOf(node)}`}
    </span>,
    checkpoint,
    pending,
    ...(props.state.adminUrl === undefined ? [] : [<Buttons key="buttons" node={node} {...props} />]),
  ];
}

/** Word for a validator that counts as no correct one: a strategy may be over, its signatures stay. */
function faultOf({ isCorrect, isByzantine }: LiveNode): string {
  if (isByzantine) return ", Byzantine";
  return isCorrect ? "" : ", was Byzantine or lost its disk";
}

function Buttons({ node, state, act }: ActionProps & { readonly node: LiveNode }) {
  const { node: name, isRunning, isByzantine } = node;
  const button = (label: string, words: string, verb: object) => (
    <button type="button" onClick={() => act(`${name} ${words}`, "step", verb)}>
      {label}
      <span class="hidden"> {name}</span>
    </button>
  );
  return (
    <div class="buttons">
      {isRunning
        ? button("Crash", "crashes", { crash: { node: name } })
        : button("Restart", "restarts", { restart: name })}
      {isByzantine ? (
        button("Behave", "behaves again", { behave: { node: name } })
      ) : (
        <Choice
          name={`Make ${name} Byzantine`}
          isNameHidden
          value=""
          options={[["", "Byzantine…"], ...state.strategies]}
          set={(strategy) => {
            const verb = { byzantine: { node: name, strategy } };
            if (strategy !== "") void act(`${name} is Byzantine (${strategy})`, "step", verb);
          }}
        />
      )}
    </div>
  );
}
