/** The course of a session: its samples and what its station said, as pieces without holes. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../../test/support/property.ts'
import type { Activity, ActivityEntry, CoursePoint } from '../../ports/sessions.ts'
import { withActivity } from '../states/activities.ts'
import { piecesOf, withPoint } from './course.ts'

type Piece = readonly [start: number, end: number, energy: number, isCharging: boolean]
const whole = { startedAt: 0, until: 100, energyMilliWh: 1000 }

it.each<[string, readonly CoursePoint[], readonly ActivityEntry[], readonly Piece[]]>([
  ['without a sample it is one line', [], [], [[0, 100, 1000, true]]],
  [
    'samples divide it',
    [[20, 600]],
    [],
    [
      [0, 20, 600, true],
      [20, 100, 400, true],
    ],
  ],
  [
    'what lies outside is left out',
    [
      [0, 5],
      [120, 900],
    ],
    [],
    [[0, 100, 1000, true]],
  ],
  [
    'the vehicle is full',
    [[50, 1000]],
    [
      [1, 0, 'charging'],
      [2, 60, 'suspendedEv'],
    ],
    [
      [0, 50, 1000, true],
      [50, 60, 0, true],
      [60, 100, 0, false],
    ],
  ],
  [
    'a pause of the EVSE is none',
    [[50, 1000]],
    [
      [1, 0, 'charging'],
      [2, 50, 'suspendedEvse'],
    ],
    [
      [0, 50, 1000, true],
      [50, 100, 0, true],
    ],
  ],
  [
    'finished with the cable in',
    [[50, 1000]],
    [
      [1, 0, 'charging'],
      [2, 50, 'finishing'],
    ],
    [
      [0, 50, 1000, true],
      [50, 100, 0, false],
    ],
  ],
  [
    'and on again',
    [],
    [
      [1, 0, 'suspendedEv'],
      [2, 40, 'charging'],
    ],
    [
      [0, 40, 400, false],
      [40, 100, 600, true],
    ],
  ],
])('TARIFF-A4: %s', (_, course, activities, pieces) => {
  const found = piecesOf({ course, activities }, whole)
  expect(found.map(({ start, end, energyMilliWh, isCharging }) => [start, end, energyMilliWh, isCharging])).toEqual(
    pieces,
  )
})

it('TARIFF-A2: points are few, however many samples come, and stay near the course', () => {
  let points: readonly CoursePoint[] = []
  const energyAt = (at: number): number => Math.round(at < 5000 ? at * 3 : 15_000 + (at - 5000) / 10)
  for (let at = 1; at <= 20_000; at++) points = withPoint(points, [at, energyAt(at)])
  expect(points.length).toBeLessThanOrEqual(128)
  expect(points.at(-1)).toEqual([20_000, energyAt(20_000)])
  const turn = points.filter(([at]) => Math.abs(at - 5000) < 400)
  expect(turn.length).toBeGreaterThan(0)
  expect(withPoint(points, [10, 9])).toBe(points)
  expect(withPoint([[5, 10]], [4, 12])).toEqual([[5, 12]])
})

const activities = fc.array(
  fc.tuple(
    fc.integer({ min: 0, max: 120 }),
    fc.constantFrom<Activity>('charging', 'suspendedEv', 'suspendedEvse', 'finishing'),
  ),
  { maxLength: 200 },
)

it('TARIFF-A4: whatever came, the pieces are the whole session and have all of its energy', () => {
  const samples = fc.array(fc.tuple(fc.integer({ min: 0, max: 120 }), fc.integer({ min: 0, max: 1200 })), {
    maxLength: 20,
  })
  forAll(samples, activities, (points, said) => {
    let course: readonly CoursePoint[] = []
    for (const point of points) course = withPoint(course, point)
    let entries: readonly ActivityEntry[] = []
    said
      .sort((a, b) => a[0] - b[0])
      .forEach(([at, activity], order) => {
        entries = withActivity(entries, [order, at, activity])
      })
    const pieces = piecesOf({ course, activities: entries }, whole)
    expect(pieces.reduce((sum, one) => sum + one.energyMilliWh, 0)).toBe(whole.energyMilliWh)
    expect(pieces.every((one) => one.energyMilliWh >= 0 && one.end >= one.start)).toBe(true)
    expect([pieces[0]?.start, ...pieces.map(({ end }) => end)]).toEqual([...pieces.map(({ start }) => start), 100])
  })
})
