/** Buttons, fields, forms, and what folds. 32 px high, 24 in rows; a phone's are higher. */
export const CONTROLS = `
input:not([type=checkbox], [type=radio]), select, textarea {
  width: 100%; height: 32px; min-width: 0; padding: 0 8px; font: inherit; color: inherit;
  background: var(--surface); border: 1px solid var(--control); border-radius: 6px;
}
input[type=file] { padding: 4px 8px }
input::placeholder { color: var(--soft); opacity: 1 }
[aria-invalid=true] { border-color: var(--red) !important }
textarea { height: auto; min-height: 96px; padding: 6px 8px; font-family: var(--fixed); font-size: 12px; line-height: 18px }
select { padding-right: 4px }
input[type=checkbox], input[type=radio] {
  appearance: none; position: relative; flex: none; width: 16px; height: 16px; margin: 2px 8px 2px 0;
  background: var(--surface); border: 1px solid var(--control); border-radius: 4px;
}
input[type=radio] { border-radius: 50% }
input:is([type=checkbox], [type=radio]):checked { background: var(--ink); border-color: var(--ink) }
input[type=checkbox]:checked::after {
  content: ""; position: absolute; left: 4.5px; top: 1px; width: 5px; height: 9px; rotate: 42deg;
  border: solid var(--on-ink); border-width: 0 1.7px 1.7px 0;
}
input[type=radio]:checked::after { content: ""; position: absolute; inset: 4px; border-radius: 50%; background: var(--on-ink) }
button, .button, details:is(.ask, .fold) > summary {
  display: inline-flex; align-items: center; justify-content: center; gap: 6px; height: 32px; padding: 0 12px;
  font: inherit; font-weight: 500; white-space: nowrap; color: inherit; text-decoration: none; cursor: pointer;
  background: var(--surface); border: 1px solid var(--edge); border-radius: 6px; max-width: 100%;
}
:is(button, .button, details:is(.ask, .fold) > summary):hover { background: var(--sunken) }
:is(button, .button).main, .title details.fold:last-child > summary { background: var(--ink); color: var(--on-ink); border-color: var(--ink) }
:is(:is(button, .button).main, .title details.fold:last-child > summary):hover { opacity: .88 }
:is(button, .button).bare { background: none; border-color: transparent }
:is(button, .button).bare:hover { background: var(--sunken) }
:is(button, .button).square { width: 32px; padding: 0 }
:is(button, .button, summary).less, td :is(button, .button), td details.ask > summary { height: 24px; padding: 0 8px; font-size: 12px; border-radius: 5px }
:is(button, summary).danger { color: var(--red) }
button.plain { height: auto; padding: 0; font-weight: 400; border: 0; background: none; text-decoration: underline; text-underline-offset: 2px }
button:disabled { opacity: .5 }
.actions { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin-top: 16px }
.actions.row { align-items: end }
.buttons { display: flex; flex-wrap: wrap; gap: 8px; align-items: center }
.above { margin-bottom: 8px }
.row { display: flex; flex-wrap: wrap; gap: 4px 8px; align-items: center }
.end { margin-left: auto }
label.field { display: block; margin: 0 0 12px }
label.field > span { display: block; font-size: 12px; line-height: 16px; color: var(--soft); margin-bottom: 4px }
.entry { margin: 0 0 12px }
.entry > label.field { margin: 0 }
.entry > p { margin: 4px 0 0; font-size: 12px; line-height: 16px }
form.card :is(.entry > label.field > span, label.field > span) { color: var(--ink); font-weight: 500 }
fieldset { min-width: 0; margin: 16px 0 0; padding: 12px 0 0; border: 0; border-top: 1px solid var(--line) }
/* A line parts it from what stands above it. */
form > fieldset:not(:is(h1, h2, p, label, div, fieldset) ~ *) { margin-top: 0; padding-top: 0; border-top: 0 }
legend { float: left; width: 100%; padding: 0; font-weight: 600; margin-bottom: 8px }
legend + * { clear: both }
ul.choices { list-style: none; margin: 0 0 12px }
ul.choices label, label.choice { display: flex; align-items: flex-start; padding: 3px 0 }
:is(ul.choices label, label.choice) > * { min-width: 0 }
ul.choices.scroll { max-height: 240px; overflow-y: auto; border: 1px solid var(--line); border-radius: 6px; padding: 4px 8px; margin-top: 8px }
.searchline { display: flex; gap: 8px; margin: 8px 0 12px; max-width: 40rem }
/* Ticks do not count beside "all": whoever ticks some must have said so first. */
fieldset:has([name=share][value=all]:checked) :is(.searchline, .choices) { display: none }
form.card { max-width: 40rem; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 240px), 1fr)); gap: 0 16px; align-items: start }
form.card > :not(.entry), form.card > .entry:has(textarea, input[type=file]) { grid-column: 1 / -1 }
td select { min-width: 92px }
form.inline { display: inline-flex; flex-wrap: wrap; gap: 8px; align-items: center }
form.inline select { width: auto }
.narrowing { display: grid; grid-template-columns: repeat(auto-fill, minmax(160px, 1fr)); gap: 0 12px; align-items: end }
.narrowing > :has(textarea) { grid-column: 1 / -1 }
.narrowing button { margin: 0 0 12px; justify-self: start }
.narrowing label.choice { padding: 8px 0; margin-bottom: 10px }
form.filter { padding: 0; border: 0; background: none; max-width: none }
summary { cursor: pointer }
details:not(.ask, .fold, .message) > summary { width: fit-content; color: var(--soft); text-decoration: underline; text-decoration-color: var(--control); text-underline-offset: 2px }
details:not(.ask, .fold, .message)[open] > summary { margin-bottom: 8px }
details:is(.ask, .fold) { display: inline-block }
details:is(.ask, .fold) > summary { list-style: none }
details:is(.ask, .fold) > summary::-webkit-details-marker { display: none }
details.fold[open] { flex: 1 1 100%; min-width: 0 }
details.fold > form.card { margin: 12px 0 0 }
.row:has(> details.fold[open]) { flex: 1 1 100%; min-width: 0; margin-left: 0 }
.stays:has(details.fold[open]) { position: static }
details.ask[open] { display: block; max-width: 34rem; white-space: normal }
details.ask[open] > p { margin: 8px 0 }
.actions > button, .ask > form > button { max-width: 100%; min-width: 0 }
button > bdi { min-width: 0; overflow: hidden; text-overflow: ellipsis }
.copied { position: relative }
.copied button { position: absolute; top: 6px; right: 6px }
.scripted .copied pre { padding-top: 44px }
input.copied { font-family: var(--fixed) }
@media (max-width: 760px) {
  button, .button, details:is(.ask, .fold) > summary, input:not([type=checkbox], [type=radio]), select { height: 40px }
  :is(button, .button).square { width: 40px }
  :is(button, .button, summary).less, td :is(button, .button), td details.ask > summary { height: 32px }
  .chips .chip-field { height: 36px }
}
`
