import { rmSync } from 'node:fs'
import SqliteDatabase from 'better-sqlite3'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  CHARGE_POINTS,
  chargers,
  copyFiles,
  eventsIn,
  expectedEvents,
  flushing,
  oneByOne,
  pauses,
} from '../../../../test/support/storage/sqlite/journal/flush.ts'
import { anEvent, aSubscription, changeSet, NOW } from '../../../../test/support/storage-contract/records.ts'
import { envelopeAround } from '../../../domain/events/emission.ts'
import { openSqlite, openSqliteReader } from '../writer.ts'

const at = flushing()

function inTable(path: string): readonly { readonly id: string; readonly body: string }[] {
  const db = new SqliteDatabase(path)
  const rows = db.prepare<[], { id: string; body: string }>('SELECT id, body FROM events ORDER BY rowid').all()
  db.close()
  return rows
}

it('HOOK-F9: an event of an account without a webhook is stored as its data by the flush, and read as its envelope', async () => {
  const event = anEvent({ data: '{"state":"charging"}' })
  await at.server.core.commit([changeSet({ events: [event] })])
  expect(at.server.placing.waiting()).toBe(1)
  expect(inTable(at.path)).toEqual([])
  await at.server.placing.all()
  expect(at.server.placing.waiting()).toBe(0)
  expect(inTable(at.path)).toEqual([{ id: 'E1', body: event.data }])
  const reader = openSqliteReader(at.path)
  const body = envelopeAround(event)
  expect(await reader.listEvents({ accountId: 'A', type: 'session.updated', limit: 9 })).toMatchObject([{ body }])
  expect(await reader.listSessionEvents('S1')).toMatchObject([{ body }])
  reader.close()
})

it('HOOK-W5: a row of a version before, which holds the whole body, is read as it is', async () => {
  const event = anEvent({ data: '{ "kept": "as it was spelled" }' })
  await at.server.core.commit([changeSet({ events: [event] })])
  await at.server.placing.all()
  const db = new SqliteDatabase(at.path)
  const body = envelopeAround(event).replace('"source"', ' "source"')
  db.prepare('UPDATE events SET body = ?').run(body)
  db.close()
  const reader = openSqliteReader(at.path)
  expect(await reader.listSessionEvents('S1')).toMatchObject([{ body }])
  reader.close()
})

it('HOOK-F9: a charge point is in place with all events that waited, and a kill behind it loses none', async () => {
  const { message } = chargers()
  await at.server.core.commit(CHARGE_POINTS.map(message))
  for (const id of CHARGE_POINTS) await at.server.placing.ofChargePoint(id)
  expect(at.server.placing.waiting()).toBe(0)
  const left = at.killed()
  openSqlite(left).close()
  await at.server.placing.all()
  expect(at.server.placing.waiting()).toBe(0)
  for (const path of [left, at.path]) expect(inTable(path).map(({ id }) => id)).toEqual(expectedEvents(3))
})

it('HOOK-F9: events that the group of a failed set brought are as if they had never been', async () => {
  await at.server.core.commit([changeSet({ events: [anEvent({ id: 'E1' })] })])
  await at.server.writes.createSubscription(aSubscription(), 9)
  const twice = changeSet({ events: [anEvent({ id: 'E2' }), anEvent({ id: 'E2' })] })
  const results = await at.server.core.commit([
    twice,
    changeSet({ chargePointId: 'CP2', events: [anEvent({ id: 'E3' })] }),
  ])
  expect(results.map(({ ok }) => ok)).toEqual([false, true])
  expect(inTable(at.path).map(({ id }) => id)).toEqual(['E1', 'E3'])
  await at.server.placing.all()
  expect(inTable(at.path).map(({ id }) => id)).toEqual(['E1', 'E3'])
})

it('HOOK-F9, HOOK-F3: however webhooks come and go, here or in another process, each event is in the feed once, in order, and delivered while there is one', async () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...CHARGE_POINTS).map((commit) => ({ commit })) },
    { weight: 2, arbitrary: fc.constantFrom('server' as const, 'tool' as const).map((webhook) => ({ webhook })) },
    { weight: 1, arbitrary: fc.constant('flush' as const) },
    { weight: 2, arbitrary: fc.constant('part' as const) },
    { weight: 1, arbitrary: fc.record({ place: fc.constantFrom(...CHARGE_POINTS) }) },
    { weight: 1, arbitrary: fc.constant('kill' as const) },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async (steps) => {
      let path = copyFiles(at.path, at.nextPath())
      let server = openSqlite(path, oneByOne())
      let tool = openSqlite(path)
      const { message } = chargers()
      const { between, goOn, count } = pauses()
      const flushes: Promise<void>[] = []
      const delivered: string[] = []
      let messages = 0
      let webhook: string | undefined
      const expectFeed = async (): Promise<void> => {
        const reader = openSqliteReader(path)
        expect(await eventsIn(reader)).toEqual(expectedEvents(messages))
        reader.close()
        const db = new SqliteDatabase(path)
        const found = db.prepare<[], string>('SELECT event_id FROM webhook_deliveries ORDER BY position').pluck().all()
        db.close()
        expect(found).toEqual(delivered)
      }
      for (const one of steps) {
        if (one === 'flush') flushes.push(server.placing.all(between))
        else if (one === 'part') await goOn()
        else if (one === 'kill') {
          const left = copyFiles(path, at.nextPath())
          server.close()
          tool.close()
          path = left
          server = openSqlite(path, oneByOne())
          tool = openSqlite(path)
          await expectFeed()
        } else if ('webhook' in one) {
          const { writes } = one.webhook === 'server' ? server : tool
          if (webhook === undefined) {
            webhook = `wh${messages}`
            await writes.createSubscription(aSubscription({ id: webhook }), 99)
          } else {
            await writes.deleteSubscription(webhook, NOW)
            webhook = undefined
          }
        } else if ('place' in one) await server.placing.ofChargePoint(one.place)
        else {
          await server.core.commit([message(one.commit)])
          messages++
          if (webhook !== undefined) delivered.push(`E${messages}`)
        }
        await new Promise((resolve) => setImmediate(resolve))
      }
      while (count() > 0) await goOn()
      await Promise.all(flushes)
      await server.placing.all()
      await expectFeed()
      server.close()
      tool.close()
      for (const ending of ['', '-wal', '-shm']) rmSync(`${path}${ending}`, { force: true })
    }),
    { numRuns: 30 },
  )
})
