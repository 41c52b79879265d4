/** Accounts with nonces and balances, and tokens. */
import type { LiveState } from "../../report/live-state.ts";
import { shortHash } from "./naming.ts";

export function Ledger({ state }: { readonly state: LiveState }) {
  const { accounts, tokens, entry } = state;
  return (
    <section aria-label="Accounts and tokens">
      <h2>Accounts</h2>
      <div class="scroll tall">
        <table>
          <caption>As {entry} has applied them</caption>
          <thead>
            <tr>
              <th>Name</th>
              <th>Address</th>
              <th class="number">Nonce</th>
              {tokens.map(({ symbol, address }) => (
                <th key={address} class="number">
                  {symbol}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {accounts.map(({ name, address, nonce, balances }) => (
              <tr key={address}>
                <th scope="row">{name}</th>
                <td>
                  <code title={address}>{shortHash(address)}</code>
                </td>
                <td class="number">{nonce}</td>
                {tokens.map((token, at) => (
                  <td key={token.address} class="number">
                    {balances[at]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <h2 class="second">Tokens</h2>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th>Symbol</th>
              <th>Address</th>
              <th class="number">Supply</th>
              <th>State</th>
            </tr>
          </thead>
          <tbody>
            {tokens.map(({ symbol, address, supply, isPaused, isPrivate }) => (
              <tr key={address}>
                <th scope="row">{symbol}</th>
                <td>
                  <code title={address}>{shortHash(address)}</code>
                </td>
                <td class="number">{supply}</td>
                <td>{`${isPaused ? "paused" : "open"}, ${isPrivate ? "private" : "public"}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
