/** Signed meter values as the API shows them (SIGNED-X1). */
import { z } from '@hono/zod-openapi'
import { time } from '../../http/schemas/common.ts'

const SignedValueSchema = z
  .strictObject({
    at: time(),
    context: z.enum(['begin', 'end', 'other']).openapi({ description: 'Which reading of the charge it is.' }),
    encodingMethod: z.string().optional().openapi({ description: 'The format of the signed data.', example: 'OCMF' }),
    signingMethod: z.string().optional().openapi({ example: 'ECDSA-secp256r1-SHA256' }),
    signedData: z.string().openapi({ description: 'As the charge point sent it: plain, hex or base64.' }),
    publicKey: z.string().optional().openapi({
      description: 'The meter’s key: the value’s own, else the one that the charge point told of this meter.',
    }),
    verification: z.enum(['valid', 'invalid', 'unchecked']).openapi({
      description: '`unchecked`: there is no usable key, or the format is one that is not verified here.',
    }),
    energyKwh: z.number().optional().openapi({ description: 'The register that the value states, in kWh.' }),
  })
  .openapi('SignedValue')

export const SignedDataSchema = z
  .strictObject({
    data: z.array(SignedValueSchema).openapi({ description: 'The oldest first.' }),
    hasBegin: z.boolean().openapi({ description: 'The register at the begin of the charge is signed.' }),
    hasEnd: z.boolean().openapi({ description: 'The register at its end is signed.' }),
    energyDiffers: z.boolean().openapi({
      description: 'The session is over and its energy is not the difference of the signed registers.',
    }),
  })
  .openapi('SignedData')
