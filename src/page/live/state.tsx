/** State of the network: accounts and tokens, the epoch in force, the last checkpoints, the invariants that are judged. */
import { useState } from "preact/hooks";
import type { LiveState } from "../../report/live-state.ts";
import { Facts, List, Section, Table } from "../parts.tsx";
import { shortHash } from "./naming.ts";

interface StateProps {
  readonly state: LiveState;
}

export function Ledger({ state: { accounts, tokens, entry, mnemonic } }: StateProps) {
  const columns = tokens.map((_, at) => at + 4);
  return (
    <Section label="Accounts and tokens" title="Accounts">
      <Table
        head={["Name", "Address", "Key", "Nonce", ...tokens.map(({ symbol }) => symbol)]}
        numbers={[3, ...columns]}
        caption={`As ${entry} has applied them`}
        class="scroll tall"
        rows={accounts.map(({ name, address, key, nonce, balances }) => [
          name,
          <ShortHash key="address" hash={address} />,
          key === undefined ? "secret" : <CopyButton key="key" what={`the private key of ${name}`} text={key} />,
          nonce,
          ...balances,
        ])}
      />
      {mnemonic === undefined ? null : (
        <p class="hint">
          Keys of the public mnemonic <code>{mnemonic}</code> <CopyButton what="the mnemonic" text={mnemonic} />
        </p>
      )}
      <h3>Tokens</h3>
      <Table
        head={["Symbol", "Address", "Supply", "State"]}
        numbers={[2]}
        rows={tokens.map(({ symbol, address, supply, isPaused, isPrivate }) => [
          symbol,
          <ShortHash key="address" hash={address} />,
          supply,
          `${isPaused ? "paused" : "open"}, ${isPrivate ? "private" : "public"}`,
        ])}
      />
    </Section>
  );
}

function ShortHash({ hash }: { readonly hash: string }) {
  return <code title={hash}>{shortHash(hash)}</code>;
}

/** Copies a text, and shows it where the browser gives no clipboard. */
function CopyButton({ what, text }: { readonly what: string; readonly text: string }) {
  const [label, setLabel] = useState("Copy");
  const copy = async (): Promise<void> => {
    // Absent on a page that another machine has read without encryption.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    const copied = clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setLabel((await copied) === true ? "Copied" : text);
  };
  return (
    <button type="button" onClick={copy}>
      {label}
      <span class="hidden"> {what}</span>
    </button>
  );
}

export function Epoch({ state: { epoch } }: StateProps) {
  const { number, members, opened, closes, fees } = epoch;
  return (
    <Section class="epoch" label="Epoch" title={`Epoch ${number}`}>
      <Facts
        facts={{
          Committee: members.join(", "),
          Opened: opened === 0 ? "at the genesis" : `by checkpoint ${opened}`,
          Ends: closes === undefined ? "when the operator closes it" : `with checkpoint ${closes}`,
        }}
      />
      {fees.length === 0 ? null : (
        <Table
          head={["Token", "Payment", "Cancellation", "Recovery"]}
          numbers={[1, 2, 3]}
          caption="Fees, in units of the token"
          rows={fees.map(({ symbol, payment, cancellation, recovery }) => [symbol, payment, cancellation, recovery])}
        />
      )}
    </Section>
  );
}

export function Checkpoints({ state: { checkpoints } }: StateProps) {
  return (
    <Section label="Checkpoints">
      <Table
        head={["Number", "Hash", "Operations", "Time"]}
        numbers={[0, 2]}
        none="None yet: the first one follows the first final operation."
        rows={checkpoints.map(({ number, hash, operations, timestamp }) => [
          number,
          <a key="hash" href={`/v1/checkpoints/by_number?number=${number}&full=false`}>
            <ShortHash hash={hash} />
          </a>,
          operations,
          new Date(timestamp * 1_000).toLocaleTimeString("en-GB"),
        ])}
      />
    </Section>
  );
}

export function Invariants({ state: { invariants, violations } }: StateProps) {
  const broken = new Set(violations.map(({ invariant }) => invariant));
  return (
    <Section label="Invariants">
      {violations.length === 0 ? <p class="hint">All hold so far.</p> : null}
      <List
        class="bad"
        items={violations.map(({ invariant, at, detail }) => (
          <>
            <strong>{invariant}</strong> at {at} ms: {detail}
          </>
        ))}
      />
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
    </Section>
  );
}
