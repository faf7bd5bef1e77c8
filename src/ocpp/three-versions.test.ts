import { expect, it } from 'vitest'
import { versions } from './versions.ts'

const idToken = (length: number) => ({ id: 'x'.repeat(length), type: 'Central', status: 'Accepted' as const })

it.each([
  ['ocpp1.6', 20],
  ['ocpp2.0.1', 36],
  ['ocpp2.1', 255],
] as const)('OCPP21-B3: %s takes %i characters in lists and starts, and no more', (protocol, most) => {
  const { localLists, remoteStart, validateRequest } = versions[protocol]
  for (const length of [most, most + 1]) {
    const isFit = length === most
    expect(localLists.entry(idToken(length), false) !== undefined).toBe(isFit)
    const { method, request } = remoteStart({ idToken: idToken(length), remoteStartId: 1, connectorId: 1, evseId: 1 })
    expect(validateRequest(method, request).length === 0).toBe(isFit)
  }
})

it.each([
  ['VIN', { 'ocpp1.6': true, 'ocpp2.0.1': false, 'ocpp2.1': true }],
  ['a type of more than 20', { 'ocpp1.6': true, 'ocpp2.0.1': false, 'ocpp2.1': false }],
] as const)('OCPP21-B3: a card of type %s is left out of a list that it would spoil', (type, expected) => {
  for (const protocol of ['ocpp1.6', 'ocpp2.0.1', 'ocpp2.1'] as const) {
    const isListed = expected[protocol]
    const { localLists, validateRequest } = versions[protocol]
    const entry = localLists.entry({ ...idToken(10), type }, false)
    expect([protocol, entry !== undefined]).toEqual([protocol, isListed])
    const { method, request } = localLists.send(1, true, entry ? [entry] : [])
    expect(validateRequest(method, JSON.parse(JSON.stringify(request)))).toEqual([])
  }
})

it.each([
  ['ocpp1.6', {}],
  ['ocpp2.0.1', {}],
  ['ocpp2.1', { requestId: 7 }],
] as const)('OCPP21-B9: %s names the request of a certificate by %j', (protocol, named) => {
  const { method, request } = versions[protocol].certificateSigned({ chain: 'PEM', stationRequestId: 7 })
  expect(JSON.parse(JSON.stringify(request))).toEqual({ certificateChain: 'PEM', ...named })
  expect(versions[protocol].validateRequest(method, JSON.parse(JSON.stringify(request)))).toEqual([])
})
