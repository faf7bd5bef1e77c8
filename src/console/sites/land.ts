import { fromNorth, type MapView, type Size, type Spot } from '../../domain/sites/map.ts'
import COASTS from './coasts.json' with { type: 'json' }

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

export function landPath(view: MapView, { width, height }: Size): string {
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
