/** Members of schemas as tables. */
import { typeName } from "./example.ts";
import { type Html, html, NOTHING } from "./html.ts";
import type { JsonSchema, Parameter } from "./openapi.ts";

/** The members of an object, those of nested objects and lists under their paths. Nothing for other schemas. */
export function membersView(schema: JsonSchema): Html {
  const rows = memberRows(schema, "");
  return rows.length === 0 ? NOTHING : table(rows);
}

/** The parameters of a query. */
export function parametersView(parameters: readonly Parameter[]): Html {
  return table(
    parameters.map(({ name, schema, required, description }) =>
      row(name, schema, required ?? false, description ?? schema.description),
    ),
  );
}

function memberRows(schema: JsonSchema, path: string): readonly Html[] {
  const inner = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return inner.flatMap(({ properties, required, items }) => [
    ...Object.entries(properties ?? {}).flatMap(([name, member]) => [
      row(`${path}${name}`, member, required?.includes(name) ?? false, member.description),
      ...memberRows(member, `${path}${name}.`),
    ]),
    ...(items === undefined ? [] : memberRows(items, path === "" ? "[]." : `${path.slice(0, -1)}[].`)),
  ]);
}

function row(name: string, schema: JsonSchema, required: boolean, description: string | undefined): Html {
  return html`<tr>
<th scope="row"><code>${name}</code>${required ? NOTHING : html` <span class="optional">optional</span>`}</th>
<td class="type">${typeName(schema)}</td>
<td>${description ?? ""}</td>
</tr>`;
}

function table(rows: readonly Html[]): Html {
  return html`<div class="scroll"><table>
<thead><tr><th scope="col">Member</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}
