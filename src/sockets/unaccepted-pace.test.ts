import { expect, it } from 'vitest'
import { manualClock } from '../../test/support/clock.ts'
import { Intake } from './connection.ts'
import { createUnacceptedPace } from './unaccepted-pace.ts'

const SECOND = 1000
const HOUR = 3_600_000

it('OCPP-RP14: strangers: a boot with the status of its connectors is heard at once, a flood at two messages a second', () => {
  const clock = manualClock(0)
  const pace = createUnacceptedPace(clock)('192.0.2.1')
  const waits = Array.from({ length: 40 }, () => pace(500))
  expect(waits.slice(0, 21).every((wait) => wait === 0)).toBe(true)
  expect(waits.at(-1)).toBe(9500)
  clock.advance(30 * SECOND)
  expect(pace(500)).toBe(0)
})

it('OCPP-RP14: strangers: however many they are, together they get a megabyte, or two hundred messages, a second', () => {
  const clock = manualClock(0)
  const next = createUnacceptedPace(clock)
  const large = Array.from({ length: 1000 }, (_, at) => next(`10.1.${at % 250}.1`)(64 * 1024))
  // 1000 times 64 KiB take 62.5 seconds, the first of which nobody waits for.
  expect(Math.max(...large)).toBeGreaterThan(60 * SECOND)
  const other = createUnacceptedPace(clock)
  const small = Array.from({ length: 1000 }, (_, at) => other(`10.1.${at % 250}.1`)(100))
  expect(Math.max(...small)).toBe(999 * 5 - SECOND)
})

it('OCPP-RP14: strangers: a thousand of one network do not let one of another network wait', () => {
  const clock = manualClock(0)
  const next = createUnacceptedPace(clock)
  const flood = Array.from({ length: 1000 }, (_, at) => next(`192.0.2.${at % 256}`))
  const waits = flood.map((pace) => pace(100))
  expect(waits.at(-1)).toBe(999 * 20 - SECOND)
  clock.advance(5 * SECOND)
  expect(next('198.51.100.1')(100)).toBe(0)
  for (let second = 0; second < 10; second++) {
    for (const pace of flood.slice(0, 50)) pace(100)
    clock.advance(SECOND)
    expect(next('198.51.100.1')(100)).toBe(0)
  }
})

it('OCPP-RP14: strangers: a clock that is put back by hours strands nobody', () => {
  const clock = manualClock(10 * HOUR)
  const pace = createUnacceptedPace(clock)('192.0.2.1')
  for (let count = 0; count < 100; count++) pace(500)
  clock.set(0)
  expect(pace(500)).toBe(0)
})

it('OCPP-RP14: the intake of a connection: hands over what a stranger says at its pace, in order, and at once when it was accepted', () => {
  const clock = manualClock(0)
  const handed: string[] = []
  const backlog = { bytes: 0 }
  const intake = new Intake(clock, backlog, (text) => handed.push(text))
  intake.pace = createUnacceptedPace(clock)('192.0.2.1')
  for (let number = 0; number < 30; number++) intake.take(`t${number}`, 100)
  expect(handed).toHaveLength(21)
  expect(intake.isFull).toBe(true)
  expect(backlog.bytes).toBe(900)
  clock.advance(SECOND)
  expect(handed).toHaveLength(23)
  intake.pace = undefined
  expect(handed).toEqual(Array.from({ length: 30 }, (_, number) => `t${number}`))
  expect(backlog.bytes).toBe(0)
})

it('OCPP-RP12: the intake of a connection: has a quarter of a megabyte or 64 messages under way, or one that is larger', () => {
  const handed: string[] = []
  const intake = new Intake(manualClock(0), { bytes: 0 }, (text) => handed.push(text))
  for (let number = 0; number < 100; number++) intake.take('small', 10)
  expect(handed).toHaveLength(64)
  intake.forgetUnderWay()
  expect(handed).toHaveLength(100)
  intake.take('large', 1_000_000)
  expect(handed).toHaveLength(100)
  for (let number = 0; number < 36; number++) intake.done()
  expect(handed.at(-1)).toBe('large')
  intake.take('behind', 10)
  expect(intake.hasRoom).toBe(false)
  intake.done()
  expect(handed.at(-1)).toBe('behind')
  expect(intake.hasRoom).toBe(true)
})

it('OCPP-RP12: the intake of a connection: with a core that answers before it returns, each text is handed over once and in order', () => {
  const handed: string[] = []
  const intake: Intake = new Intake(manualClock(0), { bytes: 0 }, (text) => {
    handed.push(text)
    intake.done()
  })
  for (let number = 0; number < 10_000; number++) intake.take(`${number}`, 1_000_000)
  expect(handed).toEqual(Array.from({ length: 10_000 }, (_, number) => `${number}`))
  expect(intake.isFull).toBe(false)
})
