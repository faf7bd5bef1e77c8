import { describe, expect, it } from 'vitest'
import type { StationTime } from '../model.ts'
import { clockSkewMs } from './clock-skew.ts'

const RECEIVED = Date.UTC(2025, 0, 1)
const sent = (skewMs: number, rest: Partial<StationTime> = {}): StationTime => ({
  occurredAt: RECEIVED + skewMs,
  receivedAt: RECEIVED,
  original: 'as sent',
  ...rest,
})

describe('clockSkewMs', () => {
  it.each([
    ['a clock that runs ahead', undefined, sent(120_000), 120_000],
    ['a clock that is slow', undefined, sent(-90_000), -90_000],
    ['a clock that was set', 120_000, sent(-500), -500],
    ['noise', 120_000, sent(125_000), 120_000],
    ['a replayed queue', 120_000, sent(-7_200_000), 120_000],
    ['a repaired time', 120_000, sent(0, { repaired: true }), 120_000],
  ])('OCPP W3: %s', (_, known, at, expected) => {
    expect(clockSkewMs(known, at)).toBe(expected)
  })

  it('OCPP W3: a message without a time teaches nothing', () => {
    expect(clockSkewMs(undefined, { occurredAt: RECEIVED, receivedAt: RECEIVED })).toBeUndefined()
  })
})
