/** Receiver of ChargingProfiles (OCPI-A6): a limit of one session, which ends with it, beside our own limits. */
import { z } from '@hono/zod-openapi'
import { askSchedule, heldBy } from '../../application/charging/held.ts'
import { PROFILE_OWNER } from '../../domain/charging/demands.ts'
import { isoTime } from '../../domain/iso-time.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import { isTerminal } from '../../domain/sessions/states/transition.ts'
import { ocpiTime, readFields } from '../wire/fields.ts'
import { INVALID, type OcpiAnswer, type OcpiContext, type OcpiRequest, receiver, refused } from '../wire/module.ts'
import { parseOcpiTime } from '../wire/times.ts'
import { eventually } from './carry-out.ts'
import { accept, response, sessionOf } from './commands.ts'
import { responseUrlFault } from './results.ts'

export const chargingProfilesModule = receiver('chargingprofiles', '/{session}', {
  GET: getActive,
  PUT: putProfile,
  DELETE: clearProfile,
})

const MAX_SECONDS = 10 * 365 * 24 * 3600
const seconds = z.int().min(0).max(MAX_SECONDS)
const Period = z.looseObject({ start_period: seconds, limit: z.number().min(0).max(1_000_000) })
const SetProfile = z.looseObject({
  response_url: z.string().min(1),
  charging_profile: z.looseObject({
    start_date_time: ocpiTime.nullish(),
    duration: seconds.min(1).nullish(),
    charging_rate_unit: z.enum(['W', 'A']),
    charging_profile_period: z
      .array(Period)
      .min(1)
      .max(1000)
      .refine((all) => all.every((one, at) => one.start_period > (all[at - 1]?.start_period ?? -1)), {
        message: 'must rise by start_period',
      }),
  }),
})

type Profile = z.output<typeof SetProfile>['charging_profile']
type Of = { readonly session: Session; readonly evseId: number }

async function putProfile(request: OcpiRequest): Promise<OcpiAnswer> {
  const read = readFields(SetProfile, request.body)
  if (!read.ok) return read.answer
  const { response_url, charging_profile } = read.value
  return withSession(request, response_url, ({ context }, of, signal) => limit(context, of, charging_profile, signal))
}

async function limit(context: OcpiContext, of: Of, profile: Profile, signal: AbortSignal): Promise<object> {
  const { session, evseId } = of
  const { accountId, chargePointId, id } = session
  const began = profile.start_date_time ? parseOcpiTime(profile.start_date_time) : session.startedAt
  const from = began ?? context.now()
  const until = profile.duration ? from + profile.duration * 1000 : undefined
  if (until !== undefined && until <= context.now()) return { result: 'REJECTED' }
  const owner = PROFILE_OWNER + id
  const steps = profile.charging_profile_period.map((one) => ({ at: from + one.start_period * 1000, limit: one.limit }))
  const charge = { unit: profile.charging_rate_unit, steps, ...(until !== undefined && { until }) }
  const input = { kind: 'chargingDemanded', demands: [{ owner, evseId, caps: { charge } }] } as const
  const ordered = await context.core.decideBlock({ accountId, chargePointId, input })
  if ('status' in ordered) return { result: 'REJECTED' }
  const read = () => context.reads.getRecord('charging_demands', { chargePointId, owner, evseId })
  const after = await eventually(context, read, (one) => one?.state !== 'pending', signal)
  return { result: after?.state === 'accepted' ? 'ACCEPTED' : 'REJECTED' }
}

function clearProfile(request: OcpiRequest): Promise<OcpiAnswer> {
  const url = request.query.get('response_url') ?? ''
  return withSession(request, url, async ({ context }, { session, evseId }) => {
    const { accountId, chargePointId, id } = session
    const owner = PROFILE_OWNER + id
    const known = await context.reads.getRecord('charging_demands', { chargePointId, owner, evseId })
    if (!known) return { result: 'UNKNOWN' }
    const input = { kind: 'chargingDemanded', demands: [{ owner, evseId }] } as const
    const ordered = await context.core.decideBlock({ accountId, chargePointId, input })
    return { result: 'status' in ordered ? 'REJECTED' : 'ACCEPTED' }
  })
}

async function getActive(request: OcpiRequest): Promise<OcpiAnswer> {
  const duration = Number(request.query.get('duration'))
  if (!Number.isInteger(duration) || duration < 1 || duration > MAX_SECONDS) {
    return refused(INVALID, 'duration must be a whole number of seconds.')
  }
  const url = request.query.get('response_url') ?? ''
  return withSession(request, url, async ({ context }, { session, evseId }) => {
    const chargePoint = await context.reads.findChargePoint(session.chargePointId)
    if (!chargePoint) return { result: 'REJECTED' }
    const held = await heldBy(context, chargePoint.id)
    const { reported } = await askSchedule(context, chargePoint, held, { evseId, duration })
    if (!reported) return { result: 'REJECTED' }
    const periods = reported.periods.flatMap(({ startSeconds, limit }) =>
      limit === undefined ? [] : [{ start_period: startSeconds, limit: Math.round(limit * 10) / 10 }],
    )
    const profile = { charging_rate_unit: reported.unit, duration, charging_profile_period: periods }
    const start_date_time = isoTime(reported.startAt ?? context.now())
    return { result: 'ACCEPTED', profile: { start_date_time, charging_profile: profile } }
  })
}

async function withSession(
  request: OcpiRequest,
  responseUrl: string,
  carryOut: (request: OcpiRequest, of: Of, signal: AbortSignal) => Promise<object>,
): Promise<OcpiAnswer> {
  const fault = responseUrlFault(request.partner, responseUrl, request.context.settings)
  if (fault !== undefined) return refused(INVALID, fault)
  const session = await sessionOf(request, request.params.session ?? '')
  if (!session) return response('UNKNOWN_SESSION')
  const evseId = session.evseId ?? session.connectorId
  if (isTerminal(session.state) || evseId === undefined) return response('REJECTED')
  return accept(request, responseUrl, session.partner, (signal) => carryOut(request, { session, evseId }, signal))
}
