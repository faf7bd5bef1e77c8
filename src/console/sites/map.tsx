/** Sites on a map of our own: marks over coasts, nearer and farther by links (SITE-M1 to SITE-M4). */

import type { FC } from 'hono/jsx'
import type { Site } from '../../application/sites/sites.ts'
import type { SiteCounts } from '../../domain/ports/storage-queries.ts'
import {
  type Cluster,
  clustered,
  fitting,
  fromNorth,
  isInside,
  MAX_ZOOM,
  type MapView,
  moved,
  projection,
  type Size,
  type Spot,
  zoomed,
} from '../../domain/sites/map.ts'
import type { Coordinates } from '../../domain/sites/records.ts'
import { SITE_STATES, type SiteState, siteState } from '../../domain/sites/site.ts'
import type { Frame } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { ButtonLink, wordsIn } from '../kit/parts.tsx'
import { sitePath } from '../paths.ts'
import COASTS from './coasts.json' with { type: 'json' }

const SIZE: Size = { width: 480, height: 400 }
const CELL = 64
/** Nearer the coasts are too coarse to stand beside a street. */
const COASTS_UP_TO = 7
const EARTH_KM = 40_075

interface PlacedSite extends Site {
  readonly coordinates: Coordinates
}

export function isPlaced(site: Site): site is PlacedSite {
  return site.coordinates !== undefined
}

export function insideOf<Of extends Pick<MapPoint, 'coordinates'>>(view: MapView, all: readonly Of[]): Of[] {
  const spotOf = projection(view, SIZE)
  return all.filter(({ coordinates }) => isInside(spotOf(coordinates), SIZE))
}

interface ViewProps {
  readonly frame: Frame
  readonly view?: MapView | undefined
  /** The address of another part of it; without it there is no way to one. */
  readonly to?: ((view: MapView | undefined) => string) | undefined
}

export const SiteMap: FC<ViewProps & { readonly sites: readonly PlacedSite[] }> = ({ sites, ...view }) => {
  const words = wordsIn('sites', view.frame)
  const points = sites.map((site): MapPoint => {
    const { state } = siteState(site)
    const path = site.site === undefined ? undefined : sitePath(view.frame, site.site)
    const { coordinates, site: name } = site
    return { coordinates, name, path, state: words.states[state], tone: TONES[state], rank: SITE_STATES.indexOf(state) }
  })
  return <PointMap {...view} points={points} label={words.mapOf} several={words.markOf} nothing={words.nothingOnMap} />
}

/** What stands on a map: its name and page, and its state as word and color; the lowest rank is that of a mark. */
export interface MapPoint {
  readonly coordinates: Coordinates
  readonly name?: string | undefined
  readonly path?: string | undefined
  readonly state: string
  readonly tone: string
  readonly rank: number
}

interface MapProps extends ViewProps {
  readonly points: readonly MapPoint[]
  readonly label: (shown: string) => string
  readonly several: (count: number, state: string) => string
  readonly nothing: string
}

export const PointMap: FC<MapProps> = ({ frame, points, view: asked, to, label: labelOf, several, nothing }) => {
  const view = asked ?? fittingAll(points)
  if (!view) return <p class="soft nothing">{nothing}</p>
  const spotOf = projection(view, SIZE)
  const spots = points.map((point) => ({ ...spotOf(point.coordinates), point })).filter((spot) => isInside(spot, SIZE))
  const label = labelOf(shownFigure(frame, spots.length))
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
        <Mark frame={frame} cluster={cluster} view={view} to={to} several={several} />
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

interface MarkProps extends Pick<MapProps, 'frame' | 'to' | 'several'> {
  readonly view: MapView
  readonly cluster: Cluster<MapPoint>
}

const Mark: FC<MarkProps> = ({ frame, cluster: { x, y, points }, view, to, several }) => {
  const [only, ...others] = points
  if (!only) return null
  const worst = others.reduce((one, other) => (other.rank < one.rank ? other : one), only)
  const isOne = others.length === 0 && only.name !== undefined
  const radius = isOne ? 9 : Math.min(26, 12 + 2.5 * Math.log2(points.length))
  const name = isOne ? `${only.name}: ${worst.state}` : several(points.length, worst.state)
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
        {worst.state}
      </text>
    </>
  )
  const style = `mark ${worst.tone || 'free'}`
  if (!to) return <g class={style}>{mark}</g>
  const goes = (isOne && only.path) || to(nearer(view, points))
  return (
    <a class={style} href={goes} aria-label={name}>
      {mark}
    </a>
  )
}

/** As near as possible, always nearer than before, until there is nothing nearer. */
function nearer(view: MapView, points: readonly MapPoint[]): MapView {
  const fit = fittingAll(points, MAX_ZOOM) ?? view
  return { ...fit, zoom: Math.min(MAX_ZOOM, Math.max(fit.zoom, view.zoom + 1)) }
}

function fittingAll(points: readonly MapPoint[], maxZoom?: number): MapView | undefined {
  const all = points.map(({ coordinates }) => coordinates)
  return fitting(all, SIZE, maxZoom)
}

type WaysProps = { frame: Frame; view: MapView; to: (view: MapView | undefined) => string; isWhole: boolean }

const Ways: FC<WaysProps> = ({ frame, view, to, isWhole }) => {
  const words = wordsIn('sites', frame)
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
      {!isWhole && <ButtonLink to={to(undefined)} text={words.whole} />}
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

/** Red and amber: needs attention. Blue: a car charges. The rest is gray. */
const TONES: Readonly<Record<SiteState, string>> = {
  gone: 'bad',
  faulted: 'bad',
  offline: 'amber',
  pending: 'amber',
  charging: 'charging',
  free: '',
  empty: 'over',
}

export const SiteChip: FC<{ frame: Frame; site: SiteCounts }> = ({ frame, site }) => {
  const { state, count } = siteState(site)
  return (
    <>
      <span class={`chip ${TONES[state]}`.trim()}>{wordsIn('sites', frame).states[state]}</span>
      {state !== 'gone' && state !== 'free' && state !== 'empty' && site.stations > 1 && (
        <span class="soft no-phone">
          {' '}
          {wordsIn('chargePoints', frame).partOf(shownFigure(frame, count), shownFigure(frame, site.stations))}
        </span>
      )}
    </>
  )
}

/** In units of the picture: what is nearer to its neighbor is no corner. */
const FINE = 1.2
/** Beyond the edges, so that no stroke runs along them. */
const BEYOND = 4

/**
 * Corners as fractions of the world, from -180° and from its north: their way round the world is not interrupted. Made
 * of Natural Earth's land at 1:50 million (public domain), without islands below half a degree. A ring of the file is
 * the way from corner to corner, east and north, in tenths of a degree.
 */
const RINGS = COASTS.map((ring) => {
  const steps = ring.split(' ').map(Number)
  const corners: Spot[] = []
  let [east, north] = [0, 0]
  for (let at = 0; at + 1 < steps.length; at += 2) {
    east += steps[at] ?? 0
    north += steps[at + 1] ?? 0
    corners.push({ x: east / 10 / 360, y: fromNorth(north / 10) })
  }
  return { corners, ...extentOf(corners) }
})

function extentOf(corners: readonly Spot[]) {
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)]
  return { west: Math.min(...xs), east: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }
}

function landPath(view: MapView, { width, height }: Size): string {
  const world = width * 2 ** view.zoom
  const [left, top] = [view.longitude / 360 - width / 2 / world, fromNorth(view.latitude) - height / 2 / world]
  const [right, bottom] = [left + width / world, top + height / world]
  const parts: string[] = []
  for (const ring of RINGS) {
    if (ring.bottom < top || ring.top > bottom) continue
    for (const turn of [-1, 0, 1]) {
      if (ring.east + turn < left || ring.west + turn > right) continue
      const spots = ring.corners.map(({ x, y }) => ({ x: (x + turn - left) * world, y: (y - top) * world }))
      const cut = coarse(clipped(spots, { width, height }))
      if (cut.length > 2) parts.push(`M${cut.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`)
    }
  }
  return parts.join('')
}

/** Sutherland and Hodgman: one edge after the other. */
function clipped(ring: readonly Spot[], { width, height }: Size): readonly Spot[] {
  const edges: readonly ((spot: Spot) => number)[] = [
    ({ x }) => x + BEYOND,
    ({ x }) => width + BEYOND - x,
    ({ y }) => y + BEYOND,
    ({ y }) => height + BEYOND - y,
  ]
  return edges.reduce<readonly Spot[]>((left, inside) => {
    const kept: Spot[] = []
    let before = left.at(-1)
    for (const spot of left) {
      const [was, is] = [before ? inside(before) : 0, inside(spot)]
      if (before && was < 0 !== is < 0) {
        const share = was / (was - is)
        kept.push({ x: before.x + (spot.x - before.x) * share, y: before.y + (spot.y - before.y) * share })
      }
      if (is >= 0) kept.push(spot)
      before = spot
    }
    return kept
  }, ring)
}

function coarse(ring: readonly Spot[]): readonly Spot[] {
  let last: Spot | undefined
  return ring.filter((spot) => {
    if (last && Math.abs(spot.x - last.x) < FINE && Math.abs(spot.y - last.y) < FINE) return false
    last = spot
    return true
  })
}
