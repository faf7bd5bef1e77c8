/** The side bar, which is a drawer on a phone, the head above every page, and pages without either. */
export const FRAME = `
.skip { position: fixed; left: 8px; top: -64px; z-index: 20; padding: 8px 12px; background: var(--ink); color: var(--on-ink); border-radius: 6px }
.skip:focus { top: 8px }
.house { display: grid; grid-template-columns: 220px minmax(0, 1fr); min-height: 100vh }
.side {
  position: sticky; inset: 0 auto auto 0; display: block; width: 220px; height: 100vh; max-height: none;
  margin: 0; padding: 0 8px 12px; overflow-y: auto; color: inherit; background: var(--ground);
  border: 0; border-right: 1px solid var(--line); scrollbar-width: thin;
}
.side a { text-decoration: none }
.side .brand { display: flex; align-items: center; gap: 8px; height: var(--head); padding: 0 8px; font-size: 14px; font-weight: 600 }
.side .brand svg { width: 20px; height: 20px }
.side h2 { font-size: 11px; line-height: 16px; font-weight: 500; color: var(--soft); margin: 0; padding: 12px 8px 4px }
.side ul { list-style: none }
.side li a { display: flex; align-items: center; gap: 8px; height: 28px; padding: 0 8px; border-radius: 6px; color: var(--soft) }
.side li a:hover { background: var(--sunken); color: var(--ink) }
.side li a[aria-current] { background: var(--here); color: var(--ink); font-weight: 500 }
.side .count { margin-left: auto; font-size: 12px; font-weight: 400 }
.open-count { background: var(--red-fill); color: #fff; border-radius: 4px; padding: 0 5px; font-size: 11px; line-height: 16px; font-weight: 600 }
.side .open-count { margin-left: auto }
.head {
  position: sticky; top: 0; z-index: 6; display: flex; align-items: center; gap: 12px; height: var(--head);
  padding: 0 24px; background: var(--ground); border-bottom: 1px solid var(--line);
}
.jump { position: relative; flex: 0 1 400px; min-width: 0 }
.jump .icon { position: absolute; left: 9px; top: 8px; color: var(--soft) }
.jump input[type=search] { padding: 0 32px; text-overflow: ellipsis }
.jump kbd {
  position: absolute; right: 7px; top: 7px; padding: 0 5px; font: 11px/16px var(--fixed); color: var(--soft);
  background: var(--ground); border: 1px solid var(--line); border-radius: 4px;
}
.head .fresh { margin: 0 0 0 auto; font-size: 12px; line-height: 16px; color: var(--soft); white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
.avatar { display: inline-grid; place-items: center; flex: none; width: 24px; height: 24px; border-radius: 50%; background: var(--here); font-size: 10px; font-weight: 600 }
.me-name { max-width: 200px; overflow: hidden; text-overflow: ellipsis }
.menu {
  position: fixed; inset: 44px 24px auto auto; width: 260px; margin: 0; padding: 4px; color: inherit;
  background: var(--surface); border: 1px solid var(--line); border-radius: 8px; box-shadow: var(--shadow);
}
.menu :is(a, p, button) {
  display: flex; justify-content: space-between; gap: 12px; width: 100%; height: auto; margin: 0; padding: 6px 8px;
  border: 0; border-radius: 4px; font-weight: 400; text-align: left; text-decoration: none; background: none;
}
.menu button.main { justify-content: center; padding: 6px 12px; background: var(--ink); color: var(--on-ink) }
form.menu { width: 280px; padding: 12px }
.menu p { overflow-wrap: anywhere }
.menu :is(a, button):hover { background: var(--sunken) }
.menu a[aria-current] { background: var(--sunken); font-weight: 500 }
.menu hr { border: 0; border-top: 1px solid var(--line); margin: 4px 0 }
main { max-width: 1680px; min-width: 0; padding: 16px 24px 24px }
main:focus { outline: none }
main.read > * { max-width: 56rem }
main.narrow > * { max-width: 40rem }
.alone { max-width: 30rem; margin: 0 auto; padding: 24px 16px }
.alone .brand { display: flex; align-items: center; gap: 8px; font-size: 14px; font-weight: 600; margin-bottom: 16px }
.alone .brand svg { width: 20px; height: 20px }
.alone main { padding: 0 }
.alone.open { max-width: 44rem }
.phone-only { display: none }
@media (max-width: 760px) {
  .house { display: block }
  .side { position: fixed; inset: 0 auto 0 0; z-index: 10; width: min(280px, 84vw); height: 100dvh; box-shadow: var(--shadow) }
  .side:not(:popover-open) { display: none }
  .side::backdrop { background: #0007 }
  .side li a { height: 40px }
  .phone-only { display: inline-flex }
  .wide-only { display: none }
  .head { gap: 8px; padding: 0 12px }
  .head :is(.button, button) { height: 36px; flex: none }
  .jump { flex: 1 }
  .jump input[type=search] { height: 36px; padding-right: 8px }
  .jump .icon { top: 10px }
  .menu { inset-inline-end: 12px; width: min(300px, 90vw) }
  .menu :is(a, button) { padding: 10px 8px }
  .me-name { position: absolute; width: 1px; height: 1px; clip-path: inset(50%) }
  .fresh:not(.wrong) { display: none }
  .fresh.wrong { position: fixed; inset: auto 0 0; z-index: 8; margin: 0; padding: 8px 12px; color: var(--amber); background: var(--amber-tint); white-space: normal }
  main { padding: 12px 12px 24px }
}
@media print { .side, .head, .chips, .actions, button { display: none !important } .house { display: block } }
`
