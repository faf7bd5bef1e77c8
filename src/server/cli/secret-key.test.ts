import { randomBytes } from 'node:crypto'
import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { installationOfEachTest, startCli } from '../../../test/support/server/cli/testing.ts'
import { secretKeyFile } from '../../config/secret-key.ts'

const newKey = (): string => randomBytes(32).toString('base64')

const installation = installationOfEachTest('Depot North')

const serve = (environment: Readonly<Record<string, string>> = {}) =>
  startCli(['serve', '--json'], { ...installation.environment, ...environment }, installation.folder)

// SERVER-A3: another secret key than the one of the database
it('is noticed by serve, by whatever writes and by doctor, with what to do; 3 is the exit code', async () => {
  writeFileSync(secretKeyFile(installation.database), `${newKey()}\n`, { mode: 0o600 })
  const { code, out, notes } = await serve().ended
  expect({ code, out }).toEqual({ code: 3, out: '' })
  expect(notes).toContain('PILOTWIRE_SECRET_KEY is another key')
  expect(notes).toContain(`restore ${secretKeyFile(installation.database)} from its backup`)
  expect(notes).toContain('pilotwire keys accept-secret')
  expect((await installation.cli(['charge-point', 'add', 'EV-1'])).code).toBe(3)
  const { checks } = JSON.parse((await installation.cli(['doctor', '--json'])).out) as { checks: unknown }
  const detail = expect.stringContaining('accept-secret')
  expect(checks).toContainEqual({ check: 'secret key', status: 'failed', detail })
})

it('is noticed in the environment, too, and the right one is welcome there', async () => {
  const environment = { PILOTWIRE_SECRET_KEY: newKey() }
  expect((await serve(environment).ended).code).toBe(3)
  const { code, out } = await installation.cli(['doctor', '--json'], environment)
  expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('It is another key') })
})

it('is accepted once somebody says that the old one is lost, which then is none any more', async () => {
  const environment = { PILOTWIRE_SECRET_KEY: newKey() }
  expect(await installation.json(['keys', 'accept-secret'], environment)).toMatchObject({ replaced: true })
  expect(await installation.json(['keys', 'accept-secret'], environment)).toMatchObject({ replaced: false })
  const server = serve(environment)
  expect(await server.firstLine).toContain('"url"')
  server.process.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
  expect((await serve().ended).code).toBe(3)
})

it('a backup starts elsewhere when its key comes along, and only then', async () => {
  const database = join(installation.folder, 'elsewhere.db')
  const there = { PILOTWIRE_DATABASE_URL: `file:${database}` }
  await installation.json(['backup', database])
  copyFileSync(secretKeyFile(installation.database), secretKeyFile(database))
  expect((await installation.cli(['charge-point', 'add', 'EV-1'], there)).code).toBe(0)
  rmSync(secretKeyFile(database))
  expect((await installation.cli(['charge-point', 'add', 'EV-2'], there)).code).toBe(3)
  writeFileSync(secretKeyFile(database), newKey(), { mode: 0o600 })
  expect((await installation.cli(['charge-point', 'add', 'EV-2'], there)).code).toBe(3)
})
