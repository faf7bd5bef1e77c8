import { describe, expect, it } from 'vitest'
import { mask, maskUnreadable } from './mask.ts'
import { maskText } from './mask-text.ts'
import { everyMessage } from './testing.ts'

const PEM = '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n-----END EC PRIVATE KEY-----'

function masked(payload: unknown): unknown {
  return JSON.parse(mask(JSON.stringify(payload), payload))
}

describe('mask', () => {
  it.each<[string, unknown, unknown]>([
    [
      'AuthorizationKey in ChangeConfiguration',
      { key: 'AuthorizationKey', value: 'aa' },
      { key: 'AuthorizationKey', value: '***' },
    ],
    [
      'its case and vendor spellings',
      { key: ' authorizationKEY', value: 'aa' },
      { key: ' authorizationKEY', value: '***' },
    ],
    [
      'AuthorizationKey in the answer to GetConfiguration',
      {
        configurationKey: [
          { key: 'AuthorizationKey', readonly: false, value: 'aa' },
          { key: 'WiFiPassword', value: 'b' },
          { key: 'A', value: 'c' },
        ],
      },
      {
        configurationKey: [
          { key: 'AuthorizationKey', readonly: false, value: '***' },
          { key: 'WiFiPassword', value: '***' },
          { key: 'A', value: 'c' },
        ],
      },
    ],
    [
      'what is hidden among the variables of the charge point, and what only looks like it',
      {
        configurationKey: [
          { key: 'WifiPin', value: '9' },
          { key: 'ApiToken', value: 't' },
          { key: 'PinLength', value: '4' },
          { key: 'MeterPublicKey1', value: '3059' },
        ],
        reportData: [{ variable: { name: 'Slot', instance: 'Wifi Key' }, variableAttribute: [{ value: 'k' }] }],
      },
      {
        configurationKey: [
          { key: 'WifiPin', value: '***' },
          { key: 'ApiToken', value: '***' },
          { key: 'PinLength', value: '4' },
          { key: 'MeterPublicKey1', value: '3059' },
        ],
        reportData: [{ variable: { name: 'Slot', instance: 'Wifi Key' }, variableAttribute: [{ value: '***' }] }],
      },
    ],
    [
      'BasicAuthPassword in SetVariables',
      {
        setVariableData: [
          { component: { name: 'SecurityCtrlr' }, variable: { name: 'BasicAuthPassword' }, attributeValue: 'p' },
        ],
      },
      {
        setVariableData: [
          { component: { name: 'SecurityCtrlr' }, variable: { name: 'BasicAuthPassword' }, attributeValue: '***' },
        ],
      },
    ],
    [
      'write-only variables in NotifyReport',
      {
        reportData: [
          {
            variable: { name: 'X' },
            variableAttribute: [
              { value: 'p', mutability: 'WriteOnly' },
              { value: '1', mutability: 'ReadOnly' },
            ],
          },
        ],
      },
      {
        reportData: [
          {
            variable: { name: 'X' },
            variableAttribute: [
              { value: '***', mutability: 'WriteOnly' },
              { value: '1', mutability: 'ReadOnly' },
            ],
          },
        ],
      },
    ],
    [
      'password variables in NotifyReport, whatever their mutability',
      {
        reportData: [{ variable: { name: 'BasicAuthPassword' }, variableAttribute: [{ value: 'p', type: 'Actual' }] }],
      },
      {
        reportData: [
          { variable: { name: 'BasicAuthPassword' }, variableAttribute: [{ value: '***', type: 'Actual' }] },
        ],
      },
    ],
    [
      'secrets of SetNetworkProfile',
      {
        connectionData: {
          apn: { apn: 'a', apnPassword: 'p', simPin: 1234 },
          vpn: { server: 's', user: 'u', password: 'p', key: 'k', type: 'IKEv2' },
        },
      },
      {
        connectionData: {
          apn: { apn: 'a', apnPassword: '***', simPin: '***' },
          vpn: { server: 's', user: 'u', password: '***', key: '***', type: 'IKEv2' },
        },
      },
    ],
    [
      'KeyCode tokens',
      { idToken: { idToken: '1234', type: 'KeyCode' } },
      { idToken: { idToken: '***', type: 'KeyCode' } },
    ],
    ['private keys inside text', { data: `here: ${PEM} end` }, { data: 'here: *** end' }],
    [
      'the password of an address, and nothing else of it',
      { location: 'ftp://a:b@h:21/c', text: 'ftp://a:b/c#d@h, HTTPS://a:@h and wss://a%40b:c:d@h' },
      { location: 'ftp://a:***@h:21/c', text: 'ftp://a:***@h, HTTPS://a:***@h and wss://a%40b:***@h' },
    ],
    ['cut private keys', { data: `${PEM.slice(0, 50)}` }, { data: '***' }],
  ])('OCPP-LG5: %s', (_name, payload, expected) => {
    expect(masked(payload)).toEqual(expected)
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
})
