/** Charts: a plot that stretches inside a frame whose words do not. Bars. */
export const CHARTS = `
.chart { display: block; width: 100%; overflow: visible }
.chart:not([height]) { height: auto }
.chart text { font: 11px var(--face); fill: var(--soft) }
.chart .grid { stroke: var(--line); stroke-width: 1; shape-rendering: crispEdges }
.chart .axis { stroke: var(--control); stroke-width: 1; shape-rendering: crispEdges }
.chart path, .spark path { vector-effect: non-scaling-stroke; fill: none }
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
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: center; font-size: 12px; color: var(--soft) }
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
@media (max-width: 760px) { .chart:not([height]) text { font-size: 17px } }
`
