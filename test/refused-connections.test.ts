import { statSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { files, TLS, usesCertificates } from './certified.ts'
import { type House, houseOfFile, type Json, openHouse, PRODUCTION, until } from './house.ts'
import { connectStation, type StationOptions } from './station.ts'
import { testAuthority, testCertificate, testKeys } from './support/domain/x509/testing.ts'
import { exchange, upgradeRequest } from './support/sockets/ocpp-endpoint.ts'

const PASSWORD = 'a-password-of-20-chr'

usesCertificates()

const timeline = (house: House, id: string) => house.list(`/2/evse-controllers/${id}/timeline`)

const reported = async (house: House): Promise<readonly Json[]> =>
  (await house.list('/2/events?type=charge-point.refused&limit=500')).map(({ data }) => data as Json)

describe('TIMELINE-A4: a refused connection is told with its reason, in the timeline and as an event', () => {
  let house: House
  let expired: StationOptions
  beforeAll(async () => {
    const authority = await testAuthority()
    writeFileSync(files.ca, authority.certificate)
    const keys = await testKeys()
    const now = Date.now() - 500 * 24 * 3600_000
    const cert = await testCertificate(authority, keys, { commonName: 'CP', organization: 'Default', now })
    expired = { tls: { cert, key: keys.privateKey } }
    house = await openHouse({ ...PRODUCTION, ...TLS, PILOTWIRE_CLIENT_CA_FILE: files.ca })
  })

  it.each([
    ['a wrong password', 2, 'ocpp1.6', { password: 'another-password-20c' }, 401, 'wrongPassword', 'wrong password'],
    ['no password', 2, 'ocpp1.6', {}, 401, 'noPassword', 'no password'],
    ['a sub-protocol that nobody speaks', 2, 'OCPP1.6', { password: PASSWORD }, 400, 'subprotocol', 'only OCPP1.6'],
    ['a certificate that has expired', 3, 'ocpp2.0.1', 'expired', 403, 'certificateExpired', 'it has expired'],
    ['no certificate', 3, 'ocpp2.0.1', {}, 403, 'noCertificate', 'no client certificate'],
  ] as const)('%s', async (title, securityProfile, protocol, shown, status, reason, words) => {
    const id = title.replaceAll(' ', '-')
    const registered = { id, securityProfile, ...(securityProfile === 2 && { password: PASSWORD }) }
    expect((await house.request('POST', '/2/evse-controllers', registered)).status).toBe(201)
    const options: StationOptions = { tls: {}, ...(shown === 'expired' ? expired : shown) }
    await expect(connectStation(house.ocppUrl, id, protocol, options)).rejects.toMatchObject({ status })
    await until(async () => (await timeline(house, id)).length > 0)
    const detail = expect.stringContaining(words)
    const entries = (await timeline(house, id)) as readonly { readonly kind: string }[]
    expect(entries.filter(({ kind }) => kind === 'refused')).toMatchObject([{ reason, detail }])
    // A certificate that was refused is a matter of security as well.
    expect(entries.some(({ kind }) => kind === 'security')).toBe(reason === 'certificateExpired')
    const events = (await reported(house)).filter(({ evseControllerId }) => evseControllerId === id)
    expect(events).toMatchObject([{ reason, detail }])
  })

  it('an identity that nobody registered: the event at once, the timeline once it is registered', async () => {
    const unknown = connectStation(house.ocppUrl, 'NOBODY', 'ocpp1.6', { tls: {}, password: PASSWORD })
    await expect(unknown).rejects.toMatchObject({ status: 404 })
    await until(async () => (await reported(house)).some(({ evseControllerId }) => evseControllerId === 'NOBODY'))
    expect((await house.request('GET', '/2/evse-controllers/NOBODY/timeline')).status).toBe(404)
    await house.request('POST', '/2/evse-controllers', { id: 'NOBODY', password: PASSWORD })
    expect(await timeline(house, 'NOBODY')).toMatchObject([{ kind: 'refused', reason: 'unknownStation' }])
  })
})

describe('a stranger', async () => {
  const TRIES = 5000
  const AT_ONCE = 50
  const house = await houseOfFile(PRODUCTION)
  afterAll(() => house.close())

  const knock = async (identity: string): Promise<string> =>
    (await exchange(house.port, upgradeRequest(`/ocpp/${identity}`, { Authorization: undefined }))).slice(9, 12)

  const knockOften = async (identity: (nth: number) => string): Promise<ReadonlySet<string>> => {
    const answers = new Set<string>()
    let nth = 0
    const knocking = async (): Promise<void> => {
      while (nth < TRIES) answers.add(await knock(identity(nth++)))
    }
    await Promise.all(Array.from({ length: AT_ONCE }, knocking))
    return answers
  }

  it('TIMELINE-A4: who is refused 10,000 times leaves ten entries, one of which counts, and no full disk', async () => {
    const sizeBefore = statSync(house.database).size
    expect(await knockOften(() => 'SAME')).toEqual(new Set(['404']))
    expect(await knockOften((nth) => `OTHER-${nth}`)).toEqual(new Set(['404']))
    await house.request('POST', '/2/evse-controllers', { id: 'SAME', password: PASSWORD })
    await until(async () => (await timeline(house, 'SAME'))[0]?.count === TRIES)
    expect(await timeline(house, 'SAME')).toMatchObject([{ kind: 'refused', reason: 'unknownStation', count: TRIES }])
    expect(await reported(house)).toHaveLength(10)
    expect(statSync(house.database).size - sizeBefore).toBeLessThan(1024 * 1024)
  })
})
