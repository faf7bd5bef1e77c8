/** What `pilotwire ocpi check` has asked a partner, and what came back. */
import { parsedJson } from '../../domain/parsed-json.ts'

export type Purpose =
  | 'versions'
  | 'withoutToken'
  | 'wrongToken'
  | 'plainToken'
  | 'wrongMethod'
  | 'details'
  | 'credentials'
  | 'list'
  | 'nextPage'
  | 'unknownObject'

export interface ProbeRequest {
  readonly purpose: Purpose
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly url: string
  readonly authorization?: string | undefined
  readonly id: string
  /** Of a list. */
  readonly limit?: number | undefined
}

export interface Probed extends ProbeRequest {
  /** Why there was no answer. */
  readonly error?: string | undefined
  /** Of HTTP. */
  readonly status?: number | undefined
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Undefined: no JSON object. */
  readonly envelope?: Readonly<Record<string, unknown>> | undefined
  readonly isCutOff?: true | undefined
  readonly durationMs: number
}

export type Members = Readonly<Record<string, unknown>>

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function membersOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.filter(isMembers) : []
}

export function envelopeOf(text: string): Members | undefined {
  const value = parsedJson(text)
  return isMembers(value) ? value : undefined
}

export function nextOf({ headers }: Pick<Probed, 'headers'>): string | undefined {
  return /<([^<>]*)>\s*;\s*rel\s*=\s*"?next"?/i.exec(headers.link ?? '')?.[1]
}

/** The highest of our versions that the list has, and its address. */
export function chosenVersion(
  list: Members | undefined,
  ours: readonly string[],
): { readonly version: string; readonly url: string } | undefined {
  const offered = membersOf(list?.data)
  const version = ours.filter((one) => offered.some((entry) => entry.version === one)).at(-1)
  const entry = offered.find((one) => one.version === version)
  return version !== undefined && typeof entry?.url === 'string' ? { version, url: entry.url } : undefined
}
