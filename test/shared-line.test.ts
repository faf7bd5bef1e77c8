/** Twelve simulated stations of both versions behind 100 A, seven of them with a quirk of real firmware. */
import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { pictureOf } from './shared-line/picture.ts'
import {
  LIMIT_AMPS,
  ORDERED_AMPS,
  type Reported,
  SAMPLE_SECONDS,
  SCENES,
  STEP_SECONDS,
  tellStory,
} from './shared-line/story.ts'

const PICTURE = 'docs/images/shared-connection.svg'
/** All hold their fallback. */
const FIRST_SECONDS = 10
const LIAR = 'G-03'

let reported: Reported
beforeAll(async () => {
  reported = await tellStory()
  if (process.env.PICTURE) writeFileSync(PICTURE, pictureOf(reported))
})

const stationOf = (id: string) => {
  const found = reported.stations.find((one) => one.id === id)
  if (!found) throw new Error(`There is no ${id}.`)
  return found
}
/** What was so at each point between these minutes. */
const between = (amps: readonly number[], from: number, to: number) =>
  amps.slice((from * 60) / STEP_SECONDS, (to * 60) / STEP_SECONDS)

it('GROUP-A2: what all may draw is never above the limit for more than two seconds', () => {
  let above = 0
  for (const { at, mayDraw, capacity } of reported.seconds) {
    above = at > FIRST_SECONDS && mayDraw > capacity + 1e-6 ? above + 1 : 0
    expect({ at, isLate: above > 2 }).toEqual({ at, isLate: false })
  }
})

it('GROUP-A2, GROUP-E3: what all draw is below the limit at every second, and below an order within fifteen', () => {
  for (const { at, drawn } of reported.seconds) {
    const isOrdered = at > SCENES.ordered * 60 + 15 && at <= SCENES.free * 60
    expect({ at, isBelow: drawn <= (isOrdered ? ORDERED_AMPS : LIMIT_AMPS) }).toEqual({ at, isBelow: true })
  }
  expect(Math.max(...reported.seconds.map(({ drawn }) => drawn))).toBeGreaterThan(85)
  expect(reported.seconds.find(({ at }) => at === SCENES.ordered * 60 + 60)?.limit).toBe(ORDERED_AMPS)
})

it('GROUP-A5: who draws more than it may counts with it after one reading of its meter; nobody else is suspected', () => {
  let late = 0
  for (const { id, mayDraw, drawn } of reported.stations) {
    let seconds = 0
    for (const [at, amps] of drawn.entries()) {
      const isAbove = amps > Math.max((mayDraw[at] ?? 0) + 1, (mayDraw[at] ?? 0) * 1.05)
      seconds = isAbove ? seconds + STEP_SECONDS : 0
      if (isAbove && id === LIAR) late++
      expect({ id, at, isLate: seconds > SAMPLE_SECONDS + STEP_SECONDS }).toEqual({ id, at, isLate: false })
    }
  }
  expect(late).toBeGreaterThan(0)
  expect([...reported.ignoring]).toEqual([LIAR])
  const { mayDraw, drawn } = stationOf(LIAR)
  expect(mayDraw.at(-1)).toBeCloseTo(drawn.at(-1) ?? 0, 0)
  expect(reported.events).toContain('limit-group.unproved')
})

it('GROUP-A8: a silent station counts with its lease until that ends by itself, and then holds its fallback', () => {
  const { mayDraw, drawn } = stationOf('G-02')
  expect(Math.min(...between(mayDraw, SCENES.silent, SCENES.silent + 1.5))).toBeGreaterThan(6)
  expect(between(mayDraw, SCENES.back - 1, SCENES.back - 0.1).every((amps) => amps === 0)).toBe(true)
  expect(between(drawn, SCENES.back - 1, SCENES.back - 0.1).every((amps) => amps === 0)).toBe(true)
})

it('GROUP-A6, GROUP-A7, GROUP-S1: whatever its firmware does, each charges, and none is sent the same without end', () => {
  for (const { id, drawn } of reported.stations) {
    const last = between(drawn, SCENES.leave - 0.5, SCENES.leave - 0.1)
    expect({ id, charges: Math.min(...last) >= 6 }).toEqual({ id, charges: true })
    expect(reported.sent.get(id)).toBeLessThan(2 * SCENES.end)
  }
  expect(Math.min(...stationOf('G-09').mayDraw.slice(2))).toBe(6)
})

it('the picture of docs/share-a-connection.md is one of this story', () => {
  const picture = readFileSync(PICTURE, 'utf8')
  for (const { id, quirk = '' } of reported.stations) expect(picture).toMatch(new RegExp(`>${id}<.*>${quirk}<`))
  expect(picture).toContain(pictureOf(reported).split('\n')[1] ?? '-')
})
