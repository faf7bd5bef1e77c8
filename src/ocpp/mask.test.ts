import fc from 'fast-check'
import { expect, it } from 'vitest'
import { everyMessage } from '../../test/support/ocpp/testing.ts'
import { forRuns } from '../../test/support/property.ts'
import { mask, maskText, maskUnreadable, PLAIN_ACTIONS } from './mask.ts'
import { type Schema, schemaOf } from './schema/schemas.ts'
import { validatorFor } from './schema/validators.ts'

const PEM = '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n-----END EC PRIVATE KEY-----'

const QR = { name: 'WebPaymentsCtrlr', evse: { id: 1 } }

function masked(payload: unknown): unknown {
  return JSON.parse(mask(JSON.stringify(payload), payload))
}

/** A payload with its secrets, or with what stands in their places. */
type Payload = (secret: (text: string | number) => unknown) => unknown

it.each<[string, Payload]>([
  ['AuthorizationKey in 1.6 set', (secret) => ({ key: 'AuthorizationKey', value: secret('aa') })],
  ['its case and vendors', (secret) => ({ key: ' authorizationKEY', value: secret('aa') })],
  [
    'AuthorizationKey in the answer to GetConfiguration',
    (secret) => ({
      configurationKey: [
        { key: 'AuthorizationKey', readonly: false, value: secret('aa') },
        { key: 'WiFiPassword', value: secret('b') },
        { key: 'A', value: 'c' },
      ],
    }),
  ],
  [
    'what is hidden among the variables of the charge point, and what only looks like it',
    (secret) => ({
      configurationKey: [
        { key: 'WifiPin', value: secret('9') },
        { key: 'ApiToken', value: secret('t') },
        { key: 'PinLength', value: '4' },
        { key: 'MeterPublicKey1', value: '3059' },
      ],
      reportData: [{ variable: { name: 'Slot', instance: 'Wifi Key' }, variableAttribute: [{ value: secret('k') }] }],
    }),
  ],
  [
    'the secret of QR codes in SetVariables, GetVariables and NotifyEvent',
    (secret) => ({
      setVariableData: [{ component: QR, variable: { name: 'SharedSecret' }, attributeValue: secret('s') }],
      getVariableResult: [{ component: QR, variable: { name: 'SharedSecret' }, attributeValue: secret('s') }],
      eventData: [{ component: QR, variable: { name: 'SharedSecret' }, actualValue: secret('s') }],
    }),
  ],
  [
    'BasicAuthPassword in SetVariables',
    (secret) => ({
      setVariableData: [
        { component: { name: 'SecurityCtrlr' }, variable: { name: 'BasicAuthPassword' }, attributeValue: secret('p') },
      ],
    }),
  ],
  [
    'write-only variables in NotifyReport',
    (secret) => ({
      reportData: [
        {
          variable: { name: 'X' },
          variableAttribute: [
            { value: secret('p'), mutability: 'WriteOnly' },
            { value: '1', mutability: 'ReadOnly' },
          ],
        },
      ],
    }),
  ],
  [
    'password variables in NotifyReport, whatever their mutability',
    (secret) => ({
      reportData: [
        { variable: { name: 'BasicAuthPassword' }, variableAttribute: [{ value: secret('p'), type: 'Actual' }] },
      ],
    }),
  ],
  [
    'secrets of SetNetworkProfile',
    (secret) => ({
      connectionData: {
        apn: { apn: 'a', apnPassword: secret('p'), simPin: secret(1234) },
        vpn: { server: 's', user: 'u', password: secret('p'), key: secret('k'), type: 'IKEv2' },
      },
    }),
  ],
  ['KeyCode tokens', (secret) => ({ idToken: { idToken: secret('1234'), type: 'KeyCode' } })],
  ['private keys inside text', (secret) => ({ data: `here: ${secret(PEM)} end` })],
  [
    'the password of an address, and nothing else of it',
    (secret) => ({
      location: `ftp://a:${secret('b')}@h:21/c`,
      text: `ftp://a:${secret('b/c#d')}@h, HTTPS://a:${secret('')}@h and wss://a%40b:${secret('c:d')}@h`,
    }),
  ],
  ['cut private keys', (secret) => ({ data: secret(PEM.slice(0, 50)) })],
])('OCPP-LG5: %s', (_name, payload) => {
  expect(masked(payload((text) => text))).toEqual(payload(() => '***'))
})

it('OCPP-LG5: an escaped name hides nothing', () => {
  const text = '{"key":"\\u0041uthorizationKey","value":"aa"}'
  expect(mask(text, JSON.parse(text))).not.toContain('"aa"')
})

it.each([
  'https://example.com:8080/a:b@c',
  'https://example.com/?mail=a:b@c.example',
  'ftp://anonymous@example.com/',
  'http://[::1]:8080/a@b',
  'a:b@c.example',
])('OCPP-LG5: %s holds no password and is kept', (url) => {
  expect(masked({ url })).toEqual({ url })
})

it.each(['://a:', '://', '-----BEGIN A', '"value":"'])('OCPP-RP12: a megabyte of %j is no burden', (part) => {
  const text = `@PRIVATE KEY ${part.repeat(1_000_000 / part.length)}`
  expect(maskText(text)).toBe(text)
  expect(maskUnreadable(`${text}\\`)).toContain('PRIVATE KEY')
})

it.each(everyMessage)('OCPP-LG5: $protocol $action keeps its exact text', ({ request }) => {
  const text = JSON.stringify(request, undefined, 1)
  expect(mask(text, request)).toBe(text)
})

it.each(
  (['ocpp1.6', 'ocpp2.0.1'] as const).flatMap((protocol) => [...PLAIN_ACTIONS].map((action) => ({ protocol, action }))),
)('OCPP-LG5: a valid $action of $protocol hides what it hides without its name', ({ protocol, action }) => {
  const schema = schemaOf(protocol, action, 'req')
  const valid = validatorFor(protocol, action, 'req', 'quick')
  if (!schema || !valid) return
  forRuns(500)(asSchemaSays(schema, schema.definitions ?? {}), (payload) => {
    expect(valid(payload)).toBe(true)
    const text = JSON.stringify(payload)
    expect(mask(text, payload, action)).toBe(mask(text, payload))
  })
})

it('OCPP-LG5: the code that a driver typed is hidden in a valid TransactionEvent', () => {
  const event = { eventType: 'Started', idToken: { idToken: '1234', type: 'KeyCode' } }
  expect(mask(JSON.stringify(event), event, 'TransactionEvent')).not.toContain('1234')
})

it('OCPP-LG5: text that only looks suspicious is kept exactly', () => {
  const text = '{ "key" : "HeartbeatInterval", "value" : "\\u0041 password" }'
  expect(mask(text, JSON.parse(text))).toBe(text)
})

it('OCPP-RP12: extreme depth is hidden, not walked', () => {
  const text = `{"key":"password","deep":${'['.repeat(50_000)}"KeyCode"${']'.repeat(50_000)}}`
  const result = mask(text, JSON.parse(text))
  expect(result.length).toBeLessThan(1_000)
  expect(result).not.toContain('KeyCode')
})

it('a payload that is no object is text like any other', () => {
  expect(mask('"password"', 'password')).toBe('"password"')
  expect(mask('null', null)).toBe('null')
})

const SECRET_TEXTS = [
  PEM.replaceAll('\n', ' '),
  'ftp://a:b@h',
  `/files/${'x'.repeat(43)}`,
  'password',
  'KeyCode',
  'AuthorizationKey',
]

/** Payloads that a schema allows; where it leaves texts and members to the sender they are secret. */
function asSchemaSays(schema: Schema, definitions: Readonly<Record<string, Schema>>): fc.Arbitrary<unknown> {
  const { $ref, type, enum: values, format, maxLength = 100, items = {}, properties = {}, required = [] } = schema
  const named = $ref && definitions[$ref.slice('#/definitions/'.length)]
  if (named) return asSchemaSays(named, definitions)
  if (values) return fc.constantFrom(...values)
  if (format !== undefined) return fc.constant('2026-03-01T11:00:05Z')
  if (type === 'string') {
    const secrets = SECRET_TEXTS.map((text) => text.slice(0, maxLength))
    return fc.oneof({ weight: 30, arbitrary: fc.constant('12') }, fc.constantFrom(...secrets))
  }
  if (type === 'boolean') return fc.boolean()
  if (type === 'integer' || type === 'number') return fc.nat(9)
  if (type === 'array') return fc.array(asSchemaSays(items, definitions), { minLength: 1, maxLength: 2 })
  const members = Object.entries(properties).map(([name, member]) => [name, asSchemaSays(member, definitions)])
  const more = schema.additionalProperties === false ? {} : { key: fc.constant('AuthorizationKey'), value: fc.string() }
  const all = { ...(Object.fromEntries(members) as Record<string, fc.Arbitrary<unknown>>), ...more }
  return fc.record(all, { requiredKeys: required as string[] as [] })
}
