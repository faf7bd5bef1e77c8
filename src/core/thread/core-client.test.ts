import { expect, it } from 'vitest'
import { batchFrames, eachFrame } from './core-client.ts'

it('OCPP-RP5: frames of one turn cross together and keep their order', () => {
  const posted: (readonly (number | string)[])[] = []
  let later: (() => void) | undefined
  const batch = batchFrames(
    (frames) => posted.push(frames),
    (run) => {
      later = run
    },
  )
  batch.add(1, 'a')
  batch.add(2, 'b')
  batch.add(1, 'c')
  expect(posted).toEqual([])
  later?.()
  expect(posted).toEqual([[1, 'a', 2, 'b', 1, 'c']])
  const read: string[] = []
  eachFrame(posted[0] ?? [], (connection, text) => read.push(`${connection}${text}`))
  expect(read).toEqual(['1a', '2b', '1c'])
})

it('a flush before another message leaves nothing for later', () => {
  const posted: unknown[] = []
  let later: (() => void) | undefined
  const batch = batchFrames(
    (frames) => posted.push(frames),
    (run) => {
      later = run
    },
  )
  batch.add(1, 'a')
  batch.flush()
  later?.()
  expect(posted).toHaveLength(1)
})
