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
    expect(localLists.entry(idToken(length), false) !== undefined).toBe(isFit || protocol === 'ocpp2.1')
    const { method, request } = remoteStart({ idToken: idToken(length), remoteStartId: 1, connectorId: 1, evseId: 1 })
    expect(validateRequest(method, request).length === 0).toBe(isFit)
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
