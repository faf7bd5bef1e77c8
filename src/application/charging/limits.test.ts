import { expect, it } from 'vitest'
import { capsOf, MAX_LIMITS, representLimit } from './limits.ts'
import { type LimitContext, putLimit } from './orders.ts'

it.each([
  ['pending', 16],
  ['accepted', 16],
  ['refused', undefined],
  ['expired', undefined],
] as const)('CHARGING-S3: a refused limit still said what a car may draw: %s', (state, effectiveAmps) => {
  const asked = { evseId: 1, amps: 16 }
  const demand = {
    chargePointId: 'CP1',
    owner: 'limit:a',
    evseId: 1,
    caps: capsOf(asked),
    asked,
    revision: 1,
    state,
    createdAt: 1,
    updatedAt: 1,
  }
  const shown = representLimit(demand, { station: undefined, profiles: [], connectors: [], voltage: 230, now: 1000 })
  expect(shown.effectiveAmps).toBe(effectiveAmps)
})

it.each([
  ['expired', 'limit:49'],
  ['accepted', undefined],
] as const)('CHARGING-S3: limits that were over filled a charge point: the last is %s', async (state, gone) => {
  const of = (at: number) => ({ owner: `limit:${at}`, evseId: 1, state: at === 49 ? state : 'accepted', updatedAt: at })
  const known = Array.from({ length: MAX_LIMITS }, (_, at) => of(at))
  const decided: { readonly owner: string; readonly caps?: unknown }[] = []
  const reads = { listRecords: async () => [...known, ...decided] }
  const decideBlock = async ({ input }: { input: { demands: readonly { owner: string }[] } }) => {
    decided.push(...input.demands)
    return {}
  }
  const place = { reads, core: { decideBlock }, now: () => 1000, settings: { voltage: 230 } } as unknown as LimitContext
  const put = await putLimit(place, { id: 'CP1', accountId: 'A' }, 'more', { amps: 10 })
  expect('refused' in put ? put.code : put.after.owner).toBe(gone ? 'limit:more' : 'too_many_limits')
  expect(decided.filter(({ caps }) => !caps).map(({ owner }) => owner)).toEqual(gone ? [gone] : [])
})
