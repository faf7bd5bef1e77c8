/** Logs: ask a charge point for one, look how far it is, read the file (FIRMWARE-D1 to FIRMWARE-D4). */

import { z } from '@hono/zod-openapi'
import {
  AskForLogSchema,
  findLog,
  LogListSchema,
  LogSchema,
  newestLogs,
  requestLog,
  storedFile,
} from '../../application/logs/orders.ts'
import { pageQuery } from '../../application/schemas/common.ts'
import { shown } from '../../application/schemas/shown.ts'
import { isoTime } from '../../domain/iso-time.ts'
import type { LogRequest } from '../../domain/logs/records.ts'
import type { Files } from '../../files/store.ts'
import { grantOf } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { fileAnswer } from '../file-answer.ts'
import { pageOf } from '../list-page.ts'
import { orNotFound } from '../problem.ts'
import { windowFaults } from '../requests/validation.ts'
import { chargePointResource } from '../resource.ts'
import { orRefused } from '../respond.ts'

export function addLogs(api: Api, files: Files): void {
  const logs = chargePointResource(api, { tag: 'Logs', path: '/logs' })
  const params = z.object({ logId: z.string() })
  logs.post('', 'requestLog', 'Request a log from a charge point', {
    description:
      'It uploads the file here. One that is away is asked when it comes back, within a day; the newest 50 logs of each charge point are kept.',
    body: AskForLogSchema,
    inspect: ({ body }) => ({ faults: windowFaults(body, '/to') }),
    problems: [409],
    begun: [LogSchema, 'The log as it is now'],
    async handle({ principal, chargePoint: { id: chargePointId, accountId }, body }) {
      const order = { type: body.type, fromAt: body.from, toAt: body.to, grantId: grantOf(principal) }
      const { requestId } = orRefused(await requestLog(api, { accountId, chargePointId }, order))
      return represent(await find(api, chargePointId, String(requestId)))
    },
  })
  logs.get('', 'listLogs', 'List logs of a charge point', {
    query: pageQuery,
    ok: [LogListSchema, 'A page of logs, the newest first'],
    handle: (request) => {
      const { id } = request.chargePoint
      return pageOf(api, request, {
        name: `logs of ${id}`,
        place: ({ requestId }: LogRequest) => [String(requestId)],
        async rows(limit, last) {
          const sorted = await newestLogs(api, id)
          const begin = last ? sorted.findIndex(({ requestId }) => String(requestId) === last[0]) + 1 : 0
          return sorted.slice(begin, begin + limit)
        },
        show: (rows) => rows.map(represent),
      })
    },
  })
  logs.get('/{logId}', 'getLog', 'Get a log', {
    params,
    ok: [LogSchema, 'The log'],
    handle: async ({ chargePoint, params: { logId } }) => represent(await find(api, chargePoint.id, logId)),
  })
  logs.get('/{logId}/file', 'getLogFile', 'Download the file of a log', {
    description: 'With Range only a part of it.',
    params,
    produces: ['application/octet-stream'],
    responses: {
      200: { description: 'The file', content: OCTETS },
      206: { description: 'The part of it that Range names', content: OCTETS },
    },
    async handle({ chargePoint, params: { logId }, context }) {
      const stored = orNotFound(
        storedFile(await find(api, chargePoint.id, logId)),
        'file: the charge point has not uploaded it',
      )
      return fileAnswer(context, { files, after: api.after }, stored)
    },
  })
}

const OCTETS = { 'application/octet-stream': { schema: z.string().openapi({ format: 'binary' }) } }
async function find(api: Api, chargePointId: string, logId: string): Promise<LogRequest> {
  return orNotFound(await findLog(api, chargePointId, logId), 'log')
}

function represent(log: LogRequest): object {
  const { requestId, fromAt: from, toAt: to, file } = log
  const stored = file && { ...file, storedAt: isoTime(file.storedAt) }
  return shown(LogSchema, log, { id: String(requestId), from, to, file: stored })
}
