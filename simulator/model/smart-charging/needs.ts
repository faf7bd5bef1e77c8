/** A car that speaks ISO 15118 says what it needs, then how it will charge within what it was given (K15 to K17). */

import { isoTime } from '../../../src/domain/iso-time.ts'
import type { Clock, Protocol } from '../../../src/domain/ports/core.ts'
import type { Payload } from '../../../src/ocpp/translate/payload.ts'
import type { ChargingNeeds, Outlet } from '../connector.ts'
import type { Call } from '../facts.ts'
import { LEAST_CURRENT_A } from './limits.ts'
import type { SmartCharging } from './smart-charging.ts'

const DEFAULT_STAY_SECONDS = 8 * 3_600
const TRANSFERS = ['DC', 'AC_single_phase', 'AC_two_phase', 'AC_three_phase'] as const

export type CarSpeech = ReturnType<typeof createCarSpeech>

export function createCarSpeech(parts: {
  readonly protocol: Protocol
  readonly limits: Pick<SmartCharging, 'composite' | 'rules'>
  readonly clock: Pick<Clock, 'now'>
  readonly notify: (call: Call) => Promise<void>
}) {
  const { protocol, limits, clock, notify } = parts
  const speaks = ({ needs }: Outlet) => (protocol === 'ocpp1.6' ? undefined : needs)
  return {
    async begun(outlet: Outlet): Promise<void> {
      const needs = speaks(outlet)
      if (!needs) return
      const request = {
        evseId: outlet.connectorId,
        maxScheduleTuples: limits.rules.mostPeriods,
        chargingNeeds: chargingNeeds(outlet, needs, clock.now()),
      }
      await notify({ method: 'NotifyEVChargingNeeds', request })
    },
    async answered(outlet: Outlet): Promise<void> {
      const needs = speaks(outlet)
      if (!needs || !outlet.transaction) return
      const { connectorId, meter } = outlet
      const duration = needs.departInSeconds ?? DEFAULT_STAY_SECONDS
      const { periods } = limits.composite(connectorId, duration, 'A')
      const own = mostAmps(outlet)
      const willing = periods.map(({ startPeriod, limit, numberPhases }) => ({
        startPeriod,
        limit: needs.overdraws ? meter.most.amps : Math.min(limit, own),
        numberPhases,
      }))
      const chargingSchedule = { id: 1, duration, chargingRateUnit: 'A', chargingSchedulePeriod: willing }
      const request = { timeBase: isoTime(clock.now()), evseId: connectorId, chargingSchedule }
      await notify({ method: 'NotifyEVChargingSchedule', request })
    },
  }
}

function chargingNeeds(outlet: Outlet, { energyKwh, departInSeconds }: ChargingNeeds, now: number): Payload {
  const { phases, vehicle } = outlet.meter
  const energyAmount = Math.round(energyKwh * 1000)
  const ofDirectCurrent = {
    evMaxCurrent: 400,
    evMaxVoltage: 500,
    energyAmount,
    evMaxPower: vehicle.maxPowerW,
    stateOfCharge: Math.round(outlet.meter.reading().socPercent),
    evEnergyCapacity: vehicle.batteryCapacityWh,
  }
  const ofAlternatingCurrent = {
    energyAmount,
    evMinCurrent: LEAST_CURRENT_A,
    evMaxCurrent: Math.floor(mostAmps(outlet)),
    evMaxVoltage: 400,
  }
  return {
    requestedEnergyTransfer: TRANSFERS[phases],
    ...(departInSeconds !== undefined && { departureTime: isoTime(now + departInSeconds * 1000) }),
    ...(phases === 0 ? { dcChargingParameters: ofDirectCurrent } : { acChargingParameters: ofAlternatingCurrent }),
  }
}

function mostAmps({ meter: { phases, vehicle, most } }: Outlet): number {
  return Math.floor((vehicle.maxPowerW / most.voltage / (phases || 3)) * 10) / 10
}
