/** The epoch in force: its validators, its end, and its fees. */
import type { LiveState } from "../../report/live-state.ts";
import { Fact } from "../fact.tsx";

export function Epoch({ state: { epoch } }: { readonly state: LiveState }) {
  const { number, members, opened, closes, fees } = epoch;
  const end = closes === undefined ? "when the operator closes it" : `with checkpoint ${closes}`;
  return (
    <section class="epoch" aria-label="Epoch">
      <h2>Epoch {number}</h2>
      <dl class="facts">
        <Fact name="Committee" text={members.join(", ")} />
        <Fact name="Opened" text={opened === 0 ? "at the genesis" : `by checkpoint ${opened}`} />
        <Fact name="Ends" text={end} />
      </dl>
      {fees.length === 0 ? null : (
        <div class="scroll">
          <table>
            <caption>Fees, in units of the token</caption>
            <thead>
              <tr>
                <th>Token</th>
                <th class="number">Payment</th>
                <th class="number">Cancellation</th>
                <th class="number">Recovery</th>
              </tr>
            </thead>
            <tbody>
              {fees.map(({ symbol, payment, cancellation, recovery }) => (
                <tr key={symbol}>
                  <th scope="row">{symbol}</th>
                  <td class="number">{payment}</td>
                  <td class="number">{cancellation}</td>
                  <td class="number">{recovery}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
