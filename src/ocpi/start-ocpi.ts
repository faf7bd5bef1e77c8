/** The room put together: the addresses of OCPI, the orders of operators, and the work beside them. */
import type { IsKeeper } from '../domain/periodic.ts'
import type { AskPartner, Clock } from '../domain/ports/core.ts'
import type { Limits } from '../domain/ports/limits.ts'
import type { ClaimedDelivery } from '../domain/ports/storage-webhooks.ts'
import { sealedBox } from '../secrets/sealed-box.ts'
import { systemResolve } from '../webhooks/sending/resolve.ts'
import { createSender, SENDER_TIMEOUTS } from '../webhooks/sending/sender.ts'
import { createResults } from './commands/results.ts'
import { authorize } from './partners/authorize.ts'
import { createPartnerClient } from './partners/client.ts'
import { createExchangeLog } from './partners/exchanges.ts'
import { createPartnerOrders } from './partners/partner-orders.ts'
import { startTokenPulls } from './partners/token-pull.ts'
import { alignLanes } from './pushes/lanes.ts'
import { push } from './pushes/push.ts'
import type { OcpiContext } from './wire/module.ts'
import { ocpiRoutes, type RouterContext } from './wire/router.ts'

interface StartContext extends Omit<OcpiContext, 'client' | 'results' | 'now' | 'after'> {
  readonly clock: Clock
  readonly limits: Limits
  readonly isKeeper?: IsKeeper | undefined
  readonly addressOf: RouterContext['addressOf']
  readonly settings: OcpiContext['settings'] & {
    readonly webhookAllowPrivate: readonly string[]
    readonly rateApi: number
    readonly webhookScheduleSeconds: readonly number[]
  }
}

export function startOcpi({ clock, limits, isKeeper, addressOf, ...parts }: StartContext) {
  const { settings, random } = parts
  const { now, after } = clock
  const exchanges = createExchangeLog(parts)
  const sealed = sealedBox(settings.secretKey, 'partnerTokens', random)
  const sending = { ...SENDER_TIMEOUTS, allowPrivate: settings.webhookAllowPrivate }
  const sender = createSender(sending, clock, systemResolve)
  const { baseUrl, webhookScheduleSeconds: scheduleSeconds } = settings
  const stopping = new AbortController()
  const sent = { sender, exchanges, sealed, baseUrl }
  const client = createPartnerClient({ ...sent, now, after, random, stopping: stopping.signal })
  const results = createResults({ client, after, log: parts.log, stopping: stopping.signal, scheduleSeconds })
  const context: OcpiContext = { ...parts, now, after, client, results }
  alignLanes(context).catch((error: Error) => {
    if (!stopping.signal.aborted) parts.log.error({ error: error.message }, 'pushes to partners could not be aligned')
  })
  const pulls = startTokenPulls({ ...context, clock, isKeeper })
  const askPartner: AskPartner = (question) => authorize(context, question)
  return {
    routes: ocpiRoutes({ ...context, exchanges, limits, perMinute: settings.rateApi, addressOf }),
    orders: createPartnerOrders(context),
    /** What waits for a partner in the outbox of webhooks. */
    push: (delivery: ClaimedDelivery, signal: AbortSignal) => push(context, delivery, [signal, stopping.signal]),
    askPartner,
    async stop(): Promise<void> {
      stopping.abort()
      await pulls.stop()
      await results.whenIdle()
      await exchanges.flush()
      await sender.close()
    },
  }
}
