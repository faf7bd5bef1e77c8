import { rmSync } from 'node:fs'
import SqliteDatabase from 'better-sqlite3'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  CHARGE_POINTS,
  chargers,
  copyFiles,
  expectAll,
  flushing,
  oneByOne,
  pauses,
  withChargePoints,
} from '../../../../test/support/storage/sqlite/journal/flush.ts'
import { loadChargePoint } from '../../../../test/support/storage/testing.ts'
import { aChargePoint, aCommand, changeSet, NOW } from '../../../../test/support/storage-contract/records.ts'
import { openSqlite, openSqliteReader } from '../writer.ts'

const at = flushing()

function forget(path: string): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(`${path}${ending}`, { force: true })
}

it('STORE-J1, STORE-J2, CONSOLE-A3, HOOK-F9: kill -9 between any two parts loses nothing and applies nothing twice', async () => {
  const { newest, message } = chargers()
  const { between, goOn, count } = pauses()
  await at.server.core.commit(CHARGE_POINTS.map(message))
  await at.server.core.commit(CHARGE_POINTS.map(message))
  const flushed = at.server.placing.all(between)
  await goOn()
  let parts = 0
  while (count() > 0) {
    parts++
    await expectAll(at.killed(), newest)
    // Rows of what is in place already stand beside those of what is not.
    await at.server.core.commit(CHARGE_POINTS.map(message))
    await expectAll(at.killed(), newest)
    await goOn()
  }
  await flushed
  // The events and three steps of each charge point; the last part takes the rows away.
  expect(parts).toBe(10)
  await expectAll(at.killed(), newest)
  await at.server.placing.all()
  expect(at.server.placing.waiting()).toBe(0)
  const db = new SqliteDatabase(at.path)
  expect(db.prepare('SELECT count(*) FROM journal').pluck().get()).toBe(0)
  db.close()
})

it('STORE-J2, STORE-J4, CONSOLE-A3, HOOK-F9: whatever commits, parts, tools, kills and restarts follow each other', async () => {
  const chargePoint = fc.constantFrom(...CHARGE_POINTS)
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ commit: fc.array(chargePoint, { minLength: 1, maxLength: 4 }) }) },
    { weight: 2, arbitrary: fc.constant('flush' as const) },
    { weight: 4, arbitrary: fc.constant('part' as const) },
    { weight: 1, arbitrary: fc.record({ load: chargePoint }) },
    { weight: 1, arbitrary: fc.record({ place: chargePoint }) },
    { weight: 1, arbitrary: fc.constant('tool' as const) },
    { weight: 1, arbitrary: fc.constant('kill' as const) },
    { weight: 1, arbitrary: fc.constant('restart' as const) },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 20 }), async (steps) => {
      let path = at.nextPath()
      let server = await withChargePoints(path)
      const { newest, message } = chargers()
      const { between, goOn, count } = pauses()
      const flushes: Promise<void>[] = []
      for (const one of steps) {
        if (one === 'flush') flushes.push(server.placing.all(between))
        else if (one === 'part') await goOn()
        else if (one === 'tool') openSqlite(path).close()
        else if (one === 'kill') {
          const left = copyFiles(path, `${path}.left`)
          await expectAll(left, newest)
          forget(left)
        } else if (one === 'restart') {
          // Goes on with the files of a killed process.
          const left = copyFiles(path, at.nextPath())
          server.close()
          forget(path)
          path = left
          server = openSqlite(path, oneByOne())
        } else if ('load' in one) {
          const loaded = await loadChargePoint(server.core, one.load)
          const known = newest.get(one.load)
          expect(loaded?.transactions).toEqual(known ? [known.transaction] : [])
        } else if ('place' in one) await server.placing.ofChargePoint(one.place)
        else {
          const results = await server.core.commit(one.commit.map(message))
          expect(results.every(({ ok }) => ok)).toBe(true)
        }
        await new Promise((resolve) => setImmediate(resolve))
      }
      while (count() > 0) await goOn()
      await Promise.all(flushes)
      server.close()
      await expectAll(path, newest)
      forget(path)
    }),
    { numRuns: 40 },
  )
})

it('STORE-J2: what a deleted charge point said does not come back after a kill, to whoever has its name now', async () => {
  const { message } = chargers()
  const entry = { chargePointId: 'CP1', id: 1, part: 0, kind: 'status', at: 1, details: {}, count: 1 } as const
  const said = changeSet({
    chargePointId: 'CP1',
    status: { vendor: 'V1' },
    connectors: [{ connectorId: 1, status: 'Available', updatedAt: NOW }],
    records: [{ kind: 'connection_history', put: entry }],
  })
  await at.server.core.commit([said, ...CHARGE_POINTS.map(message)])
  const { between, goOn, count } = pauses()
  const flushed = at.server.placing.all(between)
  await goOn()
  await at.server.writes.deleteChargePoint('A', 'CP1')
  await at.server.writes.createChargePoint(aChargePoint({ id: 'CP1' }))
  const left = at.killed()
  while (count() > 0) await goOn()
  await flushed
  for (const path of [left, at.killed()]) {
    const next = openSqlite(path)
    expect(await loadChargePoint(next.core, 'CP1')).toMatchObject({ status: {}, connectors: [] })
    expect(await next.core.listRecords('connection_history', { limit: 9 })).toEqual([])
    next.close()
  }
})

it('STORE-J3: who asks while a flush runs gets what was committed by then', async () => {
  const { message } = chargers()
  const { between, goOn, count } = pauses()
  await at.server.core.commit(CHARGE_POINTS.map(message))
  const first = at.server.placing.all(between)
  await goOn()
  await at.server.core.commit([message('CP1')])
  const second = at.server.placing.all(between)
  while (count() > 0) await goOn()
  await Promise.all([first, second])
  expect(at.server.placing.waiting()).toBe(0)
})

it('STORE-J3: the search entries of one charge point that said very much are put in place in parts, too', async () => {
  const { between, goOn, count } = pauses()
  const sets = Array.from({ length: 1_200 }, (_, n) => changeSet({ command: aCommand(n) }))
  await at.server.core.commit(sets)
  const flushed = at.server.placing.all(between)
  await goOn()
  const reader = openSqliteReader(at.path)
  const query = { chargePointId: 'CP1', fromId: 0, toId: Number.MAX_SAFE_INTEGER, filter: {}, limit: 1 }
  const seen: number[] = []
  while (count() > 0) {
    seen.push((await reader.countCommands(query)).value)
    await goOn()
  }
  await flushed
  seen.push((await reader.countCommands(query)).value)
  expect(seen).toEqual([500, 1_000, 1_200, 1_200])
  await at.server.core.commit(sets.map((_, n) => changeSet({ command: aCommand(2_000 + n) })))
  const asked = at.server.placing.ofChargePoint('CP1', between)
  expect((await reader.countCommands(query)).value).toBe(1_700)
  while (count() > 0) await goOn()
  await asked
  expect((await reader.countCommands(query)).value).toBe(2_400)
  reader.close()
})

it.each(['all', 'ofChargePoint'] as const)('STORE-J1: search entries of one part are all there: %s', async (whom) => {
  const path = at.nextPath()
  // A clock that stands still: a part is never over.
  const one = openSqlite(path, () => 0)
  await one.writes.createAccount({ id: 'A', name: 'A', createdAt: 0 })
  await one.writes.createChargePoint(aChargePoint({ id: 'CP1' }))
  await one.core.commit(Array.from({ length: 1_200 }, (_, n) => changeSet({ command: aCommand(n) })))
  await (whom === 'all' ? one.placing.all(async () => undefined) : one.placing.ofChargePoint('CP1'))
  const reader = openSqliteReader(path)
  const query = { chargePointId: 'CP1', fromId: 0, toId: Number.MAX_SAFE_INTEGER, filter: {}, limit: 1 }
  expect(await reader.countCommands(query)).toEqual({ value: 1_200, isExact: true })
  reader.close()
  one.close()
})

it('STORE-J3: who asks for one charge point waits for what that one said, and no other', async () => {
  const { newest, message } = chargers()
  await at.server.core.commit(CHARGE_POINTS.map(message))
  await at.server.placing.ofChargePoint('CP2')
  expect(at.server.placing.waiting()).toBe(2)
  const reader = openSqliteReader(at.path)
  const found = await Promise.all(CHARGE_POINTS.map((id) => reader.findSession(`S-${id}`)))
  expect(found.map((one) => one?.chargePointId)).toEqual([undefined, 'CP2', undefined])
  expect(await reader.oldestCommandId('CP2')).toBe(aCommand(2).id)
  reader.close()
  await expectAll(at.killed(), newest)
})
