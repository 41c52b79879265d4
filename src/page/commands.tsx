/** Commands at the head of a report. */

export function Commands({ commands }: { readonly commands: readonly string[] }) {
  return (
    <ul class="commands" aria-label="Commands">
      {commands.map((command) => (
        <li key={command}>
          <code>{command}</code>
        </li>
      ))}
    </ul>
  );
}
