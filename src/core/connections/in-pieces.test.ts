import { expect, it } from 'vitest'
import { createTurns } from './connections.ts'

it('OCPP-RP12: one piece of work per turn, the keys one after the other, each in its order', async () => {
  const later: (() => void)[] = []
  const done: string[] = []
  const faults: unknown[] = []
  const turns = createTurns(
    (run) => later.push(run),
    (fault) => faults.push(fault),
  )
  for (const piece of ['a1', 'a2', 'a3']) turns.add(1, () => done.push(piece))
  turns.add(2, () => {
    throw new Error('our bug')
  })
  turns.add(2, () => done.push('b2'))
  expect(done).toEqual([])
  expect(turns.waiting.has(2)).toBe(true)
  let isEmpty = false
  const empty = turns.whenEmpty().then(() => {
    isEmpty = true
  })
  while (later.length > 0) {
    expect(later).toHaveLength(1)
    later.shift()?.()
  }
  await empty
  expect(isEmpty).toBe(true)
  expect(done).toEqual(['a1', 'a2', 'b2', 'a3'])
  expect(faults).toHaveLength(1)
  expect(turns.waiting.has(1)).toBe(false)
})
