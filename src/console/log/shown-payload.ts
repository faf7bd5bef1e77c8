/** Looking into what a station wrote: whatever stands there, nothing breaks and nothing grows long. */
import { parsedJson } from '../../domain/parsed-json.ts'
import { isObject } from '../../ocpp/translate/payload.ts'

export type Payload = Readonly<Record<string, unknown>>

/** Longer payloads are not parsed for a line of summary. */
const LONGEST_READ = 100_000
const LONGEST_WORD = 60

export function payloadOf(json: string | undefined): Payload | undefined {
  if (json === undefined || json.length > LONGEST_READ) return undefined
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
    .slice(0, 4 * LONGEST_WORD)
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim()
  if (line === '') return undefined
  return line.length > LONGEST_WORD ? `${line.slice(0, LONGEST_WORD - 1).trimEnd()}…` : line
}
