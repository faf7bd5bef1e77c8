import SqliteDatabase from 'better-sqlite3'
import { expect, it } from 'vitest'
import { manualClock } from '../../test/support/clock.ts'
import { databaseOfEachTest, openStore } from '../../test/support/storage/testing.ts'
import { aCommand, changeSet } from '../../test/support/storage-contract/records.ts'
import { nextTurn } from '../threads/next-turn.ts'
import { placeInTime } from './placing.ts'

const NO_LOG = { error: () => undefined }

const place = databaseOfEachTest()

function start() {
  const store = openStore(place.path)
  const clock = manualClock(0)
  const published: number[] = []
  const errors: string[] = []
  const log = { info: () => undefined, warn: () => undefined, error: (_: object, text: string) => errors.push(text) }
  const placed = placeInTime(store, clock.after, log, (waiting) => published.push(waiting), nextTurn)
  const one = (n: number) => placed.core.commit([changeSet({ command: aCommand(n) })])
  return { store, clock, published, errors, placed, one }
}

it('what was committed is put in place a moment later, together with what came meanwhile', async () => {
  const { store, clock, published, one } = start()
  await one(1)
  clock.advance(200)
  await one(2)
  expect(published).toEqual([1, 2])
  clock.advance(50)
  await expect.poll(() => published).toEqual([1, 2, 0])
  store.close()
})

it('under load more is gathered, for a second at most', async () => {
  const { store, clock, published, placed } = start()
  const many = Array.from({ length: 2_000 }, (_, n) => changeSet({ command: aCommand(n) }))
  await placed.core.commit(many)
  clock.advance(999)
  expect(published).toEqual([2_000])
  clock.advance(1)
  await expect.poll(() => published).toEqual([2_000, 0])
  store.close()
})

it('a reader need not wait for that moment', async () => {
  const { store, published, placed, one } = start()
  await one(1)
  await placed.putInPlace()
  expect(published).toEqual([1, 0])
  store.close()
})

it('STORE-J3: a flush lets groups commit between its parts, and hurries once a reader waits for it', async () => {
  const { store, clock } = start()
  const turns: (() => void)[] = []
  const parts: number[] = []
  const all = async (between?: () => Promise<void>): Promise<void> => {
    for (let part = 0; part < 3; part++) {
      parts.push(turns.length)
      await between?.()
    }
  }
  const placing = { ...store.placing, waiting: () => 1, all }
  const turn = (): Promise<void> => new Promise((resolve) => turns.push(resolve))
  const placed = placeInTime({ ...store, placing }, clock.after, NO_LOG, () => undefined, turn)
  await placed.core.commit([])
  clock.advance(250)
  const pass = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n++) {
      turns.at(-1)?.()
      await nextTurn()
    }
  }
  await pass(8)
  expect(parts).toEqual([0, 8])
  void placed.putInPlace()
  await pass(1)
  expect(parts.slice(0, 2)).toEqual([0, 8])
  expect(parts.length, 'at the next turn').toBeGreaterThan(2)
  store.close()
})

it('a database that refuses is asked again, and how often it refused is counted', async () => {
  const { store, clock, published, errors, placed, one } = start()
  await one(1)
  const other = new SqliteDatabase(place.path)
  other.exec('BEGIN IMMEDIATE')
  clock.advance(250)
  await expect.poll(() => errors).toHaveLength(1)
  expect([published.at(-1), placed.behind().failedFlushes]).toEqual([1, 1])
  other.exec('COMMIT')
  other.close()
  clock.advance(5_000)
  await expect.poll(() => published.at(-1)).toBe(0)
  expect(placed.behind().failedFlushes).toBe(1)
  store.close()
})
