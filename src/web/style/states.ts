/** How something is: always a word; filled only for what nobody has taken care of. Banners and warnings. */
export const STATES = `
.chip { display: inline-flex; align-items: center; gap: 6px; max-width: 100%; white-space: nowrap; vertical-align: bottom }
.chip::before { content: ""; flex: none; width: 8px; height: 8px; border-radius: 50%; border: 1.5px solid var(--control) }
.chip > * { overflow: hidden; text-overflow: ellipsis }
.chip.over::before { background: var(--control) }
.chip.charging { color: var(--blue); font-weight: 500 }
.chip.charging::before { background: var(--blue-mark); border-color: var(--blue-mark) }
.chip:is(.bad, .amber) { display: inline-block; overflow: hidden; text-overflow: ellipsis; padding: 0 6px; border-radius: 4px; font-size: 12px; line-height: 18px; font-weight: 600 }
.chip:is(.bad, .amber)::before { display: none }
.chip.bad { background: var(--red-fill); color: #fff }
.chip.amber { background: var(--amber-fill); color: var(--on-amber) }
/* Somebody has it, or a banner tells of it already. */
.chip.bad.held { background: var(--red-tint); color: var(--red) }
.chip.amber.held { background: var(--amber-tint); color: var(--amber) }
.blue-word { color: var(--blue); font-weight: 600 }
.warn-text { color: var(--red); font-weight: 500 }
.amber { color: var(--amber) }
.warn { color: var(--red) }
p.warn { padding: 6px 12px; background: var(--red-tint); border-radius: 6px; overflow-wrap: anywhere }
.entry > p.warn { padding: 0; background: none; border-radius: 0 }
.fault { overflow-wrap: anywhere }
.banner {
  display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; margin-bottom: 16px; padding: 10px 12px;
  border-radius: 8px; background: var(--red-fill); color: #fff;
}
.banner > p { flex: 1 1 26rem; min-width: 0; margin: 0 }
.banner strong { font-size: 14px; font-weight: 600 }
.banner :is(button, .button) { height: 24px; padding: 0 8px; font-size: 12px; border-radius: 5px; background: none; color: inherit; border-color: #ffffff99 }
.banner :is(button, .button):hover { background: #fff2 }
.banner :is(button, .button).main { background: #fff; color: #8f1a11; border-color: #fff }
.banner.quiet { background: var(--red-tint); color: var(--ink); border: 1px solid var(--red-edge) }
.banner.quiet > svg { color: var(--red) }
.banner.quiet strong { font-size: 13px }
.banner.quiet :is(button, .button) { background: var(--surface); border-color: var(--edge) }
.banner.quiet.waits { background: var(--amber-tint); border-color: var(--line) }
.banner.quiet.waits > svg { color: var(--amber) }
.nothing { padding: 24px 12px; text-align: center; color: var(--soft) }
.nothing :is(a, .button) { margin-top: 8px }
.labels { display: flex; flex-wrap: wrap; gap: 4px }
.label { max-width: 100%; padding: 0 6px; font-size: 12px; line-height: 18px; background: var(--sunken); border-radius: 4px; overflow-wrap: anywhere }
@media (max-width: 760px) { .banner { align-items: start } .banner > p { flex: 1 1 75% } .banner :is(button, .button) { height: 32px } }
`
