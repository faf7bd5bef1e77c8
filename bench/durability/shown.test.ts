import { copyFileSync } from 'node:fs'
import { dirname } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { expect, it } from 'vitest'
import { START, START_TRANSACTION, testCore } from '../../test/support/core/testing.ts'
import { temporaryDatabase } from '../../test/support/storage/testing.ts'
import { compareShown } from './shown.ts'
import { createTwin } from './twin.ts'

/** A charge in each version, then a kill; the next process has begun and ended. */
async function killedAndRestarted(path: string) {
  const house = await testCore({ path })
  const old = await house.boot16('OLD')
  const { transactionId } = (await old.call('StartTransaction', START_TRANSACTION))[2] as { transactionId: number }
  const at = (seconds: number) => new Date(START + seconds * 1000).toISOString()
  const newer = await house.boot201('NEW')
  for (const seconds of [10, 20, 30]) {
    house.clock.advance(10_000)
    const meterValue = [{ timestamp: at(seconds), sampledValue: [{ value: String(1000 + seconds) }] }]
    await old.call('MeterValues', { connectorId: 1, transactionId, meterValue })
    await newer.call('StatusNotification', {
      timestamp: at(seconds),
      evseId: 1,
      connectorId: 1,
      connectorStatus: seconds === 20 ? 'Available' : 'Occupied',
    })
  }
  const left = `${path}.left`
  for (const ending of ['', '-wal']) copyFileSync(`${path}${ending}`, `${left}${ending}`)
  const next = await testCore({ path: left, now: house.clock.now() + 5_000 })
  await house.close()
  await next.close()
  return { left, settings: house.settings }
}

it('BENCH-B10: what a killed server shows otherwise than one that was never killed is found, row by row', async () => {
  const { path, remove } = temporaryDatabase()
  try {
    const { left, settings } = await killedAndRestarted(path)
    const twin = createTwin(dirname(path), settings)
    await twin.follow(left)
    const { rows, differences } = compareShown(left, twin.file)
    expect(differences).toEqual([])
    expect(rows).toBeGreaterThan(40)
    const db = new SqliteDatabase(left)
    const change = (sql: string): readonly string[] => {
      db.exec(`BEGIN; ${sql}; COMMIT`)
      return compareShown(left, twin.file).differences.map((row) => row.split(' ', 2).join(' '))
    }
    expect(change('UPDATE sessions SET energy_milli_wh = energy_milli_wh + 1')).toEqual(['- sessions', '+ sessions'])
    expect(change('DELETE FROM sessions')).toContain('+ sessions')
    const [event] = db.prepare("SELECT id FROM events WHERE type = 'session.updated'").pluck().all()
    expect(change(`DELETE FROM events WHERE id = '${String(event)}'`)).toContain('+ events')
    expect(change(`UPDATE connectors SET status = 'Faulted'`)).toContain('- connectors')
    db.close()
  } finally {
    remove()
  }
})
