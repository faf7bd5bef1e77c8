/** The signed record of a charge, for the driver who checks it (SIGNED-X1, SIGNED-X2). */
import { z } from '@hono/zod-openapi'
import { needsScope } from '../../http/access/access.ts'
import type { Api } from '../../http/parts.ts'
import { preferred } from '../../http/requests/media.ts'
import { visibleSession } from '../../http/routes/sessions.ts'
import { sessionParams } from '../../http/schemas/sessions.ts'
import { streamed } from '../../http/streamed.ts'
import { jsonChunks, xmlChunks } from './chunks.ts'
import { SignedDataSchema } from './schemas.ts'

const JSON_TYPE = 'application/json'
const XML_TYPE = 'application/xml'
const PRODUCES = [JSON_TYPE, XML_TYPE]

export function addSignedData(api: Api): void {
  addOne(api, '/sessions/{sessionId}/signed-data', 'getSignedData', 'The signed meter values of a session')
  addOne(api, '/2/sessions/{sessionId}/signed-data', 'getSignedDataV2', 'The same under /2')
}

function addOne(api: Api, path: string, operationId: string, summary: string): void {
  api.endpoints.add({
    method: 'get',
    path,
    operationId,
    tag: 'Sessions',
    summary,
    description:
      'What the meter signed, as it was sent, with the verdict on each signature. As XML it is the file that the transparency software of S.A.F.E. opens. Kept longer than the message log.',
    access: needsScope('sessions:read'),
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
