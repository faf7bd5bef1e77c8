/** The one stylesheet of the pages. Light and dark, no images, no fonts to load. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f4f6f8, #12161b);
  --card: light-dark(#ffffff, #1b2129);
  --ink: light-dark(#17202a, #e8edf2);
  --soft: light-dark(#55616e, #a3b0bd);
  --line: light-dark(#d5dce3, #36414d);
  --accent: light-dark(#0b6b53, #58d0ad);
  --on-accent: light-dark(#ffffff, #06251c);
  --warn: light-dark(#a32222, #ff9b93);
  --amber: light-dark(#8a5300, #f2b866);
}
* { box-sizing: border-box }
body {
  margin: 0; min-height: 100vh; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: break-word;
}
main { max-width: 44rem; margin: 0 auto; padding: 1rem }
header { max-width: 80rem; margin: 0 auto; padding: .75rem 1rem .25rem; display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: baseline }
header nav { display: flex; gap: 0 1.1rem; align-items: baseline; white-space: nowrap; min-width: 0; overflow-x: auto; padding: .3rem .1rem }
header nav.set-up :is(a, button.plain) { color: var(--soft); font-size: .875rem }
header nav.set-up { margin-left: auto }
.skip { position: absolute; left: .5rem; top: -4rem; padding: .5rem 1rem; background: var(--card); border-radius: 0 0 8px 8px; z-index: 1 }
.skip:focus { top: 0 }
main:focus { outline: none }
header a, header button.plain { font-size: .925rem }
header a { text-decoration: none }
header a:hover { text-decoration: underline }
header [aria-current] { color: inherit; box-shadow: 0 2px var(--accent) }
header .brand { font-weight: 700; letter-spacing: .01em }
main.narrow { max-width: 30rem }
main.wide { max-width: 80rem }
.card {
  background: var(--card); border: 1px solid var(--line); border-radius: 12px;
  padding: 1.25rem 1.5rem; margin: 0 0 1rem;
}
.card > :last-child { margin-bottom: 0 }
.card > h2:first-child { margin-top: 0 }
h1 { font-size: 1.4rem; line-height: 1.25; margin: 0 0 .75rem }
h2 { font-size: 1.05rem; margin: 1.25rem 0 .5rem }
p { margin: 0 0 .75rem }
a { color: var(--accent) }
.soft { color: var(--soft); font-size: .925rem }
.warn { color: var(--warn); border-left: 3px solid var(--warn); padding-left: .75rem }
.host, code { font-family: ui-monospace, monospace; overflow-wrap: anywhere }
label.field { display: block; margin: 0 0 .9rem }
.entry { margin: 0 0 .9rem }
.entry > label.field { margin: 0 }
.entry > p { margin: .25rem 0 0 }
label.field > span { display: block; font-weight: 600; margin-bottom: .25rem }
input:not([type=checkbox], [type=radio]), select, textarea {
  width: 100%; font: inherit; color: inherit; background: var(--ground);
  border: 1px solid var(--line); border-radius: 8px; padding: .55rem .7rem;
}
textarea { min-height: 5rem; font-family: ui-monospace, monospace; font-size: .9rem }
input[type=checkbox], input[type=radio] { accent-color: var(--accent); width: 1.1rem; height: 1.1rem; margin: .2rem .6rem 0 0; flex: none }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
button {
  font: inherit; font-weight: 600; border-radius: 8px; padding: .55rem 1.1rem; cursor: pointer;
  border: 1px solid var(--line); background: transparent; color: inherit;
}
button.main { background: var(--accent); color: var(--on-accent); border-color: var(--accent) }
button.plain { border: 0; padding: 0; font-weight: 400; color: var(--accent); text-decoration: underline }
header button.plain:not(:hover) { text-decoration: none }
button.danger { color: var(--warn); border-color: var(--warn) }
.actions { display: flex; gap: .75rem; margin-top: 1.25rem; flex-wrap: wrap }
ul.choices { list-style: none; margin: 0 0 1rem }
ul.choices:not(.card) { margin: 0; padding: 0 }
ul.choices label, label.choice { display: flex; align-items: flex-start; padding: .3rem 0 }
ul.choices label > *, label.choice > * { min-width: 0 }
fieldset { min-width: 0; border: 1px solid var(--line); border-radius: 10px; margin: 1rem 0 0; padding: .5rem 1rem 1rem }
legend { font-weight: 600; padding: 0 .4rem }
ul.choices.scroll { max-height: 16rem; overflow-y: auto; border-top: 1px solid var(--line); margin-top: .6rem; padding-top: .4rem }
.searchline { display: flex; gap: .5rem; margin-top: .6rem }
/* Ticks do not count beside "all": whoever ticks some must have said so first. */
fieldset:has([name=share][value=all]:checked) :is(.searchline, .choices) { display: none }
dl { display: grid; grid-template-columns: fit-content(55%) minmax(0, 1fr); gap: .25rem 1rem; margin: 0 0 .75rem }
dt { color: var(--soft); overflow-wrap: anywhere }
dd { margin: 0; overflow-wrap: anywhere }
table { width: 100%; border-collapse: collapse }
th, td { text-align: left; padding: .4rem .6rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
.badge {
  display: inline-grid; place-items: center; width: 2.6rem; height: 2.6rem; border-radius: 10px;
  background: var(--accent); color: var(--on-accent); font-weight: 700; margin-bottom: .6rem;
}
p.live { min-height: 1.5em; margin: 0; text-align: right }
.scrolls { overflow-x: auto }
.scrolls th { color: var(--soft); font-weight: 400; font-size: .925rem; white-space: nowrap }
.scrolls tbody tr:last-child > * { border-bottom: 0 }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
td.number + td:not(.number), th.number + th:not(.number) { padding-left: .9rem }
td.host, td.name { overflow-wrap: anywhere; min-width: 7rem }
td.time { white-space: nowrap; font-variant-numeric: tabular-nums }
.chip { border: 1px solid var(--line); border-radius: 999px; padding: .05rem .6rem; font-size: .875rem; white-space: nowrap }
.chip.good { border-color: var(--accent); color: var(--accent) }
.chip.bad { border-color: var(--warn); color: var(--warn) }
details.message .said { white-space: pre-wrap; overflow-wrap: anywhere; min-width: 0; flex: 0 1 auto }
details.message .said.bad { color: var(--warn) }
details.message > summary .chip ~ .chip { margin-left: 0 }
.chip.amber { border-color: var(--amber); color: var(--amber) }
.amber { color: var(--amber); font-size: .925rem }
dl.figures { display: flex; flex-wrap: wrap; gap: .25rem 2rem }
dl.figures dd { font-size: 1.15rem; font-variant-numeric: tabular-nums }
.halves { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 0 1rem; align-items: start }
.halves > * { min-width: 0 }
.filters { display: flex; flex-wrap: wrap; gap: .25rem .9rem; margin: 0 0 .75rem }
.filters [aria-current] { font-weight: 700; color: inherit; text-decoration: none }
.actions.row { align-items: end }
pre {
  margin: 0 0 .75rem; padding: .6rem .7rem; max-height: 20rem; overflow: auto; background: var(--ground);
  border: 1px solid var(--line); border-radius: 8px; font: .85rem/1.4 ui-monospace, monospace;
  white-space: pre-wrap; overflow-wrap: anywhere;
}
/* What stations and users write never turns what stands beside it. */
main :is(a, strong, span, code, label, button, summary) { unicode-bidi: isolate }
.copied { position: relative }
.copied button { position: absolute; top: .35rem; right: .35rem; padding: .1rem .6rem; font-size: .8rem; background: var(--card) }
html:not(.scripted) [data-copy] { display: none }
summary { cursor: pointer; color: var(--accent) }
details.ask > summary.danger { color: var(--warn) }
details.ask[open] { max-width: 34rem }
details.message { border-top: 1px solid var(--line) }
details.message > summary { display: flex; flex-wrap: wrap; gap: 0 .75rem; align-items: baseline; padding: .35rem 0; color: inherit }
details.message > summary .chip { margin-left: auto }
details.message .time { font-variant-numeric: tabular-nums }
details.message .way { color: var(--accent); width: 1rem; text-align: center }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.narrowing { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: 0 .75rem; align-items: end }
.narrowing :is(input:not([type=checkbox]), select) { min-height: 2.9rem }
.narrowing button { margin: 0 0 .9rem; justify-self: start }
.chart { display: block; width: 100%; height: auto; margin: 0 0 .75rem }
.chart text { fill: var(--soft); font: 11px system-ui, sans-serif }
@media (max-width: 36rem) {
  header nav.set-up { margin-left: 0 }
  .card { padding: 1rem }
  td.time { white-space: normal; min-width: 6.5rem }
  .chart text { font-size: 17px }
}
.chart .grid { stroke: var(--line); stroke-width: 1 }
.chart .line { fill: none; stroke: var(--accent); stroke-width: 2; stroke-linejoin: round }
.chart .area { fill: var(--accent); opacity: .15; stroke: none }
.chart.energy .area { display: none }
ul.figures { list-style: none; margin: 0 0 1rem; padding: 0; display: grid; gap: .75rem; grid-template-columns: repeat(auto-fill, minmax(max(10rem, 18%), 1fr)) }
a.figure {
  display: block; height: 100%; background: var(--card); border: 1px solid var(--line); border-radius: 12px;
  padding: .8rem 1rem; color: inherit; text-decoration: none;
}
a.figure:hover { border-color: var(--accent) }
a.figure strong { font-size: 1.6rem; line-height: 1.2; font-variant-numeric: tabular-nums }
a.figure span { display: block; color: var(--soft); font-size: .925rem }
a.figure.bad { border-left: 4px solid var(--warn) }
a.figure.bad strong { color: var(--warn) }
a.figure.good { border-left: 4px solid var(--accent) }
ul.rows { list-style: none; margin: 0; padding: 0 }
ul.rows > li { border-top: 1px solid var(--line); padding: .5rem 0; display: flex; flex-wrap: wrap; gap: .1rem .75rem; align-items: baseline; overflow-wrap: anywhere }
ul.rows > li:first-child { border-top: 0 }
ul.rows > li > * { min-width: 0 }
.warn-text { color: var(--warn); font-weight: 600 }
bdi { overflow-wrap: anywhere }
.fault { overflow-wrap: anywhere }
.chip { max-width: 100%; overflow: hidden; text-overflow: ellipsis; display: inline-block; vertical-align: bottom }
.connector { padding: .1rem 0; max-width: 22rem }
.labels { display: flex; flex-wrap: wrap; gap: .25rem }
.label { background: var(--ground); border: 1px solid var(--line); border-radius: 6px; padding: 0 .4rem; font-size: .8rem; overflow-wrap: anywhere }
.heading { display: flex; flex-wrap: wrap; gap: 0 1.5rem; align-items: baseline; justify-content: space-between }
.beside { display: flex; flex-wrap: wrap; gap: 1rem 2rem; align-items: flex-start }
.beside > div { flex: 1 1 18rem; min-width: 0 }
svg.qr { width: 9rem; height: 9rem; flex: none; border-radius: 8px }
input.copied { font-family: ui-monospace, monospace }
.answer { border-left: 4px solid var(--line) }
.answer.good { border-left-color: var(--accent) }
.answer.bad { border-left-color: var(--warn) }
.buttons { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center }
.buttons button { padding: .35rem .8rem; font-size: .925rem }
.outlet { border-top: 1px solid var(--line); padding: .75rem 0; display: grid; gap: .5rem }
.outlet:first-of-type { border-top: 0 }
.outlet details form { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: 0 .75rem; align-items: end; margin-top: .5rem }
form.inline { display: inline-flex; flex-wrap: wrap; gap: .5rem; align-items: center }
form.inline select { width: auto; padding: .35rem .5rem }
@media (max-width: 44rem) {
  table.cards thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  table.cards, table.cards tbody, table.cards tr, table.cards td { display: block; width: 100% }
  table.cards tr { border-bottom: 1px solid var(--line); padding: .6rem 0 }
  table.cards td { border: 0; padding: .15rem 0; white-space: normal }
  table.cards td:empty, td.wide-only { display: none }
  table.cards td[data-label]::before { content: attr(data-label) ': '; color: var(--soft); font-size: .875rem }
}
`
