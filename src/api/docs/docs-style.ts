/** The style sheet of `/docs`: an index beside the text where there is room, above it where there is not. */
export const DOCS_STYLE = `:root {
  color-scheme: light dark;
  --ground: light-dark(#f4f6f8, #12161b);
  --card: light-dark(#ffffff, #1b2129);
  --ink: light-dark(#17202a, #e8edf2);
  --soft: light-dark(#55616e, #a3b0bd);
  --line: light-dark(#d5dce3, #36414d);
  --accent: light-dark(#0b6b53, #58d0ad);
  font: 16px/1.5 system-ui, sans-serif;
}
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink); overflow-wrap: break-word }
a { color: var(--accent) }
.page { max-width: 78rem; margin: 0 auto; padding: 1rem; display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 2.5rem }
h1 { margin: .5rem 0 }
nav h2 { font-size: .925rem; margin: 1rem 0 .25rem; color: var(--soft) }
nav ul { list-style: none; margin: 0; padding: 0 }
nav a { display: flex; gap: .6rem; padding: .1rem 0; text-decoration: none; font-size: .925rem }
nav a:hover { text-decoration: underline }
main h2 { margin: 2.5rem 0 .75rem; scroll-margin-top: 1rem }
article {
  background: var(--card); border: 1px solid var(--line); border-radius: 12px;
  padding: 1rem 1.25rem; margin: 0 0 1rem; overflow-x: auto; scroll-margin-top: 1rem;
}
article:target { border-color: var(--accent) }
article h3 { margin: 0 0 .5rem; font-size: 1.05rem }
article p { margin: 0 0 .6rem }
code { font: .875em ui-monospace, monospace; overflow-wrap: anywhere }
table { border-collapse: collapse; width: 100%; margin: 0 0 .6rem }
caption { text-align: left; color: var(--soft); font-size: .925rem }
th, td { text-align: left; vertical-align: top; padding: .3rem .75rem .3rem 0; border-top: 1px solid var(--line); font-weight: 400 }
td { overflow-wrap: anywhere }
td:last-child { width: 55% }
.method {
  flex: none; width: 3.6rem; color: var(--soft); text-transform: uppercase;
  font: 600 .75rem/1.9 ui-monospace, monospace; letter-spacing: .02em;
}
p .method { display: inline-block; color: var(--accent); font-size: .875rem }
.deprecated { text-decoration: line-through }
pre {
  margin: .4rem 0 .6rem; padding: .6rem .75rem; max-height: 22rem; overflow: auto; background: var(--ground);
  border: 1px solid var(--line); border-radius: 8px; font: .85rem/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere;
}
summary { cursor: pointer; color: var(--accent) }
details { margin: .3rem 0 }
details[hidden], div[hidden] { display: none }
label { display: block; margin: .5rem 0 }
input, textarea {
  display: block; width: 100%; font: .9rem ui-monospace, monospace; color: inherit; background: var(--ground);
  border: 1px solid var(--line); border-radius: 8px; padding: .45rem .6rem;
}
button { font: inherit; font-weight: 600; border-radius: 8px; padding: .45rem 1rem; cursor: pointer; border: 1px solid var(--accent); background: transparent; color: var(--accent) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
pre.answer:empty { display: none }
svg.states { display: block; width: 100%; max-width: 44rem; height: auto; color: var(--ink) }
svg.states rect { fill: var(--ground); stroke: var(--accent); stroke-width: 1.5 }
svg.states .last rect { stroke-width: 3 }
svg.states text { fill: var(--ink); font: 15px system-ui, sans-serif }
svg.states .arrow { fill: none; stroke: var(--soft); stroke-width: 1.5 }
.soft { color: var(--soft); font-size: .925rem }
@media (min-width: 60rem) {
  .page { grid-template-columns: 19rem minmax(0, 1fr) }
  .page > header { grid-column: 1 / -1 }
  nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 0 .5rem 2rem 0 }
  main > section:first-child h2 { margin-top: 1rem }
}
`
