/** Charts: a plot that stretches inside a frame whose words do not. Bars. */
export const CHARTS = `
.chart { display: block; width: 100%; overflow: visible }
.chart:not([height]) { height: auto }
.chart text { font: 11px var(--face); fill: var(--soft) }
.chart .grid { stroke: var(--line); stroke-width: 1; shape-rendering: crispEdges }
.chart .axis { stroke: var(--control); stroke-width: 1; shape-rendering: crispEdges }
:is(.chart, .spark) path { vector-effect: non-scaling-stroke }
:is(.chart, .spark) path:not(.band) { fill: none }
.chart .line, .chart .now { fill: none; stroke: var(--blue-mark); stroke-width: 2; stroke-linejoin: round; vector-effect: non-scaling-stroke }
progress { accent-color: var(--ink) }
.chart .area, .chart path.under { fill: var(--blue-mark); fill-opacity: .1; stroke: none }
.chart.energy .area { display: none }
.chart .then { fill: none; stroke: var(--control); stroke-width: 1; vector-effect: non-scaling-stroke }
.chart .mark { stroke: var(--red-fill); stroke-width: 1.5 }
.chart .dot { fill: var(--blue-mark); stroke: var(--surface); stroke-width: 2 }
.chart text.red { fill: var(--red); font-weight: 600 }
.chart text.ink { fill: var(--ink); font-weight: 500 }
.chart .halo { paint-order: stroke; stroke: var(--surface); stroke-width: 4px; stroke-linejoin: round }
.chart path.lim, .legend path.lim { stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 5 3 }
.chart path.band { stroke: var(--surface); stroke-width: 1 }
:is(path, rect).base { fill: light-dark(#d3d3d9, #3c3e47) }
:is(path, rect).rest { fill: color-mix(in oklab, var(--blue-mark) 14%, var(--surface)) }
:is(path, rect).s1 { fill: color-mix(in oklab, var(--blue-mark) 96%, var(--surface)) }
:is(path, rect).s2 { fill: color-mix(in oklab, var(--blue-mark) 40%, var(--surface)) }
:is(path, rect).s3 { fill: color-mix(in oklab, var(--blue-mark) 76%, var(--surface)) }
:is(path, rect).s4 { fill: color-mix(in oklab, var(--blue-mark) 28%, var(--surface)) }
:is(path, rect).s5 { fill: color-mix(in oklab, var(--blue-mark) 62%, var(--surface)) }
:is(path, rect).s6 { fill: color-mix(in oklab, var(--blue-mark) 22%, var(--surface)) }
.legend > * > svg.sw, svg.sw { width: 10px; height: 10px; margin-right: 8px; vertical-align: -1px }
.phase > p { display: flex; justify-content: space-between; gap: 0 12px; align-items: baseline; margin-bottom: 6px }
.phase .bar { margin-bottom: 6px }
.phase p > :last-child { flex: none }
.phase b { font-size: 20px; line-height: 28px; font-weight: 600; letter-spacing: -.01em; white-space: nowrap }
.phase b small { font-size: 13px; font-weight: 400; color: var(--soft); letter-spacing: 0 }
.legend { display: flex; margin-top: 8px; flex-wrap: wrap; gap: 4px 16px; align-items: center; font-size: 12px; color: var(--soft) }
.legend svg { width: 16px; height: 8px; margin-right: 6px; vertical-align: middle }
.legend path { fill: none; stroke: var(--control) }
.legend path.now { stroke: var(--blue-mark); stroke-width: 2 }
svg.bar { display: block; width: 100%; height: 8px; border-radius: 4px; overflow: hidden }
.bar .rail { fill: var(--here) } .bar .fill { fill: var(--blue-mark) } .bar .grey { fill: var(--control) }
.bar .bad { fill: var(--red-fill) } .bar .amber { fill: var(--amber-fill) }
.spark { display: block; width: 100%; height: 32px }
.spark .now { stroke: var(--blue-mark); stroke-width: 1.5 }
.spark path.under { fill: var(--blue-mark); fill-opacity: .1; stroke: none }
.spark .flat { stroke: var(--line); stroke-width: 1.5 }
.outlets { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 300px), 1fr)); gap: 0 16px }
.outlet-card { display: grid; align-content: start; gap: 6px }
.outlet-card.bad { border-color: var(--red-fill); box-shadow: inset 0 0 0 1px var(--red-fill) }
.outlet-card > :is(p, .row) { margin: 0 }
.outlet-card .top { display: flex; align-items: center; justify-content: space-between; gap: 8px }
.outlet-card .top h2 { margin: 0 }
.big { font-size: 20px; line-height: 28px; font-weight: 600; letter-spacing: -.01em; margin: 0 }
.big small { font-size: 13px; font-weight: 400; letter-spacing: 0; color: var(--soft) }
svg.map { display: block; width: 100%; height: auto; margin-bottom: 8px; background: var(--sunken); border-radius: 6px; overflow: hidden }
.map .land { fill: var(--surface); stroke: var(--edge); stroke-width: 1; stroke-linejoin: round }
.map .mark circle { fill: var(--control); stroke: var(--surface); stroke-width: 2 }
.map .mark.bad circle { fill: var(--red-fill) }
.map .mark.amber circle { fill: var(--amber-fill) }
.map .mark.charging circle { fill: var(--blue-mark) }
.map .mark.free circle, .map .mark.over circle { fill: var(--surface); stroke: var(--control) }
.map text { font: 11px var(--face); text-anchor: middle; fill: var(--ink) }
.map .count { font-weight: 600 }
.map .mark:is(.bad, .charging) .count { fill: #fff }
.map .mark.amber .count { fill: var(--on-amber) }
.map .word { paint-order: stroke; stroke: var(--surface); stroke-width: 3px; stroke-linejoin: round }
.map a { text-decoration: none }
.map a:hover circle { stroke: var(--ink) }
.map a:focus-visible { outline: none }
.map a:focus-visible circle { stroke: var(--ink); stroke-width: 3 }
.map .scale path { fill: none; stroke: var(--control) }
.map .scale text { text-anchor: start; fill: var(--soft) }
@media (max-width: 760px) { .chart:not([height]) text { font-size: 17px } .map text { font-size: 14px } }
`
