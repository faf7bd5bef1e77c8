/** Raising the security profile of a charge point (CERT-C25). */
import { z } from '@hono/zod-openapi'
import { cancelProfileJob, raiseProfile } from '../../application/profile-jobs/orders.ts'
import { chargePointParams } from '../../application/schemas/charge-points.ts'
import { json as described, located, time } from '../../application/schemas/common.ts'
import { PROFILE_STEPS, type ProfileJob } from '../../domain/profile-jobs/records.ts'
import { needsScope, visibleChargePoint } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { notFound } from '../problem.ts'
import { carriedOut, json, noContent, orRefused } from '../respond.ts'

const TAG = 'Certificates'
const CERTIFICATES = needsScope('chargers:certificates')
const PATH = '/2/evse-controllers/{evseController}/security-profile'

const JobSchema = z
  .strictObject({
    id: z.string(),
    evseControllerId: z.string(),
    securityProfile: z.int(),
    state: z.enum(['running', 'done', 'failed', 'cancelled']),
    step: z.enum(PROFILE_STEPS).openapi({ description: 'What it waits for, or where it failed.' }),
    reason: z.string().optional(),
    createdAt: time(),
    updatedAt: time(),
  })
  .openapi('SecurityProfileJob')

const isoTime = (at: number): string => new Date(at).toISOString()

function represent({
  id,
  chargePointId,
  securityProfile,
  state,
  step,
  reason,
  createdAt,
  updatedAt,
}: ProfileJob): object {
  const times = { createdAt: isoTime(createdAt), updatedAt: isoTime(updatedAt) }
  return { id, evseControllerId: chargePointId, securityProfile, state, step, reason, ...times }
}

export function addProfileJobs(api: Api): void {
  const { endpoints, reads, settings } = api
  const find = async (chargePointId: string, id: string): Promise<ProfileJob> => {
    const job = await reads.getRecord('security_profile_jobs', { chargePointId, id })
    if (!job) throw notFound('job')
    return job
  }
  endpoints.add({
    method: 'post',
    path: PATH,
    operationId: 'raiseSecurityProfile',
    tag: TAG,
    summary: 'Move a charge point to a higher security profile',
    description:
      'Over OCPP, a step at a time: the root of this server, where it is known, the network profile and its priority (OCPP 1.6: the key SecurityProfile), a reset when the charge point is idle, and its return on the new profile. Within a day, or the job has failed at the step that it names; a charge point that took the reset and stays on its former profile has an hour. Profile 3 needs a certificate that was made for the charge point, or with which it was here.',
    access: CERTIFICATES,
    params: chargePointParams,
    body: z.strictObject({ securityProfile: z.union([z.literal(2), z.literal(3)]) }).openapi('RaiseSecurityProfile'),
    problems: [409],
    responses: { 202: located(JobSchema, 'The job') },
    async handle({ principal, params, body }) {
      const view = await visibleChargePoint(reads, principal, params.evseController)
      const { id: chargePointId } = view
      const { id } = orRefused(await raiseProfile({ ...api, root: settings.serverRoot }, view, body.securityProfile))
      const location = `/2/evse-controllers/${encodeURIComponent(chargePointId)}/security-profile/${id}`
      return json(represent(await find(chargePointId, id)), 202, { location })
    },
  })
  endpoints.add({
    method: 'get',
    path: `${PATH}/{job}`,
    operationId: 'getSecurityProfileJob',
    tag: TAG,
    summary: 'Get a security profile job',
    access: CERTIFICATES,
    params: chargePointParams.extend({ job: z.string() }),
    responses: { 200: described(JobSchema, 'The job') },
    async handle({ principal, params }) {
      const { id } = await visibleChargePoint(reads, principal, params.evseController)
      return json(represent(await find(id, params.job)))
    },
  })
  endpoints.add({
    method: 'delete',
    path: `${PATH}/{job}`,
    operationId: 'cancelSecurityProfileJob',
    tag: TAG,
    summary: 'Cancel a security profile job',
    description: 'What waits is not sent any more; what the charge point has taken already stays as it is.',
    access: CERTIFICATES,
    params: chargePointParams.extend({ job: z.string() }),
    problems: [409],
    responses: { 204: { description: 'Cancelled' } },
    async handle({ principal, params }) {
      const view = await visibleChargePoint(reads, principal, params.evseController)
      carriedOut(await cancelProfileJob(api, view, params.job))
      return noContent()
    },
  })
}
