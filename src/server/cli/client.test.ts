import { afterAll, expect, it } from 'vitest'
import { testInstallation } from '../../../test/support/server/cli/testing.ts'

const REDIRECT = 'https://fleet.example.com/cb'
const installation = testInstallation()
await installation.json(['account', 'create', '--name', 'Depot'])
afterAll(() => installation.remove())

const create = (...more: string[]) => installation.json(['client', 'create', '--name', 'Fleet', ...more])

it('OIDC-G8, OIDC-O1: client create --json prints one object with the secret, and a sample address on stderr (OIDC-N2)', async () => {
  const { code, out, notes } = await installation.cli([
    'client',
    'create',
    '--name',
    'Fleet',
    '--redirect-uri',
    REDIRECT,
    '--json',
  ])
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({
    clientId: expect.stringMatching(/^[0-9a-f]{32}$/),
    clientSecret: expect.stringMatching(/^pws_[\w-]{43}$/),
    kind: 'confidential',
    applicationType: 'web',
    redirectUris: [REDIRECT],
  })
  expect(notes).toContain('/oauth/authorize?client_id=')
})

it('OIDC-G8: a public client has no secret; loopback addresses make it native', async () => {
  const client = await create(
    '--kind',
    'public',
    '--redirect-uri',
    'http://127.0.0.1/cb',
    '--scope',
    'openid sessions:read',
  )
  expect(client).toMatchObject({ kind: 'public', applicationType: 'native', scopes: ['openid', 'sessions:read'] })
  expect(client).not.toHaveProperty('clientSecret')
})

it.each([
  [['--redirect-uri', 'javascript:alert(1)'], 'scheme'],
  [['--redirect-uri', 'https://*.example.com/'], 'wildcard'],
  [['--redirect-uri', REDIRECT, '--scope', 'admin'], 'Unknown scope admin'],
])('OIDC-G4: client create %j is a usage error that says why', async (flags, sentence) => {
  const { code, notes } = await installation.cli(['client', 'create', '--name', 'X', ...flags])
  expect(code).toBe(2)
  expect(notes).toContain(sentence)
})

it('client list shows no secrets', async () => {
  const { out } = await installation.cli(['client', 'list', '--json'])
  expect(JSON.parse(out)).toHaveLength(2)
  expect(out).not.toContain('pws_')
  expect(out).not.toContain('hash')
})

it('OIDC-T4: client rotate-secret prints a new secret; public clients have none', async () => {
  const client = await create('--redirect-uri', REDIRECT)
  const rotated = await installation.json(['client', 'rotate-secret', String(client.clientId)])
  expect(rotated.clientSecret).toMatch(/^pws_/)
  expect(rotated.clientSecret).not.toBe(client.clientSecret)
  const open = await create('--kind', 'public', '--redirect-uri', REDIRECT)
  expect((await installation.cli(['client', 'rotate-secret', String(open.clientId)])).code).toBe(2)
  expect((await installation.cli(['client', 'rotate-secret', 'none'])).code).toBe(1)
})

it('OIDC-D8: keys rotate publishes a next key beside the active one', async () => {
  const made = await installation.json(['keys', 'rotate'])
  expect(made).toMatchObject({ state: 'next', until: expect.any(String) })
  const keys = JSON.parse((await installation.cli(['keys', 'list', '--json'])).out) as { state: string }[]
  expect(keys.map(({ state }) => state)).toEqual(['active', 'next'])
  expect(JSON.stringify(keys)).not.toMatch(/private|sealed/i)
})
