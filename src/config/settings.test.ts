import { expect, it } from 'vitest'
import { ocppRows, type Row, row, seconds, ssoRows } from '../../test/support/config/rows.ts'
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
  port: row('PILOTWIRE_PORT', 8080, [0, 65_535], ['65536', 'http', '80.5', '-1', '1e3']),
  tlsCertFiles: row('PILOTWIRE_TLS_CERT_FILE', undefined, [['/tls.crt', ['/tls.crt']]], [',', '/tls.crt,'], {
    beside: { PILOTWIRE_TLS_KEY_FILE: '/tls.key' },
  }),
  tlsKeyFiles: row('PILOTWIRE_TLS_KEY_FILE', undefined, [['/tls.key', ['/tls.key']]], [','], {
    beside: { PILOTWIRE_TLS_CERT_FILE: '/tls.crt' },
  }),
  baseUrl: row(
    'PILOTWIRE_BASE_URL',
    'http://localhost:8080',
    [
      ['http://127.0.0.1:9000/', 'http://127.0.0.1:9000'],
      ['https://API.example.com:443', 'https://api.example.com'],
      ['https://example.com/pilotwire/', 'https://example.com/pilotwire'],
    ],
    [
      'localhost:8080',
      'ws://localhost',
      'https://u:p@example.com',
      'https://example.com/?x=1',
      'https://example.com/#x',
      '/',
    ],
    { production: 'https://charging.example.com' },
  ),
  mode: row('PILOTWIRE_MODE', 'development', ['production', 'development'], ['prod', 'Production'], {
    production: 'production',
  }),
  host: row('PILOTWIRE_HOST', '127.0.0.1', ['::', '10.0.0.1', 'localhost'], ['http://localhost', 'a b', '-x'], {
    production: '0.0.0.0',
  }),
  metricsPort: row('PILOTWIRE_METRICS_PORT', 'shared', [['0', 0], ['9464', 9464], 'shared'], ['65536', 'none', '-1'], {
    production: 9080,
  }),
  metricsHost: row('PILOTWIRE_METRICS_HOST', '127.0.0.1', ['10.0.0.5'], ['10.0.0.5:80', 'a b']),
  dashboardUrl: row(
    'PILOTWIRE_DASHBOARD_URL',
    'http://localhost:8080/dashboard',
    [['https://dashboard.example.com/', 'https://dashboard.example.com']],
    ['dashboard', 'ftp://example.com'],
    { production: 'https://charging.example.com/dashboard' },
  ),
  allowHttp: row('PILOTWIRE_ALLOW_HTTP', false, [true, false], ['yes', '1']),
  trustedProxies: row(
    'PILOTWIRE_TRUSTED_PROXIES',
    [],
    [
      ['10.0.0.0/8, fd00::/8', ['10.0.0.0/8', 'fd00::/8']],
      ['192.0.2.7', ['192.0.2.7/32']],
      ['::1', ['::1/128']],
      ['none', []],
    ],
    ['10.0.0.0/33', '10.0.0/8', 'proxy.example.com', '10.0.0.0/8,', '10.0.0.0/8/8', 'fe80::1%eth0', '10.0.0.0/'],
  ),
  databaseUrl: row(
    'PILOTWIRE_DATABASE_URL',
    'file:data/pilotwire.db',
    ['file:/var/lib/p.db', 'file:///var/lib/p.db'],
    ['data/pilotwire.db', 'file:', 'file::memory:', 'file:x.db?mode=ro', 'mysql://db/pilotwire', 'file://host/x.db'],
  ),
  nodeName: row(
    'PILOTWIRE_NODE_NAME',
    undefined,
    ['pilotwire-1', 'db.example.com:8080'],
    ['two words', '-a', 'x'.repeat(101), 'Knötchen'],
  ),
  rebalancePercent: row('PILOTWIRE_REBALANCE', 1, [0, 100], ['101', '1%', '0.5']),
  stopDelaySeconds: row('PILOTWIRE_STOP_DELAY', 5, [['0', 0]], ['-1', '301', 'soon']),
  secretKey: row(
    'PILOTWIRE_SECRET_KEY',
    undefined,
    [
      [Buffer.alloc(32, 7).toString('base64'), Buffer.alloc(32, 7)],
      [Buffer.alloc(32, 255).toString('base64url'), Buffer.alloc(32, 255)],
    ],
    ['short', Buffer.alloc(31).toString('base64'), Buffer.alloc(33).toString('base64'), 'A'.repeat(42)],
  ),
  retentionDays: seconds('PILOTWIRE_RETENTION_DAYS', 400, '36501', 0),
  signedRetentionDays: seconds('PILOTWIRE_SIGNED_RETENTION_DAYS', 0, '36501', 0),
  auditRetentionDays: seconds('PILOTWIRE_AUDIT_RETENTION_DAYS', 0, '36501', 0),
  fileMaxSize: row('PILOTWIRE_FILE_MAX_SIZE', 2 ** 31, [['1048576', 1_048_576]], ['0', '2GiB', String(2 ** 40 + 1)]),
  diskReserve: row('PILOTWIRE_DISK_RESERVE', 1_073_741_824, [['0', 0]], ['1GiB', '-1']),
  logQuota: row('PILOTWIRE_LOG_QUOTA', 68_719_476_736, [['0', 0]], ['lots', '-1']),
  timeZone: row('PILOTWIRE_TIME_ZONE', 'UTC', ['Europe/Berlin'], ['Berlin', '+02:00', 'Mars/Phobos']),
  smtpUrl: row(
    'PILOTWIRE_SMTP_URL',
    undefined,
    ['smtp://localhost:2525', 'smtps://me:p%40ss@mail.example.com'],
    ['http://mail.example.com', 'smtp://', 'smtp://user@host', 'smtp://host/path', 'smtp://host:0', 'mail:25'],
  ),
  smtpAllowPlain: row('PILOTWIRE_SMTP_ALLOW_PLAIN', false, [['true', true]], ['yes', '1']),
  mailFrom: row(
    'PILOTWIRE_MAIL_FROM',
    'pilotwire@localhost',
    ['a.b+c@example.com', 'Depot Süd <depot@example.com>'],
    ['depot', 'a@b@c', 'a@b, c@d', 'A <a@b> <c@d>', 'a@b\r\nBcc: c@d', 'A\u0007 <a@b>', '"A" <a@b>'],
    { production: 'pilotwire@charging.example.com' },
  ),
  mailLanguage: row('PILOTWIRE_MAIL_LANGUAGE', 'en', ['de'], ['DE', 'fr']),
  alertIntervalSeconds: seconds('PILOTWIRE_ALERT_INTERVAL', 30, '3601', 1),
  afir: row('PILOTWIRE_AFIR', 'off', ['public', 'off'], ['yes', 'Public']),
  afirToken: row('PILOTWIRE_AFIR_TOKEN', undefined, ['0123456789abcdef'], ['short'], {
    beside: { PILOTWIRE_AFIR: 'token' },
  }),
  afirPushUrl: row(
    'PILOTWIRE_AFIR_PUSH_URL',
    undefined,
    ['https://nap.example.com:8443/publication/1?id=1'],
    ['http://nap.example.com', 'nap.example.com', 'https://me:pw@nap.example.com', 'https://nap.example.com/#1'],
  ),
  afirPushToken: row('PILOTWIRE_AFIR_PUSH_TOKEN', undefined, ['a token'], ['x'.repeat(4097)], {
    beside: { PILOTWIRE_AFIR_PUSH_URL: 'https://nap.example.com' },
  }),
  afirPushCertFile: row('PILOTWIRE_AFIR_PUSH_CERT_FILE', undefined, ['/own.crt'], [], {
    beside: { PILOTWIRE_AFIR_PUSH_URL: 'https://nap.example.com', PILOTWIRE_AFIR_PUSH_KEY_FILE: '/own.key' },
  }),
  afirPushKeyFile: row('PILOTWIRE_AFIR_PUSH_KEY_FILE', undefined, ['/own.key'], [], {
    beside: { PILOTWIRE_AFIR_PUSH_URL: 'https://nap.example.com', PILOTWIRE_AFIR_PUSH_CERT_FILE: '/own.crt' },
  }),
  logLevel: row('PILOTWIRE_LOG_LEVEL', 'info', ['silent'], ['loud', 'INFO']),
  ...ocppRows,
  ...ssoRows,
  adminEmail: row(
    'PILOTWIRE_ADMIN_EMAIL',
    'admin@localhost',
    ['ops@example.com'],
    ['ops', 'a b@example.com', `${'x'.repeat(255)}@example.com`],
  ),
  adminPassword: row('PILOTWIRE_ADMIN_PASSWORD', undefined, ['correct horse'], ['seven77', 'x'.repeat(1025)]),
  registration: row('PILOTWIRE_REGISTRATION', 'open', ['off'], ['true', 'token'], { production: 'off' }),
  registrationToken: row('PILOTWIRE_REGISTRATION_TOKEN', undefined, ['0123456789abcdef'], ['short'], {
    beside: { PILOTWIRE_REGISTRATION: 'token' },
  }),
  registrationRate: row('PILOTWIRE_REGISTRATION_RATE', 10, [['0', 0]], ['-1', 'x', '1.5']),
  oauthBasic: row('PILOTWIRE_OAUTH_BASIC', false, [['true', true]], ['yes']),
  oauthConfirmNative: row('PILOTWIRE_OAUTH_CONFIRM_NATIVE', false, [['true', true]], ['yes']),
  oauthRevokeEndsGrant: row('PILOTWIRE_OAUTH_REVOKE_ENDS_GRANT', false, [['true', true]], ['yes']),
  accessTokenTtlSeconds: seconds('PILOTWIRE_ACCESS_TOKEN_TTL', 3600, '999999999'),
  refreshTokenTtlSeconds: seconds('PILOTWIRE_REFRESH_TOKEN_TTL', 2_592_000, '999999999'),
  codeTtlSeconds: seconds('PILOTWIRE_CODE_TTL', 60, '601'),
  idTokenTtlSeconds: seconds('PILOTWIRE_ID_TOKEN_TTL', 3600, '999999999'),
  interactionTtlSeconds: seconds('PILOTWIRE_INTERACTION_TTL', 1800, '86401'),
  refreshGraceSeconds: seconds('PILOTWIRE_REFRESH_GRACE', 0, '61', 0),
  rateV1: seconds('PILOTWIRE_RATE_V1', 60, '1000001', 0),
  certificateProvider: row('PILOTWIRE_CERTIFICATE_PROVIDER', 'internal', ['manual', 'internal'], ['none', 'HTTP']),
  certificateHookUrl: row(
    'PILOTWIRE_CERTIFICATE_HOOK_URL',
    undefined,
    ['https://pki.example.com/sign'],
    ['pki.example.com', 'https://user@pki.example.com/'],
  ),
  certificateHookSecret: row('PILOTWIRE_CERTIFICATE_HOOK_SECRET', undefined, ['0123456789abcdef'], ['short']),
  organization: row('PILOTWIRE_ORGANIZATION', undefined, ['Example Charging Ltd'], []),
  clientCaFile: row('PILOTWIRE_CLIENT_CA_FILE', undefined, ['/client-ca.pem'], []),
  clientCertHeader: row(
    'PILOTWIRE_CLIENT_CERT_HEADER',
    'x-ssl-client-cert',
    [['X-Client-Cert', 'x-client-cert']],
    ['x client', 'x_client:', '-x'],
  ),
  rateV2: seconds('PILOTWIRE_RATE_V2', 300, '1000001', 0),
  rateApi: seconds('PILOTWIRE_RATE_API', 12_000, '1000001', 0),
  webhookFiguresIntervalSeconds: seconds('PILOTWIRE_WEBHOOK_FIGURES_INTERVAL', 30, '86401', 0),
  webhookScheduleSeconds: row(
    'PILOTWIRE_WEBHOOK_SCHEDULE',
    [5, 30, 120, 600, 1800, 3600, 10_800, 21_600, 43_200, 86_400, 86_400],
    [
      ['1,2,4', [1, 2, 4]],
      ['none', []],
    ],
    ['1,,2', '1s', '-1', '1209601'],
  ),
  webhookAllowPrivate: row(
    'PILOTWIRE_WEBHOOK_ALLOW_PRIVATE',
    ['127.0.0.0/8', '::1/128'],
    [
      ['10.1.2.0/24', ['10.1.2.0/24']],
      ['none', []],
    ],
    ['internal'],
    { production: [] },
  ),
}

// SERVER-A1: the table of settings
for (const [member, setting] of Object.entries(table) as [keyof Settings, Row][]) {
  it(`${setting.name} has its defaults`, () => {
    expect(read({})[member]).toEqual(setting.development)
    expect(read(production)[member]).toEqual('production' in setting ? setting.production : setting.development)
  })
  it.each(setting.good)(`${setting.name}=%s is accepted`, (text, value) => {
    expect(read({ ...setting.beside, [setting.name]: text })[member]).toEqual(value)
  })
  it.each(setting.bad)(`${setting.name}=%s is refused by name, value, expectation and example`, (text) => {
    const { settings, faults } = readSettings({ ...setting.beside, [setting.name]: text }, pem)
    expect(settings).toBeUndefined()
    expect(faults).toHaveLength(1)
    const [fault] = faults
    expect(fault?.name.startsWith(setting.name)).toBe(true)
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
