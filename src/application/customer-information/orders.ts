/** What the API does with requests for what a charge point knows of a customer (DRIVER-I1, DRIVER-I2). */

import {
  CUSTOMER_REQUESTS_FROM,
  type CustomerOrder,
  type CustomerRequest,
} from '../../domain/customer-information/records.ts'
import { isCustomerRequestOver } from '../../domain/customer-information/rules.ts'
import { isoTime } from '../../domain/iso-time.ts'
import { newUuid } from '../../domain/message-log/log-id.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import type { ChargePointView } from '../../domain/ports/storage.ts'
import { noSuch, refusalIn, refuse, refuseFault } from '../../domain/refuse.ts'
import { protocolName } from '../../ocpp/protocols.ts'
import { versionOf } from '../../ocpp/versions.ts'
import type { UseCaseContext } from '../context.ts'

type CustomerContext = Pick<UseCaseContext, 'reads' | 'core' | 'random' | 'now'>

export async function orderCustomerInformation(
  place: CustomerContext,
  { id: chargePointId, accountId, status }: ChargePointView,
  order: CustomerOrder,
  grantId?: string,
): Promise<CustomerRequest | Refusal> {
  const { idToken, customerIdentifier, customerCertificate, report, clear } = order
  const names = [idToken, customerIdentifier, customerCertificate].filter((name) => name !== undefined)
  if (names.length !== 1) {
    return refuseFault('', 'invalid_value', 'must name one of idToken, customerIdentifier and customerCertificate')
  }
  if (!report && !clear) return refuseFault('/report', 'invalid_value', 'or clear must be true: there is nothing to do')
  const version = versionOf(status.protocol)
  if (version && !version.askForCustomer) {
    const detail = `The charge point speaks ${protocolName(version.protocol)}, which has no messages about customers.`
    return refuse(422, 'customer_information_unsupported', detail)
  }
  const requestId = CUSTOMER_REQUESTS_FROM + (place.random(4).readUInt32BE() >>> 2)
  const input = {
    kind: 'customerInformationOrdered',
    id: newUuid(place.now(), place.random),
    requestId,
    order,
    grantId,
  } as const
  const refused = refusalIn(await place.core.decideBlock({ accountId, chargePointId, input }))
  if (refused) return refused
  const made = await place.reads.getRecord('customer_requests', { chargePointId, requestId })
  return made ?? refuse(503, 'not_stored', 'The request could not be read. Ask again.')
}

/** Once over, with its data, and then never again. @param keeps the caller only asks whether it exists */
export async function takeCustomerInformation(
  { reads, core }: Pick<CustomerContext, 'reads' | 'core'>,
  { id: chargePointId, accountId }: Pick<ChargePointView, 'id' | 'accountId'>,
  id: string,
  keeps: boolean,
): Promise<CustomerRequest | Refusal> {
  const [known] = await reads.listRecords('customer_requests', { where: { id }, limit: 1 })
  if (known?.chargePointId !== chargePointId) return noSuch('request')
  if (keeps || !isCustomerRequestOver(known)) return known
  const input = { kind: 'customerInformationDelivered', requestId: known.requestId } as const
  const refused = refusalIn(await core.decideBlock({ accountId, chargePointId, input }))
  return refused ? noSuch('request') : known
}

export function representCustomerRequest(one: CustomerRequest): {
  readonly id: string
  readonly [member: string]: unknown
} {
  const { id, chargePointId, state, asked, reason, pages, createdAt, updatedAt } = one
  const isReported = isCustomerRequestOver(one) && pages.length > 0
  const data = [...pages].sort(([first], [second]) => first - second).map(([, text]) => text)
  return {
    id,
    evseControllerId: chargePointId,
    state,
    report: asked.report,
    clear: asked.clear,
    reason,
    ...(isReported && { data: data.join('') }),
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  }
}
