/** Sites on a map of our own: marks over coasts, nearer and farther by links (SITE-M1 to SITE-M4). */
import type { FC } from 'hono/jsx'
import type { Site } from '../../application/sites/sites.ts'
import {
  type Cluster,
  clustered,
  fitting,
  isInside,
  MAX_ZOOM,
  type MapView,
  moved,
  projection,
  type Size,
  zoomed,
} from '../../domain/sites/map.ts'
import type { Coordinates } from '../../domain/sites/records.ts'
import { type SiteState, siteState, worstOf } from '../../domain/sites/site.ts'
import { shownFigure } from '../../web/figures.tsx'
import type { Frame } from '../../web/layout.tsx'
import { siteTexts } from '../kit/texts.ts'
import { sitePath } from '../paths.ts'
import { landPath } from './land.ts'
import { TONES } from './site-chip.tsx'

const SIZE: Size = { width: 480, height: 400 }
const CELL = 64
/** Nearer the coasts are too coarse to stand beside a street. */
const COASTS_UP_TO = 7
const EARTH_KM = 40_075

export interface PlacedSite extends Site {
  readonly coordinates: Coordinates
}

export function isPlaced(site: Site): site is PlacedSite {
  return site.coordinates !== undefined
}

export function insideOf(view: MapView, sites: readonly PlacedSite[]): PlacedSite[] {
  const spotOf = projection(view, SIZE)
  return sites.filter(({ coordinates }) => isInside(spotOf(coordinates), SIZE))
}

interface MapProps {
  readonly frame: Frame
  readonly sites: readonly PlacedSite[]
  readonly view?: MapView | undefined
  /** The address of another part of it; without it there is no way to one. */
  readonly to?: ((view: MapView | undefined) => string) | undefined
}

export const SiteMap: FC<MapProps> = ({ frame, sites, view: asked, to }) => {
  const words = siteTexts(frame)
  const view =
    asked ??
    fitting(
      sites.map(({ coordinates }) => coordinates),
      SIZE,
    )
  if (!view) return <p class="soft nothing">{words.nothingOnMap}</p>
  const spotOf = projection(view, SIZE)
  const spots = sites.map((point) => ({ ...spotOf(point.coordinates), point })).filter((spot) => isInside(spot, SIZE))
  const label = words.mapOf(shownFigure(frame, spots.length))
  const picture = (
    <svg
      class="map"
      viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
      role={to ? undefined : 'img'}
      aria-label={to ? undefined : label}
    >
      {view.zoom <= COASTS_UP_TO && <path class="land" d={landPath(view, SIZE)} />}
      <Scale frame={frame} view={view} />
      {clustered(spots, CELL).map((cluster) => (
        <Mark frame={frame} cluster={cluster} view={view} to={to} />
      ))}
    </svg>
  )
  if (!to) return picture
  return (
    <nav aria-label={label}>
      {picture}
      <Ways frame={frame} view={view} to={to} isWhole={asked === undefined} />
    </nav>
  )
}

interface MarkProps extends Omit<MapProps, 'sites'> {
  readonly view: MapView
  readonly cluster: Cluster<PlacedSite>
}

const Mark: FC<MarkProps> = ({ frame, cluster: { x, y, points }, view, to }) => {
  const words = siteTexts(frame)
  const state = worstOf(points.map((point) => siteState(point).state)) ?? 'empty'
  const [only] = points
  const isOne = points.length === 1 && only?.site !== undefined
  const radius = isOne ? 9 : Math.min(26, 12 + 2.5 * Math.log2(points.length))
  const name = isOne ? `${only.site}: ${words.states[state]}` : words.markOf(points.length, words.states[state])
  const mark = (
    <>
      <title>{name}</title>
      <circle cx={x.toFixed(1)} cy={y.toFixed(1)} r={radius.toFixed(1)} />
      {!isOne && (
        <text class="count" x={x.toFixed(1)} y={(y + 4).toFixed(1)}>
          {shownFigure(frame, points.length)}
        </text>
      )}
      <text class="word" x={x.toFixed(1)} y={(y + radius + 12).toFixed(1)}>
        {words.states[state]}
      </text>
    </>
  )
  const style = `mark ${toneOf(state)}`
  if (!to) return <g class={style}>{mark}</g>
  const goes = isOne ? sitePath(frame, only.site) : to(nearer(view, points))
  return (
    <a class={style} href={goes} aria-label={name}>
      {mark}
    </a>
  )
}

function toneOf(state: SiteState): string {
  return TONES[state] || 'free'
}

/** As near as possible, always nearer than before, until there is nothing nearer. */
function nearer(view: MapView, points: readonly PlacedSite[]): MapView {
  const fit =
    fitting(
      points.map(({ coordinates }) => coordinates),
      SIZE,
      MAX_ZOOM,
    ) ?? view
  return { ...fit, zoom: Math.min(MAX_ZOOM, Math.max(fit.zoom, view.zoom + 1)) }
}

const Ways: FC<{ frame: Frame; view: MapView; to: (view: MapView | undefined) => string; isWhole: boolean }> = ({
  frame,
  view,
  to,
  isWhole,
}) => {
  const words = siteTexts(frame)
  const ways: readonly (readonly [sign: string, name: string, way: MapView | false])[] = [
    ['+', words.nearer, view.zoom < MAX_ZOOM && zoomed(view, 1)],
    ['−', words.farther, view.zoom > 0 && zoomed(view, -1)],
    ['←', words.toWest, moved(view, SIZE, -0.5, 0)],
    ['→', words.toEast, moved(view, SIZE, 0.5, 0)],
    ['↑', words.toNorth, moved(view, SIZE, 0, -0.5)],
    ['↓', words.toSouth, moved(view, SIZE, 0, 0.5)],
  ]
  return (
    <div class="row">
      {ways.map(
        ([sign, name, way]) =>
          way && (
            <a class="button" href={to(way)} aria-label={name} title={name}>
              {sign}
            </a>
          ),
      )}
      {!isWhole && (
        <a class="button" href={to(undefined)}>
          {words.whole}
        </a>
      )}
    </div>
  )
}

const Scale: FC<{ frame: Frame; view: MapView }> = ({ frame, view }) => {
  const parallelKm = EARTH_KM * Math.cos((view.latitude * Math.PI) / 180)
  const unitKm = parallelKm / (SIZE.width * 2 ** view.zoom)
  const most = unitKm * 100
  const power = 10 ** Math.floor(Math.log10(most))
  const km = ([5, 2, 1].find((factor) => factor * power <= most) ?? 1) * power
  const long = km / unitKm
  const y = SIZE.height - 10
  return (
    <g class="scale">
      <path d={`M10 ${y - 4}v4h${long.toFixed(1)}v-4`} />
      <text x={14} y={y - 4}>
        {km < 1 ? `${shownFigure(frame, km * 1000)} m` : `${shownFigure(frame, km)} km`}
      </text>
    </g>
  )
}
