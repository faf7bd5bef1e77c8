/** For tests: the operator's pages behind a sign-in, on a real store. */
import { randomBytes } from 'node:crypto'
import { afterAll } from 'vitest'
import { createWebhookOrders } from '../../../src/application/webhooks/subscribing.ts'
import type { OperatorContext } from '../../../src/console/console-parts.ts'
import { operatorPages } from '../../../src/console/mount.ts'
import type { RecordChange } from '../../../src/domain/records/records.ts'
import { limitsInMemory } from '../../../src/limits/limits.ts'
import { systemClock } from '../../../src/server/system.ts'
import { recordingCore } from '../api/testing.ts'
import { openPlace, type Place } from '../oidc/testing.ts'

export const SALT = 1n

/**
 * @param core in place of one that says of every charge point what the place says, and disconnects nobody
 * @param parts further ones, such as pages of other rooms
 */
export function openOperatorPlace(
  core: Partial<OperatorContext['core']> = {},
  parts: Partial<OperatorContext> = {},
): Promise<Place> {
  return openPlace({}, undefined, ({ reads, writes, now, connectivity }) =>
    operatorPages({
      searchLog: () => reads,
      core: { ...recordingCore({ writes }).core, connectivity, onlineChargePoints: async () => ['CP1'], ...core },
      webhookOrders: createWebhookOrders({ writes, now, random: randomBytes, limits: limitsInMemory(now) }),
      baseUrl: 'http://localhost:8080',
      timeZone: 'UTC',
      voltage: 230,
      salt: SALT,
      after: systemClock.after,
      ...parts,
    }),
  )
}

/** Of a whole test file: closed behind it, with a browser in which each user is signed in. */
export async function operatorsOfTest(...options: Parameters<typeof openOperatorPlace>) {
  const place = await openOperatorPlace(...options)
  afterAll(() => place.close())
  return {
    place,
    ada: await place.signedIn(place.ada),
    otto: await place.signedIn(place.otto),
    bob: await place.signedIn(place.bob),
    eve: await place.signedIn(place.eve),
    mia: await place.signedIn(place.mia),
  }
}

export async function keepRecords(
  { core }: Pick<Place, 'core'>,
  chargePointId: string,
  records: readonly RecordChange[],
): Promise<void> {
  const [result] = await core.commit([{ chargePointId, records }])
  if (result && !result.ok) throw result.error
}
