/** Reading a JSON object that no schema vouches for: whatever stands there, the answer is a value or none. */

export type Members = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Trimmed; numbers as text; undefined for empty text and everything else. */
export function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return undefined
  const trimmed = value.trim()
  return trimmed === '' ? undefined : trimmed
}

/** Also from text. */
export function number(value: unknown): number | undefined {
  const said = text(value)
  const parsed = said === undefined ? Number.NaN : Number(said)
  return Number.isFinite(parsed) ? parsed : undefined
}

/** `2018-07-24T13:22:04,000+0200`; undefined for what is no point in time. Without a zone it is UTC. */
export function time(value: string): number | undefined {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:[,.](\d{1,9}))?\s*(Z|[+-]\d\d:?\d\d)?$/.exec(value.slice(0, 64))
  if (!match) return undefined
  const [, day, clock, fraction = '0', zone = 'Z'] = match
  const offset = zone === 'Z' ? zone : `${zone.slice(0, 3)}:${zone.slice(-2)}`
  const at = Date.parse(`${day}T${clock}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`)
  return Number.isNaN(at) ? undefined : at
}
