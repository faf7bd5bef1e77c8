/** What the API and the console make a campaign of (FIRMWARE-C1, FIRMWARE-I2). */
import type { z } from '@hono/zod-openapi'
import { certificateFault, signatureFault } from '../../domain/firmware/images/image-signature.ts'
import { knowledgeOf } from '../../domain/firmware/images/visible.ts'
import type { Campaign, FirmwareTarget } from '../../domain/firmware/records.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import { refuse, refuseFault, refuseFaults } from '../../domain/refuse.ts'
import { noRoomFor } from '../account-limits.ts'
import type { Present } from '../check-schema.ts'
import type { UseCaseContext } from '../context.ts'
import type { CreateCampaignSchema } from './campaigns/schemas.ts'
import type { ImageOwner } from './images.ts'

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
