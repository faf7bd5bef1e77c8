/** A house with a party, and providers that register with it, for the tests of roaming. */
import { expect } from 'vitest'
import { freePort } from './free-port.ts'
import { type Environment, houseOfFile, type Json } from './house.ts'
import type { Provider } from './roaming-partner.ts'

interface PartnerBody extends Json {
  readonly id: string
  readonly token?: string
  readonly versionsUrl: string
  readonly state: string
}

/** Of a file of tests. */
export async function roamingHouse(more: Environment = {}) {
  const port = await freePort()
  const house = await houseOfFile({
    PILOTWIRE_PORT: String(port),
    PILOTWIRE_BASE_URL: `http://127.0.0.1:${port}`,
    PILOTWIRE_WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
    ...more,
  })
  const businessDetails = { name: 'Pilotwire' }
  await house.request('PUT', '/2/ocpi/party', { countryCode: 'de', partyId: 'PWR', businessDetails })

  async function invite(): Promise<PartnerBody> {
    const { status, body } = await house.request('POST', '/2/ocpi/partners', { name: 'Elsewhere', roles: ['EMSP'] })
    expect(status).toBe(201)
    return body as PartnerBody
  }

  return {
    house,
    invite,
    /** Registered with us. */
    async invited(provider: Provider, version: '2.2.1' | '2.3.0' = '2.3.0'): Promise<PartnerBody> {
      const partner = await invite()
      const reply = await provider.register(partner.versionsUrl, String(partner.token), version)
      expect(reply.body).toMatchObject({ status_code: 1000, data: { roles: [{ role: 'CPO', party_id: 'PWR' }] } })
      return (await house.request('GET', `/2/ocpi/partners/${partner.id}`)).body as PartnerBody
    },
    /** We registered with it. */
    async registeredWith(provider: Provider): Promise<PartnerBody> {
      const token = provider.fresh()
      provider.valid.add(token)
      const { status, body } = await house.request('POST', '/2/ocpi/partners', { name: 'X', url: provider.url, token })
      expect([status, body]).toMatchObject([201, { state: 'registered' }])
      return body as PartnerBody
    },
    rotate: (id: string) => house.request('POST', `/2/ocpi/partners/${id}/rotate`),
    exchanges: (id: string) => house.list(`/2/ocpi/partners/${id}/exchanges?limit=500`),
  }
}

/** What a token of ours is answered. */
export async function statusWith(token: string, address: string): Promise<number> {
  const headers = { authorization: `Token ${Buffer.from(token).toString('base64')}` }
  return (await fetch(address, { headers })).status
}
