import { expect, it } from 'vitest'
import { type Cluster, clustered, fitting, isInside, MAX_ZOOM, moved, projection, wrapped, zoomed } from './map.ts'
import type { Coordinates } from './records.ts'

const SIZE = { width: 480, height: 360 }
const at = (latitude: number, longitude: number): Coordinates => ({ latitude, longitude })
const HANNOVER = at(52.37, 9.73)
const FIJI = at(-17.7, 178)
const SAMOA = at(-13.8, -171.8)

/** Those that are seen, of all that fit. */
function seen(places: readonly Coordinates[]): number {
  const view = fitting(places, SIZE)
  const spotOf = view && projection(view, SIZE)
  return spotOf ? places.filter((place) => isInside(spotOf(place), SIZE)).length : 0
}

it.each([
  ['one point', [HANNOVER]],
  ['all at one point', [HANNOVER, HANNOVER, HANNOVER]],
  ['a town', [HANNOVER, at(52.38, 9.75)]],
  ['a country', [HANNOVER, at(48.1, 11.6), at(53.6, 10)]],
  ['the whole world', [HANNOVER, FIJI, SAMOA, at(-33.9, 18.4), at(40.7, -74)]],
  ['both poles', [at(90, 0), at(-90, 0)]],
  ['one meridian', [at(60, 10), at(50, 10)]],
  ['one parallel', [at(50, 10), at(50, 14)]],
])('SITE-M2: the map begins with what is there: %s', (_, places) => {
  const inside = places.filter(({ latitude }) => Math.abs(latitude) < 86)
  expect(seen(places)).toBeGreaterThanOrEqual(inside.length)
})

it('SITE-M2: the map begins with what is there: is near where its points are near, and nothing of nothing', () => {
  expect(fitting([], SIZE)).toBeUndefined()
  expect(fitting([HANNOVER], SIZE)?.zoom).toBe(9)
  expect(fitting([HANNOVER, at(52.38, 9.75)], SIZE)?.zoom).toBeGreaterThan(10)
  expect(fitting([HANNOVER, at(48.1, 11.6)], SIZE)?.zoom).toBeLessThan(8)
  const close = fitting([HANNOVER, at(52.3700001, 9.7300001)], SIZE)
  expect(close?.zoom).toBe(MAX_ZOOM)
})

it('neighbors across it are neighbors on the map', () => {
  const view = fitting([FIJI, SAMOA], SIZE)
  expect(view?.zoom).toBeGreaterThanOrEqual(4)
  expect(seen([FIJI, SAMOA])).toBe(2)
  const spotOf = projection(view ?? { ...FIJI, zoom: 0 }, SIZE)
  expect(spotOf(FIJI).x).toBeLessThan(spotOf(SAMOA).x)
  expect(spotOf(at(0, 180))).toEqual(spotOf(at(0, -180)))
})

it('SITE-M3: the antimeridian is no edge: longitudes go once around, and so does who moves on', () => {
  expect([0, 180, -180, 181, 540, -541].map(wrapped)).toEqual([0, -180, -180, -179, -180, 179])
  const view = { ...FIJI, zoom: 2 }
  expect(moved(view, SIZE, 0.5, 0).longitude).toBeCloseTo(-137)
  const back = moved(moved(view, SIZE, 0.5, 0.25), SIZE, -0.5, -0.25)
  expect(back.longitude).toBeCloseTo(view.longitude)
  expect(back.latitude).toBeCloseTo(view.latitude)
  expect(moved({ ...FIJI, zoom: 0 }, SIZE, 0, 9).latitude).toBe(-85)
  expect([zoomed(view, -9).zoom, zoomed(view, 99).zoom]).toEqual([0, MAX_ZOOM])
})

const spots = (...all: readonly (readonly [x: number, y: number])[]) => all.map(([x, y], point) => ({ x, y, point }))
const pointsOf = (clusters: readonly Cluster<number>[]) => clusters.map(({ points }) => points.toSorted()).toSorted()

it('SITE-M1: what is near together is one mark: in one cell, across its edges, and not beyond', () => {
  const found = clustered(spots([39, 39], [41, 41], [20, 20], [200, 200]), 40)
  expect(pointsOf(found)).toEqual([[0, 1, 2], [3]])
  expect(found.find(({ points }) => points.length === 1)).toMatchObject({ x: 200, y: 200 })
  expect(pointsOf(clustered(spots([1, 1], [79, 79]), 40))).toEqual([[0], [1]])
  expect(clustered([], 40)).toEqual([])
})

it('SITE-M1: what is near together is one mark: all at one point are one mark there; none is lost or there twice', () => {
  const same = Array.from({ length: 5000 }, (_, point) => ({ x: 7, y: 8, point }))
  expect(clustered(same, 40)).toMatchObject([{ x: 7, y: 8 }])
  const spread = Array.from({ length: 5000 }, (_, point) => ({
    x: (point * 7919) % 480,
    y: (point * 104729) % 360,
    point,
  }))
  const all = clustered(spread, 40).flatMap(({ points }) => points)
  expect(new Set(all).size).toBe(5000)
  expect(all).toHaveLength(5000)
})

it('SITE-M1: what is near together is one mark: looks at each a few times, however many there are', () => {
  let looks = 0
  const spot = (point: number) => ({
    get x() {
      looks++
      return (point * 7919) % 4801
    },
    y: (point * 104729) % 3607,
    point,
  })
  clustered(
    Array.from({ length: 50_000 }, (_, point) => spot(point)),
    40,
  )
  expect(looks).toBeLessThan(6 * 50_000)
})
