import type { ChargePointView } from '../../domain/ports/storage-records.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import { noSuch } from '../../domain/refuse.ts'
import type { PageContext } from '../../web/site.ts'
import type { Visit } from '../visit.tsx'

/** Undefined for what does not exist and for what is another account's. */
export async function ownChargePoint({ site, context, accountId }: Visit): Promise<ChargePointView | undefined> {
  const found = await site.reads.findChargePoint(idOf(context))
  return found?.accountId === accountId ? found : undefined
}

/** Refuses with 404. */
export async function orderedChargePoint(visit: Visit): Promise<ChargePointView | Refusal> {
  return (await ownChargePoint(visit)) ?? noSuch('charge point')
}

export function actionOn(id: string): string {
  return `charge point ${id}`
}

export function actionOf(context: PageContext): string {
  return actionOn(idOf(context))
}

export function pathOf(id: string): string {
  return `/charge-points/${encodeURIComponent(id)}`
}

function idOf({ req }: PageContext): string {
  return req.param('chargePoint') ?? ''
}
