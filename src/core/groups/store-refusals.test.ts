import { expect, it } from 'vitest'
import { storeRefusals } from './store-refusals.ts'

const failure = (code: string): Error => Object.assign(new Error('refused'), { code })

// API-A3: a store that refuses groups
it.each([
  ['with a full disk', failure('storage_full'), 'storage_full'],
  ['that is read-only', failure('storage_read_only'), 'storage_read_only'],
  ['that is damaged', failure('storage_corrupt'), 'storage_corrupt'],
  ['that fails', failure('storage_failed'), 'storage_failed'],
  ['that others keep busy does not', failure('storage_busy'), undefined],
  ['whose node was fenced does not', failure('PW002'), undefined],
  ['with a fault of ours does not', new Error('our bug'), undefined],
])('%s', (_, error, code) => {
  const refusals = storeRefusals(() => 0)
  refusals.noted(error)
  expect(refusals.current()).toBe(code)
})

it('does so until a group is stored, or nobody has tried for half a minute', () => {
  let now = 1000
  const refusals = storeRefusals(() => now)
  refusals.noted(failure('storage_full'))
  refusals.newest = undefined
  expect(refusals.current()).toBeUndefined()
  refusals.noted(failure('storage_full'))
  now += 29_999
  expect(refusals.current()).toBe('storage_full')
  now += 1
  expect(refusals.current()).toBeUndefined()
})
