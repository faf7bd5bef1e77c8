/** What a row of the test of the settings says of one setting, and the rows of those that concern OCPP. */
import type { Environment } from '../../../src/config/read-settings.ts'
import type { ssoSettings } from '../../../src/config/settings.ts'
import type { ocppSettings } from '../../../src/config/settings-ocpp.ts'

export interface Row {
  readonly name: string
  readonly development: unknown
  /** Where it differs from development. */
  readonly production?: unknown
  readonly good: readonly (readonly [text: string, value: unknown])[]
  readonly bad: readonly string[]
  /** Settings that the good values need beside them. */
  readonly beside?: Environment
}

/** @param good values that are written as they are, or texts with their values */
export const row = (
  name: string,
  development: unknown,
  good: readonly (string | number | boolean | readonly [text: string, value: unknown])[],
  bad: readonly string[],
  more: Pick<Row, 'production' | 'beside'> = {},
): Row => ({
  name,
  development,
  good: good.map((one) => (typeof one === 'object' ? one : [String(one), one])),
  bad,
  ...more,
})

export const seconds = (name: string, fallback: number, tooMuch: string, least = 1): Row => ({
  name,
  development: fallback,
  good: [[String(least), least]],
  bad: ['-1', '1.5', 'soon', tooMuch, ...(least > 0 ? ['0'] : [])],
})

export const ocppRows: Record<keyof typeof ocppSettings, Row> = {
  unknownChargePoints: {
    name: 'PILOTWIRE_UNKNOWN_CHARGE_POINTS',
    development: 'accept',
    production: 'reject',
    good: [['pending', 'pending']],
    bad: ['yes'],
  },
  unknownIdTokens: {
    name: 'PILOTWIRE_UNKNOWN_ID_TOKENS',
    development: 'accept',
    production: 'reject',
    good: [['reject', 'reject']],
    bad: ['pending'],
  },
  concurrentTransactions: {
    name: 'PILOTWIRE_CONCURRENT_TRANSACTIONS',
    development: 'accept',
    good: [['reject', 'reject']],
    bad: ['refuse'],
  },
  receiptUrl: row(
    'PILOTWIRE_RECEIPT_URL',
    undefined,
    ['https://pay.example.com/{pspRef}'],
    ['no', 'https://a.example'],
  ),
  vatHookUrl: row(
    'PILOTWIRE_VAT_HOOK_URL',
    undefined,
    ['https://pay.example.com/vat-numbers'],
    ['pay.example.com', 'https://user@pay.example.com/'],
    { beside: { PILOTWIRE_VAT_HOOK_SECRET: '0123456789abcdef' } },
  ),
  vatHookSecret: row('PILOTWIRE_VAT_HOOK_SECRET', undefined, ['0123456789abcdef'], ['short']),
  voltage: {
    name: 'PILOTWIRE_VOLTAGE',
    development: 230,
    good: [
      ['120', 120],
      ['277', 277],
    ],
    bad: ['0', '99', '1001', '230.5', '-230', '230V'],
  },
  ocppValidation: {
    name: 'PILOTWIRE_OCPP_VALIDATION',
    development: 'lenient',
    good: [['strict', 'strict']],
    bad: ['off'],
  },
  ocppReports: {
    name: 'PILOTWIRE_OCPP_REPORTS',
    development: 'automatic',
    good: [['manual', 'manual']],
    bad: ['off'],
  },
  ocppMaxFrame: {
    name: 'PILOTWIRE_OCPP_MAX_FRAME',
    development: 1_048_576,
    good: [['1024', 1024]],
    bad: ['1023', '1M', '999999999'],
  },
  ocppCallTimeoutSeconds: seconds('PILOTWIRE_OCPP_CALL_TIMEOUT', 30, '3601'),
  ocppPingIntervalSeconds: seconds('PILOTWIRE_OCPP_PING_INTERVAL', 45, '3601'),
  ocppWithoutPong: {
    name: 'PILOTWIRE_OCPP_WITHOUT_PONG',
    development: [],
    good: [
      ['EV-1, RDAM%20123', ['EV-1', 'RDAM 123']],
      ['a%2Cb', ['a,b']],
      ['none', []],
    ],
    bad: ['EV-1,,EV-2', '%E0%A4%A'],
  },
  ocppVersions: {
    name: 'PILOTWIRE_OCPP_VERSIONS',
    development: ['1.6', '2.0.1'],
    good: [
      ['2.1', ['2.1']],
      ['1.6,2.0.1,2.1', ['1.6', '2.0.1', '2.1']],
    ],
    bad: ['2.2', 'ocpp2.1', '1.6,'],
  },
  ocppProtocolOrder: {
    name: 'PILOTWIRE_OCPP_PROTOCOL_ORDER',
    development: 'client',
    good: [['server', 'server']],
    bad: ['newest'],
  },
  ocppTolerantProtocols: {
    name: 'PILOTWIRE_OCPP_TOLERANT_PROTOCOLS',
    development: false,
    good: [['true', true]],
    bad: ['yes'],
  },
  ocppMaxUpgrades: { name: 'PILOTWIRE_OCPP_MAX_UPGRADES', development: 200, good: [['1', 1]], bad: ['0', '100001'] },
  ocppMaxQueue: seconds('PILOTWIRE_OCPP_MAX_QUEUE', 20_000, '10000001', 0),
  ocppMaxLagMs: seconds('PILOTWIRE_OCPP_MAX_LAG', 3000, '60001', 0),
  heartbeatIntervalSeconds: seconds('PILOTWIRE_HEARTBEAT_INTERVAL', 300, '86401'),
  remoteStartTimeoutSeconds: seconds('PILOTWIRE_REMOTE_START_TIMEOUT', 600, '1209601'),
  orphanTimeoutSeconds: seconds('PILOTWIRE_ORPHAN_TIMEOUT', 900, '1209601'),
}

const sso = {
  PILOTWIRE_SSO_ISSUER: 'https://login.example.com',
  PILOTWIRE_SSO_CLIENT_ID: 'pilotwire',
  PILOTWIRE_SSO_ROLES: 'admins=administrator',
}

export const ssoRows: Record<keyof typeof ssoSettings, Row> = {
  ssoIssuer: {
    name: 'PILOTWIRE_SSO_ISSUER',
    development: undefined,
    good: [
      ['https://login.example.com/o/pilotwire/', 'https://login.example.com/o/pilotwire/'],
      ['http://127.0.0.1:8081/realms/a', 'http://127.0.0.1:8081/realms/a'],
    ],
    bad: ['login.example.com', 'https://login.example.com/?x=1', 'https://u:p@login.example.com', 'http://10.0.0.1/'],
    beside: sso,
  },
  ssoClientId: {
    name: 'PILOTWIRE_SSO_CLIENT_ID',
    development: undefined,
    good: [['a b', 'a b']],
    bad: [],
    beside: sso,
  },
  ssoClientSecret: {
    name: 'PILOTWIRE_SSO_CLIENT_SECRET',
    development: undefined,
    good: [['s', 's']],
    bad: ['x'.repeat(1025)],
    beside: sso,
  },
  ssoRoleClaim: { name: 'PILOTWIRE_SSO_ROLE_CLAIM', development: 'roles', good: [['a.b', 'a.b']], bad: [] },
  ssoRoles: {
    name: 'PILOTWIRE_SSO_ROLES',
    development: undefined,
    good: [
      [
        'a=viewer, b c=operator',
        [
          ['a', 'viewer'],
          ['b c', 'operator'],
        ].map(([name, role]) => ({ name, role })),
      ],
      ['cn=x%2Cou=y=administrator', [{ name: 'cn=x,ou=y', role: 'administrator' }]],
    ],
    bad: ['admins', 'admins=root', '=viewer', 'a=viewer,', '%E0%A4%A=viewer'],
    beside: sso,
  },
  passwordSignIn: {
    name: 'PILOTWIRE_PASSWORD_SIGN_IN',
    development: 'on',
    good: [['break-glass', 'break-glass']],
    bad: ['off', 'true'],
    beside: sso,
  },
}
