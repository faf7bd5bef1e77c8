/** Questions of decisions (SESSION-A15, SESSION-B5, SESSION-B12) wait a while: most answers come by themselves. */
import type { Request } from '../../domain/sessions/decision.ts'
import { isOpenQuestion } from '../../domain/sessions/transactions/orphans.ts'
import type { CoreContext } from '../context.ts'
import type { Station } from '../memory/station.ts'
import { orderCall } from './order-call.ts'

/** A charge point's usual answer time; the orphan rule has minutes. */
const TIMEOUT_MS = 30_000
const TTL_MS = 60_000

export function createQuestions(context: () => CoreContext): CoreContext['outgoing']['ask'] {
  const noted = new Set<string>()
  return ({ id }, request) => {
    const { clock, stations } = context()
    const question = `${id}\0${JSON.stringify(request)}`
    if (noted.has(question)) return
    noted.add(question)
    clock.after(TIMEOUT_MS, () => {
      noted.delete(question)
      const station = stations.known(id)
      if (station?.state && isOpenQuestion(station.state, request)) ask(context(), station, request)
    })
  }
}

/** An offline charge point reports by itself when it is back. */
function ask(context: CoreContext, station: Station, request: Request): void {
  const { id, version, connection } = station
  const call = version?.ask(request)
  if (!call || !version || connection === undefined) return
  orderCall(context, {
    stationId: id,
    call,
    purpose: { kind: 'question', question: request },
    expiresAt: context.clock.now() + TTL_MS,
  }).catch((error: Error) => context.log.warn({ chargePoint: id, error: error.message }, 'could not ask'))
}
