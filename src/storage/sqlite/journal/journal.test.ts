import { copyFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findTransaction, loadChargePoint, temporaryDatabase } from '../../../../test/support/storage/testing.ts'
import {
  aChargePoint,
  aCommand,
  aSession,
  aTransaction,
  changeSet,
} from '../../../../test/support/storage-contract/records.ts'
import type { FileWritingSide } from '../../database.ts'
import { backupDatabase } from '../files/backup.ts'
import { connectWriter } from '../files/connection.ts'
import { upToDate } from '../reader-client.ts'
import { openSqlite, openSqliteReader } from '../writer.ts'
import { documentWriters } from './document-writers.ts'
import { openJournal } from './journal.ts'

const OF_CP1 = { chargePointId: 'CP1', fromId: 0, toId: Number.MAX_SAFE_INTEGER }

let place: ReturnType<typeof temporaryDatabase>
let server: FileWritingSide
beforeEach(async () => {
  place = temporaryDatabase()
  server = openSqlite(place.path)
  await server.writes.createAccount({ id: 'A', name: 'A', createdAt: 0 })
  await server.writes.createChargePoint(aChargePoint())
})
afterEach(() => {
  server.close()
  place.remove()
})

/** The files as a killed process leaves them. */
function killed(name: string): string {
  const left = `${place.path}.${name}`
  for (const ending of ['', '-wal']) copyFileSync(`${place.path}${ending}`, `${left}${ending}`)
  return left
}

/** What a reader sees that asks for nothing first. */
async function seen(path = place.path) {
  const reader = openSqliteReader(path)
  try {
    const rows = await reader.searchCommands({ ...OF_CP1, filter: {}, limit: 100 })
    return { rows: rows.length, energy: (await reader.findSession('S1'))?.energyMilliWh, behind: reader.behind() }
  } finally {
    reader.close()
  }
}

const message = (n: number, energyMilliWh: number) =>
  changeSet({
    command: aCommand(n),
    sessions: [aSession({ version: n, energyMilliWh })],
    transactions: [aTransaction({ lastSignOfLifeAt: n })],
    status: { vendor: `V${n}` },
  })

it('holds documents and search entries until a flush; the log row is in its table at once', async () => {
  await server.core.commit([message(1, 100)])
  await server.core.commit([message(2, 200)])
  expect(server.placing.waiting()).toBe(2)
  expect(await seen()).toEqual({ rows: 0, energy: undefined, behind: true })
  const reader = openSqliteReader(place.path)
  expect((await reader.findCommand('CP1', aCommand(2).id))?.id).toBe(aCommand(2).id)
  reader.close()
  await server.placing.all()
  expect(server.placing.waiting()).toBe(0)
  expect(await seen()).toEqual({ rows: 2, energy: 200, behind: false })
})

it('STORE-J5: history waits with the documents: kill -9 loses none of it, and the last word about an entry counts', async () => {
  const entry = { chargePointId: 'CP1', id: 1, part: 0, kind: 'status', at: 1, details: {}, count: 1 } as const
  const of = (id: number, count: number) =>
    changeSet({ records: [{ kind: 'connection_history', put: { ...entry, id, count } }] })
  const without = changeSet({
    records: [{ kind: 'connection_history', remove: { chargePointId: 'CP1', id: 2, part: 0 } }],
  })
  await server.core.commit([of(1, 1), of(2, 1)])
  await server.core.commit([of(1, 2), without, of(3, 1)])
  const counts = async (path: string): Promise<readonly (readonly number[])[]> => {
    const reader = openSqliteReader(path)
    const found = await reader.listRecords('connection_history', { limit: 9 })
    reader.close()
    return found.map(({ id, count }) => [id, count])
  }
  expect(await counts(place.path)).toEqual([])
  const left = killed('left')
  openSqlite(left).close()
  await server.placing.ofChargePoint('CP1')
  for (const path of [left, place.path])
    expect(await counts(path)).toEqual([
      [1, 2],
      [3, 1],
    ])
})

it('kill -9 before a flush: the next start puts everything in place', async () => {
  await server.core.commit([message(1, 100), message(2, 200)])
  await server.core.commit([message(3, 300)])
  const left = killed('left')
  const next = openSqlite(left)
  expect(next.placing.waiting()).toBe(0)
  expect(await seen(left)).toEqual({ rows: 3, energy: 300, behind: false })
  const loaded = await loadChargePoint(next.core, 'CP1')
  expect(loaded?.status).toEqual({ vendor: 'V3' })
  expect(loaded?.transactions).toEqual([aTransaction({ lastSignOfLifeAt: 3 })])
  next.close()
})

it('kill -9: differences are put together again, whatever came together in a group', async () => {
  const session = fc.record({
    version: fc.integer({ min: 1, max: 3 }),
    energyMilliWh: fc.integer({ min: 0, max: 3 }),
    endReason: fc.option(fc.constantFrom('Local', 'Remote'), { nil: undefined }),
    suspendedBy: fc.option(fc.constantFrom('EV', 'EVSE'), { nil: undefined }),
  })
  const change = fc.record({ id: fc.constantFrom('S1', 'S2'), session, transactionId: fc.constantFrom('1', '2') })
  const groups = fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 })
  let run = 0
  await fc.assert(
    fc.asyncProperty(groups, async (all) => {
      await server.placing.all()
      const newest = new Map<string, unknown>()
      for (const group of all) {
        await server.core.commit(
          group.map(({ id, session: facts, transactionId }) => {
            const present = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
            const after = aSession({ id, ...present })
            const transaction = aTransaction({ transactionId, sessionId: id, lastSignOfLifeAt: facts.energyMilliWh })
            newest.set(id, after).set(transactionId, transaction)
            return changeSet({ sessions: [after], transactions: [transaction] })
          }),
        )
      }
      const next = openSqlite(killed(String(run++)))
      for (const id of ['S1', 'S2']) if (newest.has(id)) expect(await next.core.findSession(id)).toEqual(newest.get(id))
      for (const transactionId of ['1', '2']) {
        const found = await findTransaction(next.core, 'CP1', { transactionId })
        if (newest.has(transactionId)) expect(found?.transaction).toEqual(newest.get(transactionId))
      }
      next.close()
    }),
    { numRuns: 25 },
  )
})

it('the core sees the newest version while it waits, and loads a charge point only after its own were put in place', async () => {
  await server.core.commit([message(1, 100)])
  await server.placing.all()
  await server.core.commit([message(2, 200)])
  const { transactionId, startKey } = aTransaction()
  for (const by of [{ transactionId }, ...(startKey === undefined ? [] : [{ startKey }])]) {
    const found = await findTransaction(server.core, 'CP1', by)
    expect(found?.session.energyMilliWh).toBe(200)
    expect(found?.transaction.lastSignOfLifeAt).toBe(2)
  }
  expect((await server.core.findSession('S1'))?.energyMilliWh).toBe(200)
  await loadChargePoint(server.core, 'CP2')
  expect(server.placing.waiting()).toBe(1)
  expect((await loadChargePoint(server.core, 'CP1'))?.status).toEqual({ vendor: 'V2' })
  expect(server.placing.waiting()).toBe(0)
})

it('a waiting transaction counts only for the account that has the charge point now', async () => {
  await server.core.commit([message(1, 100)])
  const tool = openSqlite(place.path)
  await tool.writes.createAccount({ id: 'B', name: 'B', createdAt: 1 })
  await tool.writes.deleteChargePoint('A', 'CP1')
  await tool.writes.createChargePoint(aChargePoint({ accountId: 'B' }))
  tool.close()
  const { transactionId } = aTransaction()
  expect(await findTransaction(server.core, 'CP1', { transactionId })).toBeUndefined()
})

it('an answer that comes before or after the flush is found by its status', async () => {
  const ask = (n: number) => changeSet({ command: aCommand(n, { direction: 'out', status: 'pending' }) })
  const answer = (n: number) =>
    changeSet({ answer: { id: aCommand(n).id, status: 'success', response: '{}', transactionId: '9' } })
  await server.core.commit([ask(1), ask(2)])
  await server.core.commit([answer(1)])
  await server.placing.all()
  await server.core.commit([answer(2)])
  const own = openSqliteReader(place.path)
  const reader = upToDate(own, () => server.placing.all())
  const query = { ...OF_CP1, limit: 10 }
  const success = { status: [{ op: 'in' as const, values: ['success'] }] }
  expect(await reader.countCommands({ ...query, filter: success })).toEqual({ value: 2, isExact: true })
  const of9 = { transactionId: [{ op: 'in' as const, values: ['9'] }] }
  expect(await reader.searchCommands({ ...query, filter: of9 })).toHaveLength(2)
  own.close()
})

it('a reader asks for a flush before a first page, not before the pages behind it', async () => {
  await server.core.commit([message(1, 100), message(2, 200)])
  let flushes = 0
  const own = openSqliteReader(place.path)
  const reader = upToDate(own, () => {
    flushes++
    return server.placing.all()
  })
  const query = { ...OF_CP1, filter: {}, limit: 1 }
  const [first] = await reader.searchCommands(query)
  expect(first?.id).toBe(aCommand(2).id)
  await server.core.commit([message(3, 300)])
  const [second] = await reader.searchCommands({ ...query, belowId: aCommand(2).id })
  expect(second?.id).toBe(aCommand(1).id)
  expect(flushes).toBe(1)
  // Sessions change: every page of a list of them is asked for anew.
  await reader.listSessions({ accountId: 'A', belowId: 'S9', limit: 1 })
  expect(flushes).toBe(2)
  own.close()
})

it('a flush that the database refuses keeps everything waiting', async () => {
  await server.core.commit([message(1, 100)])
  const other = connectWriter(place.path)
  other.exec('BEGIN IMMEDIATE')
  await expect(server.placing.all()).rejects.toMatchObject({ code: 'storage_busy' })
  expect(server.placing.waiting()).toBe(1)
  // Nor does it stand in the way of a stop; the next start has everything.
  server.close()
  other.exec('ROLLBACK')
  other.close()
  expect(await seen()).toMatchObject({ rows: 0, behind: true })
  server = openSqlite(place.path)
  expect(await seen()).toEqual({ rows: 1, energy: 100, behind: false })
})

it('STORE-J3: only a part of a flush goes without a sync of the disk, also when it is refused', () => {
  const own = connectWriter(place.path)
  const synchronous = (): unknown => own.pragma('synchronous', { simple: true })
  const within: unknown[] = []
  const journal = openJournal(own, {
    ...documentWriters(own),
    slots: () => {
      within.push(synchronous())
      if (within.length === 1) throw new Error('refused')
    },
  })
  journal.append([message(1, 100)])()
  expect(() => journal.flush()).toThrow('refused')
  expect(synchronous()).toBe(2)
  journal.flush()
  expect(within).toEqual([1, 1])
  expect(synchronous()).toBe(2)
  own.pragma('synchronous = NORMAL')
  journal.append([message(2, 200)])()
  journal.flush()
  expect(synchronous(), 'a flush gives back what there was, not what it expects').toBe(1)
  own.close()
})

it('retention may remove what was never put in place', async () => {
  await server.core.commit([message(1, 100), message(2, 200)])
  expect(await server.writes.deleteOldCommands(aCommand(2).id, 100)).toBe(1)
  await server.placing.all()
  expect(await seen()).toMatchObject({ rows: 1 })
  expect(await server.writes.deleteOldCommands(aCommand(3).id, 100)).toBe(1)
  expect(await seen()).toMatchObject({ rows: 0 })
})

it('a backup is whole without a server', async () => {
  await server.core.commit([message(1, 100)])
  const copy = `${place.path}.copy`
  await backupDatabase(place.path, copy, () => undefined)
  expect(await seen(copy)).toEqual({ rows: 1, energy: 100, behind: false })
})
