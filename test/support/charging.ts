/** A charge point with limits, that answers as a test says. */

import { expect } from 'vitest'
import type { Caps } from '../../src/domain/charging/caps.ts'
import type { ChargingInput } from '../../src/domain/charging/records.ts'
import { isoTime } from '../../src/domain/iso-time.ts'
import { coresOfTests, SESSIONS, START, type TestCore, type TestStation } from './core/testing.ts'

export type Payload = Readonly<Record<string, unknown>>
export type Respond = (method: string, request: Payload) => Payload | undefined

export const MINUTE = 60_000
export const amps = (limit: number, more: Partial<NonNullable<Caps['standing']>> = {}): Caps => ({
  standing: { unit: 'A', steps: [{ at: START, limit }], ...more },
})
const ABILITIES: Readonly<Record<string, string>> = {
  SupportedFeatureProfiles: 'Core,SmartCharging',
  ChargeProfileMaxStackLevel: '8',
  ChargingScheduleAllowedChargingRateUnit: 'Current,Power',
  ChargingScheduleMaxPeriods: '6',
  Available: 'true',
  RateUnit: 'A,W',
  ProfileStackLevel: '5',
  PeriodsPerSchedule: '6',
}

/** Accepts everything and keeps no schedule of its own. */
export const accepts: Respond = (method, request) => {
  switch (method) {
    case 'GetConfiguration': {
      const keys = request.key as readonly string[]
      return { configurationKey: keys.map((key) => ({ key, readonly: true, value: ABILITIES[key] })), unknownKey: [] }
    }
    case 'GetVariables': {
      const asked = request.getVariableData as readonly { component: unknown; variable: { name: string } }[]
      const results = asked.map((one) => ({
        ...one,
        attributeStatus: 'Accepted',
        attributeValue: ABILITIES[one.variable.name],
      }))
      return { getVariableResult: results }
    }
    case 'GetChargingProfiles':
      return { status: 'NoProfiles' }
    default:
      return { status: 'Accepted' }
  }
}

/** Accepts everything but one method, which has an answer of its own. */
export const answering =
  (answered: string, answer: (request: Payload) => Payload | undefined): Respond =>
  (method, request) =>
    method === answered ? answer(request) : accepts(method, request)

/** As a station of 2.0.1 reports what it holds. */
export const heldProfile = (id: number, stackLevel: number, limit: number, more: object = {}) => ({
  id,
  stackLevel,
  chargingProfilePurpose: 'TxDefaultProfile',
  chargingProfileKind: 'Relative',
  chargingSchedule: [{ id: 1, chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit }] }],
  ...more,
})

/** Accepts to report its profiles, and knows under which number it was asked last. */
export function reportingProfiles(respond: Respond = accepts) {
  let requestId: unknown
  return {
    requestId: () => requestId,
    respond: ((method, request) => {
      if (method !== 'GetChargingProfiles') return respond(method, request)
      requestId = request.requestId
      return { status: 'Accepted' }
    }) satisfies Respond,
  }
}

/** Of EVSE 1, from the station's operator. */
export const reportProfiles = (
  station: TestStation,
  requestId: unknown,
  chargingProfile: readonly object[],
  more: object = {},
) =>
  station.call('ReportChargingProfiles', {
    requestId,
    chargingLimitSource: 'CSO',
    evseId: 1,
    chargingProfile,
    ...more,
  })

/** Of connector 1 of OCPP 1.6, now. */
export const measured = (
  { clock }: TestCore,
  station: TestStation,
  transactionId: number,
  sampledValue: readonly object[],
) =>
  station.call('MeterValues', {
    connectorId: 1,
    transactionId,
    meterValue: [{ timestamp: isoTime(clock.now()), sampledValue }],
  })

/** What it says that it will give, of OCPP 1.6. */
export const compositeOf16 = (chargingRateUnit: 'A' | 'W', limit: number) => ({
  status: 'Accepted',
  connectorId: 1,
  scheduleStart: isoTime(START),
  chargingSchedule: { duration: 900, chargingRateUnit, chargingSchedulePeriod: [{ startPeriod: 0, limit }] },
})

/** What it says that it will give, of OCPP 2.0.1. */
export const compositeOf201 = (...steps: readonly (readonly [limit: number, startPeriod: number])[]) => {
  const schedule = { evseId: 1, duration: 900, scheduleStart: isoTime(START), chargingRateUnit: 'A' }
  const chargingSchedulePeriod = steps.map(([limit, startPeriod]) => ({ startPeriod, limit }))
  return { status: 'Accepted', schedule: { ...schedule, chargingSchedulePeriod } }
}

export const limited = (limit: number) => ({
  chargingSchedule: { chargingSchedulePeriod: [{ startPeriod: 0, limit }] },
})

/** To be called in a `describe`. */
export function chargingCores() {
  const core = coresOfTests()

  async function started(protocol: '1.6' | '2.0.1', respond: Respond = accepts, voltage = 230) {
    const house = await core({ settings: { sessions: { ...SESSIONS, voltage } } })
    const station = await (protocol === '1.6' ? house.boot16('CP1') : house.boot201('CP1'))
    const sent: [method: string, request: Payload][] = []
    serve(station, sent, respond)
    return { house, station, sent }
  }

  /** Answers what it is asked. */
  function serve(station: TestStation, sent: [string, Payload][], respond: Respond): void {
    const seen = new Set<unknown>()
    const next = (): void =>
      void station
        .frame((frame) => frame[0] === 2 && !seen.has(frame[1]))
        .then(([, id, method, request]) => {
          seen.add(id)
          sent.push([method as string, request as Payload])
          const answer = respond(method as string, request as Payload)
          const none = { status: 'Rejected' }
          const payload = answer ?? (method === 'GetCompositeSchedule' ? none : undefined)
          if (payload) station.send(JSON.stringify([3, id, payload]))
          next()
        })
    next()
  }

  const decide = ({ core: of }: TestCore, input: ChargingInput) =>
    of.decideBlock({ accountId: 'account-1', chargePointId: 'CP1', input })
  const demand = (house: TestCore, owner: string, evseId: number, caps?: Caps) =>
    decide(house, { kind: 'chargingDemanded', demands: [{ owner, evseId, caps }] })
  const demands = ({ store }: TestCore) =>
    store.reads.listRecords('charging_demands', { where: { chargePointId: 'CP1' }, limit: 9 })
  const profiles = ({ store }: TestCore) =>
    store.reads.listRecords('charging_profiles', { where: { chargePointId: 'CP1' }, limit: 99 })
  const proofs = async ({ store }: TestCore) =>
    (await store.reads.getRecord('charging_stations', { chargePointId: 'CP1' }))?.proofs ?? {}
  /** Oldest first. */
  const events = async ({ store }: TestCore, type: string): Promise<readonly unknown[]> => {
    const found = await store.reads.listEvents({ accountId: 'account-1', type, limit: 99 })
    return found === 'unknown' ? [] : found.map(({ body }) => (JSON.parse(body) as { data: unknown }).data)
  }
  const methods = (sent: readonly [string, Payload][]) => sent.map(([method]) => method)
  const sets = (sent: readonly [string, Payload][]) =>
    sent.filter(([method]) => method === 'SetChargingProfile').map(([, request]) => request)
  const accepted = async (house: TestCore) => {
    await expect.poll(async () => (await demands(house)).map(({ state }) => state)).toContain('accepted')
  }
  const begin = async (station: TestStation): Promise<number> => {
    const start = { connectorId: 1, idTag: 'A', meterStart: 0, timestamp: isoTime(START) }
    const answer = (await station.call('StartTransaction', start)) as [number, string, { transactionId: number }]
    return answer[2].transactionId
  }

  return { core, started, serve, demand, demands, profiles, proofs, events, methods, sets, accepted, begin, decide }
}
