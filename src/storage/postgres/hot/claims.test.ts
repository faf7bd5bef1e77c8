import { expect, it } from 'vitest'
import { emptyBeforeEach } from '../../../../test/postgres/databases.ts'
import { loadChargePoint } from '../../../../test/support/storage/testing.ts'
import { aChargePoint, aCommand, changeSet, NOW } from '../../../../test/support/storage-contract/records.ts'
import type { Ownership } from '../../../domain/ports/nodes.ts'
import type { Store } from '../../database.ts'

type NodeStore = Store & { readonly ownership: Ownership }

const IDS = Array.from({ length: 500 }, (_, n) => `CP${String(n).padStart(3, '0')}`)

// STORE-M4: charge points that connect at once are taken over together
const database = emptyBeforeEach()
const open = async (name: string): Promise<NodeStore> => {
  const store = await database.openStore({ node: { name, version: '1' } })
  if (!store.ownership) throw new Error('There is no ownership.')
  return store as NodeStore
}
const prepared = async (): Promise<readonly [NodeStore, NodeStore]> => {
  const [one, other] = [await open('one'), await open('other')]
  await one.writes.createAccount({ id: 'A', name: 'A', createdAt: NOW })
  const rows = `SELECT 'CP' || lpad(n::text, 3, '0') FROM generate_series(0, ${IDS.length - 1}) AS n`
  await one.writes.createChargePoint(aChargePoint({ id: 'SAMPLE' }))
  await database.statement(`INSERT INTO charge_points SELECT (json_populate_record(p, json_build_object('id', x.id))).*
         FROM charge_points AS p, (${rows}) AS x(id) WHERE p.id = 'SAMPLE'`)
  await Promise.all(IDS.map((id) => one.ownership.claim(id)))
  return [one, other]
}
const command = (chargePointId: string, id: number) =>
  changeSet({ chargePointId, command: aCommand(id, { chargePointId }) })

it('hundreds of another node’s, each as it was stored last, and that node stores nothing more of them', async () => {
  const [one, other] = await prepared()
  expect(await one.core.commit(IDS.map((id, n) => command(id, n + 1)))).toEqual(IDS.map(() => ({ ok: true })))
  const claimed = await Promise.all(IDS.map((id) => other.ownership.claim(id)))
  expect(claimed.map(({ loaded }) => [loaded?.chargePoint.id, loaded?.newestCommandId])).toEqual(
    IDS.map((id, n) => [id, aCommand(n + 1).id]),
  )
  const refused = await one.core.commit(IDS.map((id, n) => command(id, n + 1_001)))
  expect(refused.every((result) => !result.ok)).toBe(true)
  const stored = await other.core.commit(IDS.map((id, n) => command(id, n + 2_001)))
  expect(stored.every(({ ok }) => ok)).toBe(true)
})

it('of two connections with one name the first takes it over, and the second finds it taken', async () => {
  const [, other] = await prepared()
  const claimed = await Promise.all(['CP001', 'CP001', 'CP002', 'nobody'].map((id) => other.ownership.claim(id)))
  expect(claimed.map(({ loaded }) => loaded?.chargePoint.id)).toEqual(['CP001', undefined, 'CP002', undefined])
  expect((await other.ownership.claim('CP001')).loaded).toBeUndefined()
})

it('two nodes that take the same ones from each other agree in the end on who has which', async () => {
  const [one, other] = await prepared()
  for (let round = 0; round < 3; round++) {
    await Promise.all([one, other].flatMap((node) => IDS.map((id) => node.ownership.claim(id))))
  }
  const stored = await Promise.all(
    [one, other].map((node, which) => node.core.commit(IDS.map((id, n) => command(id, 10_000 * (which + 1) + n)))),
  )
  for (const [n] of IDS.entries()) expect(stored.filter((results) => results[n]?.ok)).toHaveLength(1)
})

it('what was decided before a charge point went away is not stored once it is back, and does not cost it its place', async () => {
  const [one, other] = await prepared()
  for (let round = 0; round < 10; round++) {
    const id = 100_000 + 1_000 * round
    await other.ownership.claim('CP001')
    // The second group waits for the first, and the charge point comes back meanwhile.
    const first = one.core.commit(IDS.slice(100).map((name, n) => command(name, id + n)))
    const old = one.core.commit([command('CP001', id + 501)])
    expect((await one.ownership.claim('CP001')).loaded).toBeDefined()
    expect((await first).every(({ ok }) => ok)).toBe(true)
    expect(await old).toMatchObject([{ ok: false, error: { code: 'NOT_OWNER' } }])
    expect(await one.core.commit([command('CP001', id + 502)])).toEqual([{ ok: true }])
  }
})

it('each that is looked up at once is read, and who is not registered is told apart', async () => {
  const [, other] = await prepared()
  const found = await Promise.all([...IDS, 'nobody'].map((id) => loadChargePoint(other.core, id)))
  expect(found.map((one) => one?.chargePoint.id)).toEqual([...IDS, undefined])
  expect(found[0]).toMatchObject({ isElsewhere: true })
})
