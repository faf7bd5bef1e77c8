/** Making, changing and deleting a webhook of the account, and giving it another secret (HOOK-S1, ADMIN-I1). */

import {
  changeSubscription,
  deleteSubscription,
  refuseUnreachable,
  rotateSecret,
  subscribe,
} from '../../application/webhooks/subscribing.ts'
import { namesOf } from '../../domain/events/declaration.ts'
import { EVENTS } from '../../domain/events/registry.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import type { Subscription } from '../../domain/ports/storage-webhooks.ts'
import { refuse, refuseFault } from '../../domain/refuse.ts'
import { DESCRIPTION, textFault } from '../../domain/typed-text.ts'
import { NOTHING_TYPED, type Typed } from '../../web/entries.tsx'
import { uriOf } from '../../webhooks/sending/address-guard.ts'
import type { ConsolePage, OperatorContext } from '../console-parts.ts'
import { filledIn, typedWith } from '../kit/typed.ts'
import { again, ordering, showing, type Visit } from '../visit.tsx'
import { ChangeWebhookPage, NEW, NewWebhookPage, SecretPage } from './webhook-form-pages.tsx'
import { actionOf, ownWebhook } from './webhook-visit.ts'

const FIELDS = ['url', 'description', 'updates', 'events', 'chargePoints'] as const
const OVERLAP_MS = 86_400_000

type Reach = Pick<OperatorContext, 'resolve' | 'webhookAllowPrivate'>

export const showNewWebhook: ConsolePage = showing('administrator', async (visit) => newPage(visit))

export function createWebhook(parts: Reach): ConsolePage {
  return ordering('administrator', NEW, async (visit, form) => {
    const { site, accountId, frame } = visit
    const read = await readForm(visit, parts, form)
    const events = form.getAll('events')
    const unknown = events.some((name) => !(namesOf(EVENTS) as readonly string[]).includes(name))
    const made =
      'refused' in read
        ? read
        : unknown
          ? refuseFault('/events', 'invalid_value', 'names an event that does not exist')
          : await subscribe(subscribing(site), { accountId }, { ...read, ...(events.length > 0 && { events }) })
    if ('refused' in made) return again(newPage(visit, typedWith(form, made)), made)
    return { page: <SecretPage frame={frame} {...made} />, status: 201 }
  })
}

export const showWebhookForm: ConsolePage = showing('administrator', async (visit) => {
  const subscription = await ownWebhook(visit)
  return 'refused' in subscription ? undefined : changePage(visit, subscription)
})

export function changeWebhook(parts: Reach & Pick<OperatorContext, 'deliveries'>): ConsolePage {
  return ordering('administrator', actionOf, async (visit, form) => {
    const before = await ownWebhook(visit)
    if ('refused' in before) return before
    const changed = await change(visit, parts, before, form)
    if (!('refused' in changed)) return `/webhooks/${encodeURIComponent(changed.id)}`
    return again(changePage(visit, before, typedWith(form, changed)), changed)
  })
}

async function change(
  visit: Visit,
  parts: Reach & Pick<OperatorContext, 'deliveries'>,
  before: Subscription,
  form: URLSearchParams,
): Promise<Subscription | Refusal> {
  const read = await readForm(visit, parts, form)
  if ('refused' in read) return read
  const { url, description = null, updates, chargePointIds = null } = read
  if (before.verify !== undefined && uriOf(url) !== before.url) {
    return refuse(
      409,
      'consent_missing',
      'The receiver is asked for its consent first: change this address over the API.',
    )
  }
  const requested = { url, description, updates, chargePointIds }
  return changeSubscription({ writes: visit.site.writes, deliveries: parts.deliveries }, before, requested)
}

export const rotateWebhook: ConsolePage = ordering('administrator', actionOf, async (visit) => {
  const before = await ownWebhook(visit)
  if ('refused' in before) return before
  const made = await rotateSecret(subscribing(visit.site), before, OVERLAP_MS)
  return 'refused' in made ? made : { page: <SecretPage frame={visit.frame} {...made} />, status: 200 }
})

export const deleteWebhook: ConsolePage = ordering('administrator', actionOf, async (visit) => {
  const before = await ownWebhook(visit)
  if ('refused' in before) return before
  return (await deleteSubscription(visit.site, before)) ?? '/webhooks'
})

function subscribing({ writes, now, random, config }: Visit['site']) {
  return { writes, now, random, secretKey: config.secretKey }
}

interface Read {
  readonly url: string
  readonly description?: string
  readonly updates: Subscription['updates']
  readonly chargePointIds?: readonly string[]
}

async function readForm(
  { site, accountId }: Visit,
  { resolve, webhookAllowPrivate }: Reach,
  form: URLSearchParams,
): Promise<Read | Refusal> {
  const { url = '', description, updates, chargePoints = '' } = filledIn(form, FIELDS)
  const unreachable = await refuseUnreachable({ resolve, allowPrivate: webhookAllowPrivate }, url)
  if (unreachable) return unreachable
  const fault = description === undefined ? undefined : textFault(description, DESCRIPTION)
  if (fault) return refuseFault('/description', fault.code, fault.message)
  const ids = [...new Set(chargePoints.split(/[\s,]+/).filter((id) => id !== ''))]
  for (const id of ids) {
    if ((await site.reads.findChargePoint(id))?.accountId !== accountId) {
      return refuseFault('/chargePoints', 'not_found', `names ${id}, which is no charge point of the account`)
    }
  }
  return {
    url,
    updates: updates === 'transitions' ? 'transitions' : 'all',
    description,
    ...(ids.length > 0 && { chargePointIds: ids }),
  }
}

function newPage(visit: Visit, typed: Typed = NOTHING_TYPED) {
  return <NewWebhookPage visit={visit} events={namesOf(EVENTS)} typed={typed} />
}

function changePage(visit: Visit, subscription: Subscription, typed: Typed = NOTHING_TYPED) {
  return <ChangeWebhookPage visit={visit} subscription={subscription} typed={typed} />
}
