/** What the API does with requests for what a charge point knows of a customer (DRIVER-I1, DRIVER-I2). */

import { z } from '@hono/zod-openapi'
import {
  CUSTOMER_REQUEST_STATES,
  CUSTOMER_REQUESTS_FROM,
  type CustomerOrder,
  type CustomerRequest,
} from '../../domain/customer-information/records.ts'
import { isCustomerRequestOver } from '../../domain/customer-information/rules.ts'
import { newUuid } from '../../domain/message-log/log-id.ts'
import type { ChargePointView, Refusal } from '../../domain/ports/storage-records.ts'
import { noSuch, refusalIn, refuse, refuseFault } from '../../domain/refuse.ts'
import { ID_TOKEN } from '../../domain/typed-text.ts'
import { protocolName, versionOf } from '../../ocpp/versions.ts'
import type { UseCaseContext } from '../context.ts'
import { ID_TOKEN_TYPES } from '../id-tokens/attributes.ts'
import { chargePointParams } from '../schemas/charge-points.ts'
import { shown, time, typedText } from '../schemas/common.ts'

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
  // OCPP21-B3: a card may be longer than the version takes.
  const call = version?.askForCustomer?.({ requestId, asked: order })
  const [fault] = (call && version?.validateRequest(call.method, call.request)) ?? []
  if (fault) {
    const detail = `The charge point cannot be asked this: ${fault.pointer} ${fault.message}.`
    return refuse(422, 'customer_information_unsupported', detail)
  }
  const id = newUuid(place.now(), place.random)
  const input = { kind: 'customerInformationOrdered', id, requestId, order, grantId } as const
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

export const customerInformationParams = chargePointParams.extend({ id: z.string() })

const hash = typedText({ most: 128 })

export const OrderCustomerInformationSchema = z
  .strictObject({
    idToken: typedText(ID_TOKEN).optional().openapi({ description: 'The card of the customer.' }),
    idTokenType: z.enum(ID_TOKEN_TYPES).default('ISO14443'),
    customerIdentifier: typedText({ most: 64 }).optional().openapi({
      description: 'Another name under which the charge point may know the customer.',
    }),
    customerCertificate: z
      .strictObject({
        hashAlgorithm: z.enum(['SHA256', 'SHA384', 'SHA512']),
        issuerNameHash: hash,
        issuerKeyHash: hash,
        serialNumber: typedText({ most: 40 }),
      })
      .optional(),
    report: z.boolean().default(true).openapi({ description: 'It is to tell what it knows.' }),
    clear: z.boolean().default(false).openapi({ description: 'It is to forget what it knows.' }),
  })
  .openapi('OrderCustomerInformation')

export const CustomerInformationSchema = z
  .strictObject({
    id: z.string(),
    evseControllerId: z.string(),
    state: z.enum(CUSTOMER_REQUEST_STATES).openapi({
      description:
        'requested: the charge point has not answered yet. running: its pages come. complete: all of it is there, or it has forgotten what it was to forget. incomplete: no more pages came. rejected: it does not do it.',
    }),
    report: z.boolean(),
    clear: z.boolean(),
    reason: z.string().optional(),
    data: z.string().optional().openapi({ description: 'What it reported; removed here once it was read.' }),
    createdAt: time(),
    updatedAt: time(),
  })
  .openapi('CustomerInformation')

export function representCustomerRequest(request: CustomerRequest) {
  const isReported = isCustomerRequestOver(request) && request.pages.length > 0
  const data = [...request.pages].sort(([first], [second]) => first - second).map(([, text]) => text)
  const { report, clear } = request.asked
  return shown(CustomerInformationSchema, request, { report, clear, data: isReported ? data.join('') : undefined })
}
