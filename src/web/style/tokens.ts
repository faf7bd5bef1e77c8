/** Colours, type and measures. Grey is normal; red and amber mean that somebody is needed, blue that a car charges. */
export const TOKENS = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f6f7, #0d0e11);
  --surface: light-dark(#fff, #15161a);
  --sunken: light-dark(#f1f1f3, #1d1e24);
  --hover: light-dark(#fafafb, #191a1f);
  --here: light-dark(#e7e7eb, #24262d);
  --line: light-dark(#e3e3e7, #282a31);
  --edge: light-dark(#d0d0d6, #3a3c45);
  --control: light-dark(#8c8c97, #70727d);
  --ink: light-dark(#17171b, #ededf1);
  --soft: light-dark(#5a5a66, #a2a4af);
  --on-ink: light-dark(#fff, #15161a);
  --red: light-dark(#b42318, #ff8f86);
  --red-fill: light-dark(#c3271b, #c8372c);
  --red-tint: light-dark(#fcecea, #371d1b);
  --red-edge: light-dark(#f0c7c2, #5b2823);
  --amber: light-dark(#875200, #f0b45c);
  --amber-fill: light-dark(#f7bc45, #e3a53c);
  --amber-tint: light-dark(#fdf2db, #33280f);
  --on-amber: #2a1a00;
  --blue: light-dark(#1d5fd1, #7aabff);
  --blue-mark: light-dark(#2f6fe4, #5b93f5);
  --shadow: 0 8px 24px light-dark(#17171b29, #000a);
  --face: -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, system-ui, sans-serif;
  --fixed: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace;
  --head: 48px;
}
*, ::before, ::after { box-sizing: border-box }
html { scroll-padding-top: 112px }
body {
  margin: 0; min-height: 100vh; background: var(--ground); color: var(--ink); overflow-wrap: break-word;
  font: 13px/20px var(--face); font-variant-numeric: tabular-nums;
}
h1 { font-size: 20px; line-height: 28px; font-weight: 600; letter-spacing: -.01em; margin: 0 0 12px; overflow-wrap: anywhere }
h2, h3 { font-size: 13px; line-height: 20px; font-weight: 600; margin: 0 0 8px }
p, dl, ul, ol, table, figure { margin: 0; padding: 0 }
p { margin-bottom: 8px }
a { color: inherit; text-decoration: underline; text-decoration-color: var(--control); text-underline-offset: 2px }
a:hover { text-decoration-color: currentColor }
:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px; border-radius: 4px }
/* Within what cuts off at its edge the ring would be cut off as well. */
:is(.side, .tabs, .segments, .figures, .chips, .bulk, table.one-line) :focus-visible { outline-offset: -2px }
svg.icon {
  width: 16px; height: 16px; flex: none; fill: none;
  stroke: currentColor; stroke-width: 1.4; stroke-linecap: round; stroke-linejoin: round;
}
code, .host { font-family: var(--fixed); font-size: .925em; overflow-wrap: anywhere }
.soft { color: var(--soft) }
.small { font-size: 12px; line-height: 16px }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
/* What stations and users write never turns what stands beside it. */
main :is(a, strong, span, code, label, button, summary) { unicode-bidi: isolate }
bdi { overflow-wrap: anywhere }
html:not(.scripted) [data-copy] { display: none }
@media (max-width: 760px) { body { font-size: 14px } h2 { font-size: 14px } }
@media (prefers-reduced-motion: no-preference) { :is(button, .button, .side a) { transition: background-color .12s } }
`
