import { describe, expect, it } from 'vitest'
import { createThrottle } from './throttle.ts'

const MINUTE = 60_000

describe('attempts', () => {
  it('OIDC-L4: as many as allowed at once, then evenly', () => {
    let now = 0
    const throttle = createThrottle(2, 2 * MINUTE, () => now)
    expect([throttle.take('a'), throttle.take('a'), throttle.take('a')]).toEqual([undefined, undefined, 60])
    expect(throttle.take('b')).toBeUndefined()
    now = MINUTE
    expect([throttle.take('a'), throttle.take('a')]).toEqual([undefined, 60])
  })

  it('OIDC-L4: a clock that was hours ahead and is put right locks nobody out until it has caught up', () => {
    let now = 600 * MINUTE
    const throttle = createThrottle(2, 2 * MINUTE, () => now)
    for (let count = 0; count < 3; count++) throttle.take('a')
    now = 0
    expect(throttle.take('a')).toBe(60)
    now = MINUTE
    expect(throttle.take('a')).toBeUndefined()
  })

  it('OIDC-L4: a bucket refills evenly, and what did not fail is given back', () => {
    let now = 0
    const throttle = createThrottle(2, 1000, () => now)
    expect([throttle.take('a'), throttle.take('a'), throttle.take('b')]).toEqual([undefined, undefined, undefined])
    expect(throttle.take('a')).toBe(1)
    throttle.giveBack('a')
    expect(throttle.take('a')).toBeUndefined()
    now = 500
    expect(throttle.take('a')).toBeUndefined()
    expect(throttle.take('a')).toBe(1)
    expect(createThrottle(0, 1000, () => now).take('x')).toBeUndefined()
  })
})
