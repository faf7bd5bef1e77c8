/** What a charge point knows of a customer, over the API (DRIVER-I1). */
import {
  CustomerInformationSchema,
  customerInformationParams,
  OrderCustomerInformationSchema,
  orderCustomerInformation,
  representCustomerRequest,
  takeCustomerInformation,
} from '../../application/customer-information/orders.ts'
import type { CustomerOrder } from '../../domain/customer-information/records.ts'
import { grantOf, visibleChargePoint } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { chargePointResource, resource } from '../resource.ts'
import { orRefused } from '../respond.ts'

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
