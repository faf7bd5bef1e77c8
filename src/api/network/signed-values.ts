/** The signed record of a charge, for the driver who checks it (SIGNED-X1, SIGNED-X2). */
import { z } from '@hono/zod-openapi'
import { time } from '../../application/schemas/common.ts'
import { sessionParams } from '../../application/schemas/sessions.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import { type SignedReads, signedValuesOf } from '../../domain/signed-values/queries.ts'
import { SignedRecord, valueXml, viewOf, XML_BEGIN, XML_END } from '../../domain/signed-values/view.ts'
import type { Api } from '../api-parts.ts'
import { preferred } from '../requests/media.ts'
import { resource } from '../resource.ts'
import { visibleSession } from '../routes/sessions.ts'
import { streamed } from '../streamed.ts'

const JSON_TYPE = 'application/json'
const XML_TYPE = 'application/xml'
const PRODUCES = [JSON_TYPE, XML_TYPE]

export function addSignedData(api: Api): void {
  addOne(api, '/sessions/{sessionId}/signed-data', 'getSignedData', 'The signed meter values of a session')
  addOne(api, '/2/sessions/{sessionId}/signed-data', 'getSignedDataV2', 'The same under /2')
}

function addOne(api: Api, path: string, operationId: 'getSignedData' | 'getSignedDataV2', summary: string): void {
  resource(api, { tag: 'Sessions', path }).get('', operationId, summary, {
    description:
      'What the meter signed, as it was sent, with the verdict on each signature. As XML it is the file that the transparency software of S.A.F.E. opens. Kept longer than the message log.',
    params: sessionParams,
    produces: PRODUCES,
    responses: {
      200: {
        description: 'The signed values, the oldest first',
        content: {
          [JSON_TYPE]: { schema: SignedDataSchema },
          [XML_TYPE]: {
            schema: z.string().openapi({ description: '`values`, each with `signedData` and `publicKey`.' }),
          },
        },
      },
    },
    async handle({ principal, params, context }) {
      const session = await visibleSession(api, principal, params.sessionId)
      const isXml = preferred(context.req.header('accept'), PRODUCES) === XML_TYPE
      const chunks = isXml ? xmlChunks(api.reads, session) : jsonChunks(api.reads, session)
      const headers = { 'content-type': isXml ? `${XML_TYPE}; charset=utf-8` : JSON_TYPE, 'cache-control': 'no-store' }
      return streamed({ context, log: api.log, chunks, headers: { ...headers, vary: 'accept' } })
    },
  })
}

type Chunks = AsyncGenerator<Uint8Array, void, undefined>

async function* jsonChunks(reads: SignedReads, session: Session): Chunks {
  // Read twice and kept never: which register is shown at the begin depends on what the end has.
  const record = new SignedRecord()
  for await (const read of signedValuesOf(reads, session)) record.add(read)
  const { register } = record
  let separator = '{"data":['
  for await (const read of signedValuesOf(reads, session)) {
    yield Buffer.from(separator + JSON.stringify(await viewOf(read, register)))
    separator = ','
  }
  const begin = separator === ',' ? '' : separator
  const summary = JSON.stringify(record.summary(finalKwh(session))).slice(1)
  yield Buffer.from(`${begin}],${summary}`)
}

async function* xmlChunks(reads: SignedReads, session: Session): Chunks {
  yield Buffer.from(XML_BEGIN)
  const transaction = transactionNumber(session)
  for await (const read of signedValuesOf(reads, session)) yield Buffer.from(valueXml(read, transaction))
  yield Buffer.from(XML_END)
}

/** SIGNED-V3: while it runs there is nothing to compare. */
function finalKwh(session: Session): number | undefined {
  const isOver = session.state === 'completed' || session.state === 'failed'
  return isOver ? session.energyMilliWh / 1e6 : undefined
}

/** Stations of 2.0.1 give texts, which the transparency software does not take: one session is one transaction. */
function transactionNumber({ transactionId = '' }: Session): string {
  return /^\d{1,18}$/.test(transactionId) ? transactionId : '1'
}

const SignedValueSchema = z
  .strictObject({
    at: time(),
    context: z.enum(['begin', 'end', 'other']).openapi({ description: 'Which reading of the charge it is.' }),
    encodingMethod: z.string().optional().openapi({ description: 'The format of the signed data.', example: 'OCMF' }),
    signingMethod: z.string().optional().openapi({ example: 'ECDSA-secp256r1-SHA256' }),
    signedData: z.string().openapi({ description: 'As the charge point sent it: plain, hex or base64.' }),
    publicKey: z.string().optional().openapi({
      description: 'The meter’s key: the value’s own, else the one that the charge point reported for this meter.',
    }),
    verification: z.enum(['valid', 'invalid', 'unchecked']).openapi({
      description: '`unchecked`: there is no usable key, or the format is one that is not verified here.',
    }),
    energyKwh: z.number().optional().openapi({
      description:
        'The register of import that the value states, in kWh: of several the same one at begin and end. Absent: there is none, or the meter flags it.',
    }),
  })
  .openapi('SignedValue')

const SignedDataSchema = z
  .strictObject({
    data: z.array(SignedValueSchema).openapi({ description: 'The oldest first.' }),
    hasBegin: z.boolean().openapi({
      description: 'The register at the begin of the charge is signed, and the meter does not flag it.',
    }),
    hasEnd: z.boolean().openapi({
      description: 'The register at its end is signed, and the meter flags no energy of the charge.',
    }),
    energyDiffers: z.boolean().openapi({
      description: 'The session is over and its energy is the difference of no signed register of import.',
    }),
  })
  .openapi('SignedData')
