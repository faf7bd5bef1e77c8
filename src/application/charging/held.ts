/** What a charge point holds, and what follows from all of it: by our own calculation and by its own (CHARGING-S6). */

import { compareSchedules } from '../../domain/charging/charges.ts'
import { type CompositeQuery, compositeSchedule, limitAt } from '../../domain/charging/composite.ts'
import { refuseMissing } from '../../domain/charging/demands.ts'
import { heldProfiles } from '../../domain/charging/plan.ts'
import { byOurClock, type OngoingCharge, type RateUnit, type ReportedSchedule } from '../../domain/charging/profile.ts'
import type { ConnectorWiring, StoredProfile, Verdict } from '../../domain/charging/records.ts'
import { fewestPhases } from '../../domain/charging/rows.ts'
import { grouped } from '../../domain/grouped.ts'
import type { Core } from '../../domain/ports/core.ts'
import type { ChargePointView, Refusal } from '../../domain/ports/storage-records.ts'
import { object, text } from '../../ocpp/translate/payload.ts'
import { versionOf } from '../../ocpp/versions.ts'
import type { UseCaseContext, WithSettings } from '../context.ts'

/** A station that is busy is not waited for. */
const TIMEOUT_MS = 10_000

export type HeldContext = Pick<UseCaseContext, 'reads' | 'now'> & WithSettings<'voltage'>

export interface Held {
  readonly rows: readonly StoredProfile[]
  readonly connectors: readonly ConnectorWiring[]
  readonly voltage: number
  readonly chargeOf: (evseId: number) => OngoingCharge | undefined
}

export async function heldBy({ reads, settings }: HeldContext, chargePointId: string): Promise<Held> {
  const [rows, wiring, sessions] = await Promise.all([
    reads.listRecords('charging_profiles', { where: { chargePointId }, limit: 1000 }),
    reads.getRecord('wirings', { chargePointId }),
    reads.listOpenSessions(chargePointId),
  ])
  const chargeOf = (evseId: number): OngoingCharge | undefined => {
    const session = sessions.find((one) => (one.evseId ?? one.connectorId) === evseId && one.startedAt !== undefined)
    if (session?.transactionId === undefined || session.startedAt === undefined) return undefined
    return { transactionId: session.transactionId, startedAt: session.startedAt }
  }
  return { rows, connectors: wiring?.connectors ?? [], voltage: settings.voltage, chargeOf }
}

/** Of 1.6 the connectors, and 0 for the whole charge point. */
export function evsesOf({ connectors }: Pick<ChargePointView, 'connectors'>, { rows }: Held): ReadonlySet<number> {
  return new Set([0, ...connectors.map((one) => one.evseId ?? one.connectorId), ...rows.map(({ evseId }) => evseId)])
}

/** CHARGING-S10: of an EVSE that the charge point does not have there is no schedule. */
export function refuseUnknownEvse(chargePoint: ChargePointView, held: Held, evseId: number): Refusal | undefined {
  const isKnown = chargePoint.connectors.length === 0 || held.chargeOf(evseId) !== undefined
  return isKnown ? undefined : refuseMissing(evsesOf(chargePoint, held), evseId)
}

export function effectiveProfiles(held: Held, evseIds: Iterable<number>, now: number): ReadonlySet<number | undefined> {
  const found = new Set<number | undefined>()
  // Each is looked at for its own EVSE alone: by all for each of them a list took the square of its length.
  const at = grouped(heldProfiles(held.rows), ({ evseId }) => evseId)
  const everywhere = at.get(0) ?? []
  for (const evseId of evseIds) {
    const profiles = evseId === 0 ? everywhere : [...everywhere, ...(at.get(evseId) ?? [])]
    found.add(limitAt({ ...queryOf({ ...held, rows: [] }, evseId, 'A'), profiles, from: now }).profileId)
  }
  return found
}

function queryOf({ rows, connectors, voltage, chargeOf }: Held, evseId: number, unit: RateUnit) {
  return {
    profiles: heldProfiles(rows),
    evseId,
    charge: chargeOf(evseId),
    unit,
    voltage,
    phases: fewestPhases(connectors, evseId),
  } satisfies Omit<CompositeQuery, 'from' | 'durationSeconds'>
}

export type OwnSchedule = ReturnType<typeof ownSchedule>

/** From this second on. */
export function ownSchedule(held: Held, evseId: number, durationSeconds: number, unit: RateUnit, now: number) {
  const from = toSecond(now)
  const query = queryOf(held, evseId, unit)
  return { from, phases: query.phases, periods: compositeSchedule({ ...query, from, durationSeconds }) }
}

function toSecond(now: number): number {
  return Math.floor(now / 1000) * 1000
}

export interface ReportedAnswer {
  readonly reported?: ReportedSchedule | undefined
  readonly reason?: string | undefined
  readonly verdict?: Verdict | undefined
}

export async function askSchedule(
  { core, now }: { readonly core: Pick<Core, 'sendCommand' | 'connectivity'>; readonly now: () => number },
  { id: chargePointId, accountId, status: { protocol } }: ChargePointView,
  held: Held,
  asked: { readonly evseId: number; readonly duration: number; readonly unit?: RateUnit | undefined },
): Promise<ReportedAnswer> {
  const { evseId, duration, unit } = asked
  const { charging } = versionOf(protocol) ?? {}
  if (!charging) return { reason: 'It has never connected.' }
  const call = charging.composite(evseId, duration, unit)
  const [connected] = await core.connectivity([chargePointId])
  if (!connected?.online) return { reason: 'It is not connected.' }
  const row = await core.sendCommand({ accountId, chargePointId, ...call, waitMs: TIMEOUT_MS, ttlMs: TIMEOUT_MS })
  if ('refused' in row) return { reason: row.detail }
  if (row.status !== 'success') return { reason: row.error?.code.slice(0, 50) || 'It did not answer in time.' }
  const response = object(JSON.parse(row.response ?? '{}'))
  const reported = byOurClock(charging.readComposite(response), connected.clockSkewMs ?? 0)
  if (!reported) return { reason: `It answered ${text(response.status)?.slice(0, 50) ?? 'no status'}.` }
  const { profiles, charge, voltage, phases } = queryOf(held, evseId, 'A')
  return {
    reported,
    verdict: compareSchedules(reported, { profiles, evseId, charge, voltage, phases, now: toSecond(now()) }),
  }
}
