/** What happened to a session, oldest first: its events with the commands behind them, and its settlements (API-B2). */

import { isoTime } from '../domain/iso-time.ts'
import { logIdTime, logIdToUuid } from '../domain/message-log/log-id.ts'
import { showPayment } from '../domain/payments/events.ts'
import type { Session } from '../domain/ports/sessions.ts'
import type { EventRecord, SettlementEntry } from '../domain/ports/storage-webhooks.ts'
import { roundCost } from '../domain/sessions/figures/cost.ts'
import type { PublicSession } from '../domain/sessions/figures/representation.ts'
import type { UseCaseContext } from './context.ts'

type Context = Pick<UseCaseContext, 'reads' | 'salt'>

/** @param newest only so many of the newest events; all unless given */
export async function timelineOf(
  parts: Context,
  session: Pick<Session, 'id' | 'payment'>,
  newest = Number.POSITIVE_INFINITY,
) {
  const { id: sessionId, payment } = session
  const all = await parts.reads.listSessionEvents(sessionId)
  const events = all.slice(Math.max(0, all.length - newest))
  const settlements = await parts.reads.listSettlements(sessionId)
  const payments = payment ? [{ type: 'payment' as const, at: isoTime(payment.at), ...showPayment(payment) }] : []
  const caused = await Promise.all(events.map((event) => eventEntry(parts, event)))
  const shown = [...caused, ...settlements.map(entry), ...payments]
  return shown.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

export type TimelineEntry = Awaited<ReturnType<typeof timelineOf>>[number]

async function eventEntry({ reads, salt }: Context, event: EventRecord) {
  const { data } = JSON.parse(event.body) as { readonly data: PublicSession }
  const causes = await Promise.all(
    event.causes.map(async (cause) => {
      const command = await reads.findCommand(event.chargePointId, cause)
      return {
        id: logIdToUuid(cause, salt),
        createdAt: isoTime(logIdTime(cause)),
        ...(command && { method: command.method, direction: command.direction, messageId: command.messageId }),
      }
    }),
  )
  return { type: 'event' as const, at: isoTime(event.time), eventId: event.id, kind: event.kind, session: data, causes }
}

function entry({ number, energyMilliWh, costMicros, currency, at, by, reason }: SettlementEntry) {
  return {
    type: 'settlement' as const,
    at: isoTime(at),
    number,
    energyKwh: Math.round(energyMilliWh / 1000) / 1000,
    ...(costMicros !== undefined && currency !== undefined && { cost: roundCost(costMicros, currency), currency }),
    by,
    reason,
  }
}
