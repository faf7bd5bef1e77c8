/** A map of points: where they stand, and which are drawn as one (SITE-M1 to SITE-M4). Pure; one walk and one sort. */
import type { Coordinates } from './records.ts'

/** What of the world is seen: the middle of it, and how often it is doubled from a picture as wide as the world. */
export interface MapView extends Coordinates {
  readonly zoom: number
}

/** In units of the picture, which is so wide and high. */
export interface Size {
  readonly width: number
  readonly height: number
}

export interface Spot {
  readonly x: number
  readonly y: number
}

/** As deep as streets; what is at one point is there still. */
export const MAX_ZOOM = 14
/** Web Mercator ends there. */
const MAX_LATITUDE = 85
const DEGREES = 360

/** Longitude once around, from -180 up to 180. */
export function wrapped(longitude: number): number {
  const turned = (((longitude + DEGREES / 2) % DEGREES) + DEGREES) % DEGREES
  return turned - DEGREES / 2
}

/** How far from the north of a world that is 1 high. */
export function fromNorth(latitude: number): number {
  const clamped = Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude))
  const sine = Math.sin(((clamped * Math.PI) / DEGREES) * 2)
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
}

function latitudeAt(y: number): number {
  const latitude = (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * DEGREES) / (2 * Math.PI)
  return Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude))
}

/** Where a place stands: the short way round the world from the middle (SITE-M3). */
export function projection(view: MapView, { width, height }: Size): (place: Coordinates) => Spot {
  const world = width * 2 ** view.zoom
  const middle = fromNorth(view.latitude)
  return ({ latitude, longitude }) => ({
    x: width / 2 + (wrapped(longitude - view.longitude) / DEGREES) * world,
    y: height / 2 + (fromNorth(latitude) - middle) * world,
  })
}

export function isInside({ x, y }: Spot, { width, height }: Size): boolean {
  return x >= 0 && x <= width && y >= 0 && y <= height
}

/** The same map further on by parts of the picture. */
export function moved(view: MapView, { width, height }: Size, right: number, down: number): MapView {
  const scale = 2 ** view.zoom
  return {
    ...view,
    longitude: wrapped(view.longitude + (right * DEGREES) / scale),
    latitude: latitudeAt(fromNorth(view.latitude) + (down * height) / width / scale),
  }
}

export function zoomed(view: MapView, by: number): MapView {
  return { ...view, zoom: Math.max(0, Math.min(MAX_ZOOM, view.zoom + by)) }
}

/** Of the picture, for marks at its edge. */
const ROOM = 0.8
/** Of one point there is nothing to fit: a town. */
const ALONE = 9

/** The nearest view of all; west is behind the widest gap (antimeridian). @param alone the zoom for a single point */
export function fitting(
  places: readonly Coordinates[],
  { width, height }: Size,
  alone: number = ALONE,
): MapView | undefined {
  if (places.length === 0) return undefined
  const longitudes = places.map(({ longitude }) => wrapped(longitude)).sort((one, other) => one - other)
  const first = longitudes[0] ?? 0
  let [west, widest] = [first, first + DEGREES - (longitudes.at(-1) ?? 0)]
  for (const [at, longitude] of longitudes.entries()) {
    const gap = longitude - (longitudes[at - 1] ?? longitude)
    if (gap > widest) [west, widest] = [longitude, gap]
  }
  const wide = (DEGREES - widest) / DEGREES
  let [north, south] = [1, 0]
  for (const { latitude } of places) {
    const y = fromNorth(latitude)
    north = Math.min(north, y)
    south = Math.max(south, y)
  }
  const scale = Math.min(ROOM / wide, (ROOM * height) / width / (south - north))
  const zoom = Number.isFinite(scale) ? Math.floor(Math.log2(scale)) : alone
  return {
    latitude: latitudeAt((north + south) / 2),
    longitude: wrapped(west + (wide * DEGREES) / 2),
    zoom: Math.max(0, Math.min(MAX_ZOOM, zoom)),
  }
}

export interface Cluster<Point> extends Spot {
  readonly points: readonly Point[]
}

/** Points of a cell become one mark, then cells with those beside them, each once. @param cell as wide as a mark */
export function clustered<Point>(spots: readonly (Spot & { readonly point: Point })[], cell: number): Cluster<Point>[] {
  const cells = new Map<
    string,
    { readonly at: readonly [number, number]; members: { x: number; y: number; point: Point }[] }
  >()
  for (const spot of spots) {
    const at = [Math.floor(spot.x / cell), Math.floor(spot.y / cell)] as const
    const key = at.join()
    const found = cells.get(key)
    if (found) found.members.push(spot)
    else cells.set(key, { at, members: [spot] })
  }
  const clusters: Cluster<Point>[] = []
  // The fullest first, so that a mark stands where most of its points are.
  for (const [
    key,
    {
      at: [column, row],
      members,
    },
  ] of [...cells].sort((one, other) => other[1].members.length - one[1].members.length)) {
    if (!cells.delete(key)) continue
    const own = middle(members)
    const all = [...members]
    for (const [right, down] of BESIDE) {
      const beside = [column + right, row + down].join()
      const other = cells.get(beside)
      if (!other) continue
      const { x, y } = middle(other.members)
      if (Math.hypot(x - own.x, y - own.y) >= cell) continue
      for (const spot of other.members) all.push(spot)
      cells.delete(beside)
    }
    clusters.push({ ...middle(all), points: all.map(({ point }) => point) })
  }
  return clusters
}

const BESIDE = [-1, 0, 1].flatMap((right) => [-1, 0, 1].map((down) => [right, down] as const))

function middle(spots: readonly Spot[]): Spot {
  let [x, y] = [0, 0]
  for (const spot of spots) {
    x += spot.x
    y += spot.y
  }
  return { x: x / spots.length, y: y / spots.length }
}
