/** How the page looks: calm, in light and in dark, on wide screens and narrow ones. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --ground: #fbfaf8; --card: #ffffff; --ink: #1f2328; --soft: #5d6670; --line: #e6e3dd; --code: #f4f2ee;
  --accent: #2f6f62; --get: #2f6f62; --post: #8a5a1f; --good: #2f6f62; --bad: #a1483d;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171a; --card: #1a1e22; --ink: #e4e6e8; --soft: #98a1ab; --line: #2b3137; --code: #20252a;
    --accent: #7cc0b0; --get: #7cc0b0; --post: #d9ab6c; --good: #7cc0b0; --bad: #e08c80;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1.5rem; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body {
  margin: 0; display: grid; grid-template-columns: 20rem minmax(0, 1fr); background: var(--ground); color: var(--ink);
  font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
a { color: var(--accent); text-underline-offset: .2em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
code, pre, textarea, input, .type { font-family: var(--mono); font-size: .875em; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: .5rem 1rem; z-index: 1; }
nav {
  position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.75rem 1.25rem; border-right: 1px solid var(--line);
}
.brand { font-weight: 650; letter-spacing: -.01em; color: var(--ink); text-decoration: none; font-size: 1.1rem; }
nav input { width: 100%; margin: 1rem 0 .5rem; }
nav h2 { margin: 1.25rem 0 .25rem; font-size: .75rem; letter-spacing: .08em; text-transform: uppercase; }
nav h2 a { color: var(--soft); text-decoration: none; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a {
  display: flex; gap: .5rem; align-items: baseline; padding: .2rem .4rem; border-radius: 6px; color: var(--ink);
  text-decoration: none; font-size: .9rem;
}
nav li a:hover { background: var(--code); }
.where { overflow-wrap: anywhere; }
.method { font: 600 .6875rem/1 var(--mono); letter-spacing: .04em; color: var(--soft); min-width: 2.4rem; display: inline-block; }
.method.get { color: var(--get); }
.method.post { color: var(--post); }
main { padding: 3rem clamp(1rem, 5vw, 4rem) 6rem; max-width: 64rem; width: 100%; }
.page h1 { margin: 0; font-size: clamp(1.75rem, 4vw, 2.5rem); line-height: 1.15; letter-spacing: -.02em; font-weight: 650; }
.lead { font-size: 1.1rem; color: var(--soft); max-width: 46rem; }
.facts { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; color: var(--soft); font-size: .9rem; }
section { margin-top: 3.5rem; }
section > h2 { margin: 0; font-size: 1.4rem; letter-spacing: -.01em; font-weight: 620; }
.about { margin: .25rem 0 0; color: var(--soft); }
article {
  margin-top: 1.25rem; padding: 1.5rem clamp(1rem, 3vw, 1.75rem); background: var(--card); border: 1px solid var(--line);
  border-radius: 12px;
}
article p, .answers { overflow-wrap: anywhere; }
article:target { border-color: var(--accent); }
article h3 { margin: 0; font-size: 1rem; font-weight: 600; overflow-wrap: anywhere; }
article h3 .method { font-size: .8rem; }
article h4 { margin: 1.5rem 0 .5rem; font-size: .75rem; letter-spacing: .08em; text-transform: uppercase; color: var(--soft); }
.summary { margin: .25rem 0 0; color: var(--soft); }
.scroll { overflow-x: auto; position: relative; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; }
thead { position: absolute; clip-path: inset(50%); }
th, td { text-align: left; vertical-align: baseline; padding: .45rem .75rem .45rem 0; border-top: 1px solid var(--line); font-weight: 400; }
tbody tr:first-child > * { border-top: 0; }
th { width: 28%; overflow-wrap: anywhere; }
.type { color: var(--soft); overflow-wrap: anywhere; width: 24%; }
.optional { color: var(--soft); font-size: .8rem; }
.answers { list-style: none; margin: 0; padding: 0; font-size: .9rem; }
.answers li { display: grid; grid-template-columns: 3rem minmax(0, 1fr); align-items: baseline; padding: .2rem 0; }
.status { font: 600 .8125rem/1.6 var(--mono); }
.status.good { color: var(--good); }
.status.bad { color: var(--soft); }
details { margin-top: .75rem; }
summary { cursor: pointer; color: var(--accent); font-size: .9rem; }
pre { margin: .75rem 0 0; padding: 1rem; background: var(--code); border-radius: 8px; overflow: auto; max-height: 26rem; line-height: 1.5; }
.try { margin-top: 1.25rem; padding-top: 1rem; border-top: 1px solid var(--line); }
.fields { display: grid; gap: .75rem 1rem; grid-template-columns: repeat(auto-fill, minmax(16rem, 1fr)); margin: 1rem 0; }
label span { display: block; font-size: .8rem; color: var(--soft); }
.wide { grid-column: 1 / -1; }
textarea { line-height: 1.5; }
input, textarea {
  width: 100%; padding: .5rem .65rem; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: 8px;
}
input::placeholder { color: var(--soft); opacity: .7; }
button {
  padding: .5rem 1.25rem; font: inherit; font-weight: 600; color: var(--card); background: var(--accent); border: 0;
  border-radius: 8px; cursor: pointer;
}
button:disabled { opacity: .5; cursor: progress; }
output pre { white-space: pre-wrap; overflow-wrap: anywhere; }
output { display: block; margin-top: 1rem; }
output[hidden] { display: none; }
.line { margin: 0; font-size: .85rem; color: var(--soft); overflow-wrap: anywhere; }
output.good .line::before { content: "● "; color: var(--good); }
output.bad .line::before { content: "● "; color: var(--bad); }
@media (max-width: 52rem) {
  body { display: block; }
  nav { position: static; height: auto; max-height: 40vh; border-right: 0; border-bottom: 1px solid var(--line); }
  main { padding-top: 2rem; }
  table, tbody, tr, th, td { display: block; }
  tr { padding: .5rem 0; border-top: 1px solid var(--line); }
  tbody tr:first-child { border-top: 0; }
  th, td { padding: .1rem 0; border-top: 0; }
  th, .type { width: auto; }
}
@media print { nav, .try { display: none; } body { display: block; } }
`;
