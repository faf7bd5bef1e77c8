import { expect, it } from 'vitest'
import { ocppRows, type Row, seconds, ssoRows } from '../../test/support/config/rows.ts'
import { CERTIFICATES } from '../../test/support/sockets/tls.ts'
import type { Settings } from './config.ts'
import { type Environment, readSettings } from './read-settings.ts'
import { settingRows } from './settings.ts'

/** Certificate and key in one file. */
const pem = (): string => CERTIFICATES.first.cert + CERTIFICATES.first.key
const production = { PILOTWIRE_BASE_URL: 'https://charging.example.com' }

function read(environment: Environment): Settings {
  const { settings, faults } = readSettings(environment, pem)
  expect(faults).toEqual([])
  if (!settings) throw new Error('The settings were refused.')
  return settings
}

const table: Record<keyof Settings, Row> = {
  port: {
    name: 'PILOTWIRE_PORT',
    development: 8080,
    good: [
      ['0', 0],
      ['65535', 65535],
    ],
    bad: ['65536', 'http', '80.5', '-1', '1e3'],
  },
  tlsCertFiles: {
    name: 'PILOTWIRE_TLS_CERT_FILE',
    development: undefined,
    good: [['/tls.crt', ['/tls.crt']]],
    bad: [',', '/tls.crt,'],
    beside: { PILOTWIRE_TLS_KEY_FILE: '/tls.key' },
  },
  tlsKeyFiles: {
    name: 'PILOTWIRE_TLS_KEY_FILE',
    development: undefined,
    good: [['/tls.key', ['/tls.key']]],
    bad: [','],
    beside: { PILOTWIRE_TLS_CERT_FILE: '/tls.crt' },
  },
  baseUrl: {
    name: 'PILOTWIRE_BASE_URL',
    development: 'http://localhost:8080',
    production: 'https://charging.example.com',
    good: [
      ['http://127.0.0.1:9000/', 'http://127.0.0.1:9000'],
      ['https://API.example.com:443', 'https://api.example.com'],
      ['https://example.com/pilotwire/', 'https://example.com/pilotwire'],
    ],
    bad: [
      'localhost:8080',
      'ws://localhost',
      'https://u:p@example.com',
      'https://example.com/?x=1',
      'https://example.com/#x',
      '/',
    ],
  },
  mode: {
    name: 'PILOTWIRE_MODE',
    development: 'development',
    production: 'production',
    good: [
      ['production', 'production'],
      ['development', 'development'],
    ],
    bad: ['prod', 'Production'],
  },
  host: {
    name: 'PILOTWIRE_HOST',
    development: '127.0.0.1',
    production: '0.0.0.0',
    good: [
      ['::', '::'],
      ['10.0.0.1', '10.0.0.1'],
      ['localhost', 'localhost'],
    ],
    bad: ['http://localhost', 'a b', '-x'],
  },
  metricsPort: {
    name: 'PILOTWIRE_METRICS_PORT',
    development: 'shared',
    production: 9080,
    good: [
      ['0', 0],
      ['9464', 9464],
      ['shared', 'shared'],
    ],
    bad: ['65536', 'none', '-1'],
  },
  metricsHost: {
    name: 'PILOTWIRE_METRICS_HOST',
    development: '127.0.0.1',
    good: [['10.0.0.5', '10.0.0.5']],
    bad: ['10.0.0.5:80', 'a b'],
  },
  dashboardUrl: {
    name: 'PILOTWIRE_DASHBOARD_URL',
    development: 'http://localhost:8080/dashboard',
    production: 'https://charging.example.com/dashboard',
    good: [['https://dashboard.example.com/', 'https://dashboard.example.com']],
    bad: ['dashboard', 'ftp://example.com'],
  },
  allowHttp: {
    name: 'PILOTWIRE_ALLOW_HTTP',
    development: false,
    good: [
      ['true', true],
      ['false', false],
    ],
    bad: ['yes', '1'],
  },
  trustedProxies: {
    name: 'PILOTWIRE_TRUSTED_PROXIES',
    development: [],
    good: [
      ['10.0.0.0/8, fd00::/8', ['10.0.0.0/8', 'fd00::/8']],
      ['192.0.2.7', ['192.0.2.7/32']],
      ['::1', ['::1/128']],
      ['none', []],
    ],
    bad: ['10.0.0.0/33', '10.0.0/8', 'proxy.example.com', '10.0.0.0/8,', '10.0.0.0/8/8', 'fe80::1%eth0', '10.0.0.0/'],
  },
  databaseUrl: {
    name: 'PILOTWIRE_DATABASE_URL',
    development: 'file:data/pilotwire.db',
    good: [
      ['file:/var/lib/p.db', 'file:/var/lib/p.db'],
      ['file:///var/lib/p.db', 'file:///var/lib/p.db'],
    ],
    bad: [
      'data/pilotwire.db',
      'file:',
      'file::memory:',
      'file:x.db?mode=ro',
      'mysql://db/pilotwire',
      'file://host/x.db',
    ],
  },
  nodeName: {
    name: 'PILOTWIRE_NODE_NAME',
    development: undefined,
    good: [
      ['pilotwire-1', 'pilotwire-1'],
      ['db.example.com:8080', 'db.example.com:8080'],
    ],
    bad: ['two words', '-a', 'x'.repeat(101), 'Knötchen'],
  },
  rebalancePercent: {
    name: 'PILOTWIRE_REBALANCE',
    development: 1,
    good: [
      ['0', 0],
      ['100', 100],
    ],
    bad: ['101', '1%', '0.5'],
  },
  stopDelaySeconds: {
    name: 'PILOTWIRE_STOP_DELAY',
    development: 5,
    good: [['0', 0]],
    bad: ['-1', '301', 'soon'],
  },
  secretKey: {
    name: 'PILOTWIRE_SECRET_KEY',
    development: undefined,
    good: [
      [Buffer.alloc(32, 7).toString('base64'), Buffer.alloc(32, 7)],
      [Buffer.alloc(32, 255).toString('base64url'), Buffer.alloc(32, 255)],
    ],
    bad: ['short', Buffer.alloc(31).toString('base64'), Buffer.alloc(33).toString('base64'), 'A'.repeat(42)],
  },
  retentionDays: seconds('PILOTWIRE_RETENTION_DAYS', 400, '36501', 0),
  signedRetentionDays: seconds('PILOTWIRE_SIGNED_RETENTION_DAYS', 0, '36501', 0),
  auditRetentionDays: seconds('PILOTWIRE_AUDIT_RETENTION_DAYS', 0, '36501', 0),
  fileMaxSize: {
    name: 'PILOTWIRE_FILE_MAX_SIZE',
    development: 2 ** 31,
    good: [['1048576', 1_048_576]],
    bad: ['0', '2GiB', String(2 ** 40 + 1)],
  },
  diskReserve: {
    name: 'PILOTWIRE_DISK_RESERVE',
    development: 1_073_741_824,
    good: [['0', 0]],
    bad: ['1GiB', '-1'],
  },
  logQuota: {
    name: 'PILOTWIRE_LOG_QUOTA',
    development: 68_719_476_736,
    good: [['0', 0]],
    bad: ['lots', '-1'],
  },
  timeZone: {
    name: 'PILOTWIRE_TIME_ZONE',
    development: 'UTC',
    good: [['Europe/Berlin', 'Europe/Berlin']],
    bad: ['Berlin', '+02:00', 'Mars/Phobos'],
  },
  smtpUrl: {
    name: 'PILOTWIRE_SMTP_URL',
    development: undefined,
    good: [
      ['smtp://localhost:2525', 'smtp://localhost:2525'],
      ['smtps://me:p%40ss@mail.example.com', 'smtps://me:p%40ss@mail.example.com'],
    ],
    bad: ['http://mail.example.com', 'smtp://', 'smtp://user@host', 'smtp://host/path', 'smtp://host:0', 'mail:25'],
  },
  smtpAllowPlain: {
    name: 'PILOTWIRE_SMTP_ALLOW_PLAIN',
    development: false,
    good: [['true', true]],
    bad: ['yes', '1'],
  },
  mailFrom: {
    name: 'PILOTWIRE_MAIL_FROM',
    development: 'pilotwire@localhost',
    production: 'pilotwire@charging.example.com',
    good: [
      ['a.b+c@example.com', 'a.b+c@example.com'],
      ['Depot Süd <depot@example.com>', 'Depot Süd <depot@example.com>'],
    ],
    bad: ['depot', 'a@b@c', 'a@b, c@d', 'A <a@b> <c@d>', 'a@b\r\nBcc: c@d', 'A\u0007 <a@b>', '"A" <a@b>'],
  },
  mailLanguage: { name: 'PILOTWIRE_MAIL_LANGUAGE', development: 'en', good: [['de', 'de']], bad: ['DE', 'fr'] },
  alertIntervalSeconds: seconds('PILOTWIRE_ALERT_INTERVAL', 30, '3601', 1),
  logLevel: { name: 'PILOTWIRE_LOG_LEVEL', development: 'info', good: [['silent', 'silent']], bad: ['loud', 'INFO'] },
  ...ocppRows,
  ...ssoRows,
  adminEmail: {
    name: 'PILOTWIRE_ADMIN_EMAIL',
    development: 'admin@localhost',
    good: [['ops@example.com', 'ops@example.com']],
    bad: ['ops', 'a b@example.com', `${'x'.repeat(255)}@example.com`],
  },
  adminPassword: {
    name: 'PILOTWIRE_ADMIN_PASSWORD',
    development: undefined,
    good: [['correct horse', 'correct horse']],
    bad: ['seven77', 'x'.repeat(1025)],
  },
  registration: {
    name: 'PILOTWIRE_REGISTRATION',
    development: 'open',
    production: 'off',
    good: [['off', 'off']],
    bad: ['true', 'token'],
  },
  registrationToken: {
    name: 'PILOTWIRE_REGISTRATION_TOKEN',
    development: undefined,
    good: [['0123456789abcdef', '0123456789abcdef']],
    bad: ['short'],
    beside: { PILOTWIRE_REGISTRATION: 'token' },
  },
  registrationRate: { name: 'PILOTWIRE_REGISTRATION_RATE', development: 10, good: [['0', 0]], bad: ['-1', 'x', '1.5'] },
  oauthBasic: { name: 'PILOTWIRE_OAUTH_BASIC', development: false, good: [['true', true]], bad: ['yes'] },
  oauthConfirmNative: {
    name: 'PILOTWIRE_OAUTH_CONFIRM_NATIVE',
    development: false,
    good: [['true', true]],
    bad: ['yes'],
  },
  oauthRevokeEndsGrant: {
    name: 'PILOTWIRE_OAUTH_REVOKE_ENDS_GRANT',
    development: false,
    good: [['true', true]],
    bad: ['yes'],
  },
  accessTokenTtlSeconds: seconds('PILOTWIRE_ACCESS_TOKEN_TTL', 3600, '999999999'),
  refreshTokenTtlSeconds: seconds('PILOTWIRE_REFRESH_TOKEN_TTL', 2_592_000, '999999999'),
  codeTtlSeconds: seconds('PILOTWIRE_CODE_TTL', 60, '601'),
  idTokenTtlSeconds: seconds('PILOTWIRE_ID_TOKEN_TTL', 3600, '999999999'),
  interactionTtlSeconds: seconds('PILOTWIRE_INTERACTION_TTL', 1800, '86401'),
  refreshGraceSeconds: seconds('PILOTWIRE_REFRESH_GRACE', 0, '61', 0),
  rateV1: seconds('PILOTWIRE_RATE_V1', 60, '1000001', 0),
  certificateProvider: {
    name: 'PILOTWIRE_CERTIFICATE_PROVIDER',
    development: 'internal',
    good: [
      ['manual', 'manual'],
      ['internal', 'internal'],
    ],
    bad: ['none', 'HTTP'],
  },
  certificateHookUrl: {
    name: 'PILOTWIRE_CERTIFICATE_HOOK_URL',
    development: undefined,
    good: [['https://pki.example.com/sign', 'https://pki.example.com/sign']],
    bad: ['pki.example.com', 'https://user@pki.example.com/'],
  },
  certificateHookSecret: {
    name: 'PILOTWIRE_CERTIFICATE_HOOK_SECRET',
    development: undefined,
    good: [['0123456789abcdef', '0123456789abcdef']],
    bad: ['short'],
  },
  organization: {
    name: 'PILOTWIRE_ORGANIZATION',
    development: undefined,
    good: [['Example Charging Ltd', 'Example Charging Ltd']],
    bad: [],
  },
  clientCaFile: {
    name: 'PILOTWIRE_CLIENT_CA_FILE',
    development: undefined,
    good: [['/client-ca.pem', '/client-ca.pem']],
    bad: [],
  },
  clientCertHeader: {
    name: 'PILOTWIRE_CLIENT_CERT_HEADER',
    development: 'x-ssl-client-cert',
    good: [['X-Client-Cert', 'x-client-cert']],
    bad: ['x client', 'x_client:', '-x'],
  },
  rateV2: seconds('PILOTWIRE_RATE_V2', 300, '1000001', 0),
  rateApi: seconds('PILOTWIRE_RATE_API', 12_000, '1000001', 0),
  webhookFiguresIntervalSeconds: seconds('PILOTWIRE_WEBHOOK_FIGURES_INTERVAL', 30, '86401', 0),
  webhookScheduleSeconds: {
    name: 'PILOTWIRE_WEBHOOK_SCHEDULE',
    development: [5, 30, 120, 600, 1800, 3600, 10_800, 21_600, 43_200, 86_400, 86_400],
    good: [
      ['1,2,4', [1, 2, 4]],
      ['none', []],
    ],
    bad: ['1,,2', '1s', '-1', '1209601'],
  },
  webhookAllowPrivate: {
    name: 'PILOTWIRE_WEBHOOK_ALLOW_PRIVATE',
    development: ['127.0.0.0/8', '::1/128'],
    production: [],
    good: [
      ['10.1.2.0/24', ['10.1.2.0/24']],
      ['none', []],
    ],
    bad: ['internal'],
  },
}

// SERVER-A1: the table of settings
for (const [member, row] of Object.entries(table) as [keyof Settings, Row][]) {
  it(`${row.name} has its defaults`, () => {
    expect(read({})[member]).toEqual(row.development)
    expect(read(production)[member]).toEqual('production' in row ? row.production : row.development)
  })
  it.each(row.good)(`${row.name}=%s is accepted`, (text, value) => {
    expect(read({ ...row.beside, [row.name]: text })[member]).toEqual(value)
  })
  it.each(row.bad)(`${row.name}=%s is refused by name, value, expectation and example`, (text) => {
    const { settings, faults } = readSettings({ ...row.beside, [row.name]: text }, pem)
    expect(settings).toBeUndefined()
    expect(faults).toHaveLength(1)
    const [fault] = faults
    expect(fault?.name.startsWith(row.name)).toBe(true)
    expect(fault?.problem).toMatch(/expected/)
    expect(fault?.example).toBeTruthy()
  })
}

it('has a row in this test for each setting, and a default that reads back to itself', () => {
  for (const [member, setting] of settingRows) {
    expect(table[member].name).toBe(setting.name)
    const value = read({})[member]
    if (value !== undefined) expect(setting.read(setting.show(value))).toEqual(value)
  }
})

it('refuses what every kind must refuse: a NUL, a megabyte, an object', () => {
  for (const [, setting] of settingRows) {
    expect(() => setting.read('\u0000')).not.toThrow()
    expect(() => setting.read('9'.repeat(1_000_000))).not.toThrow()
    expect(() => setting.read('{"$eq":1}')).not.toThrow()
  }
})
