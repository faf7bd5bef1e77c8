/** What the settings for old firmware change at the upgrade, seen by a client that speaks plain HTTP. */
import { afterEach, expect, it } from 'vitest'
import { type Environment, type House, openHouse } from './house.ts'
import { exchange, upgradeRequest } from './support/sockets/ocpp-endpoint.ts'

let house: House

afterEach(async () => {
  await house.closeClean()
})

/** The status line's number and the sub-protocol that was chosen. */
async function upgrade(offer: string | undefined): Promise<readonly [status: number, protocol: string | undefined]> {
  const extra = { 'Sec-WebSocket-Protocol': offer, Authorization: undefined }
  const answer = await exchange(house.port, upgradeRequest('/ocpp/OLD', extra))
  return [Number(answer.slice(9, 12)), /^sec-websocket-protocol:(.*)\r$/im.exec(answer)?.[1]?.trim()]
}

type Offers = readonly (readonly [offer: string | undefined, status: number, protocol: string | undefined])[]

const offers: Readonly<Record<string, { readonly settings: Environment; readonly answers: Offers }>> = {
  'without any setting the client’s order decides and names are exact': {
    settings: {},
    answers: [
      ['ocpp1.6, ocpp2.0.1', 101, 'ocpp1.6'],
      ['ocpp2.0.1, ocpp1.6', 101, 'ocpp2.0.1'],
      ['OCPP1.6', 400, undefined],
      [undefined, 400, undefined],
    ],
  },
  'PILOTWIRE_OCPP_PROTOCOL_ORDER=server takes the newest version': {
    settings: { PILOTWIRE_OCPP_PROTOCOL_ORDER: 'server' },
    answers: [
      ['ocpp1.6, ocpp2.0.1', 101, 'ocpp2.0.1'],
      ['ocpp1.6', 101, 'ocpp1.6'],
    ],
  },
  'PILOTWIRE_OCPP_TOLERANT_PROTOCOLS=true takes any case, and 1.6 without a header': {
    settings: { PILOTWIRE_OCPP_TOLERANT_PROTOCOLS: 'true' },
    answers: [
      ['OCPP1.6', 101, 'OCPP1.6'],
      [undefined, 101, undefined],
      ['ocpp1.5', 400, undefined],
    ],
  },
}

it.each(Object.entries(offers))('OCPP-T5, OCPP-T6: %s', async (_, { settings, answers }) => {
  house = await openHouse(settings)
  for (const [offer, status, protocol] of answers) expect(await upgrade(offer)).toEqual([status, protocol])
})
