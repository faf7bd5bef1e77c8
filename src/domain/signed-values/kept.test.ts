import { afterEach, expect, it } from 'vitest'
import { manualClock } from '../../../test/support/clock.ts'
import { signedValue } from '../../../test/support/domain/signed-values/testing.ts'
import { openStore, temporaryDatabase } from '../../../test/support/storage/testing.ts'
import { startRetention } from '../message-log/retention.ts'

const DAY = 24 * 3600_000
const NOW = Date.UTC(2026, 7, 1)
const database = temporaryDatabase()
let close: (() => void) | undefined
afterEach(() => {
  close?.()
  database.remove()
})

it('SIGNED-F6: after a restart and without the log’s rows they are there; their own retention removes them by age', async () => {
  const values = [1, 2, 3].map((days) => signedValue(`value ${days}`, { at: days, storedAt: NOW - days * DAY }))
  const first = openStore(database.path)
  await first.core.commit([{ chargePointId: 'CP1', records: values.map((put) => ({ kind: 'signed_values', put })) }])
  first.close()
  const store = openStore(database.path)
  close = store.close
  const texts = async () =>
    (await store.reads.listRecords('signed_values', { where: { sessionId: 's1' }, limit: 10 })).map(({ data }) => data)
  expect(await store.reads.greatestCommandId()).toBe(0)
  expect(await texts()).toEqual(['value 1', 'value 2', 'value 3'])

  const clock = manualClock(NOW)
  const parts = {
    remove: (before: number, limit: number) => store.writes.removeOldRecords('signed_values', before, limit),
    what: 'signed meter values',
    clock,
    log: { error: (fields: object) => expect(fields).toBeUndefined() },
  }
  const forEver = startRetention({ ...parts, days: 0 })
  clock.advance(3600_000)
  expect([forEver.deleted(), await texts()]).toEqual([0, ['value 1', 'value 2', 'value 3']])
  const twoDays = startRetention({ ...parts, days: 2 })
  clock.advance(1000)
  await expect.poll(() => twoDays.deleted()).toBe(2)
  expect(await texts()).toEqual(['value 1'])
  twoDays.stop()
})
