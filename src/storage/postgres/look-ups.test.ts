import { expect, it } from 'vitest'
import { emptyDatabase } from '../../../test/postgres/databases.ts'
import { aChargePoint, NOW } from '../../../test/support/storage-contract/records.ts'
import type { Run } from '../cold/work.ts'
import { databaseAt } from '../open.ts'
import { postgresAddress } from './connection/address.ts'
import { createPool, readingRun } from './connection/pool.ts'
import { gatheredLookUps } from './reader.ts'

it('STORE-M4: look-ups of requests that come at once are one journey, and each gets its own answer', async () => {
  const database = await emptyDatabase()
  const { writes, reads, close } = await databaseAt(database.url).openStore()
  const pool = createPool(postgresAddress(database.url), 1)
  try {
    await writes.createAccount({ id: 'A', name: 'A', createdAt: NOW })
    const credential = { accountId: 'A', name: 'integration', secretHash: 'ab', createdAt: NOW }
    for (const id of ['1', '2']) {
      await writes.createChargePoint(aChargePoint({ id: `CP${id}` }))
      await writes.createCredential({ id: `K${id}`, ...credential })
    }
    let journeys = 0
    const run = readingRun(pool)
    const counted: Run = (work) => {
      journeys++
      return run(work)
    }
    const { findChargePoint, findCredential, findAccessToken } = gatheredLookUps(counted)
    const ids = ['2', '1', 'unknown', '\0', '2']
    const chargePoints = await Promise.all(ids.map((id) => findChargePoint(`CP${id}`)))
    const credentials = await Promise.all(ids.map((id) => findCredential(`K${id}`)))
    expect(chargePoints.map((one) => one?.id)).toEqual(['CP2', 'CP1', undefined, undefined, 'CP2'])
    expect(credentials.map((one) => one?.id)).toEqual(['K2', 'K1', undefined, undefined, 'K2'])
    expect(journeys).toBe(2)
    expect(await Promise.all(ids.map(() => findAccessToken('shown by all')))).toEqual(ids.map(() => undefined))
    expect(journeys).toBe(3)
    await writes.revokeCredential('A', 'K1', NOW)
    expect(await Promise.all([findCredential('K1'), reads.findCredential('K1')])).toEqual(
      [1, 2].map(() => ({ id: 'K1', ...credential, revokedAt: NOW })),
    )
  } finally {
    await pool.close()
    await close()
    await database.drop()
  }
})
