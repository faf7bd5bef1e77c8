/** Logs: ask a charge point for one, look how far it is, read the file (FIRMWARE-D1 to FIRMWARE-D4). */
import { z } from '@hono/zod-openapi'
import { findLog, newestLogs, requestLog, storedFile } from '../../application/logs/orders.ts'
import { AskForLogSchema, LogListSchema, LogSchema, logParams, logQuery } from '../../application/logs/schemas.ts'
import { chargePointParams } from '../../application/schemas/charge-points.ts'
import { json as described, located, PAGE_DEFAULT } from '../../application/schemas/common.ts'
import type { LogRequest } from '../../domain/logs/records.ts'
import { isoTime } from '../../domain/message-log/shown-command.ts'
import type { Files } from '../../files/store.ts'
import { needsScope, visibleChargePoint } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { fileAnswer } from '../file-answer.ts'
import { listPage, listQuery } from '../list-page.ts'
import { notFound } from '../problem.ts'
import { windowFaults } from '../requests/validation.ts'
import { json, orRefused } from '../respond.ts'

const TAG = 'Logs'
const PATH = '/2/evse-controllers/{evseController}/logs'
const FIRMWARE = needsScope('chargers:firmware')

export function addLogs(api: Api, files: Files): void {
  addRequest(api)
  addReading(api)
  addFile(api, files)
}

function addRequest(api: Api): void {
  api.endpoints.add({
    method: 'post',
    path: PATH,
    operationId: 'requestLog',
    tag: TAG,
    summary: 'Request a log from a charge point',
    description:
      'It uploads the file here. One that is away is asked when it comes back, within a day; the newest 50 logs of each charge point are kept.',
    access: FIRMWARE,
    params: chargePointParams,
    body: AskForLogSchema,
    inspect: ({ body }) => ({ faults: windowFaults(body, '/to') }),
    problems: [409],
    responses: { 202: located(LogSchema, 'The log as it is now') },
    async handle({ principal, params, body }) {
      const { id: chargePointId, accountId } = await visibleChargePoint(api.reads, principal, params.evseController)
      const order = { type: body.type, fromAt: body.from, toAt: body.to }
      const { requestId } = orRefused(await requestLog(api, { accountId, chargePointId }, order))
      const log = await find(api, chargePointId, String(requestId))
      return json(represent(log), 202, {
        location: `/2/evse-controllers/${encodeURIComponent(chargePointId)}/logs/${requestId}`,
      })
    },
  })
}

function addReading(api: Api): void {
  api.endpoints.add({
    method: 'get',
    path: PATH,
    operationId: 'listLogs',
    tag: TAG,
    summary: 'List logs of a charge point',
    access: FIRMWARE,
    params: chargePointParams,
    query: logQuery,
    responses: { 200: described(LogListSchema, 'A page of logs, the newest first') },
    async handle({ principal, params, query }) {
      const { id: chargePointId } = await visibleChargePoint(api.reads, principal, params.evseController)
      const { limit = PAGE_DEFAULT, cursor } = query
      const bound = listQuery(`logs of ${chargePointId}`, principal, query)
      const sorted = await newestLogs(api, chargePointId)
      const ids = sorted.map((log) => ({ id: String(log.requestId), log }))
      const { rows, nextCursor } = await listPage(api, { limit, cursor, bound }, async (count, afterId) => {
        const begin = afterId === undefined ? 0 : ids.findIndex(({ id }) => id === afterId) + 1
        return ids.slice(begin, begin + count)
      })
      return json({ data: rows.map(({ log }) => represent(log)), meta: { nextCursor } })
    },
  })
  api.endpoints.add({
    method: 'get',
    path: `${PATH}/{logId}`,
    operationId: 'getLog',
    tag: TAG,
    summary: 'Get a log',
    access: FIRMWARE,
    params: logParams,
    responses: { 200: described(LogSchema, 'The log') },
    async handle({ principal, params }) {
      const { id } = await visibleChargePoint(api.reads, principal, params.evseController)
      return json(represent(await find(api, id, params.logId)))
    },
  })
}

function addFile(api: Api, files: Files): void {
  api.endpoints.add({
    method: 'get',
    path: `${PATH}/{logId}/file`,
    operationId: 'getLogFile',
    tag: TAG,
    summary: 'Download the file of a log',
    description: 'With Range only a part of it.',
    access: FIRMWARE,
    params: logParams,
    produces: ['application/octet-stream'],
    responses: {
      200: { description: 'The file', content: OCTETS },
      206: { description: 'The part of it that Range names', content: OCTETS },
    },
    async handle({ principal, params, context }) {
      const { id } = await visibleChargePoint(api.reads, principal, params.evseController)
      const stored = storedFile(await find(api, id, params.logId))
      if (!stored) throw notFound('file: the charge point has not uploaded it')
      return fileAnswer(context, { files, after: api.after }, stored)
    },
  })
}

const OCTETS = { 'application/octet-stream': { schema: z.string().openapi({ format: 'binary' }) } }
async function find(api: Api, chargePointId: string, logId: string): Promise<LogRequest> {
  const log = await findLog(api, chargePointId, logId)
  if (!log) throw notFound('log')
  return log
}

function represent(log: LogRequest): object {
  const { requestId, chargePointId, type, fromAt, toAt, state, status, reason, file, createdAt, updatedAt } = log
  return {
    id: String(requestId),
    evseControllerId: chargePointId,
    type,
    ...(fromAt !== undefined && { from: isoTime(fromAt) }),
    ...(toAt !== undefined && { to: isoTime(toAt) }),
    state,
    status,
    reason,
    ...(file && { file: { ...file, storedAt: isoTime(file.storedAt) } }),
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  }
}
