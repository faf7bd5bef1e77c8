import { z } from '@hono/zod-openapi'
import { CUSTOMER_REQUEST_STATES } from '../../domain/customer-information/records.ts'
import { ID_TOKEN } from '../../domain/typed-text.ts'
import { ID_TOKEN_TYPES } from '../id-tokens/attributes.ts'
import { chargePointParams } from '../schemas/charge-points.ts'
import { time, typedText } from '../schemas/common.ts'

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
