import { afterAll, beforeAll, expect, it } from 'vitest'
import { emptyDatabase, type PostgresDatabase, rowsOf, statement } from '../../../../test/postgres/databases.ts'
import { aCommand, changeSet, NOW } from '../../../../test/support/storage-contract/records.ts'
import { logIdAt } from '../../../domain/message-log/log-id.ts'
import { databaseAt } from '../../open.ts'
import { postgresAddress } from '../connection/address.ts'
import { Session } from '../connection/session.ts'
import { newestLogId, newestOf, partitionBounds, partitionName, weekOf } from '../partitions.ts'
import { oldestOf } from './retention.ts'

const WEEK_MS = 7 * 24 * 3_600_000

// STORE-N7: the log is kept in weeks
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

const atEdge = async () => {
  const store = await databaseAt(database.url).openStore()
  const start = partitionBounds(weekOf(logIdAt(NOW)))
  return { store, at: (n: number) => start.from + 1 + n * 4096 }
}
const left = async (chargePointId: string): Promise<number> =>
  (
    await rowsOf(
      database.url,
      `SELECT 1 FROM commands JOIN log_charge_points ON key = charge_point WHERE name = '${chargePointId}'`,
    )
  ).length

it('of the week at the edge each hundred rows are found in its index, without reading what is left or was deleted', async () => {
  const { store, at } = await atEdge()
  for (const [of, chargePointId] of ['EDGE1', 'EDGE2', 'EDGE3'].entries()) {
    const sets = Array.from({ length: 50 }, (_, n) =>
      changeSet({ chargePointId, command: aCommand(n, { id: at(n * 3 + of), chargePointId }) }),
    )
    await store.core.commit(sets)
  }
  const edge = at(120)
  const deleted: number[] = []
  do deleted.push(await store.writes.deleteOldCommands(edge, 32))
  while (deleted.at(-1) === 32)
  expect(deleted).toEqual([32, 32, 32, 24])
  expect(await Promise.all(['EDGE1', 'EDGE2', 'EDGE3'].map(left))).toEqual([10, 10, 10])
  // What has become old since, and nothing else.
  expect(await store.writes.deleteOldCommands(edge, 32)).toBe(0)
  expect(await store.writes.deleteOldCommands(at(123), 32)).toBe(3)
  await store.close()
  const week = partitionName(weekOf(logIdAt(NOW)))
  const session = await Session.open(postgresAddress(database.url))
  await session.run(`INSERT INTO ${week} (id, charge_point, direction, method, protocol, message_id, status, request, has_schema_errors)
      SELECT ${at(200)} + n, n % 20, 0, 0, 0, 'm', 1, '{}', 0 FROM generate_series(1, 20000) AS n; ANALYZE ${week}`)
  const plan = await session.arrays(`EXPLAIN ${oldestOf(week)}`, [3, at(300), 0, at(400), 100])
  const text = plan.rows.map(([line]) => String(line)).join('\n')
  expect(text).not.toContain(`Seq Scan on ${week}`)
  // So is the newest one, which the start of a node and the watch for alerts ask for.
  expect(await newestLogId(session)).toBe(await session.value<number>('SELECT max(id) FROM commands'))
  const newest = await session.arrays(`EXPLAIN ${newestOf(week)}`)
  expect(newest.rows.map(([line]) => String(line)).join('\n')).not.toContain(`Seq Scan on ${week}`)
  await session.end()
})

it('a week whose keeper was stopped between detaching and dropping it is dropped, or put back for a message of it', async () => {
  const { store } = await atEdge()
  const [gone, back] = [-20, -19].map((weeks) => logIdAt(NOW + weeks * WEEK_MS)) as [number, number]
  const stored = (n: number, id: number) => store.core.commit([changeSet({ command: aCommand(n, { id }) })])
  await stored(1, gone)
  await stored(2, back)
  for (const id of [gone, back]) {
    await statement(database.url, `ALTER TABLE commands DETACH PARTITION ${partitionName(weekOf(id))}`)
  }
  expect(await stored(3, back + 1)).toEqual([{ ok: true }])
  await store.writes.deleteOldCommands(partitionBounds(weekOf(gone)).below, 100)
  const names = (await rowsOf<{ name: string }>(database.url, 'SELECT relname AS name FROM pg_class')).map(
    ({ name }) => name,
  )
  expect(names).not.toContain(partitionName(weekOf(gone)))
  const query = { chargePointId: 'CP1', fromId: back, toId: back + 2, filter: {}, limit: 9 }
  expect((await store.reads.searchCommands(query)).map(({ id }) => id)).toEqual([back + 1, back])
  await store.close()
})
