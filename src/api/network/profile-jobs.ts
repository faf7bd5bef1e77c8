/** Raising the security profile of a charge point (CERT-C25). */

import { z } from '@hono/zod-openapi'
import { cancelProfileJob, raiseProfile } from '../../application/profile-jobs/orders.ts'
import { time } from '../../application/schemas/common.ts'
import { shown } from '../../application/schemas/shown.ts'
import { PROFILE_STEPS, type ProfileJob } from '../../domain/profile-jobs/records.ts'
import { grantOf } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { orNotFound } from '../problem.ts'
import { chargePointResource } from '../resource.ts'
import { orRefused } from '../respond.ts'

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

export function addProfileJobs(api: Api): void {
  const { reads, settings } = api
  const jobs = chargePointResource(api, { tag: 'Certificates', path: '/security-profile' })
  const find = async (chargePointId: string, id: string): Promise<ProfileJob> => {
    return orNotFound(await reads.getRecord('security_profile_jobs', { chargePointId, id }), 'job')
  }
  jobs.post('', 'raiseSecurityProfile', 'Move a charge point to a higher security profile', {
    description:
      'Over OCPP, a step at a time: the root of this server, where it is known, the network profile and its priority (OCPP 1.6: the key SecurityProfile), a reset when the charge point is idle, and its return on the new profile. Within a day, or the job has failed at the step that it names; a charge point that took the reset and stays on its former profile has an hour. Profile 3 needs a certificate that was made for the charge point, or with which it was here.',
    body: z.strictObject({ securityProfile: z.union([z.literal(2), z.literal(3)]) }).openapi('RaiseSecurityProfile'),
    problems: [409],
    begun: [JobSchema, 'The job'],
    async handle({ principal, chargePoint, body }) {
      const place = { ...api, root: settings.serverRoot }
      const { id } = orRefused(await raiseProfile(place, chargePoint, body.securityProfile, grantOf(principal)))
      return shown(JobSchema, await find(chargePoint.id, id))
    },
  })
  jobs.get('/{job}', 'getSecurityProfileJob', 'Get a security profile job', {
    params: z.object({ job: z.string() }),
    ok: [JobSchema, 'The job'],
    handle: async ({ chargePoint, params }) => shown(JobSchema, await find(chargePoint.id, params.job)),
  })
  jobs.delete('/{job}', 'cancelSecurityProfileJob', 'Cancel a security profile job', {
    description: 'What waits is not sent any more; what the charge point has taken already stays as it is.',
    params: z.object({ job: z.string() }),
    problems: [409],
    done: 'Cancelled',
    holds: ({ chargePoint, params }) => find(chargePoint.id, params.job),
    handle: ({ chargePoint, params }) => cancelProfileJob(api, chargePoint, params.job),
  })
}
