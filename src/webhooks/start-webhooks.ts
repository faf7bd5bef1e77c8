import type { Config } from '../config/config.ts'
import type { Clock } from '../domain/ports/clock.ts'
import type { Log } from '../domain/ports/log.ts'
import { sealedBox } from '../secrets/sealed-box.ts'
import { type Deliveries, type DeliveryContext, startDeliveries } from './deliverer.ts'
import { systemResolve } from './sending/resolve.ts'
import { createSender, SENDER_TIMEOUTS } from './sending/sender.ts'

interface WebhookContext {
  readonly config: Pick<Config, 'secretKey' | 'webhookAllowPrivate' | 'webhookScheduleSeconds'>
  readonly writes: DeliveryContext['writes']
  readonly clock: Clock
  readonly randomBytes: (bytes: number) => Buffer
  readonly random: () => number
  readonly log: Log
  /** Of this program, for the User-Agent (HOOK-W2). */
  readonly version: string
  readonly isAlone: boolean
}

export function startWebhooks(parts: WebhookContext): Deliveries {
  const { config, writes, clock, random, randomBytes, log, version, isAlone } = parts
  const { totalTimeoutMs } = SENDER_TIMEOUTS
  return startDeliveries({
    writes,
    sender: createSender({ ...SENDER_TIMEOUTS, allowPrivate: config.webhookAllowPrivate }, clock, systemResolve),
    secrets: sealedBox(config.secretKey, 'webhookSecrets', randomBytes),
    clock,
    random,
    settings: { scheduleSeconds: config.webhookScheduleSeconds, totalTimeoutMs, userAgent: `Pilotwire/${version}` },
    log,
    isAlone,
  })
}
