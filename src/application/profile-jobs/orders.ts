/** What the API and the console order: a charge point is moved to a higher security profile (CERT-C25). */
import { newUuid } from '../../domain/message-log/uuid.ts'
import type { Core, Protocol } from '../../domain/ports/core.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import type { ChargePointView } from '../../domain/ports/storage.ts'
import { versions } from '../../ocpp/versions.ts'
import { refuse } from '../refuse.ts'

export interface ProfilePlace {
  readonly core: Pick<Core, 'decideBlock'>
  readonly now: () => number
  readonly random: (bytes: number) => Buffer
  /** PEM, where it is known: which steps there are depends on whether a root is to be installed. */
  readonly root: string | undefined
}

export async function raiseProfile(
  { core, now, random, root }: ProfilePlace,
  view: ChargePointView,
  securityProfile: 2 | 3,
): Promise<{ readonly id: string } | Refusal> {
  const version = versions[view.status.protocol as Protocol]
  if (!version) {
    return refuse(409, 'charge_point_offline', 'It has never connected, so its version is not known.')
  }
  const { accountId, id: chargePointId, securityProfile: present } = view
  const id = newUuid(now(), random)
  const steps = version.raiseProfile.steps({ securityProfile, csmsUrl: '', root })
  const input = { kind: 'profileWanted', id, securityProfile, steps, present } as const
  const outcome = await core.decideBlock({ accountId, chargePointId, input })
  return 'status' in outcome ? outcome : { id }
}
