/** What the API and the console do with logs: ask for one, find it with its file (FIRMWARE-D1). */

import { z } from '@hono/zod-openapi'
import { type LogRequest, logFile } from '../../domain/logs/records.ts'
import type { InputOf } from '../../domain/ports/blocks.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import type { StoredFile } from '../../files/store.ts'
import { type FileJob, fileToken, fileTokenHash } from '../../secrets/file-token.ts'
import type { UseCaseContext, WithSettings } from '../context.ts'
import { instant, listOf, time } from '../schemas/common.ts'

type LogContext = Pick<UseCaseContext, 'reads' | 'core' | 'random' | 'now'> & WithSettings<'secretKey'>

export type LogOrder = Pick<InputOf<'logRequested'>, 'type' | 'fromAt' | 'toAt' | 'grantId'>

export async function requestLog(
  { core, settings, random, now }: LogContext,
  { accountId, chargePointId }: { readonly accountId: string; readonly chargePointId: string },
  { type, fromAt, toAt, grantId }: LogOrder,
): Promise<{ readonly requestId: number } | Refusal> {
  const createdAt = now()
  // 31 bits and above 0: what every charge point can count.
  const requestId = random(4).readUInt32BE() >>> 1 || 1
  const job: FileJob = { kind: 'log', chargePointId, requestId, createdAt }
  const tokenHash = fileTokenHash(fileToken(settings.secretKey, job))
  const input = { kind: 'logRequested', requestId, type, fromAt, toAt, createdAt, grantId, tokenHash } as const
  const outcome = await core.decideBlock({ accountId, chargePointId, input })
  return 'status' in outcome ? outcome : { requestId }
}

const MAX_LOGS = 500

/** They are few, and come in the order of their ids, which are random. */
export async function newestLogs(
  { reads }: Pick<LogContext, 'reads'>,
  chargePointId: string,
): Promise<readonly LogRequest[]> {
  const all = await reads.listRecords('log_requests', { where: { chargePointId }, limit: MAX_LOGS })
  return [...all].sort((a, b) => b.createdAt - a.createdAt || b.requestId - a.requestId)
}

export async function findLog(
  { reads }: Pick<LogContext, 'reads'>,
  chargePointId: string,
  logId: string,
): Promise<LogRequest | undefined> {
  const requestId = /^[1-9]\d{0,9}$/.test(logId) ? Number(logId) : 0
  return reads.getRecord('log_requests', { chargePointId, requestId })
}

export function storedFile({ tokenHash, file }: LogRequest): StoredFile | undefined {
  return file && { name: logFile(tokenHash), shownName: file.name, bytes: file.bytes, sha256: file.sha256 }
}

export const AskForLogSchema = z
  .strictObject({
    type: z.enum(['diagnostics', 'security']),
    from: instant('Entries since then; the charge point decides what it has.').optional(),
    to: instant('Entries before then.').optional(),
  })
  .openapi('AskForLog')

export const LogSchema = z
  .strictObject({
    id: z.string(),
    evseControllerId: z.string(),
    type: z.enum(['diagnostics', 'security']),
    from: time().optional(),
    to: time().optional(),
    state: z
      .enum(['requested', 'uploading', 'uploaded', 'failed', 'rejected'])
      .openapi({ description: '`uploaded` only once the file is stored here.' }),
    status: z.string().optional().openapi({ description: 'The newest one that the charge point reported.' }),
    reason: z.string().optional(),
    file: z
      .strictObject({
        name: z.string(),
        bytes: z.int(),
        sha256: z.string(),
        storedAt: time(),
      })
      .optional(),
    createdAt: time(),
    updatedAt: time(),
  })
  .openapi('Log')

export const LogListSchema = listOf('LogList', LogSchema)
