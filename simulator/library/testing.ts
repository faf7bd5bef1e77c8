/** A station with its central system for tests of charging profiles; all of it is closed after each test. */

import { afterEach, expect } from 'vitest'
import { isoTime } from '../../src/domain/iso-time.ts'
import type { Payload } from '../../src/ocpp/translate/payload.ts'
import { startCentralSystem } from '../central-system.ts'
import { ChargePoint, type ConnectOptions, SimulatedClock } from '../index.ts'

const cleanUp: (() => Promise<unknown>)[] = []

/** For each file that calls `booted`: hooks at the top of a module that files share would be the first file's alone. */
export function closesStations(): void {
  afterEach(async () => {
    for (const undo of cleanUp.splice(0).reverse()) await undo()
  })
}

export const VERSIONS = ['1.6', '2.0.1', '2.1'] as const
const START = Date.parse('2026-01-05T08:00:00Z')

interface Limit {
  readonly connector?: number
  readonly id?: number
  readonly purpose?: string
  readonly stackLevel?: number
  readonly unit?: 'A' | 'W'
  /** Start in seconds, limit. */
  readonly periods?: readonly (readonly [number, number])[]
  readonly amps?: number
}

/** A station with its central system; `limit` sets a profile that is relative, and for a charge its own. */
export async function booted(ocpp: (typeof VERSIONS)[number], options: Partial<ConnectOptions> = {}) {
  const calls: { readonly method: string; readonly request: Payload }[] = []
  const central = await startCentralSystem({ received: (call) => void calls.push(call) })
  const clock = new SimulatedClock({ startAt: START })
  const cp = await ChargePoint.connect({ url: central.url, id: 'CHARGE', ocpp, clock, seed: 1, ...options })
  cleanUp.push(async () => {
    await cp.station.powerOff()
    await central.close()
    expect(central.violations).toEqual([])
  })
  await cp.boot()
  const ask = (method: string, request: Payload) => central.call('CHARGE', method, request)
  const limit = async (desired: Limit): Promise<unknown> => {
    const { connector = 1, id = 1, stackLevel = 0, unit = 'A', amps = 16, periods = [[0, amps]] } = desired
    const { purpose = 'TxProfile' } = desired
    const transactionId = cp.state.connectors[connector - 1]?.transaction?.transactionId
    const schedule = {
      chargingRateUnit: unit,
      ...(!purpose.startsWith('Tx') && { startSchedule: isoTime(START) }),
      chargingSchedulePeriod: periods.map(([startPeriod, value]) => ({ startPeriod, limit: value })),
    }
    const profile = {
      stackLevel,
      chargingProfilePurpose: purpose,
      chargingProfileKind: purpose.startsWith('Tx') ? 'Relative' : 'Absolute',
      ...(purpose === 'TxProfile' &&
        transactionId !== undefined && { transactionId: ocpp === '1.6' ? Number(transactionId) : transactionId }),
    }
    const request =
      ocpp === '1.6'
        ? {
            connectorId: connector,
            csChargingProfiles: { ...profile, chargingProfileId: id, chargingSchedule: schedule },
          }
        : { evseId: connector, chargingProfile: { ...profile, id, chargingSchedule: [{ ...schedule, id }] } }
    const { status } = await ask('SetChargingProfile', request)
    return status
  }
  const charging = async (connector = 1, vehicle = 'compact') => {
    await cp.plug(connector, { vehicle, soc: 10 })
    await cp.swipe(connector, `CARD-${connector}`)
    await cp.wait(60)
  }
  const stationMax = ocpp === '1.6' ? 'ChargePointMaxProfile' : 'ChargingStationMaxProfile'
  const amps = (connector?: number) => cp.current(connector).map((ampere) => Math.round(ampere * 10) / 10)
  const comesTo = (expected: readonly number[], connector?: number) =>
    expect
      .poll(async () => {
        await cp.wait(5)
        return amps(connector)
      })
      .toEqual(expected)
  return { cp, calls, ask, limit, charging, stationMax, comesTo }
}
