/** Charging profiles of a charge point as they are, and the schedule that follows from all of them (CHARGING-S3). */

import {
  askSchedule,
  effectiveProfiles,
  evsesOf,
  heldBy,
  ownSchedule,
  refuseUnknownEvse,
} from '../../application/charging/held.ts'
import { type AskedLimit, isLimit, ownerOf } from '../../application/charging/limits.ts'
import { demandsOf, findLimit, putLimit, removeLimit, shownLimit } from '../../application/charging/orders.ts'
import {
  ChargingProfileListSchema,
  ChargingProfileSchema,
  ClearChargingProfilesSchema,
  ClearedChargingProfilesSchema,
  CompositeScheduleSchema,
  chargingProfileQuery,
  compositeQuery,
  LimitListSchema,
  LimitSchema,
  limitParams,
  PostChargingProfileSchema,
  PutLimitSchema,
  PutStationModelSchema,
  StationModelSchema,
  stationModelParams,
} from '../../application/charging/schemas.ts'
import { noRoomFor } from '../../application/context.ts'
import { shown } from '../../application/schemas/common.ts'
import { inUnit } from '../../domain/charging/composite.ts'
import type { RateUnit } from '../../domain/charging/profile.ts'
import type { ModelAbilities, StoredProfile } from '../../domain/charging/records.ts'
import { storedProfile } from '../../domain/charging/rows.ts'
import { isoTime } from '../../domain/iso-time.ts'
import type { Outcome } from '../../domain/ports/sessions.ts'
import type { ChargePointView, Refusal } from '../../domain/ports/storage-records.ts'
import { foundPages } from '../../domain/selector.ts'
import { readProfile, writeProfile } from '../../ocpp/translate/charging-profile.ts'
import { sentTime } from '../../ocpp/translate/payload.ts'
import { grantOf } from '../access/access.ts'
import type { Ordered } from '../access/rights.ts'
import type { Api } from '../api-parts.ts'
import { chargePointResource, resource } from '../resource.ts'
import { orNotFound, orRefused, Problem } from '../respond.ts'

const COMMON = { tag: 'Charging limits' } as const
const HOUR_SECONDS = 3600

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
      'Unless you need a certain purpose or stack level, prefer a limit. Refused with 422 and the clause of OCPP where it would be refused, or mean something else.',
    body: PostChargingProfileSchema,
    problems: [409, 422],
    accepted: [ChargingProfileSchema, 'It is sent now, or when the charge point connects'],
    holds: ({ chargePoint, body: { chargingProfile } }) =>
      ordered(api, chargePoint, [readProfile(chargingProfile)?.id ?? -1]),
    async handle({ principal, chargePoint, body: { evseId, chargingProfile } }) {
      const profile = readProfile(chargingProfile)
      if (!profile) {
        const errors = [{ pointer: '/chargingProfile/id', code: 'required', message: 'is required' }]
        throw new Problem(400, 'required', '/chargingProfile/id is required.', { errors })
      }
      const { accountId, id: chargePointId } = chargePoint
      const grantId = grantOf(principal)
      const input = { kind: 'rawProfileRequested', evseId, profile, grantId } as const
      orRefused(asGiven(await api.core.decideBlock({ accountId, chargePointId, input }), chargingProfile))
      const row = await api.reads.getRecord('charging_profiles', { chargePointId, source: 'desired', id: profile.id })
      return represented(row ?? orphan(chargePointId, evseId, profile), undefined)
    },
  })
  profiles.post('/clear', 'clearChargingProfiles', 'Clear charging profiles', {
    description:
      'Those with these ids, and all that are foreign where an API credential says that. Limits are deleted by their names instead.',
    body: ClearChargingProfilesSchema,
    problems: [422],
    accepted: [ClearedChargingProfilesSchema, 'They are cleared now, or when the charge point connects'],
    holds: async ({ chargePoint, body: { ids = [], foreign } }) => [
      ...(await ordered(api, chargePoint, ids)),
      ...(foreign ? [BY_NO_APPLICATION] : []),
    ],
    async handle({ chargePoint: { accountId, id: chargePointId }, body: { foreign, ids } }) {
      if (foreign === undefined && ids === undefined) {
        const errors = [{ pointer: '', code: 'invalid_value', message: 'must name ids or foreign' }]
        throw new Problem(422, 'invalid_value', 'The body must name ids or foreign.', { errors })
      }
      const input = { kind: 'profilesWithdrawn', ...(foreign && { foreign }), ids } as const
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

/** What a station holds of others: of the account's commands too, and nothing says of which. */
const BY_NO_APPLICATION: Ordered = {}

async function ordered({ reads }: Api, { id: chargePointId }: ChargePointView, ids: readonly number[]) {
  const rowOf = (source: StoredProfile['source'], id: number) =>
    reads.getRecord('charging_profiles', { chargePointId, source, id })
  const rows = ids.map(
    async (id) => (await rowOf('desired', id)) ?? ((await rowOf('reported', id)) && BY_NO_APPLICATION),
  )
  return (await Promise.all(rows)).flatMap((row) => (row && (!('owner' in row) || row.owner === 'raw') ? [row] : []))
}

/** A refusal points into what was given: OCPP 1.6 has one schedule and no list of them. */
function asGiven(outcome: Outcome | Refusal, { chargingSchedule }: { readonly chargingSchedule: unknown }) {
  if (!('status' in outcome) || Array.isArray(chargingSchedule)) return outcome
  const given = (text: string): string => text.replaceAll('/chargingSchedule/0', '/chargingSchedule')
  const errors = outcome.errors?.map((one) => ({ ...one, pointer: given(one.pointer) }))
  return { ...outcome, detail: given(outcome.detail), errors }
}

function orphan(chargePointId: string, evseId: number, profile: StoredProfile['profile']): StoredProfile {
  const facts = { chargePointId, source: 'desired', evseId, owner: 'raw' } as const
  return storedProfile(profile, { ...facts, state: 'due', attempts: 0, updatedAt: 0 })
}

async function list(api: Api, chargePoint: ChargePointView, source: StoredProfile['source'] | undefined) {
  const held = await heldBy(api, chargePoint.id)
  const effective = effectiveProfiles(held, evsesOf(chargePoint, held), api.now())
  const rows = held.rows.filter((row) => source === undefined || row.source === source)
  return { data: rows.map((row) => represented(row, effective)), meta: {} }
}

function represented(row: StoredProfile, effective: ReadonlySet<number | undefined> | undefined): object {
  const { id, profile, acceptedAt } = row
  return shown(ChargingProfileSchema, row, {
    id: id >= 0 ? id : undefined,
    kind: profile.kind,
    effective: acceptedAt !== undefined && effective?.has(id) ? true : undefined,
    chargingProfile: { ...writeProfile(profile), ...(profile.kind === 'Dynamic' && updatedAt(profile)) },
  })
}

/** It is not sent: the station notes it (OCPP 2.1 K28.FR.05). */
function updatedAt({ schedules: [schedule] }: StoredProfile['profile']): object {
  return { dynUpdateTime: sentTime(schedule?.startAt) }
}

async function compare(
  api: Api,
  chargePoint: ChargePointView,
  query: { readonly evseId?: number; readonly duration?: number; readonly unit?: RateUnit },
): Promise<object | Refusal> {
  const { evseId = 0, duration = HOUR_SECONDS, unit = 'A' } = query
  const held = await heldBy(api, chargePoint.id)
  const refusal = refuseUnknownEvse(chargePoint, held, evseId)
  if (refusal) return refusal
  const { from, phases, periods } = ownSchedule(held, evseId, duration, unit, api.now())
  const { reported, reason, verdict } = await askSchedule(api, chargePoint, held, {
    evseId,
    duration,
    unit: query.unit,
  })
  return {
    evseId,
    duration,
    ours: {
      unit,
      startAt: isoTime(from),
      periods: periods.map(({ startSeconds, limit, phases: numberPhases, profileId }) => ({
        startPeriod: startSeconds,
        limit: limit === undefined ? undefined : tenths(limit),
        numberPhases,
        chargingProfileId: profileId !== undefined && profileId >= 0 ? profileId : undefined,
      })),
    },
    ...(reported && {
      station: {
        unit,
        startAt: sentTime(reported.startAt),
        periods: reported.periods.map(({ startSeconds, limit, phases: numberPhases }) => ({
          startPeriod: startSeconds,
          limit:
            limit === undefined
              ? undefined
              : tenths(inUnit(limit, reported.unit, unit, held.voltage, numberPhases ?? phases)),
          numberPhases,
        })),
      },
      verdict,
    }),
    reason,
  }
}

function tenths(limit: number): number {
  return Math.round(limit * 10) / 10
}

/** What an account says of a model of charge points, whatever it announces (CHARGING-S5). */
export function addStationModels(api: Api): void {
  const { reads, writes } = api
  const models = resource(api, {
    tag: 'Charging limits',
    path: '/2/station-models/{vendor}/{model}',
    params: stationModelParams,
  })
  const find = async (accountId: string, names: { vendor: string; model: string }): Promise<ModelAbilities> => {
    return orNotFound(await reads.getRecord('model_abilities', { accountId, ...names }), 'station model')
  }
  models.put('', 'putStationModel', 'Create or replace what is known of a station model', {
    description: 'For all charge points of the account that say that they are this model.',
    body: PutStationModelSchema,
    problems: [409],
    replaced: [StationModelSchema],
    async handle({ principal: { accountId }, params, body: { limitKey, abilities = {} } }) {
      const before = await reads.getRecord('model_abilities', { accountId, ...params })
      if (!before) orRefused((await noRoomFor('model_abilities', reads, accountId)) ?? {})
      const at = api.now()
      const after: ModelAbilities = {
        accountId,
        ...params,
        abilities,
        createdAt: before?.createdAt ?? at,
        updatedAt: at,
        limitKey,
      }
      await writes.putRecords('model_abilities', [after])
      await lookAgain(api, accountId, params)
      return { before, shown: shown(StationModelSchema, after) }
    },
  })
  models.get('', 'getStationModel', 'Get what is known of a station model', {
    ok: [StationModelSchema, 'The model'],
    handle: async ({ principal, params }) => shown(StationModelSchema, await find(principal.accountId, params)),
  })
  models.delete('', 'deleteStationModel', 'Delete what is known of a station model', {
    done: 'Deleted',
    async handle({ principal: { accountId }, params }) {
      await find(accountId, params)
      await writes.removeRecords('model_abilities', [{ accountId, ...params }])
      await lookAgain(api, accountId, params)
    },
  })
}

async function lookAgain({ reads, core }: Api, accountId: string, filter: { vendor: string; model: string }) {
  for await (const page of foundPages(reads, { accountId, filter, sort: 'id' })) {
    for (const { view } of page) {
      const chargePointId = view.id
      if (!(await reads.getRecord('charging_stations', { chargePointId }))) continue
      await core.decideBlock({ accountId, chargePointId, input: { kind: 'chargingModelChanged' } })
    }
  }
}

/** Limits of a charge point by name (CHARGING-S3). */
export function addLimits(api: Api): void {
  const limits = chargePointResource(api, {
    tag: 'Charging limits',
    path: '/limits',
  })
  limits.put('/{name}', 'putLimit', 'Create or replace a limit', {
    description:
      'What the charge point, or one EVSE of it, may draw. Of several limits the smallest holds. It is sent in whatever form the charge point takes, now or when it connects, again after a boot and after a pause of the charge, and proof tells whether it is kept.',
    body: PutLimitSchema,
    problems: [409, 422],
    params: limitParams,
    replaced: [LimitSchema],
    holds: async ({ chargePoint: { id }, params: { name } }) =>
      (await demandsOf(api, id)).filter(({ owner }) => owner === ownerOf(name)),
    async handle({ principal, chargePoint, params: { name }, body }) {
      const asked: AskedLimit = body
      const { before, after } = orRefused(await putLimit(api, chargePoint, name, asked, grantOf(principal)))
      return { before, shown: await shownLimit(api, after) }
    },
  })
  limits.get('/{name}', 'getLimit', 'Get a limit', {
    params: limitParams,
    ok: [LimitSchema, 'The limit, with its proof'],
    handle: async ({ chargePoint: { id }, params: { name } }) =>
      shownLimit(api, orRefused(await findLimit(api, id, name))),
  })
  limits.delete('/{name}', 'deleteLimit', 'Delete a limit', {
    params: limitParams,
    description: 'The charge point is updated now, or when it connects.',
    done: 'Deleted',
    holds: async ({ chargePoint: { id }, params: { name } }) => orRefused(await findLimit(api, id, name)),
    handle: async ({ chargePoint, params: { name } }) =>
      removeLimit(api, chargePoint, orRefused(await findLimit(api, chargePoint.id, name))),
  })
  limits.get('', 'listLimits', 'List limits of a charge point', {
    ok: [LimitListSchema, 'All of its limits'],
    async handle({ chargePoint: { id } }) {
      const demands = (await demandsOf(api, id)).filter(isLimit)
      return { data: await Promise.all(demands.map((demand) => shownLimit(api, demand))), meta: {} }
    },
  })
}
