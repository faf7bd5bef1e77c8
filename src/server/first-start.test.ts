import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openStore } from '../../test/support/storage/testing.ts'
import { aUser } from '../../test/support/storage-contract/records.ts'
import { checkCredential } from '../domain/accounts/credentials.ts'
import { verifyPassword } from '../domain/accounts/password.ts'
import type { FileStore } from '../storage/database.ts'
import { firstStart } from './first-start.ts'

const NOW = Date.UTC(2026, 10, 21)
let folder: string
let store: FileStore

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pilotwire-first-'))
  store = openStore(join(folder, 'x.db'))
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true })
})

const start = (config: { adminEmail: string; adminPassword?: string }) =>
  firstStart(store.reads, store.writes, config, 'one', randomBytes, NOW)

// SERVER-C1: the first start
it('makes the account, an administrator and an API credential, with nothing by default', async () => {
  const { first } = await start({ adminEmail: 'admin@localhost' })
  const [account] = await store.reads.listAccounts()
  const [user] = await store.reads.listUsers(account?.id ?? '')
  const [credential] = await store.reads.listCredentials(account?.id ?? '')
  expect(first).toMatchObject({ accountId: account?.id, email: 'admin@localhost', credentialId: credential?.id })
  expect(user?.role).toBe('administrator')
  expect(await verifyPassword(first?.password ?? '', user?.passwordHash)).toBe(true)
  expect(credential && checkCredential(first?.credential ?? '', credential, NOW)).toBe('valid')
})

it('happens once', async () => {
  expect(await start({ adminEmail: 'admin@localhost', adminPassword: 'correct horse' })).toHaveProperty('first')
  expect(await start({ adminEmail: 'other@localhost', adminPassword: 'correct horse' })).toEqual({})
  expect(await store.reads.listAccounts()).toHaveLength(1)
})

it('OIDC-O1: takes e-mail and password from the settings and does not repeat the password', async () => {
  const { first } = await start({ adminEmail: 'ops@example.com', adminPassword: 'correct horse' })
  expect(first).not.toHaveProperty('password')
  const user = await store.reads.findUserByEmail('ops@example.com')
  expect(await verifyPassword('correct horse', user?.passwordHash)).toBe(true)
})

it('completes an account that nobody can get into yet, and leaves any other alone', async () => {
  await store.writes.createAccount({ id: 'a1', name: 'Depot North', createdAt: NOW })
  expect(await start({ adminEmail: 'admin@localhost', adminPassword: 'correct horse' })).toMatchObject({
    first: { accountId: 'a1' },
  })
  expect(await store.reads.listAccounts()).toHaveLength(1)
})

it('refuses an administrator whose address a user of another account has, and makes nothing', async () => {
  await store.writes.createAccount({ id: 'a1', name: 'Depot North', createdAt: NOW })
  await store.writes.createAccount({ id: 'a2', name: 'Depot South', createdAt: NOW + 1 })
  await store.writes.createUser(aUser({ accountId: 'a2', email: 'admin@localhost' }))
  await expect(start({ adminEmail: 'admin@localhost' })).rejects.toThrow('PILOTWIRE_ADMIN_EMAIL')
  expect(await store.reads.listCredentials('a1')).toEqual([])
})

it('SERVER-C6: says which server made the first account when it was another one a moment ago', async () => {
  await start({ adminEmail: 'admin@localhost', adminPassword: 'correct horse' })
  const later = (node: string, ms: number) =>
    firstStart(store.reads, store.writes, { adminEmail: 'admin@localhost' }, node, randomBytes, NOW + ms)
  expect(await later('two', 1000)).toEqual({ madeElsewhere: { node: 'one', at: NOW } })
  expect(await later('one', 1000)).toEqual({})
  expect(await later('two', 3_600_000)).toEqual({})
})
