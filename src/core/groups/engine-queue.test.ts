import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../test/support/property.ts'
import { JobQueue, LARGE_BYTES } from './engine.ts'

interface Job {
  readonly stationId: string
  readonly number: number
  readonly bytes: number
}

const MEGABYTE = 1024 * 1024

function drained(queue: JobQueue<Job>): (readonly Job[])[] {
  const groups: (readonly Job[])[] = []
  while (queue.size > 0) groups.push(queue.takeGroup())
  return groups
}

it('OCPP-RP12: whatever comes in whatever sizes, each station keeps its order and nothing is lost', () => {
  const arrivals = fc.array(
    fc.record({ stationId: fc.constantFrom('A', 'B', 'C'), bytes: fc.constantFrom(0, 100, LARGE_BYTES, MEGABYTE) }),
    { maxLength: 300 },
  )
  forAll(arrivals, fc.array(fc.nat({ max: 40 })), (sent, pauses) => {
    const queue = new JobQueue<Job>()
    const taken: Job[] = []
    const isPause = new Set(pauses)
    sent.forEach((arrival, number) => {
      queue.push({ ...arrival, number })
      if (isPause.has(number)) taken.push(...queue.takeGroup())
    })
    taken.push(...drained(queue).flat())
    expect(taken).toHaveLength(sent.length)
    for (const id of ['A', 'B', 'C']) {
      const numbers = taken.filter(({ stationId }) => stationId === id).map(({ number }) => number)
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    }
  })
})

it('OCPP-RP12: a pile of large messages of one station does not stand before the message of another', () => {
  const queue = new JobQueue<Job>()
  for (let number = 0; number < 60; number++) queue.push({ stationId: 'HEAVY', number, bytes: MEGABYTE })
  queue.push({ stationId: 'OTHER', number: 0, bytes: 200 })
  const first = queue.takeGroup()
  expect(first.map(({ stationId }) => stationId)).toEqual(['OTHER', 'HEAVY'])
  // And it is not put off for ever by those that come later.
  queue.push({ stationId: 'OTHER', number: 1, bytes: 200 })
  expect(queue.takeGroup().map(({ number }) => number)).toEqual([1, 1])
})

it('OCPP-RP12: stations with large messages take turns, and a group has few of them', () => {
  const queue = new JobQueue<Job>()
  for (const stationId of ['A', 'B']) {
    for (let number = 0; number < 3; number++) queue.push({ stationId, number, bytes: 400_000 })
  }
  const groups = drained(queue).map((group) => group.map(({ stationId, number }) => `${stationId}${number}`))
  expect(groups).toEqual([['A0'], ['B0'], ['A1'], ['B1'], ['A2'], ['B2']])
})

it('OCPP-RP12: a group has no more than half a megabyte of small messages either', () => {
  const queue = new JobQueue<Job>()
  for (let number = 0; number < 400; number++) queue.push({ stationId: `S${number}`, number, bytes: 15_000 })
  for (const group of drained(queue)) {
    expect(group.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(512 * 1024)
  }
})

it('what must be decided again comes before everything else', () => {
  const queue = new JobQueue<Job>()
  queue.push({ stationId: 'A', number: 1, bytes: 0 })
  queue.takeAgain([{ stationId: 'A', number: 0, bytes: MEGABYTE }])
  expect(queue.takeGroup().map(({ number }) => number)).toEqual([0, 1])
})
