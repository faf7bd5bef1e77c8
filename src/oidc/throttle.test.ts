import { expect, it } from 'vitest'
import { limitsInMemory } from '../limits/limits.ts'
import { createThrottle } from './throttle.ts'

const MINUTE = 60_000

it('OIDC-L4: as many as allowed at once, then evenly', async () => {
  let now = 0
  const throttle = createThrottle(
    limitsInMemory(() => now),
    'trial',
    2,
    2 * MINUTE,
  )
  expect([await throttle.take('a'), await throttle.take('a'), await throttle.take('a')]).toEqual([
    undefined,
    undefined,
    60,
  ])
  expect(await throttle.take('b')).toBeUndefined()
  now = MINUTE
  expect([await throttle.take('a'), await throttle.take('a')]).toEqual([undefined, 60])
})

it('OIDC-L4: a clock that was hours ahead and is put right locks nobody out until it has caught up', async () => {
  let now = 600 * MINUTE
  const throttle = createThrottle(
    limitsInMemory(() => now),
    'trial',
    2,
    2 * MINUTE,
  )
  for (let count = 0; count < 3; count++) await throttle.take('a')
  now = 0
  expect(await throttle.take('a')).toBe(60)
  now = MINUTE
  expect(await throttle.take('a')).toBeUndefined()
})

it('OIDC-L4: a bucket refills evenly, and what did not fail is given back', async () => {
  let now = 0
  const throttle = createThrottle(
    limitsInMemory(() => now),
    'trial',
    2,
    1000,
  )
  expect([await throttle.take('a'), await throttle.take('a'), await throttle.take('b')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(await throttle.take('a')).toBe(1)
  await throttle.giveBack('a')
  expect(await throttle.take('a')).toBeUndefined()
  now = 500
  expect(await throttle.take('a')).toBeUndefined()
  expect(await throttle.take('a')).toBe(1)
  expect(
    await createThrottle(
      limitsInMemory(() => now),
      'trial',
      0,
      1000,
    ).take('x'),
  ).toBeUndefined()
})
