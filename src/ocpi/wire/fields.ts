/** What partners send, by schema: unknown members are taken, wrong ones refused with 2001 and their names (OCPI-A7). */
import { z } from '@hono/zod-openapi'
import { check, type Present } from '../../application/check-schema.ts'
import type { OcpiVersion } from '../../domain/partners/records.ts'
import { INVALID, type OcpiAnswer, refused } from './module.ts'
import { parseOcpiTime } from './times.ts'

type Read<T> = { readonly ok: true; readonly value: Present<T> } | { readonly ok: false; readonly answer: OcpiAnswer }

const MAX_NAMED = 20

/** Members that are `null` count as absent: many partners send those that they leave out. */
export function readFields<T>(schema: z.ZodType<T>, body: unknown): Read<T> {
  const checked = check(schema, withoutNulls(body))
  if (checked.ok) return checked
  const named = checked.faults
    .slice(0, MAX_NAMED)
    .map(({ pointer, message }) => `${pointer.slice(1).replaceAll('/', '.') || 'The body'} ${message}.`)
  return { ok: false, answer: refused(INVALID, named.join(' ')) }
}

export function withoutNulls(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
}

export const ciText = (most: number) => z.string().min(1).max(most)

export const ocpiTime = z
  .string()
  .refine((text) => parseOcpiTime(text) !== undefined, 'must be a time in UTC such as 2026-11-29T12:00:00Z')

/** At 2.3.0 any value of an open enumeration is taken, and given back (OCPI-A7). */
export function openEnum(version: OcpiVersion, values: readonly string[], most = 36) {
  return version === '2.2.1' ? z.enum(values) : z.string().min(1).max(most)
}
