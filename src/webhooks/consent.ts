/** HOOK-S6: consent by OPTIONS, as CloudEvents web hooks have it. Headers decide: many servers answer 200 to any. */
import type { Post, PostResult } from './sending/sender.ts'

export type Consent =
  /** `ratePerMinute` absent: as many deliveries as come. */
  | { readonly given: true; readonly ratePerMinute?: number | undefined }
  | { readonly given: false; readonly missing: 'origin' | 'rate' }

export function consentRequest(url: string, origin: string, subscriptionId: string): Post {
  const headers = { 'user-agent': 'Pilotwire', 'webhook-request-origin': origin }
  return { method: 'OPTIONS', subscriptionId, url, headers, body: '' }
}

/** @param origin the host name we asked with; names of hosts know no case */
export function consentOf(origin: string, { headers = {} }: Pick<PostResult, 'headers'>): Consent {
  const allowed = String(headers['webhook-allowed-origin'] ?? '')
    .trim()
    .toLowerCase()
  if (allowed !== '*' && allowed !== origin.toLowerCase()) return { given: false, missing: 'origin' }
  const rate = String(headers['webhook-allowed-rate'] ?? '*').trim()
  if (rate === '*') return { given: true }
  // Nine digits are far more than one process sends; longer numbers could exceed the range of integers.
  return /^0*[1-9]\d{0,8}$/.test(rate)
    ? { given: true, ratePerMinute: Number(rate) }
    : { given: false, missing: 'rate' }
}
