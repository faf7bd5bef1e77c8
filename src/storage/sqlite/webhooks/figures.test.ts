import { expect, it } from 'vitest'
import { loadChargePoint, temporaryDatabase } from '../../../../test/support/storage/testing.ts'
import { aChargePoint, aSession } from '../../../../test/support/storage-contract/records.ts'
import type { Session } from '../../../domain/ports/sessions.ts'
import { openSqlite } from '../writer.ts'

it.each([
  ['HOOK-M3: an ended session whose last figures wait for their event', { figuresDueAt: 5 }],
  ['COST-L4: a completed session whose settlement is due', { settlementDueAt: 5 }],
])('%s is loaded again after a restart', async (_, due) => {
  const database = temporaryDatabase()
  const { core, writes, close } = openSqlite(database.path)
  await writes.createAccount({ id: 'a', name: 'a', createdAt: 1 })
  await writes.createChargePoint(aChargePoint({ accountId: 'a', securityProfile: 0, createdAt: 1 }))
  const ended: Session = aSession({ id: 's1', accountId: 'a', state: 'completed', energyMilliWh: 1, createdAt: 1 })
  const store = (sessions: readonly Session[]) => core.commit([{ chargePointId: 'CP1', sessions }])
  await store([ended, { ...ended, id: 's2', ...due }])
  expect(await core.chargePointsWithOpenSessions()).toEqual(['CP1'])
  expect((await loadChargePoint(core, 'CP1'))?.sessions.map(({ id }) => id)).toEqual(['s2'])
  await store([{ ...ended, id: 's2' }])
  expect(await core.chargePointsWithOpenSessions()).toEqual([])
  close()
  database.remove()
})
