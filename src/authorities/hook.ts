/** The operator's external services: one signs certificate requests (CERT-C21), one knows VAT numbers (OCPP21-C8). */

import { parsedJson } from '../domain/parsed-json.ts'
import type { VatNumberCheck } from '../domain/payments/records.ts'
import { readVatNumberCheck } from '../domain/payments/vat-number.ts'
import type { CheckVatNumber, Clock, HookSettings, SigningOrder, SigningOutcome } from '../domain/ports/core.ts'
import { signatureHeader } from '../webhooks/sending/signature.ts'

const TIMEOUT_MS = 10_000
const ATTEMPTS = 3
const PAUSE_MS = 2_000
const MAX_ANSWER_LENGTH = 64 * 1024

interface HookContext extends HookSettings {
  readonly clock: Pick<Clock, 'now' | 'after'>
}

type Attempt = SigningOutcome | { readonly again: string }

/** Retried when the service is unavailable or faulty; its decisions are final. */
export async function askHook(hook: HookContext, order: SigningOrder): Promise<SigningOutcome> {
  const { id, csr, chargePointId, serialNumber, type = 'ChargingStationCertificate' } = order
  const body = JSON.stringify({ requestId: id, csr, chargePointId, serialNumber, type })
  let reason = ''
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    if (attempt > 1) await new Promise<void>((resolve) => void hook.clock.after(PAUSE_MS, resolve))
    const outcome = await post(hook, 'certificate.requested', body, read, { attempt })
    if (!('again' in outcome)) return outcome
    reason = outcome.again
  }
  return { state: 'failed', reason: `the service that signs ${reason}` }
}

/** One signed request. @param stop ends it early */
async function post<Answer>(
  { url, secret, clock }: HookContext,
  event: string,
  body: string,
  read: (response: Response) => Promise<Answer>,
  { attempt = 1, stop }: { readonly attempt?: number; readonly stop?: AbortSignal } = {},
): Promise<Answer | { readonly again: string }> {
  const timestamp = Math.floor(clock.now() / 1000)
  const giveUp = new AbortController()
  const cancel = clock.after(TIMEOUT_MS, () => giveUp.abort())
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      redirect: 'manual',
      signal: stop ? AbortSignal.any([giveUp.signal, stop]) : giveUp.signal,
      headers: {
        'content-type': 'application/json',
        'webhook-timestamp': String(timestamp),
        'webhook-event': event,
        'webhook-attempt': String(attempt),
        'webhook-signature': signatureHeader([secret], timestamp, body),
      },
    })
    return await read(response)
  } catch {
    return { again: giveUp.signal.aborted ? 'did not answer in 10 seconds' : 'could not be reached' }
  } finally {
    cancel()
  }
}

/** OCPP21-C8: asked once, for a driver waits; another answer than 200 says nothing about the number. */
export function vatNumberHook(hook: HookContext): CheckVatNumber {
  return async ({ vatNumber, evseId, chargePointId }, stop) => {
    const body = JSON.stringify({ vatNumber, chargePointId, evseId })
    const outcome = await post(hook, 'vat-number.requested', body, readCheck, { stop })
    return 'again' in outcome ? { verdict: 'unknown', reason: outcome.again } : outcome
  }
}

async function readCheck(response: Response): Promise<VatNumberCheck> {
  const text = await limitedText(response)
  if (response.status !== 200) return { verdict: 'unknown', reason: `answered ${response.status}` }
  return readVatNumberCheck(parsedJson(text))
}

async function read(response: Response): Promise<Attempt> {
  const { status } = response
  if (status === 202) return { later: true }
  if (status >= 500) return { again: `answered ${status}` }
  const text = await limitedText(response)
  if (status !== 200) return { state: 'rejected', reason: rejection(status, text) }
  const { chain } = parsed(text)
  if (typeof chain === 'string') return { chain }
  return { state: 'failed', reason: 'the service that signs answered 200 without a chain' }
}

function rejection(status: number, text: string): string {
  const { rejected } = parsed(text)
  return typeof rejected === 'string' ? rejected.slice(0, 500) : `the service that signs answered ${status}`
}

function parsed(text: string): { readonly chain?: unknown; readonly rejected?: unknown } {
  const value = parsedJson(text)
  return typeof value === 'object' && value !== null ? value : {}
}

async function limitedText({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body ?? []) {
    length += part.length
    if (length > MAX_ANSWER_LENGTH) break
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
