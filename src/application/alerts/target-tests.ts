/** Whether what a rule would tell arrives: a mail to each address, a test event to each webhook (ALERT-A4). */

import type { AlertRule, AlertTarget } from '../../domain/alerts/records.ts'
import { newUuid } from '../../domain/message-log/log-id.ts'
import type { Limits } from '../../domain/ports/limits.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { oneLine } from '../../domain/typed-text.ts'
import type { UseCaseContext } from '../context.ts'
import { minuteBudget, type WebhookOrders } from '../webhooks/subscribing.ts'
import { type PostContext, SERVER_CODES } from './mail-queue.ts'
import { testMail } from './mail-text.ts'

/** Each makes us call the mail server. */
const TESTS_PER_MINUTE = 10
const MAX_ANSWER_LENGTH = 300

export interface TargetTest {
  readonly target: AlertTarget
  readonly ok: boolean
  readonly detail?: string | undefined
  readonly deliveryId?: string | undefined
}

export type TestTargets = (rule: AlertRule) => Promise<readonly TargetTest[] | Refusal>

interface TargetTestContext extends Pick<UseCaseContext, 'reads' | 'now'> {
  readonly webhookOrders: Pick<WebhookOrders, 'test'>
  readonly limits: Limits
  readonly now: () => number
  readonly random: (bytes: number) => Buffer
  /** Absent: no mail server is configured. */
  readonly post?: Pick<PostContext, 'mailer' | 'language' | 'page' | 'domain'> | undefined
}

const NO_MAIL_SERVER = 'No mail server is set: PILOTWIRE_SMTP_URL is missing.'

/** One for the whole server: it counts the tests. */
export function createTargetTests({ reads, webhookOrders, limits, now, random, post }: TargetTestContext): TestTargets {
  const spend = minuteBudget(
    limits,
    'alert rule',
    TESTS_PER_MINUTE,
    `Rules are tested ${TESTS_PER_MINUTE} times a minute; wait a little.`,
  )

  const send = async (
    to: string,
    rule: AlertRule,
  ): Promise<{ readonly detail?: string | undefined; readonly isDown?: true | undefined }> => {
    if (!post) return { detail: NO_MAIL_SERVER }
    const messageId = `<test-${newUuid(now(), random)}@${post.domain}>`
    try {
      await post.mailer.send({ ...testMail(rule.name, post.language, post.page), to, messageId })
      return {}
    } catch (error) {
      const { message, code = '' } = error as Error & { readonly code?: string | undefined }
      return { detail: oneLine(message, MAX_ANSWER_LENGTH), ...(SERVER_CODES.has(code) && { isDown: true }) }
    }
  }

  const sendEvent = async (webhookId: string): Promise<Omit<TargetTest, 'target'>> => {
    const webhook = await reads.findSubscription(webhookId)
    if (!webhook) return { ok: false, detail: 'There is no such webhook.' }
    const delivery = await webhookOrders.test(webhook)
    if ('refused' in delivery) return { ok: false, detail: delivery.detail }
    return { ok: true, deliveryId: delivery.id }
  }

  return async (rule) => {
    const refusal = await spend(rule.accountId)
    if (refusal) return refusal
    const tests: TargetTest[] = []
    /** A server that does not answer is asked once (ALERT-M1). */
    let down: string | undefined
    for (const target of [...rule.targets, ...(rule.escalation?.targets ?? [])]) {
      if ('webhookId' in target) {
        tests.push({ target, ...(await sendEvent(target.webhookId)) })
        continue
      }
      const sent: Awaited<ReturnType<typeof send>> =
        down === undefined ? await send(target.mail, rule) : { detail: down }
      if (sent.isDown) down = sent.detail
      tests.push({ target, ok: sent.detail === undefined, detail: sent.detail })
    }
    return tests
  }
}
