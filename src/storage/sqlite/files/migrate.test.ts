import { readdirSync, readFileSync } from 'node:fs'
import SqliteDatabase from 'better-sqlite3'
import { type DrizzleSQLiteSnapshotJSON, generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api'
import { expect, it } from 'vitest'
import { RECORD_TABLES } from '../../../../scripts/record-tables.ts'
import { databaseOfEachTest } from '../../../../test/support/storage/testing.ts'
import { openSqlite, openSqliteReader } from '../writer.ts'

const place = databaseOfEachTest()

it('migrations: run once, and references are checked afterwards', async () => {
  openSqlite(place.path).close()
  const { writes, close } = openSqlite(place.path)
  const orphan = { id: 'K', accountId: 'none', name: 'x', secretHash: 'x', createdAt: 0 }
  await expect(writes.createCredential(orphan)).rejects.toThrow(/FOREIGN KEY/)
  close()
})

it('migrations: are in step with the schema of the sources', async () => {
  const journal = readJson<{ readonly entries: readonly { readonly idx: number }[] }>('_journal.json')
  const newest = String(journal.entries.at(-1)?.idx ?? 0).padStart(4, '0')
  const missing = await generateSQLiteMigration(
    readJson<DrizzleSQLiteSnapshotJSON>(`${newest}_snapshot.json`),
    await generateSQLiteDrizzleJson(await schemaOfTheSources()),
  )
  expect(missing, 'run `npx drizzle-kit generate --name <why>`').toEqual([])
})

it('CONSOLE-C2: migrations: sessions of before get their cards from their transactions', async () => {
  openSqlite(place.path).close()
  const db = new SqliteDatabase(place.path)
  const sql = migrationOf('session_filters')
  for (const [, name] of sql.matchAll(/CREATE INDEX `(\w+)`/g)) db.exec(`DROP INDEX ${name}`)
  db.exec('ALTER TABLE sessions DROP COLUMN id_token')
  for (const [, name] of sql.matchAll(/DROP INDEX `(\w+)`/g)) db.exec(`CREATE INDEX ${name} ON sessions (id)`)
  const session = db.prepare(`INSERT INTO sessions (id, account_id, charge_point_id, state, energy_milli_wh, created_at,
      version, facts) VALUES (?, 'A', 'CP1', 'completed', 0, 0, 1, ?)`)
  const transaction = db.prepare(`INSERT INTO transactions VALUES ('CP1', ?, NULL, ?, 0, ?)`)
  const own = { virtualIdToken: 'FADE0123456789' }
  const cases: readonly (readonly [string, object, string, string | undefined, string | undefined])[] = [
    ['s1', { transactionId: '1' }, '1', 'CARD', 'CARD'],
    ['s2', { transactionId: '1' }, '1@s2', 'EARLIER', 'EARLIER'],
    ['s3', { transactionId: '3', remoteStart: own }, '3', 'fade0123456789', undefined],
    ['s4', { transactionId: '4', remoteStart: { ...own, groupId: 'ORDERED', isCardGroup: true } }, '4', 'x', 'ORDERED'],
    ['s5', { transactionId: '5' }, '5', '', undefined],
    ['s6', {}, '6', 'OTHER', undefined],
  ]
  for (const [id, facts, key, token] of cases) {
    session.run(id, JSON.stringify({ flags: [], ...facts }))
    transaction.run(key, id, JSON.stringify(token === undefined ? {} : { idToken: { id: token, type: 'x' } }))
  }
  db.exec(sql)
  db.close()
  const { core, close } = openSqlite(place.path)
  for (const [id, , , , expected] of cases) expect((await core.findSession(id))?.idToken, id).toBe(expected)
  close()
})

it('ADMIN-A1: migrations: members of before become viewers, but those whose applications act on charge points', async () => {
  const { writes, close } = openSqlite(place.path)
  await writes.createAccount({ id: 'A', name: 'A', createdAt: 0 })
  for (const [id, role] of [
    ['admin', 'administrator'],
    ['looks', 'member'],
    ['acts', 'member'],
  ] as const) {
    const user = { id, accountId: 'A', email: `${id}@example.com`, role, passwordHash: '-', createdAt: 0 }
    await writes.createUser(user)
  }
  close()
  const db = new SqliteDatabase(place.path)
  db.pragma('foreign_keys = OFF')
  const columns = 'id, account_id, user_id, client_id, scopes, created_at, updated_at'
  const grants = db.prepare(`INSERT INTO grants (${columns}) VALUES (?, 'A', ?, 'c', ?, 0, 0)`)
  grants.run('g1', 'acts', '["openid","chargers:control"]')
  grants.run('g2', 'looks', '["openid","chargers:read"]')
  const [update = ''] = /^UPDATE `users` .*$/m.exec(migrationOf('administration')) ?? []
  db.exec(update)
  expect(db.prepare('SELECT id, role FROM users ORDER BY id').all()).toEqual([
    { id: 'acts', role: 'member' },
    { id: 'admin', role: 'administrator' },
    { id: 'looks', role: 'viewer' },
  ])
  db.close()
})

it('migrations: a database of a newer version is refused and left alone', () => {
  openSqlite(place.path).close()
  const db = new SqliteDatabase(place.path)
  db.prepare('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)').run('later', 8e15)
  db.close()
  expect(() => openSqlite(place.path)).toThrow('newer version')
  expect(() => openSqliteReader(place.path)).toThrow('newer version')
})

it('migrations: a database of an older version is not read before it is brought up to date', () => {
  openSqlite(place.path).close()
  const db = new SqliteDatabase(place.path)
  db.exec('DELETE FROM __drizzle_migrations WHERE created_at = (SELECT max(created_at) FROM __drizzle_migrations)')
  db.close()
  expect(() => openSqliteReader(place.path)).toThrow(/older version.*start the server once.*backup/)
})

/** Its statements, as they run. */
function migrationOf(name: string): string {
  const folder = new URL('../../../../drizzle/', import.meta.url)
  const file = readdirSync(folder).find((one) => one.endsWith(`_${name}.sql`)) ?? ''
  return readFileSync(new URL(file, folder), 'utf8')
}

function readJson<Shape>(name: string): Shape {
  return JSON.parse(readFileSync(new URL(`../../../../drizzle/meta/${name}`, import.meta.url), 'utf8')) as Shape
}

async function schemaOfTheSources(): Promise<Record<string, unknown>> {
  const rooms = readdirSync(new URL('../../schema/', import.meta.url)).map((file) => file.replace(/\.ts$/, ''))
  const modules = await Promise.all(rooms.map((room) => import(`../../schema/${room}.ts`) as Promise<object>))
  return Object.assign({}, ...modules, RECORD_TABLES) as Record<string, unknown>
}

it.each(['drizzle', 'drizzle/postgres'])('SERVER-C3: every migration in %s is one that is carried out', (folder) => {
  const { entries } = JSON.parse(readFileSync(`${folder}/meta/_journal.json`, 'utf8')) as {
    readonly entries: readonly { readonly tag: string }[]
  }
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  expect(files.sort()).toEqual(entries.map(({ tag }) => `${tag}.sql`).sort())
})
