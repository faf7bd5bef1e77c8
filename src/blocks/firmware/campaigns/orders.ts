/** What the API and the console make a campaign of (FIRMWARE-C1, FIRMWARE-I2). */
import type { z } from '@hono/zod-openapi'
import { invalidRequest, Problem } from '../../../http/problem.ts'
import type { Present } from '../../../http/requests/validation.ts'
import type { Reads } from '../../../ports/storage.ts'
import { certificateFault, signatureFault } from '../images/signature.ts'
import type { Campaign, FirmwareTarget } from '../records.ts'
import type { CreateCampaignSchema } from './schemas.ts'

export interface CampaignPlace {
  readonly reads: Pick<Reads, 'getRecord'>
  readonly random: (bytes: number) => Buffer
  readonly now: () => number
}

export type CampaignBody = z.output<typeof CreateCampaignSchema>

const MINUTE_MS = 60_000

/** A draft. @throws Problem for what cannot be carried out */
export async function draftCampaign(
  api: CampaignPlace,
  accountId: string,
  body: Present<CampaignBody>,
  grantId?: string,
): Promise<Campaign> {
  const { target, models } = await targetOf(api, accountId, body)
  const createdAt = api.now()
  return {
    accountId,
    id: `cmp_${api.random(12).toString('hex')}`,
    ...(grantId !== undefined && { grantId }),
    state: 'draft',
    selector: body.selector,
    target,
    ...(models && { models }),
    ...(body.window && { hours: body.window }),
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
  { reads, now }: Pick<CampaignPlace, 'reads' | 'now'>,
  accountId: string,
  { firmwareId, location, version, certificate, signature }: Present<CampaignBody>,
): Promise<{ readonly target: FirmwareTarget; readonly models?: readonly string[] | undefined }> {
  if (firmwareId !== undefined) {
    const others = Object.entries({ location, version, certificate, signature }).filter(
      ([, value]) => value !== undefined,
    )
    if (others.length > 0) {
      throw invalidRequest(others.map(([name]) => fault(name, 'invalid_value', 'is known of the image: leave it out')))
    }
    const image = await reads.getRecord('firmware_images', { accountId, id: firmwareId })
    if (!image) throw unprocessable('firmwareId', 'not_found', 'is no firmware of this account')
    requireCertificate(image.certificate, now())
    const { version: brought, models } = image
    const signed = image.signature !== undefined && { certificate: image.certificate, signature: image.signature }
    return { target: { version: brought, firmwareId, ...signed }, models }
  }
  if (location === undefined) throw invalidRequest([fault('firmwareId', 'required', 'is required, or else location')])
  if (version === undefined) throw invalidRequest([fault('version', 'required', 'is required together with location')])
  if ((certificate === undefined) !== (signature === undefined)) {
    const missing = certificate === undefined ? 'certificate' : 'signature'
    throw unprocessable(missing, `${missing}_invalid`, 'is missing: certificate and signature go together')
  }
  requireCertificate(certificate, now())
  const misspelt = signature === undefined ? undefined : signatureFault(signature)
  if (misspelt !== undefined) throw unprocessable('signature', 'signature_invalid', misspelt)
  const signed = certificate !== undefined && { certificate, signature }
  return { target: { version, location, ...signed } }
}

function requireCertificate(certificate: string | undefined, now: number): void {
  const wrong = certificate === undefined ? undefined : certificateFault(certificate, now)
  if (wrong !== undefined) throw unprocessable('certificate', 'certificate_invalid', wrong)
}

function fault(name: string, code: string, message: string) {
  return { pointer: `/${name}`, code, message }
}

function unprocessable(name: string, code: string, message: string): Problem {
  return new Problem(422, code, `The campaign cannot be carried out: ${name} ${message}.`, {
    errors: [fault(name, code, message)],
  })
}
