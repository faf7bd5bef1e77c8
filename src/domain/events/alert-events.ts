/** The events about alerts (ALERT-R6). */
import { ALERT_KINDS, type Alert } from '../alerts/records.ts'
import { type EventDocumentation, event, type MadeUp, timeSchema, type Zod } from '../event-declaration.ts'
import { isoTime } from '../iso-time.ts'
import type { EventData } from '../ports/storage-webhooks.ts'

export type AlertChange = 'raised' | 'escalated' | 'cleared'

/** The API's list shows the same and more. */
export const alertMembers = (z: Zod) => ({
  id: z.string(),
  ruleId: z.string(),
  ruleName: z.string(),
  kind: z.enum(ALERT_KINDS),
  state: z.enum(['raised', 'cleared']),
  evseControllerId: z.string().optional().openapi({ description: 'Absent where it is about no charge point.' }),
  sessionId: z.string().optional(),
  webhookId: z.string().optional(),
  errorCode: z.string().optional().openapi({ description: 'As the charge point sent it.' }),
  since: timeSchema(z),
  raisedAt: timeSchema(z),
  escalatedAt: timeSchema(z).optional().openapi({ description: 'When the targets of the escalation were notified.' }),
  clearedAt: timeSchema(z).optional(),
  page: z.string().optional().openapi({ description: 'Where the dashboard shows what is on.' }),
})

const alertSchema = (z: Zod) => z.strictObject(alertMembers(z)).openapi('Alert')

interface ReportedAlert extends Alert {
  readonly page?: string | undefined
}

export function representAlert(alert: ReportedAlert) {
  const { id, ruleId, ruleName, kind, state, since, raisedAt, escalatedAt, clearedAt, facts, page } = alert
  const { stationId, sessionId, webhookId, errorCode } = facts
  return {
    id,
    ruleId,
    ruleName,
    kind,
    state,
    evseControllerId: stationId,
    sessionId,
    webhookId,
    errorCode,
    since: isoTime(since),
    raisedAt: isoTime(raisedAt),
    escalatedAt: isoTime(escalatedAt),
    clearedAt: isoTime(clearedAt),
    page,
  }
}

const aboutAlerts = (
  what: AlertChange,
  documentation: EventDocumentation,
): Parameters<typeof event<string, ReportedAlert, ReturnType<typeof alertSchema>>>[1] => ({
  about: 'chargePoint',
  readBy: 'account',
  subject: ({ facts }) => facts.stationId ?? '',
  coalesceKey: undefined,
  data: alertSchema,
  represent: representAlert,
  sample: (made) => sampleAlert(made, what),
  documentation,
})

function sampleAlert({ id, accountId, chargePointId, now }: MadeUp, what: AlertChange): Alert {
  return {
    accountId,
    id,
    ruleId: 'test',
    ruleName: 'Offline for ten minutes',
    kind: 'offline',
    about: chargePointId,
    state: what === 'cleared' ? 'cleared' : 'raised',
    since: now - 600_000,
    raisedAt: now,
    ...(what === 'escalated' && { escalatedAt: now }),
    ...(what === 'cleared' && { clearedAt: now }),
    facts: { stationId: chargePointId },
  }
}

const alertRaised = event(
  'alert.raised',
  aboutAlerts('raised', {
    component: 'AlertRaisedEvent',
    summary: 'An alert began',
    description:
      'Sent once for whatever an alert rule watches, when it has been so for as long as the rule says. The targets of the rule are sent it without having chosen it.',
  }),
)

const alertEscalated = event(
  'alert.escalated',
  aboutAlerts('escalated', {
    component: 'AlertEscalatedEvent',
    summary: 'An alert was not acknowledged in time',
    description:
      'Sent once for an alert that was not acknowledged for as long as the escalation of its rule says. The targets of the escalation are sent it without having chosen it.',
  }),
)

const alertCleared = event(
  'alert.cleared',
  aboutAlerts('cleared', {
    component: 'AlertClearedEvent',
    summary: 'An alert is over',
    description: 'Sent once for each alert that was raised, a few minutes after it was so for the last time.',
  }),
)

export function tellAlert(alert: ReportedAlert, what: AlertChange): EventData {
  return EVENT_OF[what].of(alert)
}

const EVENT_OF = { raised: alertRaised, escalated: alertEscalated, cleared: alertCleared } as const

export const ALERT_EVENTS = [alertRaised, alertEscalated, alertCleared] as const
