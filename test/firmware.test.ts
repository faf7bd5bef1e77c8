import { describe, expect, it } from 'vitest'
import { houseOfFile, type Json, until } from './house.ts'
import { signatureOf, signedAs, startedCampaign, upload as uploadTo } from './images.ts'
import { BOOT_16, BOOT_201, bootStation, type Station, startOf } from './station.ts'
import { CERTIFICATES } from './support/sockets/tls.ts'

const house = await houseOfFile()

const IMAGE = Buffer.from('firmware '.repeat(10_000))

const upload = (fields: Readonly<Record<string, string>>, content = IMAGE) => uploadTo(house, fields, content)
const campaign = (body: Json): Promise<string> => startedCampaign(house, body)
const shown = async (id: string): Promise<Json> => (await house.request('GET', `/2/firmware-campaigns/${id}`)).body
const rowOf = async (id: string, chargePoint: string): Promise<Json | undefined> =>
  ((await shown(id)).data as readonly Json[]).find((row) => row.evseControllerId === chargePoint)

async function becomes(id: string, chargePoint: string, state: string): Promise<Json> {
  await until(async () => (await rowOf(id, chargePoint))?.state === state)
  return (await rowOf(id, chargePoint)) ?? {}
}

let stations = 0
const newId = (): string => `FW-${++stations}`

function booted(id: string, ocpp: '1.6' | '2.0.1', answer: Json = {}): Promise<Station> {
  return bootStation(house.ocppUrl, id, `ocpp${ocpp}` as const, { answer })
}

const below = (location: unknown): string => house.url + new URL(String(location)).pathname

const certificate = CERTIFICATES.rsa.cert
describe('a firmware image', () => {
  it('FIRMWARE-I1: another checksum, a missing version, an unknown field and an empty file are refused', async () => {
    expect((await upload({ version: '1', sha256: 'a'.repeat(64) })).body.code).toBe('checksum_differs')
    expect((await upload({})).status).toBe(400)
    expect((await upload({ version: '1', colour: 'red' })).status).toBe(400)
    expect((await upload({ version: '1' }, Buffer.alloc(0))).status).toBe(400)
    expect((await house.request('POST', '/2/firmware', { version: '1' })).status).toBe(415)
  })

  it('FIRMWARE-I2: a signature must be the certificate’s of this file', async () => {
    const good = await upload({ version: '3', ...signedAs(IMAGE) })
    expect(good.status).toBe(201)
    expect(good.body).toMatchObject({ signed: true })
    const other = await upload({ version: '3', certificate, signature: signatureOf(Buffer.from('other')) })
    expect([other.status, other.body.code]).toEqual([422, 'signature_invalid'])
    const half = await upload({ version: '3', certificate })
    expect([half.status, half.body.code]).toEqual([422, 'signature_invalid'])
    const none = await upload({ version: '3', certificate: 'hello', signature: signatureOf(IMAGE) })
    expect([none.status, none.body.code]).toEqual([422, 'certificate_invalid'])
  })
})

describe.each([
  ['1.6', false, 'UpdateFirmware', {}],
  ['1.6', true, 'SignedUpdateFirmware', { status: 'Accepted' }],
  ['2.0.1', false, 'UpdateFirmware', { status: 'Accepted' }],
  ['2.0.1', true, 'UpdateFirmware', { status: 'Accepted' }],
] as const)('an update of %s (signed: %s)', (ocpp, isSigned, method, answer) => {
  it('FIRMWARE-U1, FIRMWARE-U3, FIRMWARE-U4, FIRMWARE-I3, FIRMWARE-F2: is ordered, fetched in parts, and reported to its end', async () => {
    const id = newId()
    const station = await booted(id, ocpp, answer)
    const signed = isSigned ? signedAs(IMAGE) : {}
    const image = await upload({ version: '9.9', ...signed })
    const campaignId = await campaign({ selector: { ids: [id] }, firmwareId: image.body.id })
    const call = await station.asked(method)
    const firmware = (call.firmware ?? call) as Json
    expect(firmware.signingCertificate).toBe(isSigned ? certificate.trim() : undefined)
    const location = below(firmware.location)
    await becomes(campaignId, id, 'running')
    expect((await house.request('DELETE', `/2/firmware/${String(image.body.id)}`)).status).toBe(409)

    const first = await fetch(location, { headers: { range: 'bytes=0-99' } })
    expect([first.status, first.headers.get('content-range')]).toEqual([206, `bytes 0-99/${IMAGE.length}`])
    const etag = String(first.headers.get('etag'))
    const rest = await fetch(location, { headers: { range: 'bytes=100-', 'if-range': etag } })
    expect(rest.status).toBe(206)
    expect(Buffer.concat([Buffer.from(await first.arrayBuffer()), Buffer.from(await rest.arrayBuffer())])).toEqual(
      IMAGE,
    )
    const changed = await fetch(location, { headers: { range: 'bytes=100-', 'if-range': '"other"' } })
    expect(changed.status).toBe(200)
    expect(Buffer.from(await changed.arrayBuffer())).toEqual(IMAGE)
    const beyond = await fetch(location, { headers: { range: `bytes=${IMAGE.length}-` } })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${IMAGE.length}`])
    const head = await fetch(location, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(IMAGE.length)])

    const requestId = call.requestId as number | undefined
    const notice = method === 'SignedUpdateFirmware' ? 'SignedFirmwareStatusNotification' : 'FirmwareStatusNotification'
    for (const status of ['Downloading', 'Downloaded', 'Installing', 'Installed']) {
      await station.ask(notice, { status, requestId })
    }
    expect(await becomes(campaignId, id, 'succeeded')).toMatchObject({ status: 'Installed', wave: 1 })
    await until(async () => (await shown(campaignId)).state === 'done')
    expect((await fetch(location)).status).toBe(404)
  })
})

describe('a campaign', () => {
  const target = { location: 'https://firmware.example/2.bin', version: '2.0' }

  it('FIRMWARE-I4, FIRMWARE-U4: an address elsewhere is told as it stands; a boot with the version is success as well', async () => {
    const id = newId()
    const station = await booted(id, '1.6')
    const campaignId = await campaign({ selector: { ids: [id] }, ...target })
    expect(await station.asked('UpdateFirmware')).toMatchObject({ location: target.location })
    await becomes(campaignId, id, 'running')
    await station.ask('BootNotification', { ...BOOT_16, firmwareVersion: '2.0' })
    await becomes(campaignId, id, 'succeeded')
  })

  it('FIRMWARE-C2, FIRMWARE-C4: waits for who is away; paused it sends nothing, resumed it goes on', async () => {
    const id = newId()
    const before = await booted(id, '2.0.1')
    await before.close()
    await house.request('PATCH', `/2/evse-controllers/${id}`, { name: 'away' })
    const campaignId = await campaign({ selector: { ids: [id] }, ...target })
    await becomes(campaignId, id, 'waiting')
    expect((await house.request('POST', `/2/firmware-campaigns/${campaignId}/pause`)).body.state).toBe('paused')
    await becomes(campaignId, id, 'planned')
    const station = await booted(id, '2.0.1', { status: 'Accepted' })
    await station.ask('Heartbeat', {})
    expect(station.frames.filter((frame) => frame[0] === 2)).toEqual([])
    expect((await house.request('POST', `/2/firmware-campaigns/${campaignId}/resume`)).body.state).toBe('running')
    await station.asked('UpdateFirmware')
    await becomes(campaignId, id, 'running')
    const cancelled = await house.request('POST', `/2/firmware-campaigns/${campaignId}/cancel`)
    expect(cancelled.body).toMatchObject({ state: 'cancelled', counts: { notRecallable: 1 } })
    const again = await house.request('POST', `/2/firmware-campaigns/${campaignId}/resume`)
    expect([again.status, again.body.code]).toEqual([409, 'campaign_state'])
  })

  it('INTENT-A13, FIRMWARE-U7: who is away is found among the intents, and what became of it too', async () => {
    const id = newId()
    const before = await booted(id, '2.0.1')
    await before.close()
    const campaignId = await campaign({ selector: { ids: [id] }, ...target })
    await becomes(campaignId, id, 'waiting')
    const requested = async (): Promise<readonly Json[]> => {
      const { body } = await house.request('GET', `/2/evse-controllers/${id}/intents?kind=firmware`)
      return body.data as readonly Json[]
    }
    expect(await requested()).toMatchObject([
      { kind: 'firmware', desired: target.version, revision: 1, state: 'pending' },
    ])
    const all = await house.list('/2/intents?kind=firmware&state=pending')
    expect(all.map(({ evseControllerId }) => evseControllerId)).toContain(id)
    const station = await booted(id, '2.0.1', { status: 'Accepted' })
    const { requestId } = await station.asked('UpdateFirmware')
    await becomes(campaignId, id, 'running')
    expect(await requested()).toMatchObject([{ state: 'applied', appliedRevision: 1, attempts: 1 }])
    await station.ask('FirmwareStatusNotification', { status: 'InstallationFailed', requestId })
    expect(await requested()).toMatchObject([
      { state: 'conflict', reason: 'The charge point reported InstallationFailed.', revision: 1 },
    ])
    expect((await rowOf(campaignId, id))?.history).toMatchObject([{ status: 'InstallationFailed' }])
    // Another firmware is no reason to send it again: the campaign decides.
    const chargingStation = { ...BOOT_201.chargingStation, firmwareVersion: 'other' }
    await station.ask('BootNotification', { ...BOOT_201, chargingStation })
    expect(await requested()).toMatchObject([{ state: 'conflict' }])
    const second = await campaign({ selector: { ids: [id] }, ...target })
    await becomes(second, id, 'running')
    const [, , , order] = station.frames.filter((frame) => frame[2] === 'UpdateFirmware').at(-1) ?? []
    await station.ask('FirmwareStatusNotification', { status: 'Installed', requestId: (order as Json).requestId })
    expect(await requested()).toMatchObject([{ state: 'verified', revision: 2, appliedRevision: 2 }])
    const changes = async (type: string): Promise<readonly unknown[]> =>
      (await house.list(`/2/events?type=${type}&limit=500`))
        .map(({ data }) => data as Json)
        .filter(({ evseControllerId }) => evseControllerId === id)
        .map(({ state }) => state)
    expect(await changes('firmware.updated')).toEqual(
      expect.arrayContaining(['waiting', 'running', 'failed', 'succeeded']),
    )
    expect([...(await changes('intent.changed'))].sort()).toEqual(
      ['pending', 'sent', 'applied', 'conflict', 'pending', 'sent', 'applied', 'verified'].sort(),
    )
  })

  it('FIRMWARE-U2: a charge point with an open transaction is left alone until it ends', async () => {
    const id = newId()
    const station = await booted(id, '1.6')
    const { transactionId } = await station.ask('StartTransaction', startOf())
    const campaignId = await campaign({ selector: { ids: [id] }, ...target, onlyIdle: true })
    await becomes(campaignId, id, 'waiting')
    await station.ask('Heartbeat', {})
    expect(station.frames.filter((frame) => frame[2] === 'UpdateFirmware')).toEqual([])
    await station.ask('StopTransaction', { transactionId, meterStop: 10, timestamp: new Date().toISOString() })
    await station.asked('UpdateFirmware')
    await becomes(campaignId, id, 'running')
  })
})
