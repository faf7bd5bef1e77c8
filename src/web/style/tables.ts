/** Tables of one line per row, and what stands around them: tabs, filters, pages. */
export const TABLES = `
table { width: 100%; border-collapse: separate; border-spacing: 0 }
th, td { height: 32px; padding: 4px 8px; text-align: left; font-weight: 400; vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: anywhere }
:is(th, td):first-child { padding-left: 12px }
:is(th, td):last-child { padding-right: 12px }
tbody tr:last-child > * { border-bottom: 0 }
thead :is(th, td) { padding-block: 6px; font-size: 12px; color: var(--soft); background: var(--surface); white-space: nowrap }
thead a { display: inline-flex; align-items: center; gap: 2px; text-decoration: none }
thead a:hover { color: var(--ink) }
thead [aria-sort] { color: var(--ink); font-weight: 500 }
tbody tr:hover > * { background: var(--hover) }
tbody tr:has(:checked) > * { background: var(--sunken) }
tfoot td { font-weight: 600 }
tbody th { font-weight: 500 }
:is(td, th).number { text-align: right; white-space: nowrap }
td.time { white-space: nowrap }
tr:has(> td button) > td { vertical-align: middle }
td :is(a.name-link, th a, a.host), tbody th a { text-decoration: none }
:is(td, tbody th) a:hover { text-decoration: underline }
:is(td, th).acts { text-align: right }
.scrolls { overflow-x: auto }
.card.table { padding: 0 }
.card.table > :is(header, footer, .heading, h2, p, form, .filters, .nothing, details, dl) { margin: 0; padding: 10px 12px }
.card.table > :is(header, footer, .pager) { padding-block: 4px }
.card.table > :is(h2, .heading) { border-bottom: 1px solid var(--line) }
.card.table > .tabs { margin: 0; padding: 4px 12px 0 }
table.one-line { table-layout: fixed }
table.one-line :is(th, td) { padding-block: 0; vertical-align: middle; white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
table.one-line td:has(time) { white-space: normal }
table.one-line thead :is(th, td) { position: sticky; top: var(--head); z-index: 2 }
table.one-line thead > tr > :first-child { border-top-left-radius: 7px }
table.one-line thead > tr > :last-child { border-top-right-radius: 7px }
.card.table > header ~ table.one-line thead > tr > * { border-radius: 0 }
table.one-line td.acts { overflow: visible }
table.one-line bdi { overflow-wrap: normal }
.tick { width: 40px }
td.tick input, th.tick input { display: block; margin: 0 }
.tick :not(:checked) + .skip { display: none }
tr.group td { background: var(--sunken); font-size: 12px; color: var(--soft) }
.w60 { width: 60px } .w72 { width: 72px } .w88 { width: 88px } .w104 { width: 104px } .w120 { width: 120px }
.w136 { width: 136px } .w160 { width: 160px } .w200 { width: 200px } .w240 { width: 240px }
.tabs { display: flex; gap: 0 20px; margin-bottom: 12px; border-bottom: 1px solid var(--line); overflow-x: auto; scrollbar-width: none }
.tabs a { display: block; padding: 6px 0 7px; margin-bottom: -1px; color: var(--soft); white-space: nowrap; text-decoration: none; border-bottom: 2px solid transparent }
.tabs a::first-letter { text-transform: uppercase }
.tabs a:hover { color: var(--ink) }
.tabs [aria-current] { color: var(--ink); font-weight: 500; border-color: var(--ink) }
.tabs .count { margin-left: 4px; font-size: 12px; font-weight: 400; color: var(--soft) }
.segments { display: inline-flex; max-width: 100%; overflow-x: auto; background: var(--surface); border: 1px solid var(--edge); border-radius: 6px; scrollbar-width: none }
.row:has(> .segments) { min-width: 0; max-width: 100% }
.segments a { padding: 0 10px; font-size: 12px; line-height: 24px; color: var(--soft); text-decoration: none; white-space: nowrap }
.segments a + a { border-left: 1px solid var(--line) }
.segments [aria-current] { background: var(--sunken); color: var(--ink); font-weight: 500 }
.chips { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; margin-bottom: 12px }
.chips input[type=search] { width: 200px; height: 28px; font-size: 12px }
.chip-field { position: relative }
.chip-set, .chip-field > summary {
  display: inline-flex !important; align-items: center; gap: 4px; height: 28px; padding: 0 8px; font-size: 12px; white-space: nowrap; max-width: 320px;
  border: 1px dashed var(--control); border-radius: 6px; color: var(--soft) !important; text-decoration: none !important; list-style: none;
}
.chip-field > summary { margin: 0 !important }
.chip-field > summary::-webkit-details-marker { display: none }
.chip-field > summary:hover { background: var(--sunken); color: var(--ink) !important }
.chip-set { border: 1px solid var(--edge); background: var(--surface); color: var(--ink) !important }
.chip-set b { font-weight: 500; overflow: hidden; text-overflow: ellipsis }
:is(.chip-set, .chip-field) .icon { width: 12px; height: 12px }
.chip-field > div { position: absolute; z-index: 5; top: 32px; left: 0; width: 260px; padding: 12px; background: var(--surface); border: 1px solid var(--line); border-radius: 8px; box-shadow: var(--shadow) }
.chip-field > div > :last-child { margin-bottom: 0 }
.filters { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 0 0 12px }
.filters [aria-current] { font-weight: 600; text-decoration: none }
.pager { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; padding: 8px 12px; border-top: 1px solid var(--line); font-size: 12px; color: var(--soft) }
.pager form { display: inline-flex; align-items: center; gap: 6px }
.pager select { width: auto; height: 24px; font-size: 12px }
.bulk {
  position: sticky; bottom: 16px; z-index: 4; display: flex; align-items: center; gap: 4px; width: fit-content; max-width: 100%;
  margin: 0 auto; padding: 6px; color: #f4f4f6; background: light-dark(#1d1d22, #2b2d35);
  border: 1px solid light-dark(#1d1d22, #454854); border-radius: 10px; box-shadow: var(--shadow);
}
.bulk .choice { margin: 0 4px }
.bulk :focus-visible { outline-color: #f4f4f6 }
.bulk .main:focus-visible { outline-color: #17171b }
body:not(:has(input[form=bulk]:checked)) .bulk:not(:has(:checked)) { display: none }
.bulk :is(button, .button) { height: 28px; padding: 0 9px; color: inherit; background: none; border-color: transparent }
.bulk :is(button, .button):hover { background: #ffffff1f }
.bulk :is(button, .button).main { color: #17171b; background: #f4f4f6 }
.stays { position: sticky; top: var(--head); z-index: 4; margin: -16px -24px 16px; padding: 12px 24px 0; background: var(--ground); border-bottom: 1px solid var(--line) }
.stays .title { margin-bottom: 0 }
.stays > .title:last-child { padding-bottom: 8px }
.stays .tabs { margin: 6px 0 0; border: 0 }
.crumb { margin: 0; font-size: 12px; line-height: 16px; color: var(--soft) }
.crumb a { text-decoration: none }
.stays .crumb { white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
@media (max-width: 1100px) { .roomy { display: none } }
@media (max-width: 760px) {
  table:not(.cards) :is(th, td) { height: 44px; padding-inline: 6px }
  table.one-line thead :is(th, td) { height: 32px }
  table:not(.cards) :is(th, td):first-child { padding-left: 12px }
  table:not(.cards) .last { padding-right: 12px }
  .no-phone { display: none }
  .w240, .w200, .w160 { width: auto }
  table.one-line td:not(.name, .acts), table.one-line td .chip { white-space: normal }
  table.one-line td .chip { gap: 4px; overflow-wrap: normal }
  .tick { width: 36px }
  /* A name of 255 characters would fill the screen. */
  table.one-line:not(.cards) td:not(.name) > bdi:only-child { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 3 }
  table.one-line td:is(.host, :has(> .chip)) :is(bdi, a, .chip:is(.bad, .amber)) { overflow-wrap: anywhere }
  .w136 { width: 128px }
  .w120 { width: 116px }
  .w104 { width: 92px }
  .w72, .w60 { width: 56px }
  .card.table { margin-inline: -12px; border-radius: 0; border-inline: 0 }
  .halves .card.table, .cols .card.table { margin-inline: 0; border-radius: 8px; border-inline: 1px solid var(--line) }
  table.one-line thead > tr > * { border-radius: 0 !important }
  table.cards thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  table.cards, table.cards :is(tbody, tr, td, th) { display: block; width: auto; height: auto }
  table.cards colgroup { display: none }
  table.cards tbody tr { padding: 8px 12px; border-bottom: 1px solid var(--line) }
  table.cards tbody :is(td, th) { padding: 1px 0; border: 0; text-align: left; white-space: normal; overflow: visible }
  table.cards td :is(bdi, a) { overflow-wrap: anywhere }
  table.cards td:empty, table.cards .no-phone { display: none }
  .scrolls > table:not(.cards) { min-width: 640px }
  table.cards td[data-label]:not(:has(> form))::before { content: attr(data-label) ': '; color: var(--soft); font-size: 12px }
  .tabs { margin-inline: -12px; padding-inline: 12px }
  .card.table > .tabs { margin-inline: 0 }
  .tabs a { padding: 11px 0 }
  .chips { flex-wrap: nowrap; overflow-x: auto; margin-inline: -12px; padding-inline: 12px; scrollbar-width: none }
  .chips > * { flex: none }
  .chips:has(details[open]) { flex-wrap: wrap; overflow: visible }
  .chips input[type=search] { height: 36px; width: 150px }
  .chip-set, .chip-field > summary { height: 36px }
  .chip-field > div { position: fixed; top: auto; bottom: 0; left: 0; right: 0; width: auto; border-radius: 12px 12px 0 0; padding: 16px }
  .pager select { height: 32px }
  .bulk { bottom: 8px; overflow-x: auto; scrollbar-width: none; white-space: nowrap }
  .bulk > * { flex: none }
  .stays { position: static; margin: -12px -12px 12px; padding: 10px 12px 0 }
  .stays .tabs { margin-inline: -12px }
}
@media (max-width: 359px) { .no-narrow { display: none } }
`
