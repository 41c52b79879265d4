/** Name and value in the list of facts at the head of a page. */

interface FactProps {
  readonly name: string;
  readonly text: string;
  readonly isCode?: boolean;
}

export function Fact({ name, text, isCode = false }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{isCode ? <code>{text}</code> : text}</dd>
    </div>
  );
}
