/** The last checkpoints. */
import type { LiveState } from "../../report/live-state.ts";
import { shortHash } from "./naming.ts";

export function Checkpoints({ state: { checkpoints } }: { readonly state: LiveState }) {
  return (
    <section aria-label="Checkpoints">
      <h2>Checkpoints</h2>
      {checkpoints.length === 0 ? (
        <p class="hint">None yet: the first one follows the first final operation.</p>
      ) : (
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th class="number">Number</th>
                <th>Hash</th>
                <th class="number">Operations</th>
                <th>Time</th>
              </tr>
            </thead>
            <tbody>
              {checkpoints.map(({ number, hash, operations, timestamp }) => (
                <tr key={number}>
                  <td class="number">{number}</td>
                  <td>
                    <a href={`/v1/checkpoints/by_number?number=${number}&full=false`}>
                      <code>{shortHash(hash)}</code>
                    </a>
                  </td>
                  <td class="number">{operations}</td>
                  <td>{new Date(timestamp * 1_000).toLocaleTimeString("en-GB")}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
