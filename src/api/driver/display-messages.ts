/** Messages on the display of a charge point over the API (DRIVER-M1). */

import {
  CustomerInformationSchema,
  customerInformationParams,
  OrderCustomerInformationSchema,
  orderCustomerInformation,
  representCustomerRequest,
  takeCustomerInformation,
} from '../../application/customer-information/orders.ts'
import {
  DisplayMessageListSchema,
  DisplayMessageSchema,
  displayMessageParams,
  displayMessagesOf,
  findDisplayMessage,
  PutDisplayMessageSchema,
  putDisplayMessage,
  removeDisplayMessage,
  representDisplayMessage,
  representOther,
} from '../../application/display-messages/orders.ts'
import type { CustomerOrder } from '../../domain/customer-information/records.ts'
import type { Intent } from '../../domain/intents/records.ts'
import { grantOf, visibleChargePoint } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { chargePointResource, resource } from '../resource.ts'
import { orNotFound, orRefused } from '../respond.ts'

export function addDisplayMessages(api: Api): void {
  const messages = chargePointResource(api, { tag: 'Display messages', path: '/display-messages' })
  const params = displayMessageParams
  messages.put('/{name}', 'putDisplayMessage', 'Create or replace a display message', {
    description:
      'What the display of the charge point is to show. It is sent now or when the charge point connects, looked for after each boot, and sent again where it is missing; intent tells how far it is, and intent.changed each change. What the charge point says that it cannot show is refused.',
    body: PutDisplayMessageSchema,
    problems: [409, 422],
    params,
    replaced: [DisplayMessageSchema],
    holds: ({ chargePoint, params: { name } }) => findDisplayMessage(api, chargePoint.id, name),
    async handle({ principal, chargePoint, params: { name }, body }) {
      const known = await findDisplayMessage(api, chargePoint.id, name)
      const put = orRefused(await putDisplayMessage(api, chargePoint, name, body, grantOf(principal)))
      return { before: known, shown: representDisplayMessage(put) }
    },
  })
  messages.get('/{name}', 'getDisplayMessage', 'Get a display message', {
    params,
    ok: [DisplayMessageSchema, 'The message, and how far it is'],
    handle: async ({ chargePoint, params: { name } }) => representDisplayMessage(await find(api, chargePoint.id, name)),
  })
  messages.delete('/{name}', 'deleteDisplayMessage', 'Delete a display message', {
    params,
    description: 'The charge point is asked to clear it now, or when it connects.',
    done: 'Deleted',
    holds: ({ chargePoint, params: { name } }) => find(api, chargePoint.id, name),
    async handle({ chargePoint, params: { name } }) {
      const refused = await removeDisplayMessage(api, await find(api, chargePoint.id, name))
      if (refused) orRefused(refused)
    },
  })
  messages.get('', 'listDisplayMessages', 'List display messages of a charge point', {
    ok: [DisplayMessageListSchema, 'All requested messages, and others that the charge point reports'],
    async handle({ chargePoint: { id } }) {
      const { requested, others } = await displayMessagesOf(api, id)
      return { data: requested.map(representDisplayMessage), others: others.map(representOther), meta: {} }
    },
  })
}

async function find(api: Api, chargePointId: string, name: string): Promise<Intent> {
  return orNotFound(await findDisplayMessage(api, chargePointId, name), 'display message')
}

/** What a charge point knows of a customer, over the API (DRIVER-I1). */
const COMMON = { tag: 'Customer information' } as const

export function addCustomerInformation(api: Api): void {
  chargePointResource(api, { ...COMMON, path: '/customer-information' }).post(
    '',
    'orderCustomerInformation',
    'Ask what a charge point knows of a customer',
    {
      description:
        'The charge point reports or deletes what it knows of one customer, now or when it connects within a day. The report can be read once, within a day, and is kept nowhere else.',
      body: OrderCustomerInformationSchema,
      problems: [409, 422],
      begun: [CustomerInformationSchema, 'The request'],
      handle: async ({ principal, chargePoint, body }) =>
        representCustomerRequest(
          orRefused(await orderCustomerInformation(api, chargePoint, body as CustomerOrder, grantOf(principal))),
        ),
    },
  )
  resource(api, {
    ...COMMON,
    path: '/2/evse-controllers/{evseController}/customer-information/{id}',
    params: customerInformationParams,
  }).get('', 'getCustomerInformation', 'Take what a charge point reported of a customer', {
    description: 'Once it is over it can be read once: then it is deleted here, and unknown.',
    ok: [CustomerInformationSchema, 'The request, and what was reported'],
    holds: ({ params: { id } }) => api.reads.listRecords('customer_requests', { where: { id }, limit: 1 }),
    async handle({ principal, params: { evseController, id }, context }) {
      const chargePoint = await visibleChargePoint(api.reads, principal, evseController)
      // HEAD must not consume the data.
      const keeps = context.req.method === 'HEAD'
      return representCustomerRequest(orRefused(await takeCustomerInformation(api, chargePoint, id, keeps)))
    },
  })
}
