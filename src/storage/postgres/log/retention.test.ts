import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyDatabase, type PostgresDatabase, rowsOf } from '../../../../test/postgres/databases.ts'
import { logIdAt } from '../../../commands/log-id.ts'
import { aCommand, changeSet, NOW } from '../../contract/records.ts'
import { databaseAt } from '../../open.ts'

const WEEK_MS = 7 * 24 * 3_600_000

describe('STORE-N7: the log is kept in weeks', () => {
  let database: PostgresDatabase
  beforeAll(async () => {
    database = await emptyDatabase()
  })
  afterAll(() => database.drop())

  it('a week that nobody made is made when a message of it comes, and dropped when all of it is old', async () => {
    const store = await databaseAt(database.url).openStore()
    const ids = [-9, -3, 0].map((weeks) => logIdAt(NOW + weeks * WEEK_MS))
    const sets = ids.map((id, n) => changeSet({ command: aCommand(n, { id }) }))
    expect(await store.core.commit(sets)).toEqual([{ ok: true }, { ok: true }, { ok: true }])
    const weeks = async (): Promise<number> =>
      (await rowsOf(database.url, `SELECT 1 FROM pg_inherits WHERE inhparent = 'commands'::regclass`)).length
    const before = await weeks()
    await store.writes.deleteOldCommands(logIdAt(NOW - 5 * WEEK_MS), 100)
    expect(await weeks()).toBe(before - 1)
    const query = { chargePointId: 'CP1', fromId: 0, toId: Number.MAX_SAFE_INTEGER, filter: {}, limit: 9 }
    expect((await store.reads.searchCommands(query)).map(({ id }) => id)).toEqual([ids[2], ids[1]])
    await store.close()
  })
})
