/** How OCPI stands on the wire, for both sides of the simulated partner. */
import { isoTime } from '../../src/domain/iso-time.ts'
import type { PartnerQuirks } from './quirks.ts'

export const OCPI_VERSIONS = ['2.2.1', '2.3.0'] as const
export type OcpiVersion = (typeof OCPI_VERSIONS)[number]
export type Json = Readonly<Record<string, unknown>>

/** Country code and party id, as routing headers and paths have them. */
export interface Party {
  readonly countryCode: string
  readonly partyId: string
}

export interface Endpoint {
  readonly identifier: string
  readonly role: string
  readonly url: string
}

/** Base64 since 2.2-d2; what partners do otherwise is a quirk. */
export function tokenHeader(token: string, quirks: PartnerQuirks): string {
  if (quirks.has('plain-token')) return `Token ${token}`
  return `Token ${Buffer.from(quirks.has('line-feed-token') ? `${token}\n` : token).toString('base64')}`
}

/** The tokens that a header may stand for: in base64, and as it is. */
export function tokensOf(header: string | undefined): readonly string[] {
  const [scheme, given = ''] = (header ?? '').split(' ')
  if (scheme?.toLowerCase() !== 'token') return []
  return [Buffer.from(given, 'base64').toString().trimEnd(), given]
}

export function time(ms: number, quirks: PartnerQuirks): string {
  return quirks.has('offset-times') ? isoTime(ms).replace('Z', '+00:00') : isoTime(ms)
}

/** The address of the next page in a `Link` header. */
export function nextPage(link: string | null | undefined): string | undefined {
  return link?.split(',').flatMap((part) => /<([^<>]+)>\s*;\s*rel="?next"?/i.exec(part)?.[1] ?? [])[0]
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The objects of a list from outside. */
export function objectsOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
