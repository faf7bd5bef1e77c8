/** What the API and the console make a campaign of (FIRMWARE-C1, FIRMWARE-I2). */

import { z } from '@hono/zod-openapi'
import { certificateFault, knowledgeOf, signatureFault } from '../../domain/firmware/images.ts'
import { WAVE } from '../../domain/firmware/plan.ts'
import {
  CAMPAIGN_ROW_STATES,
  CAMPAIGN_STATES,
  type Campaign,
  type FirmwareTarget,
} from '../../domain/firmware/records.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { refuse, refuseFault, refuseFaults } from '../../domain/refuse.ts'
import type { Present } from '../check-schema.ts'
import { noRoomFor, type UseCaseContext } from '../context.ts'
import { SelectorSchema } from '../schemas/charge-points.ts'
import { listOf, pageQuery, time, timeOfDay, timeZone, weekdays, withRows } from '../schemas/common.ts'
import { type ImageOwner, trimmed } from './images.ts'

type CampaignContext = Pick<UseCaseContext, 'reads' | 'random' | 'now'>

export type CampaignBody = z.output<typeof CreateCampaignSchema>

const MINUTE_MS = 60_000

/** A draft. Refuses with 400 or 422 what cannot be carried out, with 409 one too many. */
export async function draftCampaign(
  api: CampaignContext,
  accountId: string,
  body: Present<CampaignBody>,
  grantId?: string,
): Promise<Campaign | Refusal> {
  const full = await noRoomFor('firmware_campaigns', api.reads, accountId)
  if (full) return full
  const found = await targetOf(api, { accountId, grantId }, body)
  if ('refused' in found) return found
  const { target, models } = found
  const createdAt = api.now()
  return {
    accountId,
    id: `cmp_${api.random(12).toString('hex')}`,
    grantId,
    state: 'draft',
    selector: body.selector,
    target,
    models,
    hours: body.window,
    waves: body.waves ?? ['100%'],
    maxFailureMillionths: Math.round((body.maxFailureRate ?? 0) * 1_000_000),
    soakMs: (body.soakMinutes ?? 60) * MINUTE_MS,
    silenceMs: (body.silenceMinutes ?? 120) * MINUTE_MS,
    onlyIdle: body.onlyIdle ?? false,
    retryOffline: body.retryOffline ?? true,
    wave: 0,
    createdAt,
    updatedAt: createdAt,
  }
}

/** FIRMWARE-I2: the signature was checked when the image came; the certificate must still be valid. */
async function targetOf(
  { reads, now }: Pick<CampaignContext, 'now'> & { readonly reads: Pick<Reads, 'getRecord'> },
  { accountId, grantId }: ImageOwner,
  { firmwareId, location, version, certificate, signature }: Present<CampaignBody>,
): Promise<{ readonly target: FirmwareTarget; readonly models?: readonly string[] | undefined } | Refusal> {
  if (firmwareId !== undefined) {
    const others = Object.entries({ location, version, certificate, signature }).filter(
      ([, value]) => value !== undefined,
    )
    if (others.length > 0) {
      return refuseFaults(others.map(([name]) => fault(name, 'invalid_value', 'is known of the image: leave it out')))
    }
    const image = await reads.getRecord('firmware_images', { accountId, id: firmwareId })
    if (!image || !knowledgeOf(image, grantId))
      return unprocessable('firmwareId', 'not_found', 'is no firmware of this account')
    const invalid = certificateRefusal(image.certificate, now())
    if (invalid) return invalid
    const { version: brought, models } = image
    const signed = image.signature !== undefined && { certificate: image.certificate, signature: image.signature }
    return { target: { version: brought, firmwareId, ...signed }, models }
  }
  if (location === undefined) return refuseFault('/firmwareId', 'required', 'is required, or else location')
  if (version === undefined) return refuseFault('/version', 'required', 'is required together with location')
  if ((certificate === undefined) !== (signature === undefined)) {
    const missing = certificate === undefined ? 'certificate' : 'signature'
    return unprocessable(missing, `${missing}_invalid`, 'is missing: certificate and signature go together')
  }
  const invalid = certificateRefusal(certificate, now())
  if (invalid) return invalid
  const misspelt = signature === undefined ? undefined : signatureFault(signature)
  if (misspelt !== undefined) return unprocessable('signature', 'signature_invalid', misspelt)
  const signed = certificate !== undefined && { certificate, signature }
  return { target: { version, location, ...signed } }
}

function certificateRefusal(certificate: string | undefined, now: number): Refusal | undefined {
  const wrong = certificate === undefined ? undefined : certificateFault(certificate, now)
  return wrong === undefined ? undefined : unprocessable('certificate', 'certificate_invalid', wrong)
}

function fault(name: string, code: string, message: string) {
  return { pointer: `/${name}`, code, message }
}

function unprocessable(name: string, code: string, message: string): Refusal {
  const detail = `The campaign cannot be carried out: ${name} ${message}.`
  return { ...refuse(422, code, detail), errors: [fault(name, code, message)] }
}

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

const campaign = {
  id: z.string(),
  state: z.enum(CAMPAIGN_STATES),
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
    state: z.enum(CAMPAIGN_ROW_STATES),
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
export const campaignRowQuery = pageQuery.extend({ state: z.enum(CAMPAIGN_ROW_STATES).optional() })
