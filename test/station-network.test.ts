/** The network under management, driven through with simulated stations: what they are told, they do. */
import { afterEach, describe, expect, it } from 'vitest'
import { ChargePoint, type ConnectOptions } from '../simulator/index.ts'
import { freePort } from './free-port.ts'
import { type Environment, type House, type Json, openHouse, until } from './house.ts'
import { signedAs, startedCampaign, upload } from './images.ts'
import { startTlsProxy } from './tls-proxy.ts'

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close()
})

/** Stations fetch from where the server says that it is. */
async function house(environment: Environment = {}): Promise<House> {
  const port = await freePort()
  const opened = await openHouse({
    PILOTWIRE_PORT: String(port),
    PILOTWIRE_BASE_URL: `http://localhost:${port}`,
    ...environment,
  })
  open.push(opened)
  return opened
}

/** Ten simulated minutes pass in a second. */
async function booted(
  { ocppUrl }: House,
  id: string,
  ocpp: '1.6' | '2.0.1',
  options: Partial<ConnectOptions> = {},
): Promise<ChargePoint> {
  const cp = await ChargePoint.connect({ url: ocppUrl, id, ocpp, speed: 600, sampleSeconds: 600, seed: 1, ...options })
  open.push(cp)
  expect(await cp.boot()).toBe('Accepted')
  return cp
}

const IMAGE = Buffer.from(`version 2.0.0\n${'firmware '.repeat(20_000)}`)

describe('SIM-N4: firmware', () => {
  it('a campaign of twenty stations, of which one fails, stops in the wave of that one and says why', async () => {
    const at = await house()
    const ids = Array.from({ length: 20 }, (_, index) => `WAVE-${String(index).padStart(2, '0')}`)
    const stations = await Promise.all(
      ids.map((id, index) =>
        booted(at, id, index % 2 === 0 ? '1.6' : '2.0.1', {
          quirks: [index === 5 ? 'installation-fails' : 'breaks-off-download'],
        }),
      ),
    )
    const image = await upload(at, { version: '2.0.0', ...signedAs(IMAGE) }, IMAGE)
    const campaign = await startedCampaign(at, {
      selector: {},
      firmwareId: image.body.id,
      waves: ['2', '50%', '100%'],
      maxFailureRate: 0.05,
    })
    const shown = async () => (await at.request('GET', `/2/firmware-campaigns/${campaign}`)).body
    await until(async () => (await shown()).state === 'stopped')
    const { reason, data } = await shown()
    expect(reason).toMatch(/^1 of \d charge points of wave 2 failed; allowed are 5 %\.$/)
    const rows = data as readonly Json[]
    expect(rows.find(({ evseControllerId }) => evseControllerId === 'WAVE-05')).toMatchObject({
      wave: 2,
      state: 'failed',
      status: 'InstallationFailed',
    })
    expect(rows.filter(({ wave }) => wave === 1)).toMatchObject([{ state: 'succeeded' }, { state: 'succeeded' }])
    expect(rows.filter(({ wave }) => wave === 3).map(({ state }) => state)).toEqual(Array(10).fill('planned'))
    expect(stations.slice(0, 2).map(({ state }) => state.firmwareVersion)).toEqual(['2.0.0', '2.0.0'])
    expect(stations.slice(10).map(({ state }) => state.firmwareVersion)).toEqual(Array(10).fill('1.0.0'))
  })
})

describe('SIM-N5, SIM-A10: keys and profiles', () => {
  it.each(['1.6', '2.0.1'] as const)(
    '%s: from profile 1 to 2 and on to 3, by order of the server alone',
    async (ocpp) => {
      const proxy = await startTlsProxy()
      open.push(proxy)
      const port = await freePort()
      const at = await house({
        PILOTWIRE_PORT: String(port),
        PILOTWIRE_BASE_URL: `https://localhost:${proxy.port}`,
        PILOTWIRE_TRUSTED_PROXIES: '127.0.0.0/8',
      })
      proxy.pointAt(port)
      const [id, password] = ['RISE-1', 'correct-horse-battery']
      const path = `/2/evse-controllers/${id}`
      await at.request('POST', '/2/evse-controllers', { id, password, securityProfile: 1 })
      const secureUrl = `wss://localhost:${proxy.port}/ocpp`
      const cp = await booted(at, id, ocpp, { password, secureUrl })
      const raise = async (securityProfile: number) => {
        const job = await at.request('POST', `${path}/security-profile`, { securityProfile })
        expect(job.status, job.text).toBe(202)
        const state = async () => (await at.request('GET', `${path}/security-profile/${String(job.body.id)}`)).body
        await until(async () => (await state()).state !== 'running')
        expect(await state()).toMatchObject({ state: 'done', step: 'seen' })
        await until(() => cp.state.online && cp.state.registered)
        expect(cp.state.securityProfile).toBe(securityProfile)
        expect((await at.request('GET', path)).body).toMatchObject({ online: true, securityProfile })
      }
      // Without the proxy's root the new profile would not work, and the station would go back.
      const root = { certificateType: 'CSMSRootCertificate', certificate: proxy.certificate }
      expect((await at.request('POST', `${path}/certificates`, root)).status).toBe(201)
      await raise(2)
      const trigger =
        ocpp === '1.6'
          ? { method: 'ExtendedTriggerMessage', request: { requestedMessage: 'SignChargePointCertificate' } }
          : { method: 'TriggerMessage', request: { requestedMessage: 'SignChargingStationCertificate' } }
      await at.request('POST', `${path}/commands`, { ...trigger, wait: 5 })
      await until(async () => (await at.rows(id, { method: ['CertificateSigned'] }))[0]?.status === 'success')
      await raise(3)
      await cp.plug(1)
      expect(await cp.swipe(1, 'CARD')).toBe('started')
      const lower = ChargePoint.connect({ url: at.ocppUrl, id, ocpp, password })
      await expect(lower).rejects.toThrow('403')
    },
  )
})

it.each(['1.6', '2.0.1'] as const)(
  'SIM-N6: %s: a charge whose meter signs is verified from its begin to its end',
  async (ocpp) => {
    const at = await house()
    const cp = await booted(at, 'SIGN-1', ocpp)
    const configuration = {
      selector: {},
      keys16: [{ key: 'SampledDataSignReadings', value: 'true' }],
      variables: [{ component: { name: 'SampledDataCtrlr' }, variable: { name: 'SignReadings' }, value: 'true' }],
    }
    await at.request('PUT', '/2/configurations/signs', configuration)
    await until(
      async () => ((await at.request('GET', '/2/configurations/signs/status')).body.counts as Json).verified === 1,
    )
    await cp.plug(1, { soc: 20 })
    await cp.swipe(1, 'CARD')
    await cp.wait(600)
    await cp.swipe(1, 'CARD')
    await until(async () => (await at.sessions('SIGN-1'))[0]?.state === 'completed')
    const [session] = await at.sessions('SIGN-1')
    const { body } = await at.request('GET', `/sessions/${String(session?.id)}/signed-data`)
    expect(body).toMatchObject({ hasBegin: true, hasEnd: true, energyDiffers: false })
    const values = body.data as readonly Json[]
    expect(values.map(({ verification, context }) => [context, verification])).toEqual([
      ['begin', 'valid'],
      ['end', 'valid'],
    ])
    expect(Number(values[1]?.energyKwh) - Number(values[0]?.energyKwh)).toBeCloseTo(cp.charge(1).energyKwh, 3)
  },
)
