/**
 * Limits that come from elsewhere than the central system: an energy manager on site, or the grid's operator. They hold
 * at once; a 2.0.1 station tells of them (K11 to K13), a 1.6 station has no word for it.
 */
import { isoTime } from '../../../src/domain/iso-time.ts'
import type { Clock, Protocol } from '../../../src/domain/ports/core.ts'
import type { Charging } from '../charging.ts'
import type { Outlet } from '../connector.ts'
import type { Call } from '../facts.ts'
import { EXTERNAL_PURPOSE, type LimitSource, readProfile } from './profile.ts'
import type { SmartCharging } from './smart-charging.ts'

type OutsideSource = Exclude<LimitSource, 'CSO'>
export const OUTSIDE_SOURCES: readonly OutsideSource[] = ['EMS', 'SO', 'Other']

/**
 * A limit from outside, in amperes on each phase or in watts.
 *
 * @example { amps: 10, source: 'SO' }
 */
export interface OutsideLimit {
  readonly amps?: number
  readonly watts?: number
  /** Absent: of the whole station. */
  readonly connector?: number
  /** An energy manager (default), the grid operator, or another system. */
  readonly source?: OutsideSource
  readonly isGridCritical?: boolean
}

export type OutsideLimits = ReturnType<typeof createOutsideLimits>

export function createOutsideLimits(parts: {
  readonly protocol: Protocol
  readonly outlets: readonly Outlet[]
  readonly limits: SmartCharging
  readonly charging: Charging
  readonly clock: Pick<Clock, 'now'>
  readonly notify: (call: Call) => Promise<void>
}) {
  const { protocol, outlets, limits, charging, clock, notify } = parts
  let nextId = -1
  /** K12.FR.03: who charges at another rate now says so; who pauses or goes on has said that. */
  const settle = async (): Promise<void> => {
    const before = outlets.map(({ meter, status }) => ({ amps: meter.offered.amps, status }))
    await charging.applyLimits()
    for (const [number, { connectorId, meter, status }] of outlets.entries()) {
      if (before[number]?.amps !== meter.offered.amps && before[number]?.status === status)
        await charging.tellRate(connectorId)
    }
  }
  return {
    /** In place of what the same source said of the same connector before. */
    async set({ amps, watts, connector = 0, source = 'EMS', isGridCritical }: OutsideLimit): Promise<void> {
      if ((amps === undefined) === (watts === undefined)) throw new Error('a limit is in amps or in watts: say one')
      if (connector !== 0) charging.outlet(connector)
      const id = nextId--
      const schedule = {
        id: -id,
        startSchedule: isoTime(clock.now()),
        chargingRateUnit: amps === undefined ? 'W' : 'A',
        chargingSchedulePeriod: [{ startPeriod: 0, limit: amps ?? watts ?? 0 }],
      }
      const profile = {
        id,
        stackLevel: 0,
        chargingProfilePurpose: EXTERNAL_PURPOSE,
        chargingProfileKind: 'Absolute',
        chargingSchedule: [schedule],
      }
      limits.constrain(connector, source, { ...readProfile(profile, connector, clock.now()), madeBy: source })
      await settle()
      if (protocol === 'ocpp1.6') return
      const request = {
        ...(connector !== 0 && { evseId: connector }),
        chargingLimit: { chargingLimitSource: source, isGridCritical },
        chargingSchedule: [schedule],
      }
      await notify({ method: 'NotifyChargingLimit', request })
    },
    async clear({ connector = 0, source = 'EMS' }: Pick<OutsideLimit, 'connector' | 'source'> = {}): Promise<void> {
      limits.constrain(connector, source, undefined)
      await settle()
      if (protocol === 'ocpp1.6') return
      const request = { chargingLimitSource: source, ...(connector !== 0 && { evseId: connector }) }
      await notify({ method: 'ClearedChargingLimit', request })
    },
  }
}
