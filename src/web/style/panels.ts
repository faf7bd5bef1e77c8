/** Panels and what stands in them: figures, facts, lists, messages; titles and columns of a page. */
export const PANELS = `
.card { min-width: 0; margin: 0 0 16px; padding: 12px; background: var(--surface); border: 1px solid var(--line); border-radius: 8px }
.card > :last-child { margin-bottom: 0 }
.card > header { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; min-height: 40px; margin: -12px -12px 0; padding: 4px 12px; border-bottom: 1px solid var(--line) }
.card > header > * { margin-bottom: 0 }
.card:not(.table) > header + * { margin-top: 12px }
.card > footer { display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: center; margin: 12px -12px -12px; padding: 8px 12px; border-top: 1px solid var(--line); font-size: 12px; color: var(--soft) }
details.card > summary { font-weight: 600 }
.title, .heading { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; min-height: 32px; margin-bottom: 12px }
:is(.title, .heading) > * { margin-bottom: 0 }
.heading > .filters { margin-left: auto }
.cols, .halves { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 1fr); gap: 0 16px; align-items: start }
.halves { grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)) }
.cols.third { grid-template-columns: repeat(auto-fill, minmax(min(100%, 300px), 1fr)) }
.cols.stretch { align-items: stretch }
.halves > * { min-width: 0 }
.beside { display: flex; flex-wrap: wrap; gap: 12px 24px; align-items: flex-start }
.beside > div { flex: 1 1 18rem; min-width: 0 }
/* An id or an address as a heading is as large as any. */
h1.host { font-size: 20px }
dl { display: grid; grid-template-columns: fit-content(45%) minmax(0, 1fr); gap: 6px 16px; margin: 0 0 8px }
dt { color: var(--soft); overflow-wrap: anywhere }
dd { margin: 0; overflow-wrap: anywhere }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); padding: 0; overflow: hidden; list-style: none }
.figures > * { min-width: 0; padding: 10px 12px; margin: 0 0 -1px -1px; border: 0 solid var(--line); border-width: 0 0 1px 1px; text-decoration: none }
a.figure { display: block; height: 100%; text-decoration: none }
@media (min-width: 1101px) { ul.figures { grid-template-columns: repeat(5, 1fr) } }
.figures > :last-child { margin-bottom: -1px }
.figures > a:hover, li:has(> a.figure:hover) { background: var(--sunken) }
:is(.figures, a.figure) :is(span, dt) { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: 12px; line-height: 16px; color: var(--soft) }
:is(.figures, a.figure) strong { display: block; font-size: 20px; line-height: 28px; font-weight: 600; letter-spacing: -.01em; white-space: nowrap }
:is(.figures, a.figure) strong ~ span { white-space: normal }
.figures a > span:first-child::first-letter { text-transform: uppercase }
.figures strong small { font-size: 13px; font-weight: 400; letter-spacing: 0; color: var(--soft) }
.figures span b { font-weight: 500; color: var(--ink) }
.figures .bad strong { color: var(--red) }
dl.figures { grid-template-columns: repeat(auto-fit, minmax(130px, max-content)); gap: 4px 32px }
dl.figures > * { padding: 0; margin: 0; border: 0 }
dl.figures:has(dd) { display: flex; flex-wrap: wrap }
dl.figures dd { font-size: 16px; font-weight: 600 }
ul.rows { list-style: none }
ul.rows > li { display: flex; flex-wrap: wrap; gap: 2px 12px; align-items: baseline; padding: 6px 0; border-top: 1px solid var(--line); overflow-wrap: anywhere }
ul.rows > li:first-child { border-top: 0 }
ul.rows > li > * { min-width: 0 }
.health { list-style: none }
.health li { display: grid; grid-template-columns: 96px minmax(0, 1fr) auto; gap: 0 8px; align-items: center; padding: 5px 12px; font-size: 12px }
.health li + li { border-top: 1px solid var(--line) }
.health .soft { overflow-wrap: anywhere }
pre {
  margin: 0 0 8px; padding: 8px 12px; max-height: 320px; overflow: auto; background: var(--sunken); border-radius: 6px;
  font: 12px/18px var(--fixed); white-space: pre-wrap; overflow-wrap: anywhere;
}
.badge { display: inline-grid; place-items: center; width: 40px; height: 40px; margin-bottom: 8px; border-radius: 8px; background: var(--ink); color: var(--on-ink); font-weight: 600 }
svg.qr { width: 144px; height: 144px; flex: none; border-radius: 8px }
.answer.good { border-left: 3px solid var(--control) }
.answer.bad { border-left: 3px solid var(--red-fill) }
.outlet { display: grid; gap: 8px; padding: 12px 0; border-top: 1px solid var(--line) }
.outlet:first-of-type { border-top: 0 }
.outlet details form { display: grid; grid-template-columns: repeat(auto-fit, minmax(176px, 1fr)); gap: 0 12px; align-items: end; margin-top: 8px }
details.message { border-top: 1px solid var(--line) }
details.message > summary { display: flex; flex-wrap: wrap; gap: 0 12px; align-items: baseline; padding: 6px 0 }
details.message > summary .chip { margin-left: auto }
details.message > summary .chip ~ .chip { margin-left: 0 }
details.message .way { width: 16px; text-align: center; color: var(--soft) }
details.message .said { flex: 0 1 auto; min-width: 0; white-space: pre-wrap; overflow-wrap: anywhere }
details.message .of { font-weight: 500; overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
.tail { padding-block: 0 }
.tail > header { margin-top: 0 }
.card.tail > header + * { margin-top: 0 }
.tail details.message > summary { flex-wrap: nowrap; align-items: center; height: 32px; padding: 0; overflow: hidden; white-space: nowrap }
.tail details.message > summary > * { flex: none }
.tail details.message > summary .of { width: 128px }
/* The id of a transaction may be long: what the message says has its place before it. */
.tail details.message > summary > .soft { flex: 0 1000 auto; min-width: 9ch; overflow: hidden; text-overflow: ellipsis }
.tail details.message > summary .said { flex: 0 1 auto; white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
.tail details.message[open] { padding-bottom: 12px }
.tail details.message:first-child { border-top: 0 }
.tail .pager { margin-inline: -12px }
.tail .nothing { padding: 10px 0; margin: 0 }
details.message .said.bad { color: var(--red) }
@media (max-width: 1100px) { .cols { grid-template-columns: minmax(0, 1fr) } }
@media (max-width: 760px) {
  .figures { grid-template-columns: repeat(2, minmax(0, 1fr)) }
  .tail details.message > summary { flex-wrap: wrap; height: auto; padding: 6px 0 }
  .tail details.message > summary .of { width: auto; max-width: 45% }
  .tail details.message > summary .said { flex: 1 1 100%; order: 1; white-space: normal }
}
`
