/** What became of an order that a partner gave, posted to the address that it named (OCPI-A4). */
import type { UseCaseContext } from '../../application/context.ts'
import type { Partner } from '../../domain/partners/records.ts'
import { urlFault } from '../../webhooks/sending/address-guard.ts'
import type { Call, PartnerClient } from '../partners/client.ts'

export interface Order {
  readonly partner: Partner
  readonly url: string
  readonly routing: Call['routing']
}

/** A partner that waits for a result has given up long before. */
const MAX_TRIES = 5

interface ResultsContext extends Pick<UseCaseContext, 'after' | 'log'> {
  readonly client: PartnerClient
  readonly stopping: AbortSignal
  readonly scheduleSeconds: readonly number[]
}

export type Results = ReturnType<typeof createResults>

export function createResults({ client, after, log, stopping, scheduleSeconds }: ResultsContext) {
  const open = new Set<Promise<void>>()
  const post = async ({ partner, url, routing }: Order, body: object): Promise<void> => {
    for (let attempt = 1; attempt <= MAX_TRIES && !stopping.aborted; attempt++) {
      const called = await client.call(partner, { method: 'POST', url, body, routing, attempt })
      const isFinal = !called.ok && called.status !== undefined && called.status < 500 && called.status !== 429
      if (called.ok || isFinal) return
      const delay = scheduleSeconds[attempt - 1]
      if (delay === undefined) return
      await pause({ after }, delay * 1000, stopping)
    }
  }
  return {
    /** Carries the order out and posts what it comes to; the request is answered meanwhile. */
    follow(order: Order, carryOut: (signal: AbortSignal) => Promise<object>): void {
      const run = carryOut(stopping)
        .catch((error: Error) => {
          if (!stopping.aborted) log.error({ error: error.message }, 'an order of a partner failed')
          return { result: 'FAILED' }
        })
        .then((result) => post(order, result))
        .finally(() => open.delete(run))
      open.add(run)
    },
    /** Resolves after a stop. */
    async whenIdle(): Promise<void> {
      await Promise.all(open)
    },
  }
}

/** @param signal ends it early */
export function pause({ after }: Pick<UseCaseContext, 'after'>, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = (): void => {
      cancel()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const cancel = after(ms, done)
    signal.addEventListener('abort', done)
  })
}

/** Undefined: it may be called. Only where the partner's own endpoints are, and never to us. */
export function responseUrlFault(
  { versionsUrl, endpoints }: Partner,
  url: string,
  settings: { readonly baseUrl: string },
): string | undefined {
  if (url.length > 2000 || urlFault(url) !== undefined) return 'response_url must be an address with https.'
  const { origin } = new URL(url)
  if (origin === new URL(settings.baseUrl).origin) return 'response_url is an address of this server.'
  const own = [...(versionsUrl === undefined ? [] : [versionsUrl]), ...endpoints.map((one) => one.url)]
  if (own.some((one) => URL.canParse(one) && new URL(one).origin === origin)) return undefined
  return 'response_url must have the host and the port of your versions or of one of your endpoints.'
}
