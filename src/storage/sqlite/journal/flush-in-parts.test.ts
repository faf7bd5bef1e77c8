import { copyFileSync, rmSync } from 'node:fs'
import SqliteDatabase from 'better-sqlite3'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Sample, Session, Transaction } from '../../../domain/ports/sessions.ts'
import type { ChangeSet, EnergySlot } from '../../../domain/ports/storage.ts'
import { aChargePoint, aCommand, aSession, aTransaction, changeSet, NOW } from '../../contract/records.ts'
import type { FileWritingSide } from '../../database.ts'
import { temporaryDatabase } from '../../testing.ts'
import { connectWriter } from '../files/connection.ts'
import { openSqliteReader } from '../reader.ts'
import { openSqlite } from '../writer.ts'

const CHARGE_POINTS = ['CP1', 'CP2', 'CP3']
const QUARTER = 900_000
const BEGAN = Math.floor(NOW / QUARTER) * QUARTER

/** So fast that each part is one step: a charge point's search entries, a session, what else a charge point has. */
function oneByOne(): () => number {
  let now = 0
  return () => {
    now += 10
    return now
  }
}

/** Lets a test say when a flush goes on. */
function pauses() {
  const paused: (() => void)[] = []
  return {
    between: () => new Promise<void>((resolve) => paused.push(resolve)),
    /** Runs the next part of the flush, if one waits for it. */
    async goOn(): Promise<void> {
      paused.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    },
    count: () => paused.length,
  }
}

describe('a flush in parts', () => {
  let place: ReturnType<typeof temporaryDatabase>
  let server: FileWritingSide
  let copies = 0
  beforeEach(async () => {
    place = temporaryDatabase()
    server = openSqlite(place.path, oneByOne())
    await server.writes.createAccount({ id: 'A', name: 'A', createdAt: 0 })
    for (const id of CHARGE_POINTS) await server.writes.createChargePoint(aChargePoint({ id }))
  })
  afterEach(() => {
    server.close()
    place.remove()
  })

  /** The files as a killed process leaves them. */
  function killed(): string {
    const left = `${place.path}.${copies++}`
    for (const ending of ['', '-wal']) copyFileSync(`${place.path}${ending}`, `${left}${ending}`)
    return left
  }

  function forget(path: string): void {
    for (const ending of ['', '-wal', '-shm']) rmSync(`${path}${ending}`, { force: true })
  }

  const sample = (n: number): Sample => ({
    at: { occurredAt: NOW + n, receivedAt: NOW + n },
    value: String(n),
    measurand: 'Energy.Active.Import.Register',
    context: 'Sample.Periodic',
    location: 'Outlet',
    unit: 'Wh',
    multiplier: 0,
  })

  interface Charger {
    readonly transaction: Transaction
    readonly session: Session
    /** Of each quarter of an hour, in which there is one message. */
    readonly gains: readonly number[]
  }

  /**
   * What a charge point says: each message adds to the end of a list, and energy that no other one gained, so that a
   * change applied twice or never shows.
   */
  function chargers() {
    let last = 0
    const newest = new Map<string, Charger>()
    const message = (chargePointId: string): ChangeSet => {
      const n = ++last
      const before = newest.get(chargePointId)
      const earlier = (before?.transaction.meter as { readonly samples: Sample[] } | undefined)?.samples ?? []
      const gains = [...(before?.gains ?? []), n]
      const energyMilliWh = gains.reduce((sum, gain) => sum + gain, 0)
      const ids = { chargePointId, sessionId: `S-${chargePointId}` }
      const register = [[BEGAN + gains.length * QUARTER, 0, energyMilliWh]]
      const meter = { samples: [...earlier, sample(n)], register }
      const transaction = aTransaction({ ...ids, lastSignOfLifeAt: n, meter })
      const id = ids.sessionId
      const charging = { transactionId: '1', startedAt: BEGAN, energyMilliWh }
      const session = aSession({ id, chargePointId, state: 'charging', version: n, ...charging })
      newest.set(chargePointId, { transaction, session, gains })
      const command = aCommand(n, { chargePointId })
      return changeSet({ chargePointId, command, transactions: [transaction], sessions: [session] })
    }
    return { newest, message }
  }

  /** What was delivered when, by all of them. */
  function energyOf(newest: ReadonlyMap<string, Charger>): readonly EnergySlot[] {
    const slots: EnergySlot[] = []
    for (const { gains } of newest.values()) {
      gains.forEach((gain, slot) => {
        slots[slot] = { from: BEGAN + slot * QUARTER, milliWh: (slots[slot]?.milliWh ?? 0) + gain }
      })
    }
    return slots
  }

  async function expectAll(path: string, newest: ReturnType<typeof chargers>['newest']): Promise<void> {
    const next = openSqlite(path)
    const reader = openSqliteReader(path)
    try {
      expect(reader.behind()).toBe(false)
      expect(await reader.listEnergy('A', 0, BEGAN + 1_000 * QUARTER)).toEqual(energyOf(newest))
      for (const [chargePointId, { transaction, session, gains }] of newest) {
        const loaded = await next.core.loadChargePoint(chargePointId)
        expect(loaded?.transactions).toEqual([transaction])
        expect(loaded?.sessions).toEqual([session])
        const window = { fromId: 0, toId: Number.MAX_SAFE_INTEGER, limit: 500 }
        const found = await reader.searchCommands({ chargePointId, ...window, filter: {} })
        expect(found).toHaveLength(gains.length)
      }
    } finally {
      reader.close()
      next.close()
    }
  }

  it('STORE-J1, STORE-J2, CONSOLE-A3: kill -9 between any two parts loses nothing and applies nothing twice', async () => {
    const { newest, message } = chargers()
    const { between, goOn, count } = pauses()
    await server.core.commit(CHARGE_POINTS.map(message))
    await server.core.commit(CHARGE_POINTS.map(message))
    const flushed = server.placing.all(between)
    await goOn()
    let parts = 0
    while (count() > 0) {
      parts++
      await expectAll(killed(), newest)
      // Rows of what is in place already stand beside those of what is not.
      await server.core.commit(CHARGE_POINTS.map(message))
      await expectAll(killed(), newest)
      await goOn()
    }
    await flushed
    // Three steps of each charge point; the last part takes the rows away.
    expect(parts).toBe(9)
    await expectAll(killed(), newest)
    await server.placing.all()
    expect(server.placing.waiting()).toBe(0)
    const db = new SqliteDatabase(place.path)
    expect(db.prepare('SELECT count(*) FROM journal').pluck().get()).toBe(0)
    db.close()
  })

  it('STORE-J2, STORE-J4, CONSOLE-A3: whatever commits, parts, tools, kills and restarts follow each other', async () => {
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
        let path = `${place.path}.${copies++}`
        let at = openSqlite(path, oneByOne())
        await at.writes.createAccount({ id: 'A', name: 'A', createdAt: 0 })
        for (const id of CHARGE_POINTS) await at.writes.createChargePoint(aChargePoint({ id }))
        const { newest, message } = chargers()
        const { between, goOn, count } = pauses()
        const flushes: Promise<void>[] = []
        for (const one of steps) {
          if (one === 'flush') flushes.push(at.placing.all(between))
          else if (one === 'part') await goOn()
          else if (one === 'tool') openSqlite(path).close()
          else if (one === 'kill') {
            const left = `${path}.left`
            for (const ending of ['', '-wal']) copyFileSync(`${path}${ending}`, `${left}${ending}`)
            await expectAll(left, newest)
            forget(left)
          } else if (one === 'restart') {
            // Goes on with the files of a killed process.
            const left = `${place.path}.${copies++}`
            for (const ending of ['', '-wal']) copyFileSync(`${path}${ending}`, `${left}${ending}`)
            at.close()
            forget(path)
            path = left
            at = openSqlite(path, oneByOne())
          } else if ('load' in one) {
            const loaded = await at.core.loadChargePoint(one.load)
            const known = newest.get(one.load)
            expect(loaded?.transactions).toEqual(known ? [known.transaction] : [])
          } else if ('place' in one) await at.placing.ofChargePoint(one.place)
          else {
            const results = await at.core.commit(one.commit.map(message))
            expect(results.every(({ ok }) => ok)).toBe(true)
          }
          await new Promise((resolve) => setImmediate(resolve))
        }
        while (count() > 0) await goOn()
        await Promise.all(flushes)
        at.close()
        await expectAll(path, newest)
        forget(path)
      }),
      { numRuns: 40 },
    )
  }, 60_000)

  it('STORE-J2: what a deleted charge point said does not come back after a kill, to whoever has its name now', async () => {
    const { message } = chargers()
    const entry = { chargePointId: 'CP1', id: 1, part: 0, kind: 'status', at: 1, details: {}, count: 1 } as const
    const said = changeSet({
      chargePointId: 'CP1',
      status: { vendor: 'V1' },
      connectors: [{ connectorId: 1, status: 'Available', updatedAt: NOW }],
      records: [{ kind: 'connection_history', put: entry }],
    })
    await server.core.commit([said, ...CHARGE_POINTS.map(message)])
    const { between, goOn, count } = pauses()
    const flushed = server.placing.all(between)
    await goOn()
    await server.writes.deleteChargePoint('A', 'CP1')
    await server.writes.createChargePoint(aChargePoint({ id: 'CP1' }))
    const left = killed()
    while (count() > 0) await goOn()
    await flushed
    for (const path of [left, killed()]) {
      const next = openSqlite(path)
      expect(await next.core.loadChargePoint('CP1')).toMatchObject({ status: {}, connectors: [] })
      expect(await next.core.listRecords('connection_history', { limit: 9 })).toEqual([])
      next.close()
    }
  })

  it('STORE-J3: a group that comes while a flush runs is committed between two of its parts', async () => {
    const { message } = chargers()
    const { between, goOn, count } = pauses()
    await server.core.commit(CHARGE_POINTS.map(message))
    const flushed = server.placing.all(between)
    await goOn()
    expect(server.placing.waiting()).toBe(3)
    await server.core.commit([message('CP1')])
    expect(server.placing.waiting()).toBe(4)
    while (count() > 0) await goOn()
    await flushed
    // What came after the flush began waits for the next one.
    expect(server.placing.waiting()).toBe(1)
  })

  it('STORE-J3: who asks while a flush runs gets what was committed by then', async () => {
    const { message } = chargers()
    const { between, goOn, count } = pauses()
    await server.core.commit(CHARGE_POINTS.map(message))
    const first = server.placing.all(between)
    await goOn()
    await server.core.commit([message('CP1')])
    const second = server.placing.all(between)
    while (count() > 0) await goOn()
    await Promise.all([first, second])
    expect(server.placing.waiting()).toBe(0)
  })

  it('STORE-J3: the search entries of one charge point that said very much are put in place in parts, too', async () => {
    const { between, goOn, count } = pauses()
    const sets = Array.from({ length: 1_200 }, (_, n) => changeSet({ command: aCommand(n) }))
    await server.core.commit(sets)
    const flushed = server.placing.all(between)
    await goOn()
    const reader = openSqliteReader(place.path)
    const query = { chargePointId: 'CP1', fromId: 0, toId: Number.MAX_SAFE_INTEGER, filter: {}, limit: 1 }
    const seen: number[] = []
    while (count() > 0) {
      seen.push((await reader.countCommands(query)).value)
      await goOn()
    }
    await flushed
    seen.push((await reader.countCommands(query)).value)
    expect(seen).toEqual([500, 1_000, 1_200, 1_200])
    await server.core.commit(sets.map((_, n) => changeSet({ command: aCommand(2_000 + n) })))
    const asked = server.placing.ofChargePoint('CP1', between)
    expect((await reader.countCommands(query)).value).toBe(1_700)
    while (count() > 0) await goOn()
    await asked
    expect((await reader.countCommands(query)).value).toBe(2_400)
    reader.close()
  })

  it.each(['all', 'ofChargePoint'] as const)(
    'STORE-J1: many search entries of one charge point that are put in place by one part are all there: %s',
    async (whom) => {
      const path = `${place.path}.${copies++}`
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
    },
  )

  it('STORE-J3: who asks for one charge point waits for what that one said, and no other', async () => {
    const { newest, message } = chargers()
    await server.core.commit(CHARGE_POINTS.map(message))
    await server.placing.ofChargePoint('CP2')
    expect(server.placing.waiting()).toBe(2)
    const reader = openSqliteReader(place.path)
    const found = await Promise.all(CHARGE_POINTS.map((id) => reader.findSession(`S-${id}`)))
    expect(found.map((one) => one?.chargePointId)).toEqual([undefined, 'CP2', undefined])
    expect(await reader.oldestCommandId('CP2')).toBe(aCommand(2).id)
    reader.close()
    await expectAll(killed(), newest)
  })

  it('a part that the database refuses leaves all of it waiting, and the next flush does it', async () => {
    const { newest, message } = chargers()
    const { between, goOn } = pauses()
    await server.core.commit(CHARGE_POINTS.map(message))
    const flushed = server.placing.all(between)
    await goOn()
    const other = connectWriter(place.path)
    other.exec('BEGIN IMMEDIATE')
    const refused = expect(flushed).rejects.toMatchObject({ code: 'storage_busy' })
    await goOn()
    await refused
    expect(server.placing.waiting()).toBe(3)
    other.exec('ROLLBACK')
    other.close()
    await server.placing.all()
    await expectAll(killed(), newest)
  }, 20_000)

  it('STORE-J4: a flush takes away no row of another process', async () => {
    const { newest, message } = chargers()
    await server.core.commit([message('CP1')])
    const tool = openSqlite(place.path)
    // The tool has put the server's row in place; its own comes when the table is empty.
    await tool.core.commit([message('CP2')])
    await server.placing.all()
    const left = killed()
    tool.close()
    await expectAll(left, newest)
  })

  it('CONSOLE-A3: energy that another process put in place is counted by nobody again', async () => {
    const { newest, message } = chargers()
    await server.core.commit(CHARGE_POINTS.map(message))
    // The tool puts in place what the server still has in memory, the first versions of what comes next.
    openSqlite(place.path).close()
    await server.core.commit(CHARGE_POINTS.map(message))
    const { between, goOn, count } = pauses()
    const flushed = server.placing.all(between)
    await goOn()
    openSqlite(place.path).close()
    await server.core.commit([message('CP3')])
    while (count() > 0) await goOn()
    await flushed
    await server.placing.all()
    await expectAll(killed(), newest)
  })

  it('CONSOLE-A3: energy of a part that the database refused is counted with the next one', async () => {
    const { newest, message } = chargers()
    await server.core.commit(CHARGE_POINTS.map(message))
    const other = connectWriter(place.path)
    other.exec(`CREATE TRIGGER refusing BEFORE INSERT ON energy_slots BEGIN SELECT raise(FAIL, 'no'); END`)
    await expect(server.placing.all()).rejects.toThrow()
    expect(server.placing.waiting()).toBe(3)
    other.exec('DROP TRIGGER refusing')
    other.close()
    await server.core.commit(CHARGE_POINTS.map(message))
    await server.placing.all()
    await expectAll(killed(), newest)
  })

  it('a journal of a version that said what came on top is put in place, what its marks speak of only once', async () => {
    const { newest, message } = chargers()
    await server.core.commit([message('CP1')])
    await server.core.commit([message('CP1'), message('CP2')])
    // Of that version's flush: the charge point is in place, its rows stay.
    await server.placing.ofChargePoint('CP1')
    const left = killed()
    const db = new SqliteDatabase(left)
    const rows = db.prepare<[], { readonly id: number; readonly documents: string }>(
      'SELECT id, documents FROM journal',
    )
    const changed = rows.all().map(({ id, documents }) => [onTop(documents), id] as const)
    const update = db.prepare('UPDATE journal SET documents = ? WHERE id = ?')
    for (const row of changed) update.run(...row)
    db.close()
    expect(changed.filter(([text]) => text.includes('"added"'))).toHaveLength(1)
    await expectAll(left, newest)
  })

  function onTop(documents: string): string {
    return JSON.stringify(JSON.parse(documents), (_, value: unknown) => {
      if (typeof value !== 'object' || value === null || !('ends' in value)) return value
      const { ends, ...rest } = value as { readonly ends: Readonly<Record<string, readonly [number, unknown]>> }
      return { ...rest, added: Object.fromEntries(Object.entries(ends).map(([name, [, end]]) => [name, end])) }
    })
  }

  it('a journal that an older version left is put in place', async () => {
    const { message } = chargers()
    await server.core.commit([message('CP1')])
    const left = killed()
    const db = new SqliteDatabase(left)
    db.exec('UPDATE journal SET writer = NULL')
    db.close()
    const next = openSqlite(left)
    expect((await next.core.loadChargePoint('CP1'))?.sessions).toHaveLength(1)
    next.close()
  })
})
