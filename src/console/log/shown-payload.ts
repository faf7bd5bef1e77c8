/** Looking into what a station wrote: whatever stands there, nothing breaks and nothing grows long. */
import { parsedJson } from '../../domain/parsed-json.ts'
import { isObject } from '../../ocpp/translate/payload.ts'

export type Payload = Readonly<Record<string, unknown>>

/** Longer payloads are not parsed for a line of summary. */
const MAX_READ_LENGTH = 100_000
const MAX_WORD_LENGTH = 60

export function payloadOf(json: string | undefined): Payload | undefined {
  if (json === undefined || json.length > MAX_READ_LENGTH) return undefined
  const value = parsedJson(json)
  return isObject(value) ? value : undefined
}

export function inside(payload: Payload, ...path: readonly string[]): Payload {
  let at: unknown = payload
  for (const name of path) at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
  return isObject(at) ? at : {}
}

export function list(payload: Payload, name: string): readonly Payload[] {
  const value = Object.hasOwn(payload, name) ? payload[name] : undefined
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** A text, number or yes and no, on one line and short; undefined for anything else and for nothing. */
export function word(payload: Payload, name: string): string | undefined {
  const value = Object.hasOwn(payload, name) ? payload[name] : undefined
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined
  const line = String(value)
    .slice(0, 4 * MAX_WORD_LENGTH)
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim()
  if (line === '') return undefined
  return line.length > MAX_WORD_LENGTH ? `${line.slice(0, MAX_WORD_LENGTH - 1).trimEnd()}…` : line
}
