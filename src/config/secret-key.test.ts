import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { loadConfig } from './read-settings.ts'
import { readOrCreateSecretKey, secretKeyFile } from './secret-key.ts'
import { ConfigurationError } from './setting.ts'

let folder: string
let database: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pilotwire-key-'))
  database = join(folder, 'new', 'pilotwire.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

// SERVER-A3: the secret key
it('is made once into a file of mode 0600 beside the database and read ever after', () => {
  const key = readOrCreateSecretKey(database, randomBytes)
  expect(key).toHaveLength(32)
  expect(statSync(secretKeyFile(database)).mode & 0o777).toBe(0o600)
  expect(readOrCreateSecretKey(database, randomBytes)).toEqual(key)
  expect(readdirSync(join(folder, 'new'))).toEqual(['pilotwire.db.key'])
})

it('of two processes at once the first one wins', () => {
  let other: Buffer | undefined
  const key = readOrCreateSecretKey(database, (bytes) => {
    other ??= readOrCreateSecretKey(database, randomBytes)
    return randomBytes(bytes)
  })
  expect(key).toEqual(other)
})

it('a database without its key is refused, not given a new one', () => {
  readOrCreateSecretKey(database, randomBytes)
  rmSync(secretKeyFile(database))
  writeFileSync(database, 'SQLite format 3')
  expect(() => readOrCreateSecretKey(database, randomBytes)).toThrow(/the file is gone; restore it/)
  expect(existsSync(secretKeyFile(database))).toBe(false)
})

it('a damaged key file is refused and left alone', () => {
  readOrCreateSecretKey(database, randomBytes)
  writeFileSync(secretKeyFile(database), 'torn')
  expect(() => readOrCreateSecretKey(database, randomBytes)).toThrow(ConfigurationError)
})

it('a key that cannot be read is not answered with the advice to make another one', () => {
  mkdirSync(secretKeyFile(database), { recursive: true })
  expect(() => readOrCreateSecretKey(database, randomBytes)).toThrow(/EISDIR.*the right to read it$/)
})

it('a folder that cannot be written is a configuration fault', () => {
  const locked = join(folder, 'locked')
  writeFileSync(locked, 'a file where a folder should be')
  expect(() => readOrCreateSecretKey(join(locked, 'x.db'), randomBytes)).toThrow(ConfigurationError)
  chmodSync(locked, 0o600)
})

it('a key in the environment leaves no file', () => {
  const key = randomBytes(32)
  const { config } = loadConfig(
    {
      PILOTWIRE_DATABASE_URL: `file:${database}`,
      PILOTWIRE_SECRET_KEY: key.toString('base64'),
    },
    randomBytes,
  )
  expect(config.secretKey).toEqual(key)
  expect(existsSync(secretKeyFile(database))).toBe(false)
})
