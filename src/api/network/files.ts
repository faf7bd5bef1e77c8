/** Where charge points fetch firmware and bring logs (FIRMWARE-F1 to FIRMWARE-F6); the address is the permission. */
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import {
  AskForLogSchema,
  findLog,
  LogListSchema,
  LogSchema,
  newestLogs,
  requestLog,
  storedFile,
} from '../../application/logs/orders.ts'
import { pageQuery, shown } from '../../application/schemas/common.ts'
import { imageFile } from '../../domain/firmware/images.ts'
import { isOpen } from '../../domain/firmware/rules.ts'
import { isoTime } from '../../domain/iso-time.ts'
import { type LogQuota, type LogRequest, logFile } from '../../domain/logs/records.ts'
import { takesFile } from '../../domain/logs/rules.ts'
import { FileFault, isForm, readForm, safeFileName } from '../../files/multipart.ts'
import { bodyPieces, type Files, type KeptFile } from '../../files/store.ts'
import { fileTokenHash } from '../../secrets/file-token.ts'
import { grantOf } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import type { ApiEnv } from '../endpoint.ts'
import { CLOSING, fileAnswer, problemOfFile } from '../file-answer.ts'
import { windowFaults } from '../requests/validation.ts'
import { chargePointResource, pageOf, resource } from '../resource.ts'
import { orNotFound, orRefused, Problem } from '../respond.ts'

const TAG = 'Files'
const PATH = '/files/{token}'
const DESCRIPTION =
  'For charge points. The address is made for one job, is sent to its charge point alone, and answers 404 once the job is over or its time has passed.'

const TOKEN = /^[A-Za-z0-9_-]{43}$/

const params = z.object({ token: z.string().openapi({ description: '256 bits, made by the server.' }) })
const namedParams = params.extend({
  fileName: z.string().openapi({ description: 'Charge points that take the address for a folder add it.' }),
})

export function addFiles(api: Api, files: Files, quota: LogQuota): void {
  addDownload(api, files)
  const uploading = new Set<string>()
  for (const method of ['put', 'post'] as const) {
    for (const [path, schema, suffix] of [
      [PATH, params, ''],
      [`${PATH}/{fileName}`, namedParams, 'Named'],
    ] as const) {
      resource(api, { tag: TAG, path })[method]('', `${method}File${suffix}`, 'Upload a requested log file', {
        description: `${DESCRIPTION} The body is the file, or a form with it.`,
        unlimited: true,
        countsMisses: true,
        params: schema,
        produces: 'whatever is accepted',
        responses: { 201: { description: 'The file is stored' } },
        handle: ({ context, params: { token, ...named } }) =>
          takeLog(
            api,
            files,
            quota,
            uploading,
            context,
            token,
            (named as { readonly fileName?: string | undefined }).fileName,
          ),
      })
    }
  }
}

function addDownload(api: Api, files: Files): void {
  resource(api, { tag: TAG, path: PATH }).get('', 'getFile', 'Download a file, or a part of it', {
    description: DESCRIPTION,
    unlimited: true,
    countsMisses: true,
    params,
    produces: 'whatever is accepted',
    responses: {
      200: { description: 'The file', content: OCTETS },
      206: { description: 'The part of it that Range names', content: OCTETS },
    },
    async handle({ context, params: { token } }) {
      if (!TOKEN.test(token)) throw nothingHere()
      const where = { tokenHash: fileTokenHash(token) }
      const [update] = await api.reads.listRecords('firmware_updates', { where, limit: 1 })
      const id = update && isOpen(update) ? update.target.firmwareId : undefined
      const image = update && id !== undefined && (await api.reads.getRecord('firmware_images', { ...update, id }))
      if (!image) throw nothingHere()
      const { fileName, bytes, sha256 } = image
      return fileAnswer(
        context,
        { files, after: api.after },
        { name: imageFile(id), shownName: fileName, bytes, sha256 },
      )
    },
  })
}

async function takeLog(
  api: Api,
  files: Files,
  quota: LogQuota,
  uploading: Set<string>,
  context: Context<ApiEnv>,
  token: string,
  givenName: string | undefined,
): Promise<Response> {
  if (!TOKEN.test(token)) throw nothingHere()
  const tokenHash = fileTokenHash(token)
  const [log] = await api.reads.listRecords('log_requests', { where: { tokenHash }, limit: 1 })
  if (!log || !takesFile(log, api.now())) throw nothingHere()
  if (uploading.has(tokenHash)) {
    throw new Problem(409, 'upload_in_progress', 'The file is being uploaded already.', { headers: CLOSING })
  }
  uploading.add(tokenHash)
  try {
    const { name, kept } = await takeFile(api, files, quota, context, log, givenName)
    const outcome = await api.core.decideBlock({
      accountId: log.accountId,
      chargePointId: log.chargePointId,
      input: { kind: 'logFileStored', requestId: log.requestId, file: { name, ...kept, storedAt: api.now() } },
    })
    if ('refused' in outcome) await files.remove(logFile(tokenHash))
    if ('status' in outcome && outcome.status < 500) throw nothingHere()
    orRefused<object>(outcome)
    quota.add({ ...log, bytes: kept.bytes })
    return new Response(null, { status: 201 })
  } catch (error) {
    throw problemOfFile(error)
  } finally {
    uploading.delete(tokenHash)
  }
}

async function takeFile(
  api: Api,
  files: Files,
  quota: LogQuota,
  { req }: Context<ApiEnv>,
  { tokenHash, accountId, chargePointId, type, requestId }: LogRequest,
  givenName: string | undefined,
): Promise<{ readonly name: string; readonly kept: KeptFile }> {
  const stored = logFile(tokenHash)
  const length = Number(req.header('content-length') ?? 0)
  if (length > files.maxBytes) throw new FileFault('tooLarge', `A file may have at most ${files.maxBytes} bytes.`)
  const room = quota.room({ accountId, chargePointId })
  if (room === 0 || length > room) {
    api.log.warn({ chargePoint: chargePointId, length, room }, 'a log was refused: PILOTWIRE_LOG_QUOTA')
    throw new FileFault('overQuota', 'The logs of the account or the charge point take all that they may.')
  }
  const pieces = bodyPieces(req.raw.body, api.after)
  const contentType = req.header('content-type') ?? ''
  const fallback = safeFileName(`${chargePointId}-${type}-${requestId}.log`, 'log')
  const whole = (kept: KeptFile): KeptFile => {
    if (kept.bytes > 0) return kept
    throw new FileFault('brokenOff', 'The file is empty.')
  }
  try {
    if (!isForm(contentType)) {
      return { name: safeFileName(givenName, fallback), kept: whole(await files.keep(stored, pieces, room)) }
    }
    const { file } = await readForm(pieces, contentType, async (content, fileName) => ({
      name: safeFileName(fileName ?? givenName, fallback),
      kept: whole(await files.keep(stored, content, room)),
    }))
    if (!file) throw new FileFault('malformed', 'The form holds no file.')
    return file
  } catch (error) {
    await files.remove(stored)
    throw error
  }
}

function nothingHere(): Problem {
  return new Problem(404, 'not_found', 'There is nothing at this address.', { headers: CLOSING })
}

/** Logs: ask a charge point for one, look how far it is, read the file (FIRMWARE-D1 to FIRMWARE-D4). */
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
