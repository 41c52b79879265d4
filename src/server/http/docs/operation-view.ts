/** One endpoint on the page: what it takes, what it answers, and a form to try it. */
import { exampleOf } from "./example.ts";
import { type Html, html, NOTHING } from "./html.ts";
import type { Content, DocumentedOperation, JsonSchema, Listed } from "./openapi.ts";
import { membersView, parametersView } from "./schema-view.ts";

/** The name of an endpoint in links. */
export function anchorOf({ method, path }: Listed): string {
  return `${method.toLowerCase()}${path.replaceAll(/[^\w]+/g, "-")}`;
}

export function operationView(listed: Listed): Html {
  const { method, path, operation } = listed;
  return html`<article id="${anchorOf(listed)}" data-find="${`${method} ${path} ${operation.summary ?? ""}`.toLowerCase()}">
<header>
<h3><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></h3>
<p class="summary">${operation.summary ?? ""}</p>
</header>
<p>${operation.description ?? ""}</p>
${requestView(operation)}
${responsesView(operation)}
${operation.responses?.["200"] === undefined ? NOTHING : formView(listed)}
</article>`;
}

function requestView({ parameters = [], requestBody }: DocumentedOperation): Html {
  const body = schemaOf(requestBody?.content);
  const query = parameters.length === 0 ? NOTHING : html`<h4>Query</h4>${parametersView(parameters)}`;
  return html`${query}${
    body === undefined
      ? NOTHING
      : html`<h4>Body</h4>${membersView(body)}
<details><summary>Example body</summary>${codeView(exampleOf(body))}</details>`
  }`;
}

function responsesView({ responses = {} }: DocumentedOperation): Html {
  const rows = Object.entries(responses).map(([status, response]) => {
    const kind = status.startsWith("2") ? "good" : "bad";
    return html`<li><span class="status ${kind}">${status}</span> ${response.description}</li>`;
  });
  const reply = schemaOf(responses["200"]?.content);
  const members =
    reply === undefined
      ? NOTHING
      : html`<details><summary>Members of the answer</summary>${membersView(reply)}
${codeView(exampleOf(reply))}</details>`;
  return html`<h4>Answers</h4><ul class="answers">${rows}</ul>${members}`;
}

function formView({ method, path, operation }: Listed): Html {
  const { parameters = [], requestBody } = operation;
  const fields = parameters.map(
    ({ name, required, schema }) => html`<label>
<span>${name}</span>
<input name="${name}" autocomplete="off" spellcheck="false" ${required ? html`required` : NOTHING} placeholder="${String(exampleOf(schema))}">
</label>`,
  );
  const body = schemaOf(requestBody?.content);
  const text =
    body === undefined
      ? NOTHING
      : html`<label class="wide"><span>body</span>
<textarea name="body" rows="12" spellcheck="false">${JSON.stringify(exampleOf(body), undefined, 2)}</textarea></label>`;
  return html`<details class="try"><summary>Try it</summary>
<form data-method="${method}" data-path="${path}">
<div class="fields">${fields}${text}</div>
<button type="submit">Send</button>
<output hidden><p class="line"></p><pre tabindex="0"></pre></output>
</form></details>`;
}

function codeView(value: unknown): Html {
  return html`<pre tabindex="0"><code>${JSON.stringify(value, undefined, 2)}</code></pre>`;
}

function schemaOf(content: Content | undefined): JsonSchema | undefined {
  return content?.["application/json"]?.schema;
}
