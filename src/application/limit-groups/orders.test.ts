import { beforeEach, expect, it } from 'vitest'
import { type openStore, storeOfTest } from '../../../test/support/storage/testing.ts'
import { deleteGroup, findGroup, type GroupContext, putExternalLimit, putGroup, putLoad } from './orders.ts'

const START = Date.UTC(2026, 10, 21, 12)

let store: ReturnType<typeof openStore>

const place = (reads: GroupContext['reads'] = store.reads): GroupContext => ({
  reads,
  writes: store.writes,
  now: () => START,
  settings: { voltage: 230 },
})
/** Another order is carried out as soon as this one has read what there is. */
const overtakenBy = (other: () => Promise<unknown>): GroupContext => {
  let isOvertaken = false
  return place({
    ...store.reads,
    listRecords: async (kind, query) => {
      const found = await store.reads.listRecords(kind, query)
      if (kind === 'limit_groups' && !isOvertaken) {
        isOvertaken = true
        await other()
      }
      return found
    },
  })
}
const stored = async () =>
  (await store.reads.listRecords('limit_groups', { where: { accountId: 'a' }, limit: 9 })).map(
    ({ name, desired: { parent } }) => [name, ...(parent === undefined ? [] : [parent])],
  )
const remove = async (on: GroupContext, name: string) => {
  const group = await findGroup(place(), 'a', name)
  return 'refused' in group ? group : deleteGroup(on, group)
}

beforeEach(async () => {
  store = storeOfTest()
  await store.writes.createAccount({ id: 'a', name: 'A', createdAt: START })
  const accepted = { securityProfile: 0, registrationStatus: 'Accepted', createdAt: START } as const
  await store.writes.createChargePoint({ id: 'CP1', accountId: 'a', ...accepted })
  await putGroup(place(), 'a', 'site', { amps: 100 })
  await putGroup(place(), 'a', 'row', { amps: 50 })
})

it('GROUP-B3: two that each named the other as parent made a circle', async () => {
  const on = overtakenBy(() => putGroup(place(), 'a', 'row', { amps: 50, parent: 'site' }))
  expect(await putGroup(on, 'a', 'site', { amps: 100, parent: 'row' })).toMatchObject({ code: 'circle' })
  expect(await stored()).toEqual([['row', 'site'], ['site']])
})

it('GROUP-B3: one below a group that was deleted meanwhile had no parent', async () => {
  const on = overtakenBy(() => remove(place(), 'site'))
  expect(await putGroup(on, 'a', 'new', { amps: 50, parent: 'site' })).toMatchObject({ code: 'unknown_parent' })
  expect(await stored()).toEqual([['row']])
})

it('GROUP-B3: one was deleted while another was put below it', async () => {
  const on = overtakenBy(() => putGroup(place(), 'a', 'row', { amps: 50, parent: 'site' }))
  expect(await remove(on, 'site')).toMatchObject({ code: 'group_in_use' })
  expect(await stored()).toEqual([['row', 'site'], ['site']])
})

const until = START + 60_000
const inputs = () => store.reads.listRecords('limit_group_inputs', { where: { accountId: 'a' }, limit: 9 })
const found = async (name: string) => {
  const group = await findGroup(place(), 'a', name)
  if ('refused' in group) throw new Error(`There is no ${name}.`)
  return group
}

it('GROUP-E3: an order from outside, and a load, of a group that was deleted meanwhile stayed behind', async () => {
  const site = await found('site')
  await remove(place(), 'site')
  const given = { amps: 10, source: 'grid', until }
  expect(await putExternalLimit(place(), site, given)).toMatchObject({ status: 404 })
  expect(await putLoad(place(), site, { amps: [1, 2, 3], until })).toMatchObject({ status: 404 })
  expect(await inputs()).toEqual([])
})

it('GROUP-E3: an order from outside of a group that was changed meanwhile is stored', async () => {
  const site = await found('site')
  await putGroup(place(), 'a', 'site', { amps: 90 })
  await putExternalLimit(place(), site, { amps: 10, source: 'grid', until })
  expect(await inputs()).toMatchObject([{ name: 'site', kind: 'external' }])
})

it('GROUP-E3: the server died as a group was deleted, and its order held for the next one of that name', async () => {
  const given = { amps: 10, source: 'grid', until }
  await store.writes.putRecords('limit_group_inputs', [
    { accountId: 'a', name: 'new', kind: 'external', given, at: START },
  ])
  await putGroup(place(), 'a', 'new', { amps: 100 })
  expect(await inputs()).toEqual([])
})

it('GROUP-B4: two that meant one charge point both had it', async () => {
  const on = overtakenBy(() => putGroup(place(), 'a', 'row', { amps: 50, selector: {} }))
  expect(await putGroup(on, 'a', 'other', { amps: 50, selector: {} })).toMatchObject({ code: 'in_another_group' })
  expect(await stored()).toEqual([['row'], ['site']])
})
