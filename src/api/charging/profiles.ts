/** Charging profiles of a charge point as they are, and the schedule that follows from all of them (CHARGING-S3). */
import {
  ChargingProfileListSchema,
  ChargingProfileSchema,
  ClearChargingProfilesSchema,
  ClearedChargingProfilesSchema,
  CompositeScheduleSchema,
  chargingProfileQuery,
  compositeQuery,
  PostChargingProfileSchema,
} from '../../application/charging/schemas.ts'
import { compositeSchedule, inUnit, limitAt } from '../../domain/charging/composite.ts'
import { heldProfiles, wiredPhases } from '../../domain/charging/plan.ts'
import type { OngoingCharge, RateUnit, ToldSchedule } from '../../domain/charging/profile.ts'
import { compareSchedules } from '../../domain/charging/proof.ts'
import type { StoredProfile } from '../../domain/charging/records.ts'
import { isoTime } from '../../domain/message-log/shown-command.ts'
import type { ChargePointView } from '../../domain/ports/storage.ts'
import { isProtocol } from '../../ocpp/protocols.ts'
import { readProfile, writeProfile } from '../../ocpp/translate/charging-profile.ts'
import { object } from '../../ocpp/translate/payload.ts'
import { versions } from '../../ocpp/versions.ts'
import { grantOf, needsScope } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { Problem } from '../problem.ts'
import { chargePointResource } from '../resource.ts'
import { orRefused } from '../respond.ts'

const COMMON = { tag: 'Charging limits', access: needsScope('chargers:control') } as const
const HOUR_SECONDS = 3600
/** A station that is busy is not waited for. */
const PATIENCE_MS = 10_000

export function addChargingProfiles(api: Api): void {
  const profiles = chargePointResource(api, { ...COMMON, path: '/charging-profiles' })
  profiles.get('', 'listChargingProfiles', 'List charging profiles of a charge point', {
    description:
      'desired: what we want there. reported: what the charge point said that it holds, and limits of others.',
    query: chargingProfileQuery,
    ok: [ChargingProfileListSchema, 'All of them; the one that caps now is effective'],
    handle: ({ chargePoint, query }) => list(api, chargePoint, query.source),
  })
  profiles.post('', 'postChargingProfile', 'Set a charging profile as it is', {
    description:
      'Whoever does not need a certain purpose or stack level is better off with a limit. Refused with 422 and the clause of OCPP where it would be refused, or mean something else.',
    body: PostChargingProfileSchema,
    problems: [409, 422],
    accepted: [ChargingProfileSchema, 'It is sent now, or when the charge point connects'],
    async handle({ principal, chargePoint, body: { evseId, chargingProfile } }) {
      const profile = readProfile(chargingProfile)
      if (!profile) {
        const errors = [{ pointer: '/chargingProfile/id', code: 'required', message: 'is required' }]
        throw new Problem(400, 'required', '/chargingProfile/id is required.', { errors })
      }
      const { accountId, id: chargePointId } = chargePoint
      const grantId = grantOf(principal)
      const input = { kind: 'rawProfileWanted', evseId, profile, ...(grantId !== undefined && { grantId }) } as const
      orRefused(await api.core.decideBlock({ accountId, chargePointId, input }))
      const row = await api.reads.getRecord('charging_profiles', { chargePointId, source: 'desired', id: profile.id })
      return represented(row ?? orphan(chargePointId, evseId, profile), undefined)
    },
  })
  profiles.post('/clear', 'clearChargingProfiles', 'Clear charging profiles', {
    description: 'Those with these ids, or all that are foreign. Limits are deleted by their names instead.',
    body: ClearChargingProfilesSchema,
    problems: [422],
    accepted: [ClearedChargingProfilesSchema, 'They are cleared now, or when the charge point connects'],
    async handle({ chargePoint: { accountId, id: chargePointId }, body: { foreign, ids } }) {
      if ((foreign === undefined) === (ids === undefined)) {
        const errors = [{ pointer: '', code: 'invalid_value', message: 'must name either ids or foreign' }]
        throw new Problem(422, 'invalid_value', 'The body must name either ids or foreign.', { errors })
      }
      const input = { kind: 'profilesUnwanted', ...(foreign && { foreign }), ...(ids && { ids }) } as const
      orRefused(await api.core.decideBlock({ accountId, chargePointId, input }))
      return { state: 'accepted' }
    },
  })
  const composite = chargePointResource(api, { ...COMMON, path: '/composite-schedule' })
  composite.get('', 'getCompositeSchedule', 'Get the composite schedule of an EVSE', {
    description: 'Ours beside that of the charge point, which is asked for it where it is connected.',
    query: compositeQuery,
    ok: [CompositeScheduleSchema, 'Both schedules'],
    handle: ({ chargePoint, query }) => compare(api, chargePoint, query),
  })
}

function orphan(chargePointId: string, evseId: number, profile: StoredProfile['profile']): StoredProfile {
  const { id, purpose, stackLevel } = profile
  return {
    ...{ chargePointId, source: 'desired', id, evseId, purpose, stackLevel, owner: 'raw', profile },
    ...{ state: 'due', attempts: 0, updatedAt: 0 },
  }
}

async function known({ reads }: Api, chargePointId: string) {
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
  return { rows, connectors: wiring?.connectors ?? [], chargeOf }
}

async function list(api: Api, { id, connectors: told }: ChargePointView, source: StoredProfile['source'] | undefined) {
  const { rows, connectors, chargeOf } = await known(api, id)
  const profiles = heldProfiles(rows)
  const evses = new Set([0, ...told.map((one) => one.evseId ?? one.connectorId), ...rows.map(({ evseId }) => evseId)])
  const { voltage } = api.settings
  const effective = new Set<number | undefined>()
  for (const evseId of evses) {
    const phases = wiredPhases(connectors, evseId)
    const at = { profiles, evseId, charge: chargeOf(evseId), from: api.now(), voltage, phases }
    effective.add(limitAt({ ...at, unit: 'A' }).profileId)
  }
  const shown = rows.filter((row) => source === undefined || row.source === source)
  return { data: shown.map((row) => represented(row, effective)), meta: {} }
}

function represented(row: StoredProfile, effective: ReadonlySet<number | undefined> | undefined): object {
  const { id, source, owner, evseId, purpose, stackLevel, transactionId, profile, state, reason } = row
  const { validFrom, validTo, acceptedAt, updatedAt } = row
  const time = (at: number | undefined): string | undefined => (at === undefined ? undefined : isoTime(at))
  return {
    ...(id >= 0 && { id }),
    ...{ source, owner, evseId, purpose, kind: profile.kind, stackLevel, transactionId, state, reason },
    ...{ validFrom: time(validFrom), validTo: time(validTo), acceptedAt: time(acceptedAt) },
    ...(acceptedAt !== undefined && effective?.has(id) && { effective: true }),
    chargingProfile: writeProfile(profile),
    updatedAt: isoTime(updatedAt),
  }
}

async function compare(
  api: Api,
  { id: chargePointId, accountId, status: { protocol } }: ChargePointView,
  query: { readonly evseId?: number; readonly duration?: number; readonly unit?: RateUnit },
): Promise<object> {
  const { evseId = 0, duration = HOUR_SECONDS, unit = 'A' } = query
  const { rows, connectors, chargeOf } = await known(api, chargePointId)
  const profiles = heldProfiles(rows)
  const phases = wiredPhases(connectors, evseId)
  const from = Math.floor(api.now() / 1000) * 1000
  const charge = chargeOf(evseId)
  const { voltage } = api.settings
  const at = { profiles, evseId, charge, unit, voltage, phases }
  const ours = compositeSchedule({ ...at, from, durationSeconds: duration })
  const { told, reason } = await ask(api, { accountId, chargePointId, protocol }, evseId, duration, query.unit)
  return {
    ...{ evseId, duration },
    ours: {
      ...{ unit, startAt: isoTime(from) },
      periods: ours.map(({ startSeconds, limit, phases: numberPhases, profileId }) => ({
        startPeriod: startSeconds,
        limit: limit === undefined ? undefined : tenths(limit),
        numberPhases,
        chargingProfileId: profileId !== undefined && profileId >= 0 ? profileId : undefined,
      })),
    },
    ...(told && {
      station: {
        unit,
        startAt: told.startAt === undefined ? undefined : isoTime(told.startAt),
        periods: told.periods.map(({ startSeconds, limit, phases: numberPhases }) => ({
          startPeriod: startSeconds,
          limit: tenths(inUnit(limit, told.unit, unit, voltage, numberPhases ?? phases)),
          numberPhases,
        })),
      },
      verdict: compareSchedules(told, { profiles, evseId, charge, voltage, phases, now: from }),
    }),
    reason,
  }
}

function tenths(limit: number): number {
  return Math.round(limit * 10) / 10
}

async function ask(
  { core }: Api,
  of: { readonly accountId: string; readonly chargePointId: string; readonly protocol?: string | undefined },
  evseId: number,
  duration: number,
  unit: RateUnit | undefined,
): Promise<{ readonly told?: ToldSchedule | undefined; readonly reason?: string | undefined }> {
  const { accountId, chargePointId, protocol = '' } = of
  if (!isProtocol(protocol)) return { reason: 'It has never connected.' }
  const { charging } = versions[protocol]
  const call = charging.composite(evseId, duration, unit)
  const [connected] = await core.connectivity([chargePointId])
  if (!connected?.online) return { reason: 'It is not connected.' }
  const row = await core.sendCommand({ accountId, chargePointId, ...call, waitMs: PATIENCE_MS, ttlMs: PATIENCE_MS })
  if ('refused' in row) return { reason: row.detail }
  if (row.status !== 'success') return { reason: row.error?.code ?? 'It did not answer in time.' }
  const response = object(JSON.parse(row.response ?? '{}'))
  const told = charging.readComposite(response)
  return told ? { told } : { reason: `It answered ${String(response.status)}.` }
}
