import { z } from '@hono/zod-openapi'
import { ALERT_KINDS } from '../../domain/alerts/records.ts'
import { alertMembers } from '../../domain/events/alert-events.ts'
import { NAME } from '../../domain/typed-text.ts'
import { SelectorSchema } from '../schemas/charge-points.ts'
import { listOf, pageParameters, time, timeOfDay, timeZone, typedText } from '../schemas/common.ts'

const MAX_TARGETS = 20
export const MAX_AFTER_SECONDS = 30 * 86_400

const words = (most: number) => z.string().min(1).max(most)

/** One mailbox and nothing else: no name, no list, nothing that a header could be made of (ALERT-M4). */
export const mailbox = z
  .string()
  .max(254)
  .regex(
    /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*$/,
    'must be an e-mail address',
  )

const quietHours = z
  .strictObject({
    from: timeOfDay,
    to: timeOfDay,
    timeZone: timeZone.optional().openapi({ description: 'PILOTWIRE_TIME_ZONE unless given.' }),
  })
  .refine(({ from, to }) => from !== to, { message: 'must differ from from', path: ['to'] })
  .openapi('QuietHours', {
    description:
      'Every day from `from` to `to`, which may lie on the next day. Mail waits until they are over; webhooks are notified at once.',
  })

const target = z
  .strictObject({ mail: mailbox.optional(), webhookId: words(100).optional() })
  .refine(({ mail, webhookId }) => (mail === undefined) !== (webhookId === undefined), 'must have mail or webhookId')
  .openapi('AlertTarget', { description: 'One of mail and webhookId, a webhook of the account.' })

const escalation = z
  .strictObject({
    after: z.int().min(0).max(MAX_AFTER_SECONDS).openapi({ description: 'Seconds after it was raised.' }),
    targets: z.array(target).min(1).max(MAX_TARGETS),
  })
  .openapi('AlertEscalation', {
    description:
      'Who is notified as well when an alert is still unacknowledged this long after it was raised, and then when it is over. Quiet hours in which it was raised do not count.',
  })

const members = {
  name: typedText(NAME),
  kind: z.enum(ALERT_KINDS),
  selector: SelectorSchema,
  after: z.int().min(0).max(MAX_AFTER_SECONDS),
  targets: z.array(target).max(MAX_TARGETS),
  quietHours,
  escalation,
}

const OPTIONAL = { selector: true, after: true, quietHours: true, escalation: true } as const

export const CreateAlertRuleSchema = z
  .strictObject({
    ...members,
    after: members.after.openapi({ description: 'Seconds; the default of the kind unless given.' }),
  })
  .partial(OPTIONAL)
  .openapi('CreateAlertRule')

export const ChangeAlertRuleSchema = z
  .strictObject({
    ...members,
    selector: members.selector.nullable(),
    after: members.after.nullable(),
    quietHours: members.quietHours.nullable(),
    escalation: members.escalation.nullable(),
  })
  .partial()
  .openapi('ChangeAlertRule')

export const AlertRuleSchema = z
  .strictObject({
    ...members,
    id: z.string(),
    selector: SelectorSchema.optional(),
    after: z.int().openapi({ description: 'Seconds that it must be so.' }),
    quietHours: quietHours.optional(),
    escalation: escalation.optional(),
    createdAt: time(),
    updatedAt: time(),
  })
  .openapi('AlertRule')

export const AlertRuleListSchema = listOf('AlertRuleList', AlertRuleSchema)

export const AlertSchema = z
  .strictObject({
    ...alertMembers(z),
    text: z.string().openapi({ description: 'What is so, in English.' }),
    acknowledgedAt: time().optional(),
    acknowledgedBy: z.string().optional().openapi({ description: 'Who takes care of it.' }),
  })
  .openapi('ListedAlert')
export const AlertListSchema = listOf('AlertList', AlertSchema)

export const TargetTestsSchema = z
  .strictObject({
    data: z.array(
      z.strictObject({
        mail: z.string().optional(),
        webhookId: z.string().optional(),
        ok: z.boolean().openapi({ description: 'The mail server took it, or the delivery is on its way.' }),
        detail: z.string().optional().openapi({ description: 'What stands against it.' }),
        deliveryId: z.string().optional(),
      }),
    ),
  })
  .openapi('AlertRuleTest')

export const alertParams = z.object({ alertId: z.string() })
export const ruleParams = z.object({ alertRuleId: z.string() })
export const alertQuery = z.strictObject({
  state: z.enum(['raised', 'cleared']).optional(),
  ...pageParameters,
})
