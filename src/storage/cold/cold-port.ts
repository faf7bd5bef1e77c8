/** The cold port for any engine, with the parts of the hot one that both share. */
import type { ColdReads, ColdWrites, Reads, Writes } from '../../domain/ports/storage.ts'
import {
  accountReads,
  accountWrites,
  administrationReads,
  administrationWrites,
  limitMinuteReads,
} from './administration.ts'
import { auditWrites, recordedTour } from './audit.ts'
import { chargePointLists } from './charge-point-lists.ts'
import { chargePointReads, chargePointWrites } from './charge-points.ts'
import { idTokenReads, idTokenWrites, tariffReads, tariffWrites } from './id-tokens.ts'
import { commandReads } from './log.ts'
import { networkReads, siteReads } from './network.ts'
import { oidcReads } from './oidc/reads.ts'
import { clientWrites, grantWrites, loginWrites, upkeepWrites } from './oidc/writes.ts'
import { recordReads, recordWrites } from './records.ts'
import { totalReads } from './session-totals.ts'
import { sessionReads } from './sessions.ts'
import { claimWrites, resultWrites } from './webhooks/claims.ts'
import { orderWrites, replayTours } from './webhooks/delivery-orders.ts'
import { pullInTours } from './webhooks/pull-in.ts'
import { deliveryReads, eventReads, subscriptionReads } from './webhooks/reads.ts'
import { alignTours, subscriptionTours, subscriptionWrites } from './webhooks/subscriptions.ts'
import { type Dialect, type Operations, portOf, type Run, type RunOf, type Tours, toursOf, value } from './work.ts'

/** Without the end of the log, which each engine finds in its own way. */
type SharedReads = Omit<ColdReads, 'greatestCommandId'>

/** A missing read does not compile. */
export function readWork(dialect: Dialect): Operations<SharedReads> {
  return {
    ...accountReads(dialect),
    ...administrationReads(dialect),
    ...idTokenReads(dialect),
    ...oidcReads(dialect),
    ...chargePointReads(dialect),
    ...chargePointLists(dialect),
    ...networkReads(dialect),
    ...siteReads(dialect),
    ...limitMinuteReads(dialect),
    ...sessionReads(dialect),
    ...totalReads(dialect),
    ...recordReads,
    ...commandReads(dialect),
    ...subscriptionReads,
    ...deliveryReads(dialect),
    ...eventReads(dialect),
    ...tariffReads,
    *ping() {
      yield* value('SELECT 1')
    },
  }
}

/** The delivery queue belongs to the hot port, but is the same in both engines. */
type SharedWrites = ColdWrites & Pick<Writes, 'claimDeliveries' | 'finishAttempts'>

/** Every write but the log's retention, in one transaction each. */
function writeWork(dialect: Dialect): Operations<Omit<SharedWrites, keyof ReturnType<typeof writeTours> | 'recorded'>> {
  return {
    ...accountWrites(dialect),
    ...administrationWrites(dialect),
    ...auditWrites,
    ...idTokenWrites(dialect),
    ...clientWrites,
    ...loginWrites,
    ...grantWrites,
    ...upkeepWrites,
    ...chargePointWrites(dialect),
    ...recordWrites(dialect),
    ...subscriptionWrites,
    ...claimWrites(dialect),
    ...resultWrites,
    ...orderWrites(dialect),
    ...tariffWrites(dialect),
  }
}

function writeTours(dialect: Dialect) {
  return {
    ...subscriptionTours,
    ...replayTours,
    ...alignTours,
    ...pullInTours(dialect),
  } satisfies Partial<Tours<SharedWrites>>
}

export function coldReads(dialect: Dialect, run: Run): Pick<Reads, keyof SharedReads> {
  // The port's generic operations, over the kind of a record, are unions here.
  return portOf(readWork(dialect), () => run) as Pick<Reads, keyof SharedReads>
}

/** @param runOf runs work of the named operation in a transaction */
export function coldWrites(dialect: Dialect, runOf: RunOf): SharedWrites {
  const work = writeWork(dialect)
  const tours = writeTours(dialect)
  return {
    ...portOf(work, runOf),
    ...toursOf({ ...tours, ...recordedTour(work, tours, runOf) }, runOf),
  } as SharedWrites
}
