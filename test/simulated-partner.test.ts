/** The simulated partner and the whole server: each registers with the other, and both check what the other is. */
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createPartner, type Partner, type PartnerOptions } from '../simulator/partner/partner.ts'
import { freePort } from './free-port.ts'
import { type Json, openHouse, until } from './house.ts'

/** The addresses that partners get must be those of the server. */
const port = String(await freePort())
const house = await openHouse({ PILOTWIRE_PORT: port, PILOTWIRE_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1/32' })
const open: Partner[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
})
afterAll(() => house.closeClean())
const party = { countryCode: 'DE', partyId: 'PWT', businessDetails: { name: 'Example Charging' } }
expect((await house.request('PUT', '/2/ocpi/party', party)).status).toBe(200)

async function partnerOf(options: PartnerOptions = {}): Promise<Partner> {
  const partner = await createPartner(options)
  open.push(partner)
  return partner
}

interface Invited {
  readonly partner: Partner
  readonly versionsUrl: string
  readonly token: string
  readonly shown: () => Promise<Json>
}
async function invited(options: PartnerOptions = {}): Promise<Invited> {
  const { body } = await house.request('POST', '/2/ocpi/partners', { name: `Partner ${open.length}` })
  const shown = async () => (await house.request('GET', `/2/ocpi/partners/${String(body.id)}`)).body
  return { partner: await partnerOf(options), versionsUrl: String(body.versionsUrl), token: String(body.token), shown }
}
async function registered(options: PartnerOptions = {}): Promise<Invited> {
  const one = await invited(options)
  await one.partner.register(one.versionsUrl, one.token)
  return one
}

describe('SIM-P1: the simulated partner and a server of ours', () => {
  it.each(['2.2.1', '2.3.0'] as const)('registers with OCPI %s; its tokens are pulled', async (ocpi) => {
    const { partner, shown } = await registered({ ocpi })
    expect(await shown()).toMatchObject({
      state: 'registered',
      version: ocpi,
      roles: [{ countryCode: 'NL', partyId: 'SIM' }],
    })
    expect(partner.peer()).toMatchObject({ roles: [{ role: 'CPO', country_code: 'DE', party_id: 'PWT' }] })
    await until(() => partner.received('tokens', 'GET').length > 0)
  })

  it.each(['plain-token', 'line-feed-token', 'trailing-slashes'])(
    'registers, rotates and pushes a token with the quirk %s',
    async (quirk) => {
      const { partner, shown } = await registered({ quirks: [quirk] })
      await partner.rotate()
      expect(await partner.pushToken({ uid: 'CARD-9' })).toMatchObject({ status: 200, statusCode: 1000 })
      const address = `${partner.endpoint('tokens', 'RECEIVER')}/NL/SIM/CARD-9`
      expect(await partner.client.ask('GET', address)).toMatchObject({ data: { uid: 'CARD-9' } })
      expect(await partner.pushToken({ uid: 'CARD-9', valid: false })).toMatchObject({ statusCode: 1000 })
      expect((await shown()).state).toBe('registered')
    },
  )

  it('a token with times that OCPI does not allow is refused in words', async () => {
    const { partner } = await registered({ quirks: ['offset-times'] })
    expect(await partner.pushToken({ uid: 'CARD-8' })).toMatchObject({
      status: 200,
      statusCode: 2001,
      message: expect.stringContaining('last_updated'),
    })
  })

  it('a platform of two parties pushes tokens of each, and none of a third', async () => {
    const roles = ['SIM', 'TWO'].map((id) => ({
      role: 'EMSP',
      country_code: 'NL',
      party_id: id,
      business_details: { name: id },
    }))
    const { partner, shown } = await registered({ credentials: { roles } })
    expect((await shown()).roles).toMatchObject([{ partyId: 'SIM' }, { partyId: 'TWO' }])
    expect((await partner.pushToken({ uid: 'T1', party_id: 'TWO' })).statusCode).toBe(1000)
    expect(await partner.pushToken({ uid: 'T1', party_id: 'THR' })).toMatchObject({ status: 200, statusCode: 2001 })
  })

  it('we register with the partner by its token A, and rotate', async () => {
    const partner = await partnerOf()
    const { status, body } = await house.request('POST', '/2/ocpi/partners', {
      name: 'Theirs',
      url: partner.versionsUrl,
      token: partner.tokenA,
    })
    expect([status, body.state]).toEqual([201, 'registered'])
    const before = String(partner.peer()?.token)
    expect((await house.request('POST', `/2/ocpi/partners/${String(body.id)}/rotate`)).status).toBe(200)
    expect(partner.received('credentials').map(({ method }) => method)).toEqual(['POST', 'PUT'])
    expect(partner.peer()?.token).not.toBe(before)
    expect(await partner.pushToken({ uid: 'CARD-7' })).toMatchObject({ statusCode: 1000 })
  })
})

describe('OCPI-B1: ocpi check of our own server', () => {
  it('a registered partner finds nothing wrong', async () => {
    const { partner, versionsUrl } = await registered()
    const { passed, faults } = await house.cli(['ocpi', 'check', versionsUrl, String(partner.peer()?.token)])
    expect([passed, faults]).toEqual([true, []])
  })
})
