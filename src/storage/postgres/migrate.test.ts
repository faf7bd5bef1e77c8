import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { bareDatabase, statement } from '../../../test/postgres/databases.ts'
import { databaseAt } from '../open.ts'
import { postgresAddress } from './connection/address.ts'
import { Session } from './connection/session.ts'

const database = await bareDatabase()
const file = new URL('../../../test/older-database/postgres-0002.sql.gz', import.meta.url)
await statement(database.url, gunzipSync(readFileSync(file)).toString('utf8'))
afterAll(() => database.drop())

it('STORE-N20: a start that changes a table which pg_dump reads lets the older nodes go on, and goes on itself afterwards', async () => {
  const [dump, olderNode] = await Promise.all([0, 1].map(() => Session.open(postgresAddress(database.url))))
  await dump?.run('BEGIN; LOCK TABLE users, charge_points, configurations IN ACCESS SHARE MODE')
  const reported: string[] = []
  const log = { info: (_: object, message: string) => void reported.push(message), warn: () => undefined }
  const opening = Promise.resolve(databaseAt(database.url).openWriter({ log }))
  await expect.poll(() => reported).toEqual([expect.stringContaining('such as pg_dump')])
  await olderNode?.run(`SET lock_timeout = '1s'`)
  expect(await olderNode?.value<number>('SELECT count(*) FROM users')).toBe(1)
  await dump?.run('COMMIT')
  const writer = await opening
  expect(await olderNode?.value<number>('SELECT count(sign_in_epoch) FROM users')).toBe(0)
  await writer.close()
  await dump?.end()
  await olderNode?.end()
})
