/** Which charge points a bulk order means, and which of them cannot carry it out (BULK-B1, BULK-B2). */

import { type BulkWhat, REASONS } from '../../domain/bulk-orders/records.ts'
import { knowledgeOf } from '../../domain/firmware/images.ts'
import type { Capability } from '../../domain/ports/capability.ts'
import type { ChargePoint, ChargePointView, Refusal } from '../../domain/ports/storage-records.ts'
import type { Selector } from '../../domain/records/selector.ts'
import { refuse, refuseFault } from '../../domain/refuse.ts'
import { selectable, selectChargePoints, selects } from '../../domain/selector.ts'
import { AWAY, mayWait, NEVER_CONNECTED, objectionTo } from '../../ocpp/orders/objection.ts'
import { bulkCall, isCommanded } from '../../ocpp/orders/usual-commands.ts'
import { versionOf } from '../../ocpp/versions.ts'
import { MAX_LABELS, tooManyLabels } from '../charge-points/register.ts'
import type { UseCaseContext } from '../context.ts'

export interface Asked extends Judged {
  readonly accountId: string
  readonly selector: Selector
  readonly grantId?: string | undefined
  /** Charge points that the caller may know of; undefined: all of the account. */
  readonly shared?: readonly string[] | undefined
  readonly statuses?: readonly ChargePoint['registrationStatus'][] | undefined
}

export interface Chosen {
  readonly id: string
  readonly objection?: string | undefined
}

type ChoosingContext = Pick<UseCaseContext, 'reads' | 'core'>

/** By id, with those that the caller may not know of as unable. Refuses what no charge point can carry out. */
export async function choose(place: ChoosingContext, asked: Asked): Promise<readonly Chosen[] | Refusal> {
  const requested = await lookedUp(place, asked)
  if ('refused' in requested) return requested
  const { reads, core } = place
  const { accountId, selector, shared, statuses } = asked
  const found = await selected(reads, accountId, selector, shared)
  const views = statuses ? found.filter((view) => statuses.includes(view.registrationStatus)) : found
  const online = new Set<string>()
  if (views.length > 0) {
    const known = await core.connectivity(views.map(({ id }) => id))
    for (const one of known) if (one.online) online.add(one.chargePointId)
  }
  const chosen = views.map((view) => ({
    id: view.id,
    objection: requested.objection(view) ?? objectionOf(asked, view, online.has(view.id)),
  }))
  const there = new Set(views.map(({ id }) => id))
  const gone = isOnlyIds(selector) ? [...new Set(selector.ids)].filter((id) => !there.has(id)) : []
  return [...chosen, ...gone.map((id) => ({ id, objection: REASONS.unknown }))].sort((a, b) => (a.id < b.id ? -1 : 1))
}

const PAGE = 500

async function selected(
  reads: ChoosingContext['reads'],
  accountId: string,
  selector: Selector,
  shared: readonly string[] | undefined,
): Promise<readonly ChargePointView[]> {
  if (selector.ids === undefined) return selectChargePoints(reads, accountId, selector, shared)
  const ids = [...new Set(selector.ids)]
  const mayBe = shared && new Set(shared)
  const found: ChargePointView[] = []
  for (let at = 0; at < ids.length; at += PAGE) {
    const within = ids.slice(at, at + PAGE)
    const query = { accountId, filter: { within }, sort: 'id', descending: false, limit: PAGE } as const
    for (const { view } of await reads.findChargePoints(query)) {
      if ((!mayBe || mayBe.has(view.id)) && selects(selector, selectable(view))) found.push(view)
    }
  }
  return found
}

/** Ids, and nothing else: more can be added. */
export function isOnlyIds(selector: Selector): selector is { readonly ids: readonly string[] } {
  return selector.ids !== undefined && Object.values(selector).filter((member) => member !== undefined).length === 1
}

async function lookedUp(
  { reads }: ChoosingContext,
  { accountId, grantId, what }: Asked,
): Promise<{ readonly objection: (view: ChargePointView) => string | undefined } | Refusal> {
  if (what.kind === 'configuration') {
    const configuration = await reads.getRecord('configurations', { accountId, name: what.name })
    if (!configuration) return refuseFault('/order/name', 'not_found', 'is no configuration of this account')
    if (grantId !== undefined && configuration.grantId !== grantId) {
      return refuse(403, 'insufficient_scope', 'The application did not order this configuration: take one of its own.')
    }
    const { selector } = configuration
    const isOpen = isOnlyIds(selector)
    const objection = (view: ChargePointView): string | undefined =>
      isOpen || selects(selector, selectable(view)) ? undefined : REASONS.configurationElsewhere
    return { objection }
  }
  if (what.kind === 'firmware') {
    const image = await reads.getRecord('firmware_images', { accountId, id: what.firmwareId })
    if (!image || !knowledgeOf(image, grantId)) {
      return refuseFault('/order/firmwareId', 'not_found', 'is no firmware of this account')
    }
    const objection = ({ registrationStatus }: ChargePointView): string | undefined =>
      registrationStatus === 'Accepted' ? undefined : REASONS.notAccepted
    return { objection }
  }
  return { objection: () => undefined }
}

/** Who cannot carry out an order, and why: judged when it is ordered, and again when its turn comes (BULK-B2). */
interface Judged {
  readonly what: BulkWhat
  /** What the caller may have a charge point do; absent: everything. */
  readonly capabilities?: readonly Capability[] | undefined
  readonly ttlMs?: number | undefined
}

/** Undefined: it can, now or as soon as it is there. */
function objectionOf(
  { what, capabilities, ttlMs }: Judged,
  view: ChargePointView,
  isOnline: boolean,
): string | undefined {
  const { registrationStatus, labels = {}, status } = view
  if (what.kind === 'label') {
    return tooManyLabels(labels, what.labels) ? `It would have more than ${MAX_LABELS} labels.` : undefined
  }
  if (what.kind === 'configuration' || what.kind === 'firmware') return undefined
  const version = versionOf(status.protocol)
  if (!version) return NEVER_CONNECTED.detail
  if (!isCommanded(what)) {
    return registrationStatus === 'Accepted' ? undefined : REASONS.notAccepted
  }
  const call = bulkCall(what, version.protocol)
  const isBooted = status.bootedAt !== undefined
  const objection = objectionTo(call, version, { registrationStatus, isBooted }, capabilities)
  if (objection) return objection.detail
  return isOnline || ttlMs !== undefined || mayWait(call.method) ? undefined : AWAY.detail
}
