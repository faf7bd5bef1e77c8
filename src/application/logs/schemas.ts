import { z } from '@hono/zod-openapi'
import { instant, listOf, time } from '../schemas/common.ts'

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
