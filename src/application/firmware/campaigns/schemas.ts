import { z } from '@hono/zod-openapi'
import { WAVE } from '../../../domain/firmware/plan.ts'
import { listOf, pageQuery, time, timeOfDay, timeZone, weekdays, withRows } from '../../schemas/common.ts'
import { SelectorSchema } from '../../schemas/selector.ts'
import { trimmed } from '../images/schemas.ts'

const WindowSchema = z
  .strictObject({ start: timeOfDay, end: timeOfDay, timeZone, days: weekdays })
  .openapi('FirmwareWindow', {
    description: 'Orders are sent in these hours only. An end before the start means the next morning.',
  })

const target = {
  firmwareId: z.string().optional().openapi({ description: 'An image that is kept here; or else `location`.' }),
  location: z
    .string()
    .max(512)
    // Not a regex() of zod: a description cannot say the flag.
    .refine(
      (text) => /^(?:https?|ftps?|sftp):\/\/\S+$/i.test(text),
      'must be an address with http, https, ftp, ftps or sftp',
    )
    .optional()
    .openapi({ description: 'An address elsewhere; sent to the charge points unchanged.' }),
  version: trimmed.optional().openapi({ description: 'With `location`: what it brings.' }),
}

export const CreateCampaignSchema = z
  .strictObject({
    selector: SelectorSchema,
    ...target,
    certificate: z.string().max(5500).optional(),
    signature: z.string().max(800).optional(),
    window: WindowSchema.optional(),
    waves: z
      .array(z.string().regex(WAVE, 'must be a number such as 5 or a share such as 5%'))
      .min(1)
      .max(20)
      .optional()
      .openapi({
        description: 'How far each wave reaches, counted from the first charge point; ["100%"] unless given.',
      }),
    maxFailureRate: z.number().min(0).max(1).optional().openapi({ description: 'Of a wave; 0 unless given.' }),
    onlyIdle: z.boolean().optional().openapi({ description: 'Nothing is sent while a transaction is open.' }),
    retryOffline: z.boolean().optional().openapi({ description: 'Who is away is waited for; true unless given.' }),
    soakMinutes: z.int().min(0).max(10_080).optional().openapi({ description: 'Between two waves; 60 unless given.' }),
    silenceMinutes: z.int().min(1).max(10_080).optional().openapi({
      description: 'Without a word for so long a charge point is asked, and then given up; 120 unless given.',
    }),
  })
  .openapi('CreateFirmwareCampaign')

const STATES = ['draft', 'running', 'paused', 'stopped', 'cancelled', 'done'] as const
const ROW_STATES = [
  'planned',
  'waiting',
  'running',
  'succeeded',
  'failed',
  'rejected',
  'skipped',
  'cancelled',
  'notRecallable',
] as const

const campaign = {
  id: z.string(),
  state: z.enum(STATES),
  reason: z.string().optional(),
  selector: SelectorSchema,
  firmwareId: z.string().optional(),
  location: z.string().optional(),
  version: z.string(),
  signed: z.boolean(),
  window: WindowSchema.optional(),
  waves: z.array(z.string()),
  maxFailureRate: z.number(),
  onlyIdle: z.boolean(),
  retryOffline: z.boolean(),
  soakMinutes: z.number(),
  silenceMinutes: z.number(),
  wave: z.int().optional().openapi({ description: 'The one that it is in, from 1.' }),
  soakUntil: time().optional(),
  counts: z
    .record(z.string(), z.int())
    .openapi({ description: 'Charge points by state; a state that none is in is left out.' }),
  createdAt: time(),
  updatedAt: time(),
}

const CampaignRowSchema = z
  .strictObject({
    evseControllerId: z.string(),
    wave: z.int().openapi({ description: '0: in none.' }),
    state: z.enum(ROW_STATES),
    status: z.string().optional().openapi({ description: 'The newest one that the charge point reported.' }),
    reason: z.string().optional(),
    history: z
      .array(z.strictObject({ status: z.string(), at: time() }))
      .optional()
      .openapi({ description: 'Every status that the charge point reported of this update, the oldest first.' }),
    updatedAt: time(),
  })
  .openapi('FirmwareCampaignRow')

export const CampaignSchema = z.strictObject(campaign).openapi('FirmwareCampaign')
export const CampaignWithRowsSchema = withRows('FirmwareCampaignWithRows', campaign, CampaignRowSchema)
export const CampaignListSchema = listOf('FirmwareCampaignList', CampaignSchema)

export const campaignParams = z.object({ campaignId: z.string().max(100) })
export const campaignRowQuery = pageQuery.extend({ state: z.enum(ROW_STATES).optional() })
