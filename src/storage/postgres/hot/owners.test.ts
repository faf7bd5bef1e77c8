import { expect, it } from 'vitest'
import { emptyBeforeEach } from '../../../../test/postgres/databases.ts'
import { loadChargePoint } from '../../../../test/support/storage/testing.ts'
import { aChargePoint, aCommand, aSession, changeSet, NOW } from '../../../../test/support/storage-contract/records.ts'
import type { Store } from '../../database.ts'

// STORE-N1: a group is stored only by the node that its charge points belong to
const database = emptyBeforeEach()
const prepared = async (): Promise<readonly [Store, Store]> => {
  const [one, other] = [await database.openStore(), await database.openStore()]
  await one.writes.createAccount({ id: 'A', name: 'A', createdAt: NOW })
  for (const id of ['CP1', 'CP2']) await one.writes.createChargePoint(aChargePoint({ id }))
  await one.core.loadChargePoints(['CP1', 'CP2'])
  return [one, other]
}

it('what another one took over is refused, and the rest of the group is stored', async () => {
  const [one, other] = await prepared()
  expect(await one.core.commit([changeSet({ command: aCommand(1) })])).toEqual([{ ok: true }])
  await loadChargePoint(other.core, 'CP1')
  const results = await one.core.commit([
    changeSet({ command: aCommand(2), sessions: [aSession()] }),
    changeSet({ chargePointId: 'CP2', command: aCommand(3, { chargePointId: 'CP2' }) }),
  ])
  expect(results).toMatchObject([{ ok: false, error: { code: 'NOT_OWNER' } }, { ok: true }])
  expect(await one.reads.findCommand('CP1', aCommand(2).id)).toBeUndefined()
  expect(await one.reads.findSession('S1')).toBeUndefined()
  expect(await one.reads.findCommand('CP2', aCommand(3).id)).toEqual(aCommand(3, { chargePointId: 'CP2' }))
  expect(await other.core.commit([changeSet({ command: aCommand(4) })])).toEqual([{ ok: true }])
})

it('a node that was fenced stores nothing of what it decided before, and begins anew', async () => {
  const [one] = await prepared()
  await database.statement('UPDATE nodes SET incarnation = incarnation + 1')
  await expect(one.core.commit([changeSet({ command: aCommand(1) })])).rejects.toThrow('fenced')
  expect(await one.reads.greatestCommandId()).toBe(0)
  expect(await loadChargePoint(one.core, 'CP1')).toBeDefined()
  expect(await one.core.commit([changeSet({ command: aCommand(1) })])).toEqual([{ ok: true }])
})

it('in a race for a few charge points none of the former owner’s groups is missed', async () => {
  const [one, other] = await prepared()
  let id = 0
  const end = Date.now() + 3_000
  const race = async (store: Store): Promise<void> => {
    while (Date.now() < end) {
      const before = await loadChargePoint(store.core, 'CP1')
      const version = before?.sessions[0]?.version ?? 0
      // Decided on what was loaded: a missed commit of the other one would be written over.
      const sessions = [aSession({ version: version + 1, energyMilliWh: version + 1 })]
      const command = aCommand(++id)
      await store.core.commit([changeSet({ command, sessions })])
    }
  }
  await Promise.all([race(one), race(other)])
  const session = await one.reads.findSession('S1')
  const { value } = await one.reads.countCommands({
    chargePointId: 'CP1',
    fromId: 0,
    toId: Number.MAX_SAFE_INTEGER,
    filter: {},
    limit: 0,
  })
  expect(value).toBeGreaterThan(10)
  expect(session?.version).toBe(value)
})
