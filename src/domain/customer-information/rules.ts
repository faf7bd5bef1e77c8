/** What becomes of a request for what is known of a customer (DRIVER-I1 to DRIVER-I4). Pure. */
import { forgetListed } from '../local-lists/rules.ts'
import type { BlockDraft, InputOf } from '../ports/blocks.ts'
import type { Outcome } from '../ports/sessions.ts'
import { recordsOf } from '../records/records-of.ts'
import type { CustomerRequest, CustomerRequestState } from './records.ts'

export const DAY_MS = 24 * 3600_000
/** As of reports (DEVICE-A3). */
const SILENCE_MS = 120_000
const MAX_REQUESTS = 20
/** Of one answer; what is longer is no answer. */
const MAX_CHARACTERS = 200_000

const requests = recordsOf('customer_requests')

export function isCustomerRequestOver({ state }: Pick<CustomerRequest, 'state'>): boolean {
  return state !== 'requested' && state !== 'running'
}

export function onCustomerInformationOrdered(
  draft: BlockDraft,
  { id, requestId, order, grantId }: InputOf<'customerInformationOrdered'>,
): Outcome | undefined {
  const { chargePointId, accountId, records } = draft.state
  if (records.all('customer_requests').length >= MAX_REQUESTS) return { refused: 'too_many_customer_requests' }
  const { now } = draft
  const times = { dueAt: now + DAY_MS, createdAt: now, updatedAt: now }
  const named = { chargePointId, requestId, accountId, id, grantId }
  requests.put(draft, { ...named, ...times, asked: order, state: 'requested', pages: [] })
}

export function onCustomerInformationAnswered(
  draft: BlockDraft,
  { requestId, answer, reason }: InputOf<'customerInformationAnswered'>,
): Outcome {
  const known = requests.find(draft, { requestId })
  if (!known || answer === 'unsent') return {}
  const { report, clear, idToken } = known.asked
  // Pages are an answer as well, where its own is lost.
  const isDone = answer === 'accepted' || (answer === 'failed' && isWhole(known))
  if (isDone && clear && idToken !== undefined) forgetListed(draft, idToken)
  if (isCustomerRequestOver(known)) return {}
  if (!isDone) return become(draft, known, answer === 'refused' ? 'rejected' : 'incomplete', { reason })
  return become(draft, known, report && !isWhole(known) ? 'running' : 'complete')
}

export function onCustomerPage(draft: BlockDraft, page: InputOf<'customerPage'>): Outcome {
  const { requestId, sequence = 0, isLast, data } = page
  const known = requestId === undefined || sequence < 0 ? undefined : requests.find(draft, { requestId })
  if (!known || isCustomerRequestOver(known) || known.pages.some(([each]) => each === sequence)) return {}
  const pages = [...known.pages, [sequence, data] as const]
  const lastSequence = isLast ? sequence : known.lastSequence
  const length = pages.reduce((sum, [, text]) => sum + text.length, 0)
  if (length > MAX_CHARACTERS) return become(draft, known, 'incomplete', { reason: 'it is longer than is kept' })
  const facts = { pages, ...(lastSequence !== undefined && { lastSequence }) }
  // A page may come before the answer, which alone says that it is done.
  if (known.state === 'requested') return keep(draft, { ...known, ...facts })
  return become(draft, known, isWhole(facts) ? 'complete' : 'running', facts)
}

function isWhole({ pages, lastSequence }: Pick<CustomerRequest, 'pages' | 'lastSequence'>): boolean {
  return lastSequence !== undefined && pages.filter(([each]) => each <= lastSequence).length > lastSequence
}

/** DRIVER-I2: once. */
export function onCustomerInformationDelivered(
  draft: BlockDraft,
  { requestId }: InputOf<'customerInformationDelivered'>,
): Outcome | undefined {
  const known = requests.find(draft, { requestId })
  if (!known || !isCustomerRequestOver(known)) return { refused: 'not_found' }
  requests.remove(draft, known)
}

export function endCustomerRequests(draft: BlockDraft): void {
  for (const one of draft.state.records.all('customer_requests')) {
    if (one.dueAt > draft.now) continue
    if (isCustomerRequestOver(one)) requests.remove(draft, one)
    else if (one.state === 'requested') become(draft, one, 'rejected', { reason: 'the charge point did not come back' })
    else become(draft, one, 'incomplete', { reason: 'no more pages came' })
  }
}

/** OIDC-C13: what an application asked for ends with its grant. */
export function removeCustomerRequestsOf(draft: BlockDraft, grantId: string): void {
  for (const one of draft.state.records.all('customer_requests'))
    if (one.grantId === grantId) requests.remove(draft, one)
}

function become(
  draft: BlockDraft,
  before: CustomerRequest,
  state: CustomerRequestState,
  facts: Partial<CustomerRequest> = {},
): Outcome {
  const after = { ...before, ...facts, state }
  const dueAt = draft.now + (isCustomerRequestOver(after) ? DAY_MS : SILENCE_MS)
  return keep(draft, { ...after, dueAt })
}

function keep(draft: BlockDraft, put: CustomerRequest): Outcome {
  requests.change(draft, put)
  return {}
}
