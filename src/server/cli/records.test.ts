import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { expect, it } from 'vitest'
import { installationOfEachTest } from '../../../test/support/server/cli/testing.ts'
import { databaseIn, openStore } from '../../../test/support/storage/testing.ts'
import { readOrCreateSecretKey } from '../../config/secret-key.ts'
import { checkCredential, parseCredential } from '../../domain/accounts/credentials.ts'
import { verifyPassword } from '../../domain/accounts/password.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import { matchPassword } from '../../ocpp/credentials.ts'

const installation = installationOfEachTest('Depot North')

async function stored<T>(look: (reads: Reads) => Promise<T>): Promise<T> {
  const reader = databaseIn(installation.database).openReader('all')
  try {
    return await look(reader)
  } finally {
    reader.close()
  }
}

/** Everything the database has on disk. */
function onDisk(): string {
  return ['', '-wal'].map((suffix) => readIfThere(`${installation.database}${suffix}`)).join()
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

it('SERVER-B2: account create and list', async () => {
  const { out } = await installation.cli(['account', 'list', '--json'])
  expect(JSON.parse(out)).toEqual([
    { id: expect.any(String), name: 'Depot North', createdAt: expect.stringMatching(/Z$/) },
  ])
})

it('SERVER-B2, COST-L4: account set says whether sessions are settled when they complete', async () => {
  const set = ['account', 'set', '--automatic-settlement']
  expect(await installation.json([...set, 'on'])).toMatchObject({ name: 'Depot North', automaticSettlement: true })
  expect((await stored((reads) => reads.listAccounts()))[0]).toMatchObject({ automaticSettlement: true })
  expect(await installation.json([...set, 'off'])).not.toHaveProperty('automaticSettlement')
  expect(await installation.cli([...set, 'maybe'])).toMatchObject({ code: 2 })
  expect(await installation.cli(['account', 'set'])).toMatchObject({ code: 2 })
})

it('SERVER-B2, OIDC-O1, OIDC-L5, ADMIN-A1: user create prints a generated password once; only its hash is stored', async () => {
  const user = await installation.json(['user', 'create', '--email', 'ada@example.com', '--name', 'Ada'])
  expect(user).toMatchObject({ email: 'ada@example.com', name: 'Ada', role: 'administrator' })
  const second = await installation.json(['user', 'create', '--email', 'bob@example.com'])
  expect(second).toMatchObject({ role: 'member' })
  const row = await stored((reads) => reads.findUserByEmail('ADA@example.com'))
  expect(await verifyPassword(String(user.password), row?.passwordHash)).toBe(true)
  expect(onDisk()).not.toContain(String(user.password))
  const list = await installation.cli(['user', 'list', '--json'])
  expect(list.out).not.toMatch(/password|scrypt/)
})

it('SERVER-B2, OIDC-L5: a given password is not repeated, a file works, and passwd replaces it', async () => {
  const file = join(installation.folder, 'password.txt')
  writeFileSync(file, 'correct horse\n')
  const user = await installation.json(['user', 'create', '--email', 'a@b.c', '--password-file', file])
  expect(user).not.toHaveProperty('password')
  const again = await installation.cli(['user', 'create', '--email', 'A@b.c'])
  expect(again).toMatchObject({ code: 1, notes: expect.stringContaining('pilotwire user passwd A@b.c') })
  const changed = await installation.json(['user', 'passwd', 'a@b.c'])
  const row = await stored((reads) => reads.findUserByEmail('a@b.c'))
  expect(await verifyPassword(String(changed.password), row?.passwordHash)).toBe(true)
  expect(await verifyPassword('correct horse', row?.passwordHash)).toBe(false)
  expect(await installation.cli(['user', 'passwd', 'a@b.c', '--password', 'short'])).toMatchObject({ code: 2 })
  expect(await installation.cli(['user', 'passwd', 'x@y.z'])).toMatchObject({ code: 1 })
})

it('SERVER-B2, OIDC-O1: user disable marks the user, twice changes nothing', async () => {
  await installation.json(['user', 'create', '--email', 'a@b.c', '--password', 'correct horse', '--role', 'member'])
  const { disabledAt } = await installation.json(['user', 'disable', 'a@b.c'])
  expect(disabledAt).toMatch(/Z$/)
  expect(await installation.json(['user', 'disable', 'a@b.c'])).toMatchObject({ disabledAt })
  expect(await installation.cli(['user', 'disable', 'nobody@b.c'])).toMatchObject({ code: 1 })
})

it('SERVER-B2, OIDC-U7: credential create prints it once, list hides it, revoke takes id or text', async () => {
  const made = await installation.json([
    'credential',
    'create',
    '--name',
    'billing',
    '--expires',
    '2099-01-01T00:00:00Z',
  ])
  const text = String(made.credential)
  expect(parseCredential(text)).toEqual({ id: made.id })
  const row = await stored((reads) => reads.findCredential(String(made.id)))
  expect(row && checkCredential(text, row, Date.now())).toBe('valid')
  expect(made.expiresAt).toBe('2099-01-01T00:00:00.000Z')
  expect(onDisk()).not.toContain(text)
  const list = await installation.cli(['credential', 'list', '--json'])
  expect(list.out).not.toContain(text)
  expect(list.out).not.toMatch(/secretHash/)
  expect(await installation.json(['credential', 'revoke', text])).toMatchObject({
    id: made.id,
    revokedAt: expect.any(String),
  })
  expect(await installation.json(['credential', 'revoke', String(made.id)])).toHaveProperty('revokedAt')
  expect(await installation.cli(['credential', 'revoke', '0123456789abcdef'])).toMatchObject({ code: 1 })
})

it('SERVER-B2, OCPP-AU2: charge-point add keeps a keyed hash of the password it prints once', async () => {
  const made = await installation.json(['charge-point', 'add', 'EV 001', '--name', 'North', '--protocol', 'ocpp1.6'])
  expect(made).toMatchObject({
    id: 'EV 001',
    securityProfile: 1,
    protocols: ['ocpp1.6'],
    url: expect.stringContaining('/ocpp/EV%20001'),
  })
  const row = await stored((reads) => reads.findChargePoint('EV 001'))
  const key = readOrCreateSecretKey(installation.database, Buffer.alloc)
  expect(matchPassword(Buffer.from(String(made.password)), row?.passwordHash ?? '', key)).toBeDefined()
  expect(onDisk()).not.toContain(String(made.password))

  const changed = await installation.json(['charge-point', 'set-password', 'EV 001', '--password', 'sixteen letters!'])
  expect(changed).not.toHaveProperty('password')
  const after = await stored((reads) => reads.findChargePoint('EV 001'))
  expect(matchPassword(Buffer.from('sixteen letters!'), after?.passwordHash ?? '', key)).toBeDefined()
  expect(matchPassword(Buffer.from(String(made.password)), after?.passwordHash ?? '', key)).toBeUndefined()
  expect((await installation.cli(['charge-point', 'list'])).out).toMatch(/^EV 001 +North +1 +Accepted/m)
})

it('SERVER-B2, API-A5: no password only with security profile 0; 16 to 40 characters', async () => {
  const open = await installation.json(['charge-point', 'add', 'OPEN', '--security-profile', '0'])
  expect(open).not.toHaveProperty('password')
  expect((await stored((reads) => reads.findChargePoint('OPEN')))?.passwordHash).toBeUndefined()
  expect(await installation.cli(['charge-point', 'add', 'X', '--password', 'short'])).toMatchObject({ code: 2 })
  expect(await installation.cli(['charge-point', 'add', 'open'])).toMatchObject({
    code: 1,
    notes: expect.stringContaining('upper and lower case'),
  })
  expect(await installation.cli(['charge-point', 'add', 'OPEN'])).toMatchObject({ code: 1 })
  expect(await installation.cli(['charge-point', 'set-password', 'NONE'])).toMatchObject({ code: 1 })
  expect(await installation.cli(['charge-point', 'approve', 'NONE'])).toMatchObject({ code: 1 })
  expect(await installation.cli(['charge-point', 'approve', 'OPEN'])).toMatchObject({ code: 1 })
})

it('SERVER-B2, API-A5: with security profile 3 a charge point needs no password, when it is added and when it is approved', async () => {
  const profile = ['--security-profile', '3']
  const added = await installation.json(['charge-point', 'add', 'CERTIFIED', ...profile])
  expect(added).toMatchObject({ securityProfile: 3 })
  expect(added).not.toHaveProperty('password')
  const [account] = await stored((reads) => reads.listAccounts())
  await installation.json(['charge-point', 'add', 'COMES', ...profile])
  const server = openStore(installation.database)
  const change = { registrationStatus: 'Pending', securityProfile: 1 } as const
  await server.writes.updateChargePoint(account?.id ?? '', 'COMES', change)
  server.close()
  const approved = await installation.json(['charge-point', 'approve', 'COMES', ...profile])
  expect(approved).toMatchObject({ securityProfile: 3, registrationStatus: 'Accepted' })
  expect(approved).not.toHaveProperty('password')
  const both = ['charge-point', 'add', 'BOTH', ...profile, '--password', 'sixteen letters!']
  expect(await installation.cli(both)).toMatchObject({ code: 2 })
})

it('SERVER-B2: a password set for a charge point that needed none is needed from then on', async () => {
  await installation.json(['charge-point', 'add', 'DEV', '--security-profile', '0'])
  const { code, notes } = await installation.cli(['charge-point', 'set-password', 'DEV'])
  expect([code, notes]).toEqual([0, expect.stringContaining('security profile is 1 now')])
  expect(await stored((reads) => reads.findChargePoint('DEV'))).toMatchObject({
    securityProfile: 1,
    passwordHash: expect.any(String),
  })
})

it('SERVER-B2: --account is needed where a second account exists, by id or unambiguous name', async () => {
  const second = await installation.json(['account', 'create', '--name', 'Depot South'])
  const missing = await installation.cli(['user', 'list'])
  expect(missing).toMatchObject({ code: 2, notes: expect.stringContaining('Depot South') })
  expect(await installation.cli(['user', 'list', '--account', 'Depot East'])).toMatchObject({ code: 2 })
  const user = ['user', 'create', '--email', 'a@b.c', '--password', 'correct horse', '--account']
  expect(await installation.json([...user, 'Depot South'])).toMatchObject({ accountId: second.id })
  await installation.json(['account', 'create', '--name', 'Depot South'])
  expect(await installation.cli(['user', 'list', '--account', 'Depot South'])).toMatchObject({ code: 2 })
  expect((await installation.cli(['user', 'list', '--account', String(second.id)])).out).toContain('a@b.c')
})

it('SERVER-B2: works beside a process that has the database open', async () => {
  const server = openStore(installation.database)
  const before = server.core.registrationsVersion()
  await installation.json(['charge-point', 'add', 'EV-1'])
  expect(server.core.registrationsVersion()).not.toBe(before)
  server.close()
})

/** As if the newest migration had not been run yet. */
function makeOlder(): void {
  const db = new SqliteDatabase(installation.database)
  db.exec('DELETE FROM __drizzle_migrations WHERE created_at = (SELECT max(created_at) FROM __drizzle_migrations)')
  db.close()
}

it('a database of an older version: is not migrated under a server of that version that is still running', async () => {
  makeOlder()
  const lock = databaseIn(installation.database).lock()
  expect(await installation.cli(['account', 'create', '--name', 'Depot South'])).toMatchObject({
    code: 1,
    notes: expect.stringMatching(/Another Pilotwire server .* stop it/),
  })
  lock.release()
  expect(() => databaseIn(installation.database).openReader('all')).toThrow('older version')
})

it('names from people and stations cannot steer the terminal', async () => {
  await installation.json(['charge-point', 'add', 'EV-1'])
  const server = openStore(installation.database)
  await server.core.commit([{ chargePointId: 'EV-1', status: { vendor: '\u001b[2Jevil' } }])
  server.close()
  const { out } = await installation.cli(['charge-point', 'list'])
  expect(out).toContain('\\u001b[2Jevil')
  expect(out).not.toContain('\u001b')
})

it('a line feed in a name begins no line, and every answer leaves the terminal as it is', async () => {
  await installation.json(['charge-point', 'add', 'EV-2'])
  const server = openStore(installation.database)
  const vendor = 'evil\nEV-3  forged\u009b2J\u202e\u2028'
  await server.core.commit([{ chargePointId: 'EV-2', status: { vendor } }])
  server.close()
  const listed = await installation.cli(['charge-point', 'list'])
  expect(listed.out).toContain('evil\\nEV-3  forged\\u009b2J\\u202e\\u2028')
  expect(listed.out).not.toMatch(/^EV-3/m)
  const rows = await installation.cli(['charge-point', 'list', '--json'])
  expect(JSON.parse(rows.out)).toContainEqual(expect.objectContaining({ vendor }))
  const wrong = await installation.cli(['client', 'create', '--name', 'x', '--redirect-uri', 'https://a/\u009b\u202e'])
  for (const text of [listed.out, rows.out, wrong.notes]) {
    expect(text.replaceAll('\n', '')).toMatch(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u)
  }
})
