/** A payment signed by the server, and the faucet. */
import { useState } from "preact/hooks";
import { Choice, Section } from "../parts.tsx";
import type { ActionProps } from "./admin.ts";

export function Payment({ state, act }: ActionProps) {
  const { accounts, tokens, adminUrl, hasFaucet } = state;
  const names = accounts.map(({ name }) => name);
  const [from, setFrom] = useState(names.includes("alice") ? "alice" : (names[0] ?? ""));
  const [to, setTo] = useState(names.includes("bob") ? "bob" : (names[1] ?? ""));
  const [token, setToken] = useState(tokens[0]?.address ?? "");
  const [value, setValue] = useState("1");
  const symbol = tokens.find(({ address }) => address === token)?.symbol ?? "";
  const pay = (): Promise<void> => act(`${from} pays ${to} ${value} ${symbol}`, "payment", { from, to, token, value });
  const give = (): Promise<void> => act(`${to} gets ${value} ${symbol}`, "/faucet", { address: to, token, value });
  return (
    <Section class="payment" label="Pay">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (adminUrl !== undefined) void pay();
        }}
      >
        {adminUrl === undefined ? null : <Choice name="From" value={from} options={names} set={setFrom} />}
        <label>
          <span>To, a name or an address</span>
          <input list="accounts" value={to} onInput={({ currentTarget }) => setTo(currentTarget.value)} />
        </label>
        <datalist id="accounts">
          {names.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <label>
          <span>Amount</span>
          <input inputMode="decimal" value={value} onInput={({ currentTarget }) => setValue(currentTarget.value)} />
        </label>
        <Choice
          name="Token"
          value={token}
          options={tokens.map(({ symbol: name, address }) => [address, name] as const)}
          set={setToken}
        />
        <div class="buttons">
          {adminUrl === undefined ? null : (
            <button type="submit" class="main">
              Pay
            </button>
          )}
          {hasFaucet ? (
            <button type="button" onClick={give}>
              Get from the faucet
            </button>
          ) : null}
        </div>
      </form>
      <p class="hint">The server signs with the key of the ready account. Never use real keys or real funds here.</p>
    </Section>
  );
}
