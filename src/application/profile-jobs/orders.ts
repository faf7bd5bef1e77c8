/** What the API and the console order: a charge point is moved to another security profile (CERT-C25). */

import { newUuid } from '../../domain/message-log/log-id.ts'
import type { Core } from '../../domain/ports/core.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { ChargePointView, Refusal } from '../../domain/ports/storage-records.ts'
import { noSuch, refuse } from '../../domain/refuse.ts'
import { versionOf } from '../../ocpp/versions.ts'

interface ProfileContext {
  readonly reads: Pick<Reads, 'getRecord'>
  readonly core: Pick<Core, 'decideBlock'>
  readonly now: () => number
  readonly random: (bytes: number) => Buffer
  /** PEM, where it is known: which steps there are depends on whether a root is to be installed. */
  readonly root: string | undefined
}

export async function raiseProfile(
  { reads, core, now, random, root }: ProfileContext,
  view: ChargePointView,
  securityProfile: 2 | 3,
  grantId?: string,
): Promise<{ readonly id: string } | Refusal> {
  const version = versionOf(view.status.protocol)
  if (!version) {
    return refuse(409, 'charge_point_offline', 'It has never connected, so its version is not known.')
  }
  const { accountId, id: chargePointId, securityProfile: present } = view
  const id = newUuid(now(), random)
  const { lowersBy } = version.raiseProfile
  const mayLower = lowersBy !== undefined && securityProfile === 2 && present === 3
  if (mayLower) {
    const allowed = await reads.getRecord('variables', { chargePointId, key: lowersBy })
    if (allowed?.gone !== false || allowed.value?.toLowerCase() !== 'true') return NOT_LOWERED
    if (view.passwordHash === undefined) return NO_PASSWORD
  }
  const steps = version.raiseProfile.steps({ securityProfile, csmsUrl: '', root })
  const input = { kind: 'profileRequested', id, securityProfile, steps, present, mayLower, grantId } as const
  const outcome = await core.decideBlock({ accountId, chargePointId, input })
  if (!('status' in outcome)) return { id }
  const why = REFUSED[outcome.code]
  return why === undefined ? outcome : refuse(outcome.status, outcome.code, why)
}

/** OCPP21-B10 */
const NOT_LOWERED = refuse(
  409,
  'profile_not_higher',
  'It goes back from profile 3 to 2 only if its variable SecurityCtrlr.AllowSecurityProfileDowngrade is true: set it, and read it back with a report.',
)
const NO_PASSWORD = refuse(
  409,
  'profile_not_higher',
  'Profile 2 needs a password, and it has none: set SecurityCtrlr.BasicAuthPassword with a command first.',
)

const REFUSED: Readonly<Record<string, string>> = {
  certificate_required:
    'It has no valid certificate that is known here: ask it for a request first, and wait until it has its certificate.',
  job_running: 'A job of this charge point runs already: cancel it first, or wait for its end.',
  profile_not_higher: 'It has this security profile, or a higher one.',
}

export async function cancelProfileJob(
  { core }: Pick<ProfileContext, 'core'>,
  { accountId, id: chargePointId }: Pick<ChargePointView, 'accountId' | 'id'>,
  id: string,
): Promise<Refusal | undefined> {
  const outcome = await core.decideBlock({ accountId, chargePointId, input: { kind: 'profileCancelled', id } })
  if (!('status' in outcome)) return undefined
  if (outcome.code === 'not_found') return noSuch('job')
  return outcome.code === 'job_over' ? refuse(409, 'job_over', 'The job is over already.') : outcome
}
