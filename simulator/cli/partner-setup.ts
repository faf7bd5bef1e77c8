/**
 * What a first roaming charge needs at a server of ours, made over its API: a party, a price, a published location with
 * a station whose driver comes when it is started from afar, and an invitation.
 */
import { EventEmitter, once } from 'node:events'
import { systemClock } from '../../src/server/system.ts'
import { createChargePoint } from '../charge-point.ts'
import { type Json, objectOf, objectsOf } from '../partner/wire.ts'
import { stayOnline } from '../stories/stay.ts'
import type { ApiClient } from './api-client.ts'

interface SetupContext {
  readonly api: ApiClient
  /** Without the identity. */
  readonly ocppUrl: string
  /** Of the charge. */
  readonly seconds: number
  readonly say: (text: string) => void
}

const STATION = 'SIM-ROAMING'
const PARTNER = 'Simulated partner'
const ENERGY_WH = 7_500
const SAMPLES = 16
const PARTY = { countryCode: 'DE', partyId: 'SIM', businessDetails: { name: 'Simulated operator' } }
const PLACE = {
  name: 'Simulated depot',
  address: 'Depot Street 1',
  city: 'Berlin',
  postalCode: '10115',
  country: 'DEU',
  coordinates: { latitude: 52.52, longitude: 13.405 },
  timeZone: 'Europe/Berlin',
  publish: true,
}
const PLUG = { connectorId: '1', standard: 'IEC_62196_T2', format: 'SOCKET', powerType: 'AC_3_PHASE' }
const EVSE = {
  uid: STATION,
  evseControllerId: STATION,
  connectors: [{ ...PLUG, maxVoltage: 230, maxAmperage: 32 }],
  capabilities: ['REMOTE_START_STOP_CAPABLE'],
}

/** @returns the invitation and the EVSE to charge at; to be closed */
export async function prepareRoaming({ api, ocppUrl, seconds, say }: SetupContext) {
  const ask = async (method: string, path: string, body?: Json): Promise<Json> => {
    const { status, body: answer } = await api.request(method, path, body)
    const object = objectOf(answer)
    if (status >= 300) throw new Error(`${method} ${path} was answered with ${status}: ${String(object.detail ?? '')}`)
    return object
  }
  const station = createChargePoint({
    protocol: 'ocpp1.6',
    url: ocppUrl,
    id: STATION,
    sampleIntervalMs: Math.max(1000, (seconds * 1000) / SAMPLES),
    problem: say,
  })
  const ended = new EventEmitter()
  const until = once(ended, 'end')
  let staying = Promise.resolve()
  const close = async (): Promise<void> => {
    ended.emit('end')
    await staying.catch(() => undefined)
    await station.disconnect()
    await station.powerOff()
  }
  try {
    const known = await api.request('GET', '/2/ocpi/party')
    const party = known.status === 200 ? objectOf(known.body) : await ask('PUT', '/2/ocpi/party', PARTY)
    const prices = objectsOf((await ask('GET', '/2/tariffs')).data)
    if (prices.length === 0) await ask('POST', '/2/tariffs', { currency: 'EUR', perKwh: 0.45 })
    await new Promise<void>((resolve, reject) => {
      const step = (name: string): unknown => name === 'waiting for orders' && resolve()
      const needs = { clock: systemClock, durationMs: seconds * 1000, energyWh: ENERGY_WH, until, step }
      staying = stayOnline(station, needs)
      staying.catch(reject)
    })
    const evseId = `${String(party.countryCode)}*${String(party.partyId)}*ESIM1`
    await ask('PUT', `/2/locations/${STATION}`, { ...PLACE, evses: [{ ...EVSE, evseId }] })
    // Of an earlier run, whose address nothing answers any more.
    for (const { id, name, state } of objectsOf((await ask('GET', '/2/ocpi/partners')).data)) {
      if (name === PARTNER && state !== 'removed') await ask('DELETE', `/2/ocpi/partners/${String(id)}`)
    }
    const { token, versionsUrl } = await ask('POST', '/2/ocpi/partners', { name: PARTNER })
    say(`0 of 7  made the location ${STATION} with a station at ${evseId}, and invited ${PARTNER}`)
    return { versionsUrl: String(versionsUrl), tokenA: String(token), evse: evseId, close }
  } catch (error) {
    await close()
    throw error
  }
}
