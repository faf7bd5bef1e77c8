import { expect, it } from 'vitest'
import { CERTIFICATES } from '../../test/support/sockets/tls.ts'
import { readSettings } from './read-settings.ts'
import { faultSentence } from './setting.ts'

const files = (contents: Record<string, string>) => (path: string) => {
  const text = contents[path]
  if (text === undefined) throw new Error(`ENOENT: no such file, open '${path}'`)
  return text
}
const noFiles = files({})

it('SERVER-A1: reports all faults at once, each with name, value, expectation and example', () => {
  const { settings, faults } = readSettings(
    { PILOTWIRE_PORT: 'eighty', PILOTWIRE_MODE: 'prod', PILOTWIRE_RETENTION_DAYS: '-1' },
    noFiles,
  )
  expect(settings).toBeUndefined()
  expect(faults.map(faultSentence)).toEqual([
    'PILOTWIRE_PORT is "eighty": expected a whole number from 0 to 65535, for example PILOTWIRE_PORT=8080',
    'PILOTWIRE_MODE is "prod": expected one of development, production, for example PILOTWIRE_MODE=production',
    'PILOTWIRE_RETENTION_DAYS is "-1": expected a whole number of days from 0 to 36500, for example PILOTWIRE_RETENTION_DAYS=90',
  ])
})

it('SERVER-A1: never repeats the value of a secret', () => {
  const { faults } = readSettings({ PILOTWIRE_SECRET_KEY: 'hunter2', PILOTWIRE_ADMIN_PASSWORD: 'pw4' }, noFiles)
  const text = faults.map(faultSentence).join()
  expect(text).toContain('PILOTWIRE_SECRET_KEY is hidden (7 characters)')
  expect(text).not.toMatch(/hunter2|pw4/)
})

it.each([
  ['PILOTWIRE_PROT', 'PILOTWIRE_PORT'],
  ['PILOTWIRE_DATABSE_URL', 'PILOTWIRE_DATABASE_URL'],
  ['PILOTWIRE_UNKNOWN_CHARGEPOINTS', 'PILOTWIRE_UNKNOWN_CHARGE_POINTS'],
])('SERVER-A1: warns about the unknown name %s and suggests %s', (name, near) => {
  const { settings, warnings } = readSettings({ [name]: '1' }, noFiles)
  expect(settings).toBeDefined()
  expect(warnings).toEqual([`${name} is no setting and is ignored; did you mean ${near}?`])
})

it('SERVER-A1: suggests nothing for a name unlike any, and leaves other programs and our own clients alone', () => {
  const environment = { PILOTWIRE_XYZZY_FROBNICATE: '1', PATH: '/bin', PILOTWIRE_API_CREDENTIAL: 'pwk_1_x' }
  expect(readSettings(environment, noFiles).warnings).toEqual([
    'PILOTWIRE_XYZZY_FROBNICATE is no setting and is ignored; see: pilotwire config print',
  ])
})

it('SERVER-A1: NAME_FILE reads the value from a file, without the line end', () => {
  const { settings, origins } = readSettings(
    { PILOTWIRE_ADMIN_PASSWORD_FILE: '/run/secrets/admin' },
    files({ '/run/secrets/admin': 'correct horse\n' }),
  )
  expect(settings?.adminPassword).toBe('correct horse')
  expect(origins.adminPassword).toBe('file')
  expect(origins.port).toBe('default')
})

it.each([
  ['missing', {}, 'PILOTWIRE_ADMIN_PASSWORD_FILE is "/s": expected a readable file, but ENOENT'],
  ['empty', { '/s': '\n' }, 'this one is empty'],
])('SERVER-A1: NAME_FILE with a %s file is a fault', (_, contents, sentence) => {
  const { faults } = readSettings({ PILOTWIRE_ADMIN_PASSWORD_FILE: '/s' }, files(contents))
  expect(faults.map(faultSentence).join()).toContain(sentence)
})

it('SERVER-A1: credentials in an address that is refused are not repeated', () => {
  const { faults } = readSettings({ PILOTWIRE_DATABASE_URL: 'mysql://pw:geheim@db/x' }, files({}))
  expect(faults.map(faultSentence).join()).toMatch(/is "mysql:\/\/\(hidden\)@db\/x"/)
})

it('SERVER-A1, STORE-N6: nodes of a PostgreSQL server need one secret key, which none of them makes by itself', () => {
  const databaseUrl = { PILOTWIRE_DATABASE_URL: 'postgres://u:geheim@db/x' }
  const { faults } = readSettings(databaseUrl, files({}))
  expect(faults.map(faultSentence).join()).toMatch(/^PILOTWIRE_SECRET_KEY is not set: .*the same for every node/)
  const key = Buffer.alloc(32, 7).toString('base64')
  expect(readSettings({ ...databaseUrl, PILOTWIRE_SECRET_KEY: key }, files({})).faults).toEqual([])
})

it('SERVER-A1: NAME and NAME_FILE together are a fault', () => {
  const { faults } = readSettings({ PILOTWIRE_PORT: '1', PILOTWIRE_PORT_FILE: '/s' }, files({ '/s': '2' }))
  expect(faults.map(faultSentence).join()).toContain('PILOTWIRE_PORT is set as well')
})

it('SERVER-A1: PILOTWIRE_TLS_CERT_FILE is a path itself, not the file form of another setting', () => {
  const tls = { PILOTWIRE_TLS_CERT_FILE: '/c', PILOTWIRE_TLS_KEY_FILE: '/k' }
  const pem = files({ '/c': CERTIFICATES.first.cert, '/k': CERTIFICATES.first.key })
  const { settings, warnings } = readSettings(tls, pem)
  expect(settings).toMatchObject({ tlsCertFiles: ['/c'], tlsKeyFiles: ['/k'], baseUrl: 'https://localhost:8080' })
  expect(warnings).toEqual([])
  expect(readSettings(tls, noFiles).faults).toHaveLength(2)
  expect(readSettings({ PILOTWIRE_TLS_CERT_FILE: '/c' }, pem).faults[0]?.name).toBe('PILOTWIRE_TLS_KEY_FILE')
  expect(readSettings({ PILOTWIRE_TLS_CERT_FILE_FILE: '/c' }, pem).warnings).toHaveLength(1)
})

it('SERVER-A1: an empty value counts as not set', () => {
  expect(readSettings({ PILOTWIRE_PORT: '', PILOTWIRE_ADMIN_PASSWORD: ' ' }, noFiles).settings?.port).toBe(8080)
})

it('SERVER-A1: the default base URL follows the port', () => {
  expect(readSettings({ PILOTWIRE_PORT: '9000' }, noFiles).settings).toMatchObject({
    baseUrl: 'http://localhost:9000',
    dashboardUrl: 'http://localhost:9000/dashboard',
  })
})

it.each([
  ['http://localhost:8080', 'development'],
  ['http://127.8.9.1', 'development'],
  ['http://[::1]:8080', 'development'],
  ['http://pilotwire.localhost', 'development'],
  ['http://2130706433', 'development'],
  ['https://localhost.example.com', 'production'],
  ['https://10.0.0.1', 'production'],
  ['https://128.0.0.1', 'production'],
])('SERVER-A2: %s means %s', (baseUrl, mode) => {
  expect(readSettings({ PILOTWIRE_BASE_URL: baseUrl }, noFiles).settings?.mode).toBe(mode)
})

it('SERVER-A2: production refuses all four, development allows them on this machine only', () => {
  expect(readSettings({ PILOTWIRE_MODE: 'production' }, noFiles).settings).toMatchObject({
    host: '0.0.0.0',
    unknownChargePoints: 'reject',
    unknownIdTokens: 'reject',
    registration: 'off',
    webhookAllowPrivate: [],
  })
  expect(readSettings({}, noFiles).settings).toMatchObject({ host: '127.0.0.1', unknownChargePoints: 'accept' })
})

it.each([
  [{ PILOTWIRE_HOST: '0.0.0.0' }, 'PILOTWIRE_HOST=0.0.0.0 in development mode'],
  [
    { PILOTWIRE_BASE_URL: 'https://example.com', PILOTWIRE_MODE: 'development' },
    'PILOTWIRE_BASE_URL=https://example.com in development mode',
  ],
])('SERVER-A2: development mode that others can reach is warned about: %o', (environment, sentence) => {
  expect(readSettings(environment, noFiles).warnings.join()).toContain(sentence)
})

it.each([
  ['https://x.example.com/charging', 'https://x.example.com/charging', 1],
  ['https://x.example.com/a/b', 'https://dash.example.com/a', 1],
  ['https://x.example.com', 'https://x.example.com/2', 1],
  ['https://x.example.com', 'https://x.example.com/1/oauth', 1],
  ['https://x.example.com/charging', 'https://x.example.com/charging/sessions', 1],
  ['https://x.example.com', 'https://x.example.com/ocpp/pages', 1],
  ['https://x.example.com/charging', 'https://x.example.com/2/pages', 1],
  ['https://x.example.com/charging', 'https://x.example.com/charging/dashboard', 0],
  ['https://x.example.com/charging', 'https://dash.example.com', 0],
  ['https://x.example.com', 'https://x.example.com', 0],
  ['https://x.example.com', 'https://x.example.com/1st', 0],
  ['https://x.example.com/charging', 'https://x.example.com/charg', 0],
])('SERVER-A4: a dashboard that would hide the API: base %s, dashboard %s: %i faults', (base, dashboard, count) => {
  const { faults } = readSettings({ PILOTWIRE_BASE_URL: base, PILOTWIRE_DASHBOARD_URL: dashboard }, noFiles)
  expect(faults.map(({ name }) => name)).toEqual(Array<string>(count).fill('PILOTWIRE_DASHBOARD_URL'))
})

it.each([
  [{ PILOTWIRE_BASE_URL: 'http://charging.example.com' }, 1],
  [{ PILOTWIRE_BASE_URL: 'http://192.168.1.5:8080', PILOTWIRE_MODE: 'development' }, 1],
  [{ PILOTWIRE_DASHBOARD_URL: 'http://dash.example.com' }, 1],
  [{ PILOTWIRE_BASE_URL: 'http://charging.example.com', PILOTWIRE_ALLOW_HTTP: 'true' }, 0],
  [{ PILOTWIRE_BASE_URL: 'http://127.0.0.1:1' }, 0],
  [{ PILOTWIRE_BASE_URL: 'https://charging.example.com' }, 0],
])('OIDC-X3: plain http: %o has %d faults', (environment, count) => {
  expect(readSettings(environment, noFiles).faults).toHaveLength(count)
})

it.each([
  [{ PILOTWIRE_REGISTRATION: 'token' }, 'PILOTWIRE_REGISTRATION_TOKEN is not set'],
  [{ PILOTWIRE_REGISTRATION_TOKEN: '0123456789abcdef' }, 'PILOTWIRE_REGISTRATION is "open": expected token'],
])('OIDC-G1: registration and its token belong together: %o is refused', (environment, sentence) => {
  expect(readSettings(environment, noFiles).faults.map(faultSentence).join()).toContain(sentence)
})

it('AFIR-A1: a feed for callers with the token does not start without one', () => {
  const { faults } = readSettings({ PILOTWIRE_AFIR: 'token' }, noFiles)
  expect(faults.map(faultSentence).join()).toContain('PILOTWIRE_AFIR_TOKEN is not set')
})

const PUSH = { PILOTWIRE_AFIR_PUSH_URL: 'https://nap.example.com/' }
const PUSH_CERT = { PILOTWIRE_AFIR_PUSH_CERT_FILE: '/own.crt' }
const PUSH_KEY = { PILOTWIRE_AFIR_PUSH_KEY_FILE: '/own.key' }

it.each([
  [{ PILOTWIRE_AFIR_PUSH_TOKEN: 'secret' }, 'PILOTWIRE_AFIR_PUSH_URL is not set'],
  [PUSH_KEY, 'PILOTWIRE_AFIR_PUSH_URL is not set'],
  [{ ...PUSH, ...PUSH_CERT }, 'PILOTWIRE_AFIR_PUSH_KEY_FILE is not set: expected together with its other half'],
  [{ ...PUSH, ...PUSH_KEY }, 'PILOTWIRE_AFIR_PUSH_CERT_FILE is not set: expected together with its other half'],
  [{ ...PUSH, ...PUSH_CERT, ...PUSH_KEY }, 'PILOTWIRE_AFIR_PUSH_CERT_FILE is "/own.crt": expected a certificate'],
])('AFIR-A2: a push needs an address, and a certificate its key: %o is refused', (environment, sentence) => {
  const { faults } = readSettings(environment, () => 'neither')
  expect(faults.map(faultSentence).join()).toContain(sentence)
})

it('OCPP21-C8: the service for VAT numbers needs a secret', () => {
  const { faults } = readSettings({ PILOTWIRE_VAT_HOOK_URL: 'https://pay.example.com/vat-numbers' }, noFiles)
  expect(faults.map(faultSentence).join()).toContain('PILOTWIRE_VAT_HOOK_SECRET is not set')
})
