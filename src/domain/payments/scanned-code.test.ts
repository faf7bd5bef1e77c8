import { expect, it } from 'vitest'
import { possibleStations, readScannedCode } from './scanned-code.ts'

const PATH = 'https://pay.example/{chargingstationid}/{evse}/{totp}/{version}'
const QUERY = 'https://pay.example/p?cs={chargingstationid}&e={evse}&t={totp}'
const CODE = { station: 'CP 1', evse: '2', totp: 'aB3', version: 'v1' }

it.each([
  ['in its path', PATH, 'https://pay.example/CP%201/2/aB3/v1', CODE],
  [
    'with limits',
    PATH,
    'https://pay.example/CP%201/2/aB3/v1?maxtime=60&maxcost=4.5',
    { ...CODE, maxtime: '60', maxcost: '4.5' },
  ],
  [
    'with limits behind its own query',
    QUERY,
    'https://pay.example/p?cs=CP%201&e=2&t=aB3&maxenergy=9',
    { ...CODE, version: undefined, maxenergy: '9' },
  ],
  [
    'with two values in one part',
    'https://pay.example/{evse}-{totp}.{version}',
    'https://pay.example/2-aB3.v1',
    { ...CODE, station: undefined },
  ],
  ['with a fragment', PATH, 'https://pay.example/CP%201/2/aB3/v1#top', CODE],
  ['of another host', PATH, 'https://evil.example/CP%201/2/aB3/v1', undefined],
  ['that goes on', PATH, 'https://pay.example/CP%201/2/aB3/v1/more', undefined],
  ['with a part missing', PATH, 'https://pay.example/CP%201/2//v1', undefined],
  ['with a part too many', PATH, 'https://pay.example/x/CP%201/2/aB3/v1', undefined],
  ['that is no UTF-8', PATH, 'https://pay.example/%FF/2/aB3/v1', undefined],
  ['without a password in its template', 'https://pay.example/{evse}', 'https://pay.example/2', undefined],
  ['with nothing to fill in', 'https://pay.example/', 'https://pay.example/', undefined],
  ['empty', PATH, '', undefined],
])('OCPP21-C6: an address %s', (_, template, url, expected) => {
  expect(readScannedCode(url, template)).toEqual(expected)
})

it('OCPP21-C6: which parts may be a charge point', () => {
  expect(possibleStations('https://pay.example/CP%201/%FF?cs=B#C')).toEqual([
    'https:',
    'pay.example',
    'CP 1',
    'cs',
    'B',
  ])
  expect(possibleStations('/a'.repeat(1000))).toEqual(['a'])
  expect(possibleStations(Array.from({ length: 99 }, (__, at) => at).join('/'))).toHaveLength(30)
})
