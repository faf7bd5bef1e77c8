/** Who may connect to a server in production, and what those hear who may not. */
import { afterAll, describe, expect, it } from 'vitest'
import { houseOfFile, openHouse, PRODUCTION } from './house.ts'
import { BOOT_16, BOOT_201, booted16, bootStation, connectStation, eventOf, startOf } from './station.ts'
import { basic, exchange, upgradeRequest } from './support/sockets/ocpp-endpoint.ts'

const house = await houseOfFile({ ...PRODUCTION, PILOTWIRE_TRUSTED_PROXIES: '127.0.0.1/32' })

async function register(id: string, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const { status, body } = await house.request('POST', '/2/evse-controllers', { id, ...more })
  expect(status).toBe(201)
  return String(body.password)
}

describe('production settings', () => {
  it('OCPP-AU4: a charge point that nobody registered is answered 404, and none is created', async () => {
    await expect(connectStation(house.ocppUrl, 'NOBODY', 'ocpp1.6')).rejects.toMatchObject({ status: 404 })
    expect((await house.request('GET', '/2/evse-controllers/NOBODY')).status).toBe(404)
  })

  it('OCPP-AU1: without, or with a wrong password 401 and a challenge; with the right one it is in', async () => {
    const password = await register('KNOWN')
    for (const authorization of [
      undefined,
      basic('KNOWN', 'x'.repeat(20)),
      basic('OTHER', password),
      'Basic',
      'Bearer x',
    ]) {
      const answer = await exchange(house.port, upgradeRequest('/ocpp/KNOWN', { Authorization: authorization }))
      expect(answer).toMatch(/^HTTP\/1.1 401 /)
      expect(answer).toContain('WWW-Authenticate: Basic realm="ocpp"')
    }
    await booted16(house.ocppUrl, 'KNOWN', { password })
  })

  it('OCPP A05.FR.07, TC_083: a profile once used is the registered one, and only a new registration lowers it', async () => {
    const password = await register('UPGRADED')
    const status = async (authorization: string | undefined, proto: string): Promise<string | undefined> => {
      const headers = { Authorization: authorization, 'X-Forwarded-Proto': proto }
      const answer = await exchange(house.port, upgradeRequest('/ocpp/UPGRADED', headers))
      return /^HTTP\/1.1 (\d+) /.exec(answer)?.[1]
    }
    const profile = async () => (await house.request('GET', '/2/evse-controllers/UPGRADED')).body.securityProfile
    const known = basic('UPGRADED', password)
    expect(await status(known, 'http')).toBe('101')
    expect(await profile()).toBe(1)
    expect(await status(known, 'https')).toBe('101')
    expect(await profile()).toBe(2)
    expect(await status(known, 'http')).toBe('403')
    await house.request('PATCH', '/2/evse-controllers/UPGRADED', { securityProfile: 1 })
    expect(await status(known, 'http')).toBe('101')
    await house.request('PATCH', '/2/evse-controllers/UPGRADED', { securityProfile: 0 })
    expect(await status(undefined, 'http')).toBe('101')
  })

  it('TOKEN-Z5: an id token that nobody registered is refused, a registered one accepted', async () => {
    const password = await register('TOKENS')
    await house.request('POST', '/2/id-tokens', { id: 'GOOD-CARD' })
    const station = await booted16(house.ocppUrl, 'TOKENS', { password })
    expect(await station.ask('Authorize', { idTag: 'NO-SUCH' })).toEqual({ idTagInfo: { status: 'Invalid' } })
    expect(await station.ask('Authorize', { idTag: 'good-card' })).toMatchObject({ idTagInfo: { status: 'Accepted' } })
  })

  it('SERVER-D2: the metrics are at no address of the public port, but at their own', async () => {
    for (const path of ['/metrics', '/%6detrics', '/./metrics', '//metrics']) {
      expect((await fetch(house.url + path)).status).toBe(404)
    }
    const answer = await fetch(`http://127.0.0.1:${house.metricsPort}/metrics`)
    expect(await answer.text()).toContain('pilotwire_build_info')
  })
})

const waiting = await openHouse({ ...PRODUCTION, PILOTWIRE_UNKNOWN_CHARGE_POINTS: 'pending' })
afterAll(() => waiting.closeClean())

it('OCPP-AU5, OCPP-DR9: pending charge points an unknown one is heard, told Pending, allowed nothing else, and let in once approved', async () => {
  const station = await connectStation(waiting.ocppUrl, 'NEWCOMER', 'ocpp1.6')
  expect(await station.ask('BootNotification', BOOT_16)).toMatchObject({ status: 'Pending' })
  const start = { connectorId: 1, idTag: 'A', meterStart: 0, timestamp: new Date().toISOString() }
  expect(await station.call('StartTransaction', start)).toMatchObject({ 0: 4, 2: 'SecurityError' })
  expect((await waiting.rows('NEWCOMER')).map(({ method, status }) => [method, status])).toEqual([
    ['StartTransaction', 'error'],
    ['BootNotification', 'success'],
  ])
  const approve = (body: object) => waiting.request('PATCH', '/2/evse-controllers/NEWCOMER', body)
  // Approved without a password, the identity would be open to everybody who knows it.
  expect((await approve({ registrationStatus: 'Accepted' })).status).toBe(400)
  const password = 'a password of its own'
  expect((await approve({ registrationStatus: 'Accepted', password })).status).toBe(200)
  await station.closed
  await expect(connectStation(waiting.ocppUrl, 'NEWCOMER', 'ocpp1.6')).rejects.toMatchObject({ status: 401 })
  const back = await connectStation(waiting.ocppUrl, 'NEWCOMER', 'ocpp1.6', { password })
  expect(await back.ask('BootNotification', BOOT_16)).toMatchObject({ status: 'Accepted' })
})

it('OCPP-RP14: pending charge points frames of a pending one end at 64 KiB and fill no disk; approved where it is, it sends what it has', async () => {
  const large = { vendorId: 'x', data: 'x'.repeat(1_000_000) }
  const early = await connectStation(waiting.ocppUrl, 'LARGE', 'ocpp1.6')
  await expect(early.call('BootNotification', { ...BOOT_16, iccid: large.data })).rejects.toThrow('1009')
  const station = await connectStation(waiting.ocppUrl, 'LARGE', 'ocpp1.6')
  for (let count = 0; count < 30; count++) {
    expect(await station.call('DataTransfer', { ...large, data: 'x'.repeat(60_000) })).toMatchObject({ 0: 4 })
  }
  const rows = await waiting.rows('LARGE')
  expect(rows).toHaveLength(30)
  expect(JSON.stringify(rows).length).toBeLessThan(30 * 5000)
  await waiting.cli(['charge-point', 'approve', 'LARGE'])
  expect(await station.ask('BootNotification', BOOT_16)).toMatchObject({ status: 'Accepted' })
  expect(await station.call('DataTransfer', large)).toMatchObject({ 0: 3 })
})

it('OCPP-AU5, OCPP-AU6, SESSION-O4: pending charge points it may be given its password over OCPP while it waits; then nobody has to visit it', async () => {
  const station = await connectStation(waiting.ocppUrl, 'OVER-OCPP', 'ocpp1.6', { answer: { status: 'Accepted' } })
  expect(await station.ask('BootNotification', BOOT_16)).toMatchObject({ status: 'Pending' })
  const password = '30313233343536373839414243444546'
  const path = '/2/evse-controllers/OVER-OCPP'
  const command = { method: 'ChangeConfiguration', request: { key: 'AuthorizationKey', value: password }, wait: 10 }
  expect(await waiting.request('POST', `${path}/commands`, command)).toMatchObject({
    body: { status: 'success', request: { value: '***' } },
  })
  const approved = await waiting.request('PATCH', path, { registrationStatus: 'Accepted' })
  expect(approved).toMatchObject({ status: 200, body: { registrationStatus: 'Accepted' } })
  expect(await station.ask('BootNotification', BOOT_16)).toMatchObject({ status: 'Accepted' })
  await station.close()
  await expect(connectStation(waiting.ocppUrl, 'OVER-OCPP', 'ocpp1.6')).rejects.toMatchObject({ status: 401 })
  await (await connectStation(waiting.ocppUrl, 'OVER-OCPP', 'ocpp1.6', { password })).close()
})

it.each(['Pending', 'Rejected'])(
  'OCPP-DR4, B02.FR.09: pending charge points one that charges while it is set back to %s loses no charge, and is refused all once it was told',
  async (registrationStatus) => {
    const charger = await openHouse()
    const station = await bootStation(charger.ocppUrl, 'CHARGING', 'ocpp2.0.1')
    await station.ask('TransactionEvent', eventOf('Started', 0))
    await charger.request('PATCH', '/2/evse-controllers/CHARGING', { registrationStatus })
    expect(await station.call('Heartbeat', {})).toMatchObject({ 0: 4, 2: 'SecurityError' })
    expect(await station.call('TransactionEvent', eventOf('Ended', 1))).toMatchObject({ 0: 3 })
    expect(await charger.sessions('CHARGING')).toMatchObject([{ state: 'completed' }])
    expect(await station.ask('BootNotification', BOOT_201)).toMatchObject({ status: registrationStatus })
    expect(await station.call('TransactionEvent', eventOf('Updated', 2))).toMatchObject({ 0: 4, 2: 'SecurityError' })
    await charger.close()
  },
)

it('SESSION-A4: its second charge at the charge point is refused where the settings say so', async () => {
  const own = await openHouse({ PILOTWIRE_CONCURRENT_TRANSACTIONS: 'reject' })
  const station = await booted16(own.ocppUrl, 'TWICE')
  const start = (connectorId: number) => station.ask('StartTransaction', startOf({ connectorId }))
  expect(await start(1)).toMatchObject({ idTagInfo: { status: 'Accepted' } })
  expect(await start(2)).toMatchObject({ idTagInfo: { status: 'ConcurrentTx' } })
  await own.close()
})
